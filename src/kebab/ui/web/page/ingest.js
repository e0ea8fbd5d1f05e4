// Bringing the index up to date from the page: what is going on, a way to stop it, and what came of it.

import { events, heeded, unreachable } from "./api.js";
import { button, el, fill, instead } from "./dom.js";
import { failure, isAbort } from "./pieces.js";
import { t } from "./words.js";

export class Ingest {
  constructor(done, signal) {
    this.node = el("section", { class: "ingest", hidden: true });
    this.done = done;
    this.start = button(t("library.ingest"), () => this.run(), { class: "primary" });
    this.stop = button(t("library.cancel"), () => this.running.abort(), { hidden: true });
    this.state = el("p", { class: "quiet", "aria-live": "polite" });
    this.bar = el("progress", { hidden: true, max: 1, "aria-label": t("library.ingest") });
    this.result = el("div");
    fill(this.node, el("div", { class: "row" }, this.start, this.stop, this.state), this.bar, this.result);
    signal.addEventListener("abort", () => this.running?.abort());
  }

  allow(allowed) {
    this.node.hidden = !allowed;
  }

  async run() {
    this.running = new AbortController();
    this.busy(true);
    fill(this.result);
    this.ended = false;
    try {
      for await (const event of events("/v1/ingest", {}, this.running.signal)) {
        const [name, value] = heeded(event);
        if (name === "done") this.report(value);
        else this.told(value);
      }
      if (!this.ended) throw unreachable();
    } catch (error) {
      fill(this.state, isAbort(error) ? t("library.stopped") : "");
      if (!isAbort(error)) fill(this.result, failure(error));
    }
    this.busy(false);
    this.done();
  }

  busy(on) {
    if (on) instead(this.stop, this.start);
    else instead(this.start, this.stop);
    this.bar.hidden = !on;
    if (on) {
      this.bar.removeAttribute("value");
      fill(this.state, t("library.scanning"));
    }
  }

  told(event) {
    if (event.idx) {
      this.bar.max = event.total || 1;
      this.bar.value = event.idx;
      fill(this.state, t("library.running", event));
    } else if (event.kind.startsWith("embed_batch")) {
      this.bar.max = event.total || 1;
      this.bar.value = event.done;
      fill(this.state, t("library.embedding", event));
    }
  }

  report(report) {
    this.ended = true;
    fill(this.state, t(report.aborted ? "library.stopped" : "library.report", report));
  }
}
