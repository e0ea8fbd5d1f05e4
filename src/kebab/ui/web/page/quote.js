// Where in a document the cited words stand: a stretch of characters, found by an address's words.

import { Offsets } from "./text.js";

/**
 * @typedef {{start: number, end: number, found: boolean}} Stretch code points of the document's text
 */

/** `10-14` or `10` as numbers, or null. */
export function rangeOf(text) {
  const found = /^(\d+)(?:-(\d+))?$/.exec(text ?? "");
  return found ? [Number(found[1]), Number(found[2] ?? found[1])] : null;
}

/**
 * The stretch an address means within a window of lines: its `q`, or its `quote` from the cited line on, or nothing.
 * @param {{first: number, start: number, items: string[]}} lines
 * @param {URLSearchParams} words
 * @returns {Stretch | null}
 */
export function stretchIn(lines, words) {
  const exact = rangeOf(words.get("q"));
  if (exact) return { start: exact[0], end: exact[1], found: true };
  const quote = words.get("quote");
  if (!quote) return null;
  const text = lines.items.join("\n");
  const cited = rangeOf(words.get("l"));
  const from = cited ? lineStart(lines, cited[0]) : 0;
  const at = place(text, quote, from);
  if (!at) return { start: 0, end: 0, found: false };
  const offsets = new Offsets(text);
  const base = lines.start ?? 0;
  return { start: base + offsets.toPoints(at[0]), end: base + offsets.toPoints(at[1]), found: true };
}

function lineStart(lines, number) {
  let at = 0;
  const last = Math.min(number - lines.first, lines.items.length);
  for (let index = 0; index < last; index += 1) at += lines.items[index].length + 1;
  return at;
}

/** Word for word from here on, then anywhere, then with any white space between words. */
function place(text, quote, from) {
  let at = text.indexOf(quote, from);
  if (at < 0) at = text.indexOf(quote);
  if (at >= 0) return [at, at + quote.length];
  const words = quote.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (words.length > 400 || !words[0]) return null;
  const loose = new RegExp(words.join("\\s+"), "g");
  loose.lastIndex = from;
  const found = loose.exec(text) ?? new RegExp(words.join("\\s+")).exec(text);
  return found ? [found.index, found.index + found[0].length] : null;
}

/** What of a stretch falls on [start, end), counted from `start`; null: nothing. */
export function overlap(stretch, start, end) {
  if (!stretch?.found) return null;
  const first = Math.max(stretch.start, start);
  const last = Math.min(stretch.end, end);
  return first < last ? [first - start, last - start] : null;
}
