// The filters of a search as check lists, with how many documents each value has.

import { button, el, fill } from "./dom.js";
import { named, number, t } from "./words.js";

// Those the server filters by; `freshness` is looked up per hit and sorted out here.
export const FILTERS = ["media", "lang", "tag", "source", "source_type", "code_lang", "repo"];
const SHOWN = [...FILTERS, "freshness"];
const FIRST = 6;
const GROUPS = { media: "media", lang: "lang", freshness: "state" };

/** The filters an address asks for. */
export function chosenIn(words) {
  return Object.fromEntries(SHOWN.map((name) => [name, words.getAll(name)]).filter(([, values]) => values.length));
}

export class Facets {
  /** @param {(chosen: Record<string, string[]>) => void} onchange */
  constructor(onchange) {
    this.node = el("div", { class: "facets" });
    this.onchange = onchange;
    this.open = new Set();
  }

  /** @param {Record<string, {value: string, count: number}[]>} facets */
  show(facets, chosen) {
    this.facets = facets;
    this.chosen = chosen;
    const groups = SHOWN.map((name) => this.group(name, this.values(name))).filter(Boolean);
    const any = Object.keys(chosen).length > 0;
    const held = this.node.contains(document.activeElement);
    fill(this.node, groups, any && button(t("filters.clear"), () => this.onchange({}), { class: "plain" }));
    if (held && !this.node.contains(document.activeElement)) this.node.querySelector("input")?.focus();
  }

  /** What there is, and what was asked for even if there is none of it. */
  values(name) {
    const known = this.facets?.[name] ?? [];
    const extra = (this.chosen[name] ?? []).filter((value) => !known.some((each) => each.value === value));
    return [...known, ...extra.map((value) => ({ value, count: 0 }))];
  }

  group(name, values) {
    // A list of one says nothing, unless it is chosen.
    if (values.length < 2 && !this.chosen[name]) return null;
    const all = this.open.has(name) || values.length <= FIRST + 1;
    const few = all ? values : values.filter((each, at) => at < FIRST || this.chosen[name]?.includes(each.value));
    return el("fieldset", { class: "facet" }, el("legend", {}, t(`facet.${name}`)),
      few.map((each) => this.box(name, each)),
      !all && button(t("more"), () => this.unfold(name), { class: "plain small" }));
  }

  unfold(name) {
    this.open.add(name);
    this.show(this.facets, this.chosen);
    this.node.querySelectorAll(`input[name=${name}]`)[FIRST]?.focus();
  }

  box(name, { value, count }) {
    const checked = this.chosen[name]?.includes(value) ?? false;
    const onchange = (event) => this.toggle(name, value, event.target.checked);
    const words = name in GROUPS ? named(GROUPS[name], value) : value;
    return el("label", { class: "check" },
      el("input", { type: "checkbox", name, value, checked, onchange }),
      el("span", { class: "value" }, words), el("span", { class: "count" }, number(count)));
  }

  toggle(name, value, on) {
    const others = (this.chosen[name] ?? []).filter((each) => each !== value);
    const values = on ? [...others, value] : others;
    const { [name]: _, ...rest } = this.chosen;
    this.onchange(values.length ? { ...rest, [name]: values } : rest);
  }
}
