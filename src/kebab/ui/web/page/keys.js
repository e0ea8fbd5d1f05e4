// Keys that work everywhere, and the list of them.

import { el } from "./dom.js";
import { closeDrawer } from "./drawer.js";
import { hide } from "./popover.js";
import { go, link, route } from "./router.js";
import { setShortcuts, shortcuts } from "./settings.js";
import { t } from "./words.js";

const LIST = [["/", "slash"], ["a", "a"], ["l", "l"], ["d", "d"], ["↑ ↓", "arrows"], ["Enter", "enter"],
  ["Ctrl Enter", "ctrlenter"],
  ["n", "n"], ["v", "v"], ["e", "e"], ["Esc", "esc"], ["?", "help"]];

const SINGLE = {
  "/": () => focusOn("search", "q"),
  a: () => focusOn("ask", "question"),
  l: () => go(link("library")),
  d: () => go(link("doctor")),
  n: () => nextSource(),
  v: () => press("v"),
  e: () => press("e"),
  "?": () => help(),
};

export function listenToKeys() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") escape(event);
    else if (shortcuts() && !isWriting(event.target) && Object.hasOwn(SINGLE, event.key)) {
      event.preventDefault();
      SINGLE[event.key]();
    }
  });
}

function isWriting(node) {
  return node instanceof HTMLElement && node.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

/** The nearest thing that is open; then out of a field; then back to where one came from. */
function escape(event) {
  if (document.querySelector("dialog[open]")) return;
  if (hide() || closeDrawer()) event.preventDefault();
  else if (isWriting(document.activeElement)) document.activeElement.blur();
  else if (route().view === "doc" || route().arg) history.back();
}

function focusOn(view, id) {
  const there = document.getElementById(id);
  if (route().view === view && there) {
    there.focus();
    there.select();
  } else go(link(view));
}

function press(key) {
  document.querySelector(`#main [data-key="${key}"]`)?.click();
}

function nextSource() {
  const all = [...document.querySelectorAll("#main a.marker")];
  const at = all.indexOf(document.activeElement);
  all[(at + 1) % all.length]?.focus();
}

export function help() {
  const rows = LIST.map(([key, word]) =>
    [el("dt", {}, key.split(" ").map((each) => el("kbd", {}, each))), el("dd", {}, t(`keys.${word}`))]);
  const dialog = el("dialog", { class: "keys", "aria-labelledby": "keys-title", onclose: () => dialog.remove() },
    el("h2", { id: "keys-title" }, t("keys.title")), el("dl", {}, rows),
    el("label", { class: "check" },
      el("input", { type: "checkbox", checked: shortcuts(), onchange: (event) => setShortcuts(event.target.checked) }),
      t("keys.on")),
    el("button", { type: "button", class: "primary", onclick: () => dialog.close(), autofocus: true }, t("close")));
  document.body.append(dialog);
  dialog.showModal();
}
