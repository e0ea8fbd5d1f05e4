// Text with stretches set apart. The server counts code points, JavaScript counts halves of some of them.

import { el } from "./dom.js";

const HALVES = /[\ud800-\udfff]/;

/** Offsets in code points to those of a JavaScript string, and back. */
export class Offsets {
  /** @param {string} text */
  constructor(text) {
    this.simple = !HALVES.test(text);
    this.text = text;
    this.starts = this.simple ? [] : starts(text);
  }

  toUnits(points) {
    return this.simple ? points : this.starts[Math.min(points, this.starts.length - 1)];
  }

  toPoints(units) {
    if (this.simple) return units;
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts[middle] < units) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function starts(text) {
  const found = [];
  let at = 0;
  for (const point of text) {
    found.push(at);
    at += point.length;
  }
  found.push(at);
  return found;
}

/** `text` with `<mark>` around these stretches: [start, end) in code points, in order or not, perhaps overlapping. */
export function marked(text, stretches, make = (part) => el("mark", {}, part)) {
  const offsets = new Offsets(text);
  const parts = [];
  let at = 0;
  for (const [first, last] of [...(stretches ?? [])].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(at, offsets.toUnits(first));
    const end = offsets.toUnits(last);
    if (end <= start) continue;
    parts.push(text.slice(at, start), make(text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

const INLINE = /\*\*([^*\n]+)\*\*|`([^`\n]+)`/g;

/** A sentence of an answer: its **bold** and `code` as such, all else as it stands. */
export function sentence(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    parts.push(text.slice(at, found.index));
    parts.push(found[1] === undefined ? el("code", {}, found[2]) : el("strong", {}, found[1]));
    at = found.index + found[0].length;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}
