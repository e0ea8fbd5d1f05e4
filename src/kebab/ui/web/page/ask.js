// Questions: streamed answers, conversations, and the answers that were given before.

import { events, get, heeded, unreachable } from "./api.js";
import { answerCard } from "./answer.js";
import { button, el, fill, instead } from "./dom.js";
import { chosenIn, FILTERS } from "./facets.js";
import { announce, failure, isAbort, loading } from "./pieces.js";
import { go, link, restate } from "./router.js";
import { inSlot } from "./slots.js";
import { sentence } from "./text.js";
import { ago, t } from "./words.js";

const NEW = "+";
// What the model was given is sent once and not kept with the answer, so this page keeps it for the drawer.
const evidence = new Map();

class Ask {
  constructor(root, signal) {
    this.root = root;
    this.signal = signal;
    this.running = null;
    signal.addEventListener("abort", () => [this.running, this.reading].forEach((each) => each?.abort()));
    this.build();
    this.learn();
  }

  build() {
    const label = t("ask.label");
    this.input = el("textarea", { id: "question", rows: 2, placeholder: label, "aria-label": label,
      enterkeyhint: "send", onkeydown: (event) => this.pressed(event) });
    this.sessions = el("select", { "aria-label": t("ask.session"), onchange: () => this.chosen() });
    this.send = el("button", { class: "primary", type: "submit" }, t("ask.send"));
    this.stop = button(t("ask.stop"), () => this.running?.abort(), { hidden: true });
    const form = el("form", { class: "askbox", onsubmit: (event) => this.submitted(event) }, this.input,
      el("div", { class: "askrow" },
        el("label", { class: "session" }, el("span", { class: "unseen" }, t("ask.session")), this.sessions),
        this.stop, this.send));
    this.turns = el("div", { class: "turns" });
    this.place = el("div", { class: "answers" });
    this.past = el("nav", { class: "past", "aria-label": t("ask.history") });
    fill(this.root, el("div", { class: "ask" },
      el("div", { class: "askmain" }, el("h1", { class: "unseen" }, t("nav.ask")), form, this.turns, this.place),
      el("details", { class: "side", open: matchMedia("(min-width: 72rem)").matches },
        el("summary", {}, t("ask.history")), this.past)));
  }

  /** @param {import("./router.js").Route} route */
  async show(route) {
    this.filters = Object.fromEntries(Object.entries(chosenIn(route.words)).filter(([name]) => FILTERS.includes(name)));
    this.session = route.words.get("session") ?? "";
    this.mark(route.arg);
    if (route.arg && this.shown === route.arg) return;
    this.running?.abort();
    this.reading?.abort();
    this.reading = new AbortController();
    this.shown = null;
    if (route.arg) {
      await this.recorded(route.arg);
      return;
    }
    this.input.value = route.words.get("q") ?? "";
    this.introduce();
    this.earlier();
    if (this.input.value && route.words.get("now")) this.ask();
    else this.input.focus({ preventScroll: true });
  }

  introduce() {
    fill(this.place, el("p", { class: "quiet hint" }, t("ask.hint")));
  }

  async recorded(trace) {
    fill(this.turns);
    fill(this.place, loading());
    try {
      const answer = await get("/v1/answer", { trace_id: trace }, this.reading.signal);
      this.session = answer.conversation_id ?? "";
      this.present(answer);
      this.earlier(answer.turn_index);
      this.input.value = "";
    } catch (error) {
      if (!isAbort(error)) fill(this.place, failure(error));
    }
    this.listSessions();
  }

  pressed(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.ask();
  }

  submitted(event) {
    event.preventDefault();
    this.ask();
  }

  chosen() {
    const value = this.sessions.value;
    this.session = value === NEW ? `web-${Date.now().toString(36)}` : value;
    go(link("ask", "", { session: this.session }));
    this.listSessions();
  }

  async ask() {
    const query = this.input.value.trim();
    if (!query) return;
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.busy(true);
    const live = el("p", { class: "lines" });
    const state = el("p", { class: "quiet working", role: "status" }, t("ask.searching"));
    fill(this.place, el("article", { class: "answer streaming", "aria-busy": "true" },
      el("h2", { class: "question" }, query), el("div", { class: "prose" }, live), state));
    try {
      const work = () => this.streamed(query, live, state, running.signal);
      await inSlot(work, running.signal, () => fill(state, t("ask.waiting")));
    } catch (error) {
      if (this.running !== running) return;
      if (isAbort(error)) this.introduce();
      else fill(this.place, failure(error));
    } finally {
      if (this.running === running) this.busy(false);
    }
  }

