// What the doctor found, each with the command that mends it.

import { get } from "./api.js";
import { button, el, fill } from "./dom.js";
import { announce, commands, failure, isAbort } from "./pieces.js";
import { t } from "./words.js";

export function show(root, _route, signal) {
  const place = el("div", { "aria-live": "polite" });
  const again = button(t("doctor.again"), () => look(), {});
  fill(root, el("div", { class: "doctor" },
    el("header", { class: "row" }, el("h1", { tabindex: -1 }, t("doctor.title")), again), place));

  async function look() {
    const held = document.activeElement === again;
    again.disabled = true;
    fill(place, el("p", { class: "quiet working" }, t("doctor.busy")));
    try {
      fill(place, findings(await get("/v1/doctor", {}, signal)));
    } catch (error) {
      if (!isAbort(error)) fill(place, failure(error));
    }
    again.disabled = false;
    if (held && document.activeElement === document.body) again.focus();
  }

  look();
  return { refresh: () => {} };
}

function findings({ checks }) {
  const wrong = checks.filter((check) => !check.ok);
  const words = wrong.length ? t("doctor.bad", { n: wrong.length, all: checks.length }) : t("doctor.ok");
  announce(words);
  // What needs a look comes first; the rest keeps its order.
  const sorted = [...wrong, ...checks.filter((check) => check.ok)];
  return [el("p", { class: wrong.length ? "verdict bad" : "verdict good" }, el("strong", {}, words)),
    el("ul", { class: "findings" }, sorted.map(finding))];
}

/** A hint that is a command from end to end is shown as one, ready to be copied. */
function remedy(hint) {
  return /^(kebab|pip) [^`]*$/.test(hint) ? el("code", { class: "command" }, hint) : commands(hint);
}

function finding({ name, ok, detail, hint }) {
  return el("li", { class: ok ? "finding good" : "finding bad" },
    el("span", { class: "sign", role: "img", "aria-label": t(ok ? "doctor.fine" : "doctor.wrong") }, ok ? "✓" : "!"),
    el("div", {}, el("h2", {}, name.replaceAll("_", " ")), el("p", {}, commands(detail)),
      hint && el("p", { class: "fix" }, el("span", { class: "quiet" }, `${t(ok ? "doctor.tip" : "doctor.fix")}: `),
        remedy(hint))));
}
