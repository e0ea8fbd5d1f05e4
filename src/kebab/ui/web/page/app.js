// The beginning: switches, the view an address names, news of the index, and the keys.

import { whenRefused } from "./api.js";
import * as ask from "./ask.js";
import * as doc from "./doc.js";
import * as doctor from "./doctor.js";
import { button, el, fill } from "./dom.js";
import { closeDrawer } from "./drawer.js";
import { askForToken } from "./entrance.js";
import { help, listenToKeys } from "./keys.js";
import * as library from "./library.js";
import { listen } from "./live.js";
import { announce } from "./pieces.js";
import { hide } from "./popover.js";
import { route, whenMoved } from "./router.js";
import * as search from "./search.js";
import { lang, setLang, setTheme, theme } from "./settings.js";
import { putWords, t } from "./words.js";

const VIEWS = { search, ask, doc, library, doctor };
const THEMES = { auto: "◐", light: "☀", dark: "☾" };
const main = document.getElementById("main");
let current = { view: "", life: new AbortController(), shown: null };

function show(next, anew = false) {
  hide();
  closeDrawer();
  mark(next);
  if (!anew && current.view === next.view && current.shown?.update) {
    current.shown.update(next);
    return;
  }
  current.life.abort();
  const came = current.view !== "";
  const life = new AbortController();
  main.onkeydown = null;
  const view = Object.hasOwn(VIEWS, next.view) ? VIEWS[next.view] : null;
  document.title = view ? `${t(`nav.${next.view}`)} · kebab` : "kebab";
  current = { view: next.view, life, shown: null };
  if (!view) fill(main, el("p", { class: "notice" }, t("nowhere")));
  else current.shown = view.show(main, next, life.signal);
  if (came && document.activeElement === document.body) main.focus({ preventScroll: true });
  if (!next.words.size) scrollTo({ top: 0, behavior: "instant" });
}

/** Which view one is in, and where the others lead: what was searched for can be asked, and the other way round. */
function mark(next) {
  const from = next.view === "doc" ? "" : next.view;
  for (const node of document.querySelectorAll("nav.views a")) {
    if (node.dataset.view === from) node.setAttribute("aria-current", "page");
    else node.removeAttribute("aria-current");
  }
}

function switches() {
  const order = Object.keys(THEMES);
  const names = `${t("theme")}: ${t(`theme.${theme()}`)}`;
  fill(document.getElementById("switches"),
    button(lang() === "ko" ? "EN" : "한", () => {
      setLang(lang() === "ko" ? "en" : "ko");
      show(route(), true);
      dress();
      document.getElementById("lang-switch").focus();
    }, { class: "switch", "aria-label": t("language"), title: t("language"), id: "lang-switch" }),
    button(THEMES[theme()], () => {
      setTheme(order[(order.indexOf(theme()) + 1) % order.length]);
      switches();
    }, { class: "switch", "aria-label": names, title: names, id: "theme-switch" }),
    button("?", help, { class: "switch keyhelp", "aria-label": t("keys"), title: t("keys") }));
}

function dress() {
  putWords();
  switches();
}

/** What could not be shown without the server is shown now; a question that was typed stays where it is. */
function again() {
  const next = route();
  if (main.querySelector(".unreachable") && (next.view !== "ask" || next.arg)) show(next, true);
}

let revision = null;

function news(event) {
  if (event.kind === "back") return again();
  current.shown?.told?.(event);
  if (event.kind !== "revision" || event.corpus_revision === revision) return;
  const first = revision === null;
  revision = event.corpus_revision;
  // The first one only says where things stand.
  if (first) return;
  current.shown?.refresh?.();
  announce(t("live.changed"));
}

// The hash is the address of a view, so this link cannot use it.
document.querySelector("a.skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
whenRefused(askForToken);
dress();
listenToKeys();
whenMoved(show);
show(route());
listen(news);
