// The library: every document with its state, filters over them, and bringing the index up to date.

import { get } from "./api.js";
import { button, debounced, el, fill } from "./dom.js";
import { recall, remember } from "./hits.js";
import { Ingest } from "./ingest.js";
import { commands, failedList, failure, isAbort, loading, stateBadge } from "./pieces.js";
import { sortOf, stateOf } from "./places.js";
import { link, restate } from "./router.js";
import { Watch } from "./watch.js";
import { ago, named, number, t } from "./words.js";

const AT_ONCE = 200;
const PAGE = 1000;
const STATES = ["changed", "missing", "stale", "fresh", "unknown"];
const CHOICES = ["state", "media", "lang", "tag"];
const READ = {
  state: (doc) => [stateOf(doc)],
  media: (doc) => [kindOf(doc)],
  lang: (doc) => [doc.lang],
  tag: (doc) => doc.tags ?? [],
};

/** `code/go` is code. */
function kindOf(doc) {
  return (doc.media_type ?? sortOf(doc.doc_path)).split("/")[0];
}

class Library {
  constructor(root, signal) {
    this.root = root;
    this.signal = signal;
    const label = t("library.filter");
    const later = debounced(() => this.changed("q", this.filter.value), 120);
    signal.addEventListener("abort", later.cancel);
    this.filter = el("input", { type: "search", id: "filter", placeholder: label, "aria-label": label,
      autocomplete: "off", oninput: () => later() });
    this.choices = el("div", { class: "choices" });
    this.table = el("div", { class: "tablebox", onclick: (event) => this.left(event.target) }, loading());
    this.failed = el("div");
    this.top = el("div", { class: "libtop" });
    this.ingest = new Ingest(() => this.read(), signal);
    this.watch = new Watch(signal);
    fill(root, el("div", { class: "library" }, el("h1", {}, t("library.title")), this.top, this.ingest.node,
      this.watch.node, this.failed,
      el("div", { class: "filters" }, this.filter, this.choices), this.table));
    this.read();
  }

  show(route) {
    this.words = new URLSearchParams(route.words);
    this.most = AT_ONCE;
    this.filter.value = this.words.get("q") ?? "";
    if (this.docs) this.present();
  }

  async read() {
    const quietly = (path) => get(path, {}, this.signal).catch(() => null);
    try {
      const wanted = [everyDoc(this.signal), quietly("/v1/facets"), quietly("/v1/failures")];
      const [docs, facets, failures] = await Promise.all(wanted);
      this.docs = docs;
      this.head(facets ?? {});
      fill(this.failed, failedList(failures?.failures ?? []));
      this.present();
      recall(this.table, this.address());
    } catch (error) {
      if (!isAbort(error)) fill(this.table, failure(error));
    }
  }

  address() {
    return link("library", "", this.words);
  }

  left(by) {
    if (by.closest("a.open")) remember(this.table, this.address());
  }

  head({ allow_ingest: allowed }) {
    this.ingest.allow(Boolean(allowed));
    this.watch.allow(Boolean(allowed));
    const counts = Object.fromEntries(STATES.map((state) =>
      [state, this.docs.filter((doc) => stateOf(doc) === state).length]));
    const shown = STATES.filter((state) => counts[state]);
    const worrying = counts.changed + counts.missing > 0;
    fill(this.top, el("ul", { class: "tallies" }, shown.map((state) => el("li", {},
      el("a", { href: link("library", "", { state }), class: `tally state-${state}` },
        el("strong", {}, number(counts[state])), named("state", state))))),
      !allowed && el("p", { class: "quiet" }, commands(t(worrying ? "library.changedhint" : "library.readonly"))));
  }

  changed(name, value) {
    this.words.delete(name);
    if (value) this.words.set(name, value);
    this.most = AT_ONCE;
    restate(this.address());
    this.present();
  }

  present() {
    fill(this.choices, CHOICES.map((name) => this.choice(name)));
    const found = this.docs.filter((doc) => this.fits(doc));
    const rest = found.length - this.most;
    fill(this.table, el("p", { class: "quiet", role: "status" },
      t("library.count", { n: number(found.length), all: number(this.docs.length) })),
      found.length > 0 && el("table", { class: "docs" }, head(), el("tbody", {}, found.slice(0, this.most).map(row))),
      rest > 0 && button(t("library.more", { n: number(Math.min(rest, AT_ONCE)) }), () => {
        this.most += AT_ONCE;
        this.present();
        this.table.querySelectorAll("a.open")[this.most - AT_ONCE].focus();
      }, { class: "wide" }));
  }

  fits(doc) {
    const q = (this.words.get("q") ?? "").trim().toLowerCase();
    if (q && !`${doc.title}\n${doc.doc_path}`.toLowerCase().includes(q)) return false;
    return CHOICES.every((name) => !this.words.get(name) || READ[name](doc).includes(this.words.get(name)));
  }

  choice(name) {
    const counts = new Map();
    for (const doc of this.docs) for (const value of READ[name](doc)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const chosen = this.words.get(name) ?? "";
    if (counts.size < 2 && !chosen) return null;
    const label = t(name === "state" ? "library.state" : `facet.${name}`);
    const values = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 50);
    return el("label", { class: "choice" }, el("span", {}, label),
      el("select", { name, onchange: (event) => this.changed(name, event.target.value) },
        el("option", { value: "" }, t("library.all")),
        values.map(([value, count]) =>
          el("option", { value, selected: value === chosen }, `${named(name, value)} (${number(count)})`))));
  }
}

async function everyDoc(signal) {
  const docs = [];
  let cursor = "";
  do {
    const page = await get("/v1/docs", { limit: PAGE, cursor }, signal);
    docs.push(...page.docs);
    cursor = page.next_cursor;
  } while (cursor);
  return docs;
}

function head() {
  const names = ["document", "kind", "lang", "state", "size", "when"];
  return el("thead", {}, el("tr", {},
    names.map((name) => el("th", { scope: "col", class: `col-${name}` }, t(`library.${name}`)))));
}

function row(doc) {
  return el("tr", {},
    el("td", { class: "col-document" },
      el("a", { class: "open", href: link("doc", doc.doc_id) }, doc.title || doc.doc_path),
      el("span", { class: "path" }, doc.doc_path)),
    el("td", { class: "col-kind" }, named("media", kindOf(doc))),
    el("td", { class: "col-lang" }, named("lang", doc.lang)),
    el("td", { class: "col-state" }, stateBadge(stateOf(doc), true)),
    el("td", { class: "col-size" }, number(doc.chunk_count)),
    el("td", { class: "col-when" }, el("time", { datetime: doc.updated_at }, ago(doc.updated_at))));
}

export function show(root, route, signal) {
  const view = new Library(root, signal);
  view.show(route);
  return { update: (next) => view.show(next), refresh: () => view.read(), told: (event) => view.watch.told(event) };
}
