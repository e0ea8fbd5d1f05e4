// Keeping the index current while files change: a switch for whoever may write, and what the watch does.

import { get, post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { commands, failure, isAbort } from "./pieces.js";
import { t } from "./words.js";

export class Watch {
  constructor(signal) {
    this.signal = signal;
    this.state = { watching: false, available: false };
    this.allowed = false;
    this.knob = button(t("library.watch"), () => this.turn(),
      { class: "toggle", role: "switch", "aria-describedby": "watch-said" });
    this.badge = el("span", { class: "badge state-fresh" }, t("library.watching"));
    this.said = el("p", { class: "quiet", role: "status", id: "watch-said" });
    this.result = el("div");
    this.node = el("section", { class: "watch" }, el("div", { class: "row" }, this.knob, this.badge, this.said),
      this.result);
    this.present();
    this.read();
  }

  async read() {
    const state = await get("/v1/watch", {}, this.signal).catch(() => null);
    if (state) this.become(state);
  }

  allow(allowed) {
    this.allowed = allowed;
    this.present();
  }

  /** News of the server, to every tab; whatever they are about, they say whether it watches. */
  told({ kind, watching, text }) {
    if (kind === "watch") this.become({ watching, text });
    else if (watching !== this.state.watching) this.become({ watching, text: undefined });
  }

  async turn() {
    if (this.busy || !this.usable()) return;
    this.busy = true;
    this.present();
    try {
      const state = await post("/v1/watch", { watching: !this.state.watching }, this.signal);
      this.become({ text: undefined, ...state });
    } catch (error) {
      if (!isAbort(error)) fill(this.result, failure(error));
    }
    this.busy = false;
    this.present();
  }

  usable() {
    return this.state.watching || this.state.available;
  }

  become(state) {
    this.state = { ...this.state, ...state };
    // A watch that was switched off has nothing to say; one that says something could not go on.
    const { watching, text } = this.state;
    fill(this.result, !watching && text && failure({ message: text }));
    this.present();
  }

  present() {
    const { watching, text, hint } = this.state;
    this.node.hidden = !this.allowed && !watching;
    this.knob.hidden = !this.allowed;
    this.badge.hidden = this.allowed;
    this.knob.setAttribute("aria-checked", String(watching));
    this.knob.setAttribute("aria-disabled", String(!this.usable()));
    this.knob.setAttribute("aria-busy", String(Boolean(this.busy)));
    const missing = !this.usable() && hint ? commands(t("library.watchneeds", { hint })) : "";
    fill(this.said, watching ? text ?? "" : missing);
  }
}
