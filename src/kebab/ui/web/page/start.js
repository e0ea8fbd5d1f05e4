// The start page: what there is to search, what was asked last, and how to go on.

import { get } from "./api.js";
import { el } from "./dom.js";
import { commands } from "./pieces.js";
import { link } from "./router.js";
import { number, t } from "./words.js";

const LAST = 20;
const SHOWN = 4;

/** @param {{doc_count?: number, chunk_count?: number}} known of facets.v1 */
export function welcome({ doc_count: docs, chunk_count: chunks }) {
  const empty = docs === 0;
  const size = docs === undefined ? "" : t("search.size", { docs: number(docs), chunks: number(chunks) });
  return [
    el("h2", { class: "welcome" }, t(empty ? "search.empty" : "search.welcome")),
    el("p", { class: "size" }, empty ? commands(t("search.first")) : size),
  ];
}

/** What was asked last, for somebody who comes back. */
export async function reminder(signal) {
  const past = await get("/v1/answers", { limit: LAST, grounded: true }, signal).catch(() => null);
  // The newest of each question: the list begins with it, so it is written last.
  const newest = new Map((past?.answers ?? []).toReversed().map((each) => [each.question, each.trace_id]));
  const items = [...newest].toReversed().slice(0, SHOWN).map(([question, trace]) =>
    el("li", {}, el("a", { href: link("ask", trace) }, question)));
  return [items.length > 0 && [el("h2", {}, t("search.recent")), el("ul", {}, items)], tip()];
}

function tip() {
  const keys = { slash: "/", help: "?" };
  const parts = t("keys.tip").split(/\{(\w+)\}/);
  return el("p", { class: "quiet small tip" }, parts.map((part, at) => (at % 2 ? el("kbd", {}, keys[part]) : part)));
}
