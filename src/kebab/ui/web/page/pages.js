// Pages of a PDF as pictures, made on the server, with a box around the cited words.

import { address, get } from "./api.js";
import { button, el, fill } from "./dom.js";
import { failure, isAbort } from "./pieces.js";
import { t } from "./words.js";

const WIDTH = 1200;
const AT_ONCE = 50;

/** @param {{doc: string, view: object, words: URLSearchParams, signal: AbortSignal}} given */
export function pageView(given) {
  const { view, words, signal } = given;
  const place = el("div", { class: "pages" });
  const cited = Number(words.get("p")) || 0;
  const pages = [...view.pages];
  place.append(...pages.map((page) => pageNode(given, page, page.page === cited)));
  if (pages[0].page > 1) place.prepend(earlier(given, place, pages[0].page));
  if (pages.at(-1).page < (view.page_count ?? 0)) place.append(further(given, place, pages));
  const target = place.querySelector(".page.cited");
  if (target) boxed(given, target, cited, signal);
  return { body: place, target };
}

function pageNode({ doc }, page, cited) {
  const known = page.width && page.height;
  const sheet = el("div", { class: "sheet", vars: known ? { "aspect-ratio": `${page.width} / ${page.height}` } : {} },
    known && el("img", { src: address("/v1/page_image", { doc, page: page.page, width: WIDTH }),
      alt: t("doc.page", { n: page.page }),
      loading: "lazy", onerror: (event) => event.target.replaceWith(el("p", { class: "quiet" }, t("doc.noimage"))) }));
  return el("figure", { class: cited ? "page cited" : "page", "data-page": page.page },
    el("figcaption", {}, t("doc.page", { n: page.page })), known && sheet,
    el("details", { class: "pagetext", open: !known }, el("summary", {}, t("doc.pagetext")),
      el("p", { class: "lines" }, page.text ?? "")));
}

/** Puts the boxes of the quote over the picture of its page; the page's text is marked too. */
async function boxed({ doc, words, view }, figure, page, signal) {
  const quote = words.get("quote");
  if (!quote) return;
  markText(figure, view.pages.find((each) => each.page === page)?.text ?? "", quote);
  try {
    const { boxes } = await get("/v1/page_boxes", { doc, page, quote }, signal);
    const sheet = figure.querySelector(".sheet");
    const nodes = boxes.map(([x, y, w, h]) => el("span", { class: "box quoted",
      vars: { left: `${x * 100}%`, top: `${y * 100}%`, width: `${w * 100}%`, height: `${h * 100}%` } }));
    sheet?.append(...nodes);
    nodes[0]?.scrollIntoView({ block: "center" });
  } catch (error) {
    // Without boxes the text below the picture still shows the words.
    if (!isAbort(error)) figure.querySelector("details").open = true;
  }
}

function markText(figure, text, quote) {
  const at = text.indexOf(quote);
  if (at < 0) return;
  fill(figure.querySelector("details .lines"), text.slice(0, at), el("mark", { class: "quoted" }, quote),
    text.slice(at + quote.length));
}

/** A way to those before `first`: they are put above it, and the last of them is in sight. */
function earlier(given, place, first) {
  const from = Math.max(1, first - AT_ONCE);
  const more = button(t("doc.earlierpages"), async () => {
    try {
      const view = await get("/v1/view", { doc: given.doc, from_page: from }, given.signal);
      const pages = (view.pages ?? []).filter((page) => page.page < first);
      const nodes = pages.map((page) => pageNode(given, page, false));
      more.replaceWith(...nodes);
      if (from > 1) place.prepend(earlier(given, place, from));
      arriveAt(nodes.at(-1));
    } catch (error) {
      more.replaceWith(failure(error));
    }
  }, { class: "wide" });
  return more;
}

function arriveAt(page) {
  page?.querySelector("summary").focus({ preventScroll: true });
  page?.scrollIntoView();
}

function further(given, place, pages) {
  const next = pages.at(-1).page + 1;
  const more = button(t("doc.morepages"), async () => {
    try {
      const view = await get("/v1/view", { doc: given.doc, from_page: next }, given.signal);
      const nodes = (view.pages ?? []).map((page) => pageNode(given, page, false));
      more.replaceWith(...nodes);
      const isMore = view.pages?.length && view.pages.at(-1).page < view.page_count;
      if (isMore) place.append(further(given, place, view.pages));
      arriveAt(nodes[0]);
    } catch (error) {
      more.replaceWith(failure(error));
    }
  }, { class: "wide" });
  return more;
}
