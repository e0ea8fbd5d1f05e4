// The form for the token of a server that asks for one.

import { Failure, post } from "./api.js";
import { el, fill } from "./dom.js";
import { commands } from "./pieces.js";
import { t } from "./words.js";

let shown = null;

export function askForToken() {
  if (shown) return;
  const field = el("input", { type: "password", autocomplete: "off", "aria-label": t("enter.label"), required: true });
  const said = el("p", { class: "said", role: "alert" });
  const enter = async (event) => {
    event.preventDefault();
    try {
      await post("/enter", { token: field.value.trim() });
      location.reload();
    } catch (error) {
      if (error instanceof SyntaxError) location.reload();
      else fill(said, error instanceof Failure && error.status === 0 ? t("unreachable") : t("enter.wrong"));
    }
  };
  shown = el("dialog", { class: "entrance", "aria-labelledby": "enter-title",
    oncancel: (event) => event.preventDefault() },
    el("h2", { id: "enter-title" }, t("enter.title")), el("p", { class: "quiet" }, commands(t("enter.hint"))),
    el("form", { onsubmit: enter }, el("label", {}, el("span", {}, t("enter.label")), field), said,
      el("button", { type: "submit", class: "primary" }, t("enter.send"))));
  document.body.append(shown);
  shown.showModal();
  field.focus();
}
