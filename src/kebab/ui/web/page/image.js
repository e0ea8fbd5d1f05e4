// A picture, made anew by the server, with boxes where text was recognised.

import { address } from "./api.js";
import { el } from "./dom.js";
import { t } from "./words.js";

/** @param {{doc: string, view: object, words: URLSearchParams}} given */
export function imageView({ doc, view, words }) {
  const regions = view.regions ?? [];
  const cited = (words.get("r") ?? "").split(",").map(Number);
  const boxes = regions.map((region, at) => box(region, view, isCited(region, cited, words.get("quote")), at));
  const picture = el("figure", { class: "picture" }, el("div", { class: "sheet" },
    el("img", { src: address("/v1/media", { doc }),
      alt: t("doc.picture", { title: view.doc.title || view.doc.doc_path }),
      onerror: (event) => event.target.replaceWith(el("p", { class: "quiet" }, t("doc.nopicture"))) }),
    boxes));
  const list = el("section", { class: "regions" }, el("h2", {}, t("doc.regions")),
    el("ol", {}, regions.map((region, at) => el("li", { class: boxes[at].classList.contains("quoted") ? "cited" : null,
      onpointerenter: () => boxes[at].classList.add("pointed"),
      onpointerleave: () => boxes[at].classList.remove("pointed") }, region.text))));
  const target = boxes.find((each) => each.classList.contains("quoted"));
  return { body: el("div", { class: "imageview" }, picture, regions.length > 0 && list), target };
}

/** The region lies in the cited box, or holds the cited words. */
function isCited(region, [x, y, w, h], quote) {
  if (quote && region.text && (region.text.includes(quote) || quote.includes(region.text))) return true;
  if (quote || ![x, y, w, h].every(Number.isFinite) || w === undefined) return false;
  const middle = [region.x + region.w / 2, region.y + region.h / 2];
  return middle[0] >= x && middle[0] <= x + w && middle[1] >= y && middle[1] <= y + h;
}

function box(region, { width, height }, cited, at) {
  const share = (part, whole) => `${(100 * part) / (whole || 1)}%`;
  return el("span", { class: cited ? "box quoted" : "box", title: region.text, "data-region": at,
    vars: { left: share(region.x, width), top: share(region.y, height), width: share(region.w, width),
      height: share(region.h, height) } });
}
