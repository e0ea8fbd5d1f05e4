// The results of a search as a list one walks with the arrow keys.

import { el } from "./dom.js";
import { stateBadge } from "./pieces.js";
import { linkTo, placeOf, sortOf, stateOf } from "./places.js";
import { marked } from "./text.js";
import { t } from "./words.js";

/** One search_hit.v1. */
export function hitItem(hit) {
  return el("li", { class: "hit" },
    el("article", {},
      el("h2", {}, el("a", { class: "open", href: linkTo(hit.citation, hit.doc_id) }, title(hit), within(hit)),
        stateBadge(stateOf(hit))),
      el("p", { class: "place" }, el("span", { class: "sort" }, sortOf(hit.doc_path)),
        el("span", { class: "path" }, placeOf(hit.citation))),
      el("p", { class: "snippet" }, marked(hit.snippet, hit.highlights)),
      el("p", { class: "ranks" }, ranks(hit.retrieval))));
}

function title(hit) {
  return hit.title || hit.heading_path.at(-1) || hit.doc_path.slice(hit.doc_path.lastIndexOf("/") + 1);
}

/** The sections a passage stands in: several passages of one document would look alike without. */
function within(hit) {
  const above = hit.heading_path.filter((each) => each && each !== title(hit));
  return above.length > 0 && el("span", { class: "within" }, above.slice(-2).join(" › "));
}

function ranks({ lexical_rank: words, vector_rank: meaning }) {
  return [
    words && el("span", { class: "rank words" }, t("hit.words", { n: words })),
    meaning && el("span", { class: "rank meaning" }, t("hit.meaning", { n: meaning })),
  ];
}

/** Arrow keys over the links of a list: `from` is where they start, and where up from the first leads. */
export function arrows(from, list) {
  const step = (event, by) => {
    const links = [...list.querySelectorAll("a.open")];
    const at = links.indexOf(document.activeElement);
    if (!links.length || (at < 0 && (by < 0 || document.activeElement !== from))) return;
    event.preventDefault();
    const next = at + by;
    if (next < 0) from.focus();
    else links[Math.min(next, links.length - 1)].focus();
  };
  return (event) => {
    // An input method uses the arrows itself while a syllable is being put together.
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowDown") step(event, 1);
    if (event.key === "ArrowUp") step(event, -1);
  };
}

// Where somebody was in a list, by its address, so that back leads to the same result.
const places = new Map();

export function remember(list, address) {
  const links = [...list.querySelectorAll("a.open")];
  places.set(address, { at: links.indexOf(document.activeElement), y: scrollY });
}

export function recall(list, address) {
  const place = places.get(address);
  if (!place) return;
  places.delete(address);
  scrollTo({ top: place.y, behavior: "instant" });
  list.querySelectorAll("a.open")[place.at]?.focus({ preventScroll: true });
}
