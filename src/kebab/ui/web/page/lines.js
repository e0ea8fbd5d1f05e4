// Source lines with their numbers, the cited ones set apart and the cited words marked. For code and every other text.

import { button, el } from "./dom.js";
import { colouredLines } from "./code.js";
import { overlap } from "./quote.js";
import { link } from "./router.js";
import { marked, Offsets } from "./text.js";
import { t } from "./words.js";

/**
 * @param {{first: number, start?: number, items: string[], more: boolean}} lines
 * @param {{stretch: object | null, lines: [number, number] | null}} at
 * @param {string} lang of code, or "" for no colours
 */
export function lineView(lines, at, lang = "") {
  const text = lines.items.join("\n");
  const colours = lang ? colouredLines(text, lang) : null;
  const offsets = new Offsets(text);
  const base = lines.start ?? 0;
  let unit = 0;
  const nodes = lines.items.map((line, index) => {
    const start = base + offsets.toPoints(unit);
    const end = base + offsets.toPoints(unit + line.length);
    unit += line.length + 1;
    const number = lines.first + index;
    const found = overlap(at.stretch, start, end);
    return el("div", { class: classes(number, at.lines), "data-line": number }, inside(line, found, colours?.[index]),
      "\n");
  });
  return el("div", { class: lang ? "lines code" : "lines", role: "region", tabindex: 0, "aria-label": t("doc.source"),
    vars: { "--digits": String(lines.first + lines.items.length).length } }, nodes);
}

function classes(number, cited) {
  return cited && number >= cited[0] && number <= cited[1] ? "line cited" : "line";
}

function inside(line, found, colours) {
  if (found) return marked(line, [found], (part) => el("mark", { class: "quoted" }, part));
  if (!colours) return line;
  return colours.map(([kind, part]) => (kind ? el("span", { class: `code-${kind}` }, part) : part));
}

/** Ways to the lines before and after a window. */
export function windowBar(view, route, move) {
  const { first, items } = view.lines;
  const last = first + items.length - 1;
  if (first === 1 && !view.lines.more) return null;
  return el("p", { class: "window" },
    first > 1 && button(t("doc.earlier"), () => move(Math.max(1, first - items.length)), {}),
    el("span", {}, t("doc.lines", { first, last, all: view.line_count })),
    view.lines.more && button(t("doc.later"), () => move(last + 1), {}));
}

/** The definitions of a source file, each a way to its lines. */
export function symbolList(view, doc) {
  if (!view.symbols?.length) return null;
  return el("nav", { class: "symbols", "aria-label": t("doc.symbols") }, el("h2", {}, t("doc.symbols")),
    el("ol", {}, view.symbols.map((each) => el("li", {},
      el("a", { href: link("doc", doc, { l: `${each.start_line}-${each.end_line}` }) },
        el("span", { class: "name" }, each.name), el("span", { class: "kind" }, each.kind))))));
}
