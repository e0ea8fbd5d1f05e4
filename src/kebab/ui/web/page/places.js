// Citations to what a person reads and follows: a label, and the address of the document view at that very place.

import { link } from "./router.js";
import { clock, t } from "./words.js";

/** The words of the address for a citation.v1. */
export function wordsOf(citation) {
  const words = {};
  if (citation.kind === "line") words.l = span(citation.start, citation.end);
  if (citation.kind === "code") words.l = span(citation.line_start, citation.line_end);
  if (citation.kind === "page") words.p = citation.page;
  if (citation.kind === "region") words.r = [citation.x, citation.y, citation.w, citation.h].join(",");
  if (citation.kind === "time") words.t = citation.start_ms / 1000;
  // The words themselves: they are found again also when the file has grown above them.
  if (citation.quote) words.quote = citation.quote.text;
  return words;
}

function span(first, last) {
  return first === last ? String(first) : `${first}-${last}`;
}

/** @param {string} [doc] an id when it is known, else the path */
export function linkTo(citation, doc) {
  return link("doc", doc ?? citation.path, wordsOf(citation));
}

/** `notes/rice.md · 23–24` */
export function placeOf(citation) {
  return `${citation.path}${where(citation)}`;
}

export function where(citation) {
  if (citation.kind === "line") return `:${span(citation.start, citation.end)}`;
  if (citation.kind === "code") return `:${span(citation.line_start, citation.line_end)}`;
  if (citation.kind === "page") return ` · ${t("doc.page", { n: citation.page })}`;
  if (citation.kind === "time") return ` · ${clock(citation.start_ms / 1000)}`;
  return "";
}

export function sectionOf(citation) {
  return (citation.section ?? citation.symbol ?? "").replace(/^§\s*/, "");
}

/** `fresh`, `changed`, `missing`, `stale` or `unknown`: the worst that is known. */
export function stateOf(thing) {
  const freshness = thing.freshness ?? thing.citation?.freshness ?? "unknown";
  if (freshness === "changed" || freshness === "missing") return freshness;
  return thing.stale || thing.citation?.stale ? "stale" : freshness;
}

/** A few letters that say what sort of file it is. */
export function sortOf(path) {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 ? name.slice(dot + 1) : "";
  return ending && ending.length <= 5 ? ending.toLowerCase() : "file";
}
