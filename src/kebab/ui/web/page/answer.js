// An answer as it is shown: each sentence with its markers and how far they bear it out, or why there is none.

import { post } from "./api.js";
import { button, el, fill } from "./dom.js";
import { explainAnswer } from "./explain.js";
import { announce, commands, failure, stateBadge } from "./pieces.js";
import { linkTo, placeOf, sectionOf, sortOf, stateOf } from "./places.js";
import { quoting } from "./popover.js";
import { sentence } from "./text.js";
import { ago, named, number, score, t } from "./words.js";

const BEGINNING = 30;

/** What an answer.v1 looks like. */
export function answerCard(answer, question = answer.question) {
  const said = answer.refusal_reason ? refusal(answer) : prose(answer);
  const checks = el("div", { class: "checks", "aria-live": "polite" });
  return el("article", { class: answer.refusal_reason ? "answer refused" : "answer", "aria-label": question ?? "" },
    question && el("h2", { class: "question" }, question),
    said,
    sources(answer),
    el("div", { class: "tools" },
      answer.citations.length > 0 && !answer.refusal_reason && verifying(answer, checks),
      button(t("explain"), () => explainAnswer(answer), { "data-key": "e" }),
      button(t("ask.copy"), (event) => copy(event.currentTarget, answer), {})),
    checks,
    el("p", { class: "meta" }, meta(answer)));
}

function meta({ model, retrieval, usage, created_at: when }) {
  const { chunks_used: used, chunks_returned: found } = retrieval;
  return [t("ask.meta", { model: model.id, used, found, ms: number(usage.latency_ms) }), " · ",
    el("time", { datetime: when }, ago(when))];
}

/** Sentences in their paragraphs: where the answer's text breaks its line between two, so do we. */
export function prose(answer) {
  if (!answer.statements?.length) return el("div", { class: "prose" }, plain(answer));
  const blocks = [[]];
  let at = 0;
  for (const statement of answer.statements) {
    // Its markers may stand before the full stop there, so only its beginning is looked for.
    const found = answer.answer.indexOf(statement.text.slice(0, BEGINNING).replace(/[\s\p{P}]+$/u, ""), at);
    if (found >= 0) {
      if (answer.answer.slice(at, found).includes("\n") && blocks.at(-1).length) blocks.push([]);
      at = found + 1;
    }
    blocks.at(-1).push(statementNode(statement, answer), " ");
  }
  return el("div", { class: "prose" }, blocks.map((parts) => el("p", {}, parts)));
}

function plain(answer) {
  const parts = answer.answer.split(/(\[[1-9][0-9]*\])/);
  const nodes = parts.map((part, at) => (at % 2 ? marker(part, citationsOf(answer, part)) : sentence(part)));
  return el("p", { class: "lines" }, nodes);
}

function citationsOf(answer, name) {
  return answer.citations.filter((each) => each.marker === name).map((each) => each.citation);
}

function statementNode(statement, answer) {
  const { support } = statement;
  const markers = statement.markers.map((name) => {
    const quotes = statement.quotes.filter((each) => each.marker === name).map((each) => each.citation);
    return marker(name, quotes.length ? quotes : citationsOf(answer, name));
  });
  const doubtful = support === "weak" || support === "unsupported" || support === "uncited";
  return el("span", { class: `statement ${support}` }, el("span", { class: "words" }, sentence(statement.text)),
    markers,
    doubtful && el("span", { class: "support", title: t("support.title") }, named("support", support)));
}

function marker(name, citations) {
  if (!citations.length) return el("sup", { class: "marker none" }, name);
  const label = t("source.open", { marker: name, place: placeOf(citations[0]) });
  const node = el("a", { class: "marker", href: linkTo(citations[0]), "aria-label": label }, name.slice(1, -1));
  return quoting(node, citations);
}

function refusal(answer) {
  return el("div", { class: "refusal" },
    el("p", { class: "why" }, el("strong", {}, t("ask.refused")), " ", named("refusal", answer.refusal_reason)),
    answer.refusal_reason === "score_gate" && gauge(answer.retrieval),
    answer.hint && el("p", {}, commands(answer.hint)));
}

function gauge({ top_score: top, score_gate: gate }) {
  const words = `${t("explain.top")} ${score(top)}, ${t("explain.threshold")} ${score(gate)}`;
  return el("div", { class: "gauge", role: "img", "aria-label": words, vars: { "--top": top, "--gate": gate } },
    el("span", { class: "bar" }), el("span", { class: "line" }), el("span", { class: "legend" }, words));
}

function sources(answer) {
  if (!answer.citations.length) return null;
  const refused = Boolean(answer.refusal_reason);
  return el("section", { class: "sources" }, el("h3", {}, t(refused ? "ask.candidates" : "ask.sources")),
    el("ol", {}, answer.citations.map(({ marker: name, citation, score: near }) => el("li", {},
      el("a", { class: "open", href: linkTo(citation) },
        name && el("span", { class: "number" }, name.slice(1, -1)),
        el("span", { class: "sort" }, sortOf(citation.path)),
        el("span", { class: "path" }, placeOf(citation))),
      sectionOf(citation) && el("span", { class: "section" }, sectionOf(citation)),
      near !== undefined && el("span", { class: "near" }, score(near)),
      stateBadge(stateOf(citation))))));
}

function verifying(answer, place) {
  const act = async (event) => {
    const asked = event.currentTarget;
    asked.disabled = true;
    fill(place, el("p", { class: "quiet" }, t("verify.busy")));
    try {
      fill(place, report(await post("/v1/verify", { trace_id: answer.retrieval.trace_id })));
    } catch (error) {
      fill(place, failure(error));
    }
    asked.disabled = false;
    asked.focus();
  };
  return button(t("verify"), act, { class: "primary", "data-key": "v" });
}

function report({ checks }) {
  const bad = checks.filter((check) => check.status !== "intact");
  const n = checks.length;
  const words = !n ? t("verify.none") : bad.length ? t("verify.bad", { n: bad.length, all: n }) : t("verify.ok", { n });
  announce(words);
  return el("div", { class: bad.length ? "verdict bad" : "verdict good" }, el("p", {}, el("strong", {}, words)),
    el("ul", {}, checks.map((check) => el("li", { class: `check-${check.status}` },
      el("span", { class: `badge check-${check.status}` }, named("verify", check.status)), " ",
      check.marker && el("span", { class: "number" }, check.marker.slice(1, -1)), " ",
      el("a", { href: linkTo(check.found ?? check.citation) }, placeOf(check.found ?? check.citation)),
      check.status !== "intact" && el("span", { class: "detail" }, check.detail)))));
}

async function copy(asked, answer) {
  const places = answer.citations.map((each) => `${each.marker ?? "·"} ${each.citation.uri}`);
  try {
    await navigator.clipboard.writeText([answer.answer, "", ...places].join("\n"));
    asked.textContent = t("ask.copied");
  } catch {
    // Without the permission there is nothing to do but to select the text by hand.
  }
}