  async streamed(query, live, state, signal) {
    const body = { question: query, evidence: true, ...this.filters,
      ...(this.session ? { session: this.session } : {}) };
    let text = "";
    let painting = 0;
    const paint = () => {
      painting = 0;
      fill(live, sentence(text));
    };
    fill(state, t("ask.searching"));
    for await (const event of events("/v1/ask", body, signal)) {
      const [name, value] = heeded(event);
      if (name === "retrieval_done") fill(state, t("ask.reading", { n: value.hits.length }));
      if (name === "token") {
        text += value.delta;
        // Words come faster than screens do.
        painting ||= requestAnimationFrame(paint);
      }
      if (name === "final") {
        this.finished(value.answer);
        return;
      }
    }
    throw unreachable();
  }

  finished(answer) {
    const trace = answer.retrieval.trace_id;
    if (answer.evidence) evidence.set(trace, answer.evidence);
    this.present(answer);
    this.input.value = "";
    restate(link("ask", trace));
    announce(answer.refusal_reason ? t("ask.refused") : t("ask.done", { n: answer.citations.length }));
    this.mark(trace);
    this.learn();
  }

  present(answer) {
    const trace = answer.retrieval.trace_id;
    this.shown = trace;
    fill(this.place, answerCard({ evidence: evidence.get(trace), ...answer }));
    document.title = `${answer.question ?? t("nav.ask")} · kebab`;
  }

  /** What was said before in this conversation. */
  async earlier(before = Infinity) {
    fill(this.turns);
    if (!this.session) return;
    try {
      const { turns } = await get("/v1/session", { id: this.session }, this.reading.signal);
      const past = turns.filter((turn) => turn.turn_index < before);
      if (past.length) fill(this.turns, el("h2", { class: "small" }, t("ask.turns")), past.map(turnNode));
    } catch {
      // A conversation that is only about to begin is not known yet.
    }
  }

  busy(on) {
    if (on) instead(this.stop, this.send);
    else instead(this.send, this.stop);
    this.place.setAttribute("aria-busy", String(on));
  }

  async learn() {
    const quietly = (path, words) => get(path, words, this.signal).catch(() => null);
    const [answers, sessions] = await Promise.all([quietly("/v1/answers", { limit: 50 }), quietly("/v1/sessions")]);
    this.known = sessions?.sessions ?? [];
    this.listSessions();
    const items = (answers?.answers ?? []).map(pastItem);
    fill(this.past, items.length ? el("ol", {}, items) : el("p", { class: "quiet" }, t("ask.nohistory")));
    this.mark(this.shown);
  }

  listSessions() {
    const known = (this.known ?? []).map((each) => [each.session_id, each.title ?? each.session_id]);
    if (this.session && !known.some(([id]) => id === this.session)) known.unshift([this.session, t("ask.newsession")]);
    const choices = [["", t("ask.alone")], [NEW, t("ask.newsession")], ...known];
    fill(this.sessions, choices.map(([value, words]) =>
      el("option", { value, selected: value === (this.session ?? "") }, words)));
  }

  mark(trace) {
    for (const node of this.past.querySelectorAll("a")) {
      if (node.dataset.trace === trace) node.setAttribute("aria-current", "page");
      else node.removeAttribute("aria-current");
    }
  }
}

function pastItem(each) {
  const { trace_id: trace, refusal_reason: refused } = each;
  return el("li", {}, el("a", { href: link("ask", trace), "data-trace": trace, class: refused ? "refused" : "" },
    el("span", { class: "words" }, each.question), el("time", { datetime: each.created_at }, ago(each.created_at))));
}

function turnNode(turn) {
  return el("details", { class: "turn" }, el("summary", {}, turn.question),
    el("p", { class: "lines" }, sentence(turn.answer)));
}

export function show(root, route, signal) {
  const view = new Ask(root, signal);
  view.show(route);
  return { update: (next) => view.show(next) };
}
