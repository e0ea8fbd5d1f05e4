// Small pieces every view uses: badges, notices, commands, and what is said when something fails.

import { el } from "./dom.js";
import { named, t } from "./words.js";

/** Only what somebody should know: a current document needs no badge. */
export function stateBadge(state, always = false) {
  if (!always && (state === "fresh" || state === "unknown")) return null;
  return el("span", { class: `badge state-${state}` }, named("state", state));
}

/** Text in which `such parts` are commands. */
export function commands(text) {
  return String(text).split("`").map((part, at) => (at % 2 ? el("code", { class: "command" }, part) : part));
}

export function loading() {
  return el("p", { class: "quiet", role: "status" }, t("loading"));
}

/** @param {import("./api.js").Failure} error */
export function failure(error) {
  const lost = error.code === "server_unreachable";
  const words = lost ? t("unreachable") : error.message;
  return el("div", { class: lost ? "notice bad unreachable" : "notice bad", role: "alert" },
    el("strong", {}, t("failed")), el("p", {}, commands(words)), error.hint && el("p", {}, commands(error.hint)));
}

/** Files that could not be taken in, and why. */
export function failedList(failures) {
  if (!failures.length) return null;
  return el("section", { class: "notice bad" }, el("h2", {}, t("library.failures")),
    el("ul", {}, failures.map((each) =>
      el("li", {}, el("span", { class: "path" }, each.doc_path), " ", el("span", {}, commands(each.error)),
        each.hint && el("span", { class: "quiet" }, " ", commands(each.hint))))));
}

export function isAbort(error) {
  return error?.name === "AbortError";
}

/** Says something to a screen reader without showing it. */
export function announce(words) {
  document.getElementById("status").textContent = words;
}

/** A group of radio buttons that looks like one control. */
export function segments(name, label, choices, value, onchoose) {
  return el("fieldset", { class: "segments" }, el("legend", { class: "unseen" }, label),
    choices.map(([key, words]) => el("label", {},
      el("input", { type: "radio", name, value: key, checked: key === value, onchange: () => onchoose(key) }),
      el("span", {}, words))));
}
