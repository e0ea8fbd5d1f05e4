// The document view: what was indexed, in the shape of its kind, scrolled to the cited words.

import { get } from "./api.js";
import { audioView } from "./audio.js";
import { el, fill } from "./dom.js";
import { imageView } from "./image.js";
import { lineView, symbolList, windowBar } from "./lines.js";
import { rendered, slug } from "./markdown.js";
import { pageView } from "./pages.js";
import { announce, failure, isAbort, loading, segments, stateBadge } from "./pieces.js";
import { stateOf } from "./places.js";
import { rangeOf, stretchIn } from "./quote.js";
import { link, restate } from "./router.js";
import { ago, t } from "./words.js";

const BEFORE = 200;
const WINDOW = 2000;
const PAGES = 50;
const ABOVE = 2;
const LAYOUTS = ["rendered", "both", "source"];
let layout = null;

const startLayout = () => layout ?? (matchMedia("(min-width: 80rem)").matches ? "both" : "rendered");

class Doc {
  constructor(root, signal) {
    this.root = root;
    this.signal = signal;
  }

  /** @param {import("./router.js").Route} route */
  async show(route) {
    this.route = route;
    fill(this.root, loading());
    try {
      await this.read(Number(route.words.get("from")) || this.windowFor(route.words));
    } catch (error) {
      if (!isAbort(error)) fill(this.root, el("div", { class: "doc" }, failure(error)));
    }
  }

  /** A long document is read around what is cited. */
  windowFor(words) {
    const cited = rangeOf(words.get("l"));
    return cited && cited[1] > WINDOW ? Math.max(1, cited[0] - BEFORE) : 1;
  }

  async read(from) {
    const page = Number(this.route.words.get("p")) || 1;
    const words = { doc: this.route.arg, from_line: from > 1 ? from : null,
      from_page: page > PAGES ? page - ABOVE : null };
    // One who goes on to another document is not waiting for the one before.
    this.reading?.abort();
    this.reading = new AbortController();
    this.view = await get("/v1/view", words, AbortSignal.any([this.signal, this.reading.signal]));
    this.present();
  }

  /** Shows what changed since, and leaves the reader where they are. */
  async refresh() {
    const before = this.view;
    if (!before) return;
    const { first } = before.lines ?? { first: 1 };
    const words = { doc: this.route.arg, from_line: first > 1 ? first : null, from_page: before.pages?.[0]?.page };
    const view = await get("/v1/view", words, this.signal).catch(() => null);
    if (!view || this.view !== before) return;
    if (view.doc.updated_at === before.doc.updated_at && view.freshness === before.freshness) return;
    const y = scrollY;
    this.view = view;
    this.present();
    scrollTo({ top: y, behavior: "instant" });
  }

  present() {
    const { view, route } = this;
    const { doc } = view;
    document.title = `${doc.title || doc.doc_path} · kebab`;
    const given = { doc: doc.doc_id ?? route.arg, view, words: route.words, signal: this.signal };
    const shape = Object.hasOwn(SHAPES, view.kind) ? SHAPES[view.kind] : SHAPES.text;
    const { body, target, head, sides } = shape(this, given);
    fill(this.root, el("article", { class: `doc doc-${view.kind}` },
      el("header", { class: "dochead" }, el("h1", { tabindex: -1 }, doc.title || doc.doc_path), facts(view), head),
      sides, body));
    this.settle(target);
  }

  /** The cited words in sight, and the title focused so that a screen reader begins with it. */
  settle(target) {
    this.root.querySelector("h1").focus({ preventScroll: true });
    scrollTo({ top: 0, behavior: "instant" });
    for (const node of [target].flat()) if (node) bringIntoSight(node);
    if (this.at?.stretch) announce(t(this.at.stretch.found ? "doc.quote" : "doc.noquote"));
  }

  marks() {
    const { view, route } = this;
    const lines = rangeOf(route.words.get("l"));
    const stretch = view.lines ? stretchIn(view.lines, route.words) : null;
    this.at = { stretch, lines };
    return this.at;
  }

