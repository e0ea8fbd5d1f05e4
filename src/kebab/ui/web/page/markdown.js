// A tree of nodes, checked on the server, to elements of a closed list. Knows no markup: what is text stays text.

import { address } from "./api.js";
import { el, outward } from "./dom.js";
import { coloured } from "./code.js";
import { overlap } from "./quote.js";
import { link } from "./router.js";
import { marked } from "./text.js";
import { t } from "./words.js";

const PLAIN = new Set(["p", "ul", "blockquote", "em", "strong", "del", "thead", "tbody", "tr", "hr", "br"]);
const HEADING = /^h([1-6])$/;
const ALIGNED = new Set(["left", "center", "right"]);

/**
 * @param {object[]} nodes
 * @param {{stretch: import("./quote.js").Stretch | null, lines: [number, number] | null}} at what to mark
 * @param {string} title stands above it already
 */
export function rendered(nodes, at, title) {
  const page = { at, anchors: new Map(), deeper: deeper(nodes, title) };
  const body = el("div", { class: "rendered" }, nodes.map((node) => made(node, page)));
  return { body, anchors: page.anchors };
}

/** The view's own title is the first heading; those of the text begin one below it, whatever level they have there. */
function deeper(nodes, title) {
  const [first, ...others] = nodes.filter((node) => HEADING.test(node.t));
  const isTwin = first?.t === "h1" && words(first).trim() === title;
  const levels = (isTwin ? others : [first, ...others]).map((node) => Number(node?.t[1] ?? 1));
  return levels.length ? 2 - Math.min(...levels) : 1;
}

const words = (node) => node.v ?? (node.c ?? []).map(words).join("");

function made(node, page) {
  const children = () => (node.c ?? []).map((each) => made(each, page));
  if (node.t === "text") return leaf(node, page);
  if (PLAIN.has(node.t)) return placed(el(node.t, {}, children()), node, page);
  const name = HEADING.test(node.t) ? "heading" : node.t;
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : null;
  // A tag that is not known yet is shown by what is in it.
  return rule ? placed(rule(node, children, page), node, page) : el("span", {}, children());
}

function leaf(node, page) {
  const found = overlap(page.at.stretch, node.s, node.e);
  if (!found) return node.v;
  return node.loose ? [quoted(node.v)] : marked(node.v, [found], quoted);
}

const quoted = (part) => el("mark", { class: "quoted" }, part);

/** Block nodes know their lines, which the source beside them is scrolled by. */
function placed(element, node, page) {
  if (!node.l) return element;
  element.dataset.line = node.l[0];
  const lines = page.at.lines;
  const small = !["ul", "ol", "table", "blockquote"].includes(node.t);
  if (lines && small && node.l[0] <= lines[1] && node.l[1] >= lines[0]) element.classList.add("cited");
  return element;
}

const RULES = {
  heading(node, children, page) {
    const level = Number(node.t[1]);
    const heading = el(`h${Math.max(2, Math.min(level + page.deeper, 6))}`, { class: `level${level}` }, children());
    const anchor = slug(heading.textContent);
    if (!page.anchors.has(anchor)) page.anchors.set(anchor, heading);
    return heading;
  },
  ol: (node, children) => el("ol", { start: Number.isInteger(node.first) ? node.first : null }, children()),
  li(node, children) {
    if (typeof node.checked !== "boolean") return el("li", {}, children());
    return el("li", { class: "task" },
      el("input", { type: "checkbox", checked: node.checked, disabled: true, "aria-label": t("library.state") }),
      children());
  },
  pre(node, _children, page) {
    const parts = (node.c ?? []).map((each) => (each.t === "text" ? each : null));
    const code = parts.every(Boolean) && !parts.some((each) => overlap(page.at.stretch, each.s, each.e));
    const text = parts.map((each) => each?.v ?? "").join("");
    const inside = code ? coloured(text, node.lang ?? "") : (node.c ?? []).map((each) => made(each, page));
    const block = el("pre", { tabindex: 0 }, el("code", {}, inside));
    if (!node.meta) return block;
    // Front matter is for programs: it is there, folded, unless it is what was cited.
    const cited = !code || (page.at.lines && page.at.lines[0] <= node.l?.[1]);
    return el("details", { class: "meta", open: cited }, el("summary", {}, t("doc.meta")), block);
  },
  code: (_node, children) => el("code", {}, children()),
  table: (_node, children) => el("div", { class: "tablebox", tabindex: 0 }, el("table", {}, children())),
  th: (node, children) => el("th", { class: side(node), scope: "col" }, children()),
  td: (node, children) => el("td", { class: side(node) }, children()),
  a(node, children) {
    if (node.doc) return el("a", { href: link("doc", node.doc, { a: node.anchor }) }, children());
    const href = node.href && outward(node.href);
    if (!href) return el("span", { class: "nolink" }, children());
    return el("a", { class: "outward", href, target: "_blank", rel: "noopener noreferrer nofollow", title: href },
      children());
  },
  img(node) {
    const alt = node.alt || t("doc.nopicture");
    if (!node.doc) return el("span", { class: "nopicture" }, alt);
    return el("a", { href: link("doc", node.doc) },
      el("img", { src: address("/v1/media", { doc: node.doc }), alt, loading: "lazy" }));
  },
  html: (node, _children, page) => el("code", { class: "markup", title: t("doc.markup") }, leaf(node, page)),
  footnote(node, children) {
    if (node.ref) return el("sup", { class: "footref" }, `[${node.label}]`);
    return el("div", { class: "footnote" }, el("span", { class: "label" }, `[${node.label}] `), children());
  },
};

function side(node) {
  return ALIGNED.has(node.align) ? `to-${node.align}` : null;
}

export function slug(text) {
  return text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s+/g, "-");
}
