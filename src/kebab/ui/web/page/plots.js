// Small plots, drawn by elements: bars, a gauge with its threshold, and lines from places in two channels to a result.

import { el, svg } from "./dom.js";
import { score } from "./words.js";

/** A row with a bar; `share` is 0 to 1. */
export function bar(label, value, share, kind = "", shown = score(value)) {
  const width = Math.max(0, Math.min(1, share || 0));
  return el("div", { class: `barrow ${kind}` }, el("span", { class: "label" }, label),
    el("span", { class: "track", "aria-hidden": "true" },
      el("span", { class: "full", vars: { width: `${width * 100}%` } })),
    el("span", { class: "figure" }, shown));
}

/** A scale from 0 to 1 with a value on it and the line it has to reach. */
export function scale(label, value, threshold, words) {
  const x = (at) => 4 + 232 * Math.max(0, Math.min(1, at));
  const passed = value >= threshold;
  return el("figure", { class: passed ? "scale passed" : "scale below" },
    svg("svg", { viewBox: "0 0 240 40", role: "img",
      "aria-label": `${label}: ${score(value)}; ${words} ${score(threshold)}` },
      svg("rect", { class: "ground", x: 4, y: 16, width: 232, height: 8, rx: 4 }),
      svg("rect", { class: "reach", x: 4, y: 16, width: Math.max(0, x(value) - 4), height: 8, rx: 4 }),
      svg("line", { class: "threshold", x1: x(threshold), x2: x(threshold), y1: 9, y2: 31 }),
      svg("text", { x: x(threshold), y: 40, class: "tick", "text-anchor": "middle" }, score(threshold)),
      svg("circle", { class: "dot", cx: x(value), cy: 20, r: 6 })),
    el("figcaption", {}, `${label} ${score(value)} · ${words} ${score(threshold)}`));
}

const ROW = 20;
const TOP = 22;
const SIDES = {
  lexical: { kind: "words", from: 40, to: 148, x: 28, anchor: "end" },
  vector: { kind: "meaning", from: 280, to: 172, x: 292, anchor: "start" },
};

/**
 * Places by words at the left, by meaning at the right, the result in the middle.
 * @param {{rank: number, lexical: number | null, vector: number | null, name: string}[]} rows
 */
export function slopes(rows, names) {
  const y = (place) => TOP + ROW * (place - 0.5);
  const height = TOP + ROW * rows.length + 4;
  const order = { lexical: ordinals(rows, "lexical"), vector: ordinals(rows, "vector") };
  const parts = [column(40, names.words), column(160, names.result), column(280, names.meaning)];
  rows.forEach((row) => {
    for (const [channel, side] of Object.entries(SIDES)) {
      if (row[channel]) parts.push(...arm(side, y(order[channel].get(row)), y(row.rank), row[channel]));
    }
    parts.push(svg("g", { class: "result" }, svg("title", {}, row.name),
      svg("circle", { cx: 160, cy: y(row.rank), r: 9 }),
      svg("text", { x: 160, y: y(row.rank) + 4, "text-anchor": "middle" }, row.rank)));
  });
  const words = rows.map((row) =>
    `${row.rank}: ${row.name}, ${names.words} ${row.lexical ?? "–"}, ${names.meaning} ${row.vector ?? "–"}`).join("; ");
  return svg("svg", { class: "slopes", viewBox: `0 0 320 ${height}`, role: "img", "aria-label": words }, parts);
}

/** Where each row stands in a channel among those that are shown: far places would need a far longer picture. */
function ordinals(rows, channel) {
  const there = rows.filter((row) => row[channel]).sort((a, b) => a[channel] - b[channel]);
  return new Map(there.map((row, at) => [row, at + 1]));
}

function column(x, words) {
  return svg("text", { class: "head", x, y: 12, "text-anchor": "middle" }, words);
}

function arm({ from, to, kind, x, anchor }, y1, y2, place) {
  const middle = (from + to) / 2;
  return [
    svg("path", { class: `arm ${kind}`, d: `M${from} ${y1} C${middle} ${y1} ${middle} ${y2} ${to} ${y2}` }),
    svg("circle", { class: `end ${kind}`, cx: from, cy: y1, r: 3.5 }),
    svg("text", { class: "place", x, y: y1 + 4, "text-anchor": anchor }, place),
  ];
}
