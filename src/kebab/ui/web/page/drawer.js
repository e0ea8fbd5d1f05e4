// The drawer at the side of the page: opens with a title, takes the focus, and gives it back when it closes.

import { button, el, fill } from "./dom.js";
import { t } from "./words.js";

let opened = null;

/** @returns {{place: HTMLElement, signal: AbortSignal}} where to put things, and until when */
export function openDrawer(title) {
  const from = opened?.from ?? document.activeElement;
  opened?.stop.abort();
  const stop = new AbortController();
  opened = { from, stop };
  const drawer = document.getElementById("drawer");
  const place = el("div", { class: "drawerbody" });
  const close = button("×", () => closeDrawer(), { class: "plain close", "aria-label": t("close") });
  fill(drawer, el("header", { class: "drawerhead" }, el("h2", { id: "drawer-title" }, title), close), place);
  drawer.setAttribute("aria-labelledby", "drawer-title");
  drawer.hidden = false;
  close.focus();
  return { place, signal: stop.signal };
}

/** @returns {boolean} whether there was something to close */
export function closeDrawer() {
  if (!opened) return false;
  const { from, stop } = opened;
  opened = null;
  stop.abort();
  const drawer = document.getElementById("drawer");
  drawer.hidden = true;
  fill(drawer);
  (from?.isConnected ? from : document.getElementById("main")).focus({ preventScroll: true });
  return true;
}
