// Search as you type: one request at a time, the newest; filters, pages of results, and the way back.

import { get, post } from "./api.js";
import { button, debounced, el, fill } from "./dom.js";
import { explainSearch } from "./explain.js";
import { chosenIn, Facets, FILTERS } from "./facets.js";
import { arrows, hitItem, recall, remember } from "./hits.js";
import { announce, commands, failure, isAbort, segments } from "./pieces.js";
import { stateOf } from "./places.js";
import { go, link, restate } from "./router.js";
import { reminder, welcome } from "./start.js";
import { number, t } from "./words.js";

const PAUSE_MS = 90;
const PAGE = 20;
const MODES = ["hybrid", "lexical", "vector"];

class Search {
  constructor(root, signal) {
    this.root = root;
    this.signal = signal;
    this.running = null;
    this.facets = new Facets((chosen) => this.changed({ chosen }));
    this.later = debounced(() => this.find(), PAUSE_MS);
    signal.addEventListener("abort", () => this.leave());
    this.build();
  }

  build() {
    this.input = el("input", { type: "search", id: "q", name: "q", autocomplete: "off", autocapitalize: "off",
      spellcheck: "false",
      enterkeyhint: "search", placeholder: t("search.hint"), "aria-label": t("search.label"), "aria-controls": "hits",
      oninput: () => this.changed({ q: this.input.value, typing: true }) });
    this.list = el("ol", { id: "hits", class: "hits", "aria-label": t("nav.search") });
    this.note = el("div", { class: "note" });
    this.modes = el("div");
    this.side = el("details", { class: "side" }, el("summary", {}, t("filters")), this.facets.node);
    this.bottom = el("div", { class: "bottom" });
    const form = el("form", { class: "searchbox", role: "search", onsubmit: (event) => this.submitted(event) },
      this.input, el("button", { class: "primary asks", type: "button", onclick: () => this.ask() }, t("search.ask")));
    this.top = el("div", { class: "searchtop" }, el("h1", { class: "unseen" }, t("nav.search")),
      this.hello = el("div"), form, this.modes,
      this.recent = el("div", { class: "recent" }));
    fill(this.root, el("div", { class: "search" }, this.top, this.side,
      el("section", { class: "results", "aria-label": t("nav.search") }, this.note, this.list, this.bottom)));
    this.root.onkeydown = arrows(this.input, this.list);
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) this.ask();
    });
    this.list.addEventListener("click", () => remember(this.list, this.address()));
    if (matchMedia("(min-width: 56rem)").matches) this.side.open = true;
  }

  /** @param {import("./router.js").Route} route */
  show(route) {
    this.q = route.words.get("q") ?? "";
    this.mode = MODES.includes(route.words.get("mode")) ? route.words.get("mode") : "hybrid";
    this.chosen = chosenIn(route.words);
    if (this.input.value !== this.q) this.input.value = this.q;
    fill(this.modes, segments("mode", t("mode"), MODES.map((each) => [each, t(`mode.${each}`)]), this.mode,
      (mode) => this.changed({ mode })));
    this.facets.show(this.known?.facets, this.chosen);
    if (!this.known) this.learn();
    this.find();
    if (!this.shown) this.input.focus({ preventScroll: true });
    this.shown = true;
  }

  async learn() {
    try {
      this.known = await get("/v1/facets", {}, this.signal);
    } catch (error) {
      if (isAbort(error)) return;
      this.known = { facets: {} };
    }
    this.facets.show(this.known.facets, this.chosen);
    this.greet();
  }

  refresh() {
    this.learn();
    if (this.q.trim()) this.find(true);
  }

  address() {
    return link("search", "", { q: this.q, mode: this.mode === "hybrid" ? "" : this.mode, ...this.chosen });
  }

  changed({ q = this.q, mode = this.mode, chosen = this.chosen, typing = false }) {
    this.q = q;
    this.mode = mode;
    this.chosen = chosen;
    restate(this.address());
    this.opening = false;
    if (typing) {
      this.later();
      return;
    }
    this.facets.show(this.known?.facets, this.chosen);
    this.find();
  }

  submitted(event) {
    event.preventDefault();
    this.later.cancel();
    // Enter opens the first result of what was typed, now or once it is there.
    this.opening = true;
    if (this.found === this.q) this.open();
    else this.find();
  }

  open() {
    const first = this.opening && this.list.querySelector("a.open");
    this.opening = false;
    if (first) first.click();
  }

  ask() {
    if (this.q.trim()) go(link("ask", "", { q: this.q.trim(), now: "1", ...this.filters() }));
    else go(link("ask"));
  }

  filters() {
    return Object.fromEntries(Object.entries(this.chosen).filter(([name]) => FILTERS.includes(name)));
  }

  async find(quietly = false) {
    this.running?.abort();
    this.greet();
    if (!this.q.trim()) {
      this.found = null;
      fill(this.list);
      fill(this.note);
      fill(this.bottom);
      return;
    }
    const running = (this.running = new AbortController());
    const q = this.q;
    this.list.setAttribute("aria-busy", "true");
    try {
      const response = await post("/v1/search", this.request(), running.signal);
      if (running.signal.aborted) return;
      this.found = q;
      this.present(response, quietly);
    } catch (error) {
      if (isAbort(error) || running.signal.aborted) return;
      fill(this.list);
      fill(this.bottom);
      fill(this.note, failure(error));
    } finally {
      if (!running.signal.aborted) this.list.removeAttribute("aria-busy");
    }
  }

  request(cursor = "") {
    const k = this.chosen.freshness ? PAGE * 3 : PAGE;
    return { query: this.q.trim(), mode: this.mode, k, snippet_chars: 320, ...this.filters(),
      ...(cursor ? { cursor } : {}) };
  }

  present(response, quietly) {
    const items = this.fitting(response.hits).map(hitItem);
    const said = items.length ? t("search.found", { n: number(items.length) + (response.next_cursor ? "+" : "") }) : "";
    this.replace(items);
    fill(this.note, items.length ? this.above(said) : this.nothing(response),
      response.degraded && el("p", { class: "notice" }, t("search.degraded", { why: response.degraded })));
    this.offer(response);
    if (!quietly) announce(said || t("search.none", { q: this.q }));
    recall(this.list, this.address());
    this.open();
  }

  /** Newer results for older ones; who walks the list already stays at the same place of it. */
  replace(items) {
    const at = [...this.list.querySelectorAll("a.open")].indexOf(document.activeElement);
    fill(this.list, items);
    if (at >= 0) (items[at] ?? items.at(-1))?.querySelector("a.open").focus({ preventScroll: true });
  }

  fitting(hits) {
    const wanted = this.chosen.freshness;
    return wanted ? hits.filter((hit) => wanted.includes(stateOf(hit))) : hits;
  }

  above(said) {
    return el("p", { class: "above" }, el("span", {}, said),
      button(t("explain"), () => explainSearch(this.request()), { class: "plain", "data-key": "e", id: "explain" }));
  }

  nothing(response) {
    return el("div", { class: "nothing" }, el("h2", {}, t("search.none", { q: this.q })),
      el("p", {}, commands(response.hint ?? t("search.nonehint"))));
  }

  offer({ next_cursor: cursor }) {
    fill(this.bottom, cursor && button(t("more"), (event) => this.further(event.target, cursor), { class: "wide" }));
  }

  async further(asked, cursor) {
    asked.disabled = true;
    try {
      const response = await post("/v1/search", this.request(cursor), this.running.signal);
      const items = this.fitting(response.hits).map(hitItem);
      this.list.append(...items);
      this.offer(response);
      (items[0]?.querySelector("a.open") ?? this.bottom.firstChild)?.focus();
    } catch (error) {
      if (!isAbort(error)) fill(this.bottom, failure(error));
    }
  }

  greet() {
    const start = !this.q.trim();
    this.root.firstChild.classList.toggle("start", start);
    fill(this.hello, start && this.known && welcome(this.known));
    if (start) this.remind();
    else fill(this.recent);
  }

  async remind() {
    this.past ??= reminder(this.signal);
    const nodes = await this.past;
    if (!this.q.trim()) fill(this.recent, nodes);
  }

  leave() {
    this.running?.abort();
    this.later.cancel();
  }
}

export function show(root, route, signal) {
  const view = new Search(root, signal);
  view.show(route);
  return { update: (next) => view.show(next), refresh: () => view.refresh() };
}