  move(from) {
    const words = new URLSearchParams(this.route.words);
    for (const name of ["l", "q", "quote"]) words.delete(name);
    words.set("from", String(from));
    restate(link("doc", this.route.arg, words));
    this.route = { ...this.route, words };
    this.read(from).catch((error) => {
      if (!isAbort(error)) fill(this.root, failure(error));
    });
  }

  bar() {
    return windowBar(this.view, this.route, (from) => this.move(from));
  }

  missing() {
    const cut = this.view.lines.cut && t("doc.cut");
    const gone = !cut && this.at.stretch?.found === false && t("doc.noquote");
    return (cut || gone) && el("p", { class: "notice" }, cut || gone);
  }
}

/** Within the part that scrolls, so that the title above two parts stays where it is. */
function bringIntoSight(node) {
  const part = node.closest(".pair.both > *");
  if (!part || part.scrollHeight <= part.clientHeight) {
    node.scrollIntoView({ block: "center", behavior: "instant" });
    return;
  }
  const offset = node.getBoundingClientRect().top - part.getBoundingClientRect().top;
  part.scrollTo({ top: part.scrollTop + offset - part.clientHeight / 3, behavior: "instant" });
}

function facts(view) {
  const { doc } = view;
  return el("p", { class: "facts" }, el("span", { class: "path" }, doc.doc_path),
    stateBadge(stateOf({ freshness: view.freshness, stale: doc.stale }), true),
    doc.tags?.map((tag) => el("a", { class: "tag", href: link("library", "", { tag }) }, `#${tag}`)),
    doc.updated_at && el("time", { class: "quiet", datetime: doc.updated_at },
      t("doc.indexed", { when: ago(doc.updated_at) })));
}

/** Most notes begin with their title, which stands above them already. */
function hideTwin(body, title) {
  const heading = body.querySelector(".level1");
  const same = heading && heading.textContent.trim() === title && !heading.matches(".cited, :has(mark)");
  if (same && !heading.previousElementSibling?.matches(":not(.meta)")) heading.hidden = true;
}

/** The first of these marks: the words, else the lines. */
const firstMark = (node) => node.querySelector("mark.quoted") ?? node.querySelector(".cited");

const SHAPES = {
  markdown(self, given) {
    if (!given.view.nodes) return SHAPES.text(self, given);
    const at = self.marks();
    const { body, anchors } = rendered(given.view.nodes, at.stretch?.found ? { ...at, lines: null } : at,
      given.view.doc.title);
    hideTwin(body, given.view.doc.title);
    const source = lineView(given.view.lines, at);
    const pair = el("div", { class: `pair ${startLayout()}` }, body, source);
    const choose = (value) => {
      layout = value;
      pair.className = `pair ${value}`;
      self.settle([firstMark(source), firstMark(body)]);
    };
    const head = segments("layout", t("doc.show"), LAYOUTS.map((each) => [each, t(`doc.${each}`)]), startLayout(),
      choose);
    const anchor = given.words.get("a");
    const target = anchor ? anchors.get(slug(anchor)) : [firstMark(source), firstMark(body)];
    return { body: [self.missing(), pair, self.bar()], target, head };
  },
  code(self, given) {
    const lang = given.view.doc.code_lang ?? given.view.code_lang ?? given.view.doc.doc_path.split(".").at(-1);
    const source = lineView(given.view.lines, self.marks(), lang);
    return { body: [self.missing(), source, self.bar()], target: firstMark(source),
      sides: symbolList(given.view, given.doc) };
  },
  text(self, given) {
    const source = lineView(given.view.lines, self.marks());
    return { body: [self.missing(), source, self.bar()], target: firstMark(source) };
  },
  pages(self, given) {
    self.at = null;
    return given.view.pages?.length ? pageView(given) : SHAPES.text(self, given);
  },
  image(self, given) {
    self.at = null;
    return imageView(given);
  },
  audio(self, given) {
    self.at = null;
    return audioView(given);
  },
};

export function show(root, route, signal) {
  const view = new Doc(root, signal);
  view.show(route);
  return { update: (next) => view.show(next), refresh: () => view.refresh() };
}
