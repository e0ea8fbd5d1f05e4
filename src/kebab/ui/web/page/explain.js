// The drawer that shows how something was found: both channels, their blend, the gate, and the time each took.

import { post } from "./api.js";
import { el, fill } from "./dom.js";
import { openDrawer } from "./drawer.js";
import { failure, isAbort, loading } from "./pieces.js";
import { linkTo, placeOf } from "./places.js";
import { bar, scale, slopes } from "./plots.js";
import { named, score, t } from "./words.js";

const MOST = 12;
const TIMES = ["lexical_ms", "vector_ms", "fusion_ms", "total_ms"];

/** Asks the same again with the trace. */
export async function explainSearch(request) {
  const { place, signal } = openDrawer(t("explain.title"));
  fill(place, loading());
  try {
    const response = await post("/v1/search", { ...request, trace: true }, signal);
    fill(place, channels(response.hits.slice(0, MOST)), timing(response.trace?.timing));
  } catch (error) {
    if (!isAbort(error)) fill(place, failure(error));
  }
}

/** What an answer.v1 says of its search. */
export function explainAnswer(answer) {
  const { place } = openDrawer(t("explain.title"));
  const hits = (answer.evidence ?? []).map((each) => each.hit);
  fill(place, gate(answer.retrieval), features(answer.retrieval.features),
    hits.length ? [el("h3", {}, t("explain.passages")), channels(hits.slice(0, MOST))]
      : el("p", { class: "quiet" }, t("explain.none")));
}

function channels(hits) {
  if (!hits.length) return null;
  const rows = hits.map(({ retrieval, citation }, at) =>
    ({ rank: at + 1, lexical: retrieval.lexical_rank, vector: retrieval.vector_rank, name: placeOf(citation) }));
  const names = { words: t("explain.words"), meaning: t("explain.meaning"), result: t("explain.result") };
  return [el("h3", {}, t("explain.ranks")), slopes(rows, names),
    el("p", { class: "quiet small" }, t("explain.rankshint")),
    el("h3", {}, t("explain.scores")), scores(hits)];
}

function scores(hits) {
  const highest = (name) => Math.max(...hits.map((hit) => hit.retrieval[name] ?? 0), 1e-9);
  const most = { lexical: highest("lexical_score"), fusion: highest("fusion_score") };
  return el("ol", { class: "scores" }, hits.map((hit) => {
    const { lexical_score: lexical, vector_score: vector, fusion_score: fusion } = hit.retrieval;
    return el("li", {}, el("a", { href: linkTo(hit.citation, hit.doc_id) }, placeOf(hit.citation)),
      bar(t("explain.words"), lexical, (lexical ?? 0) / most.lexical, "words"),
      bar(t("explain.meaning"), vector, vector ?? 0, "meaning"),
      bar(named("explain", hit.score_kind === "blend" ? "blend" : "result"), fusion, fusion / most.fusion, "result"));
  }));
}

function gate(retrieval) {
  const { top_score: top, score_gate: needed, evidence_score: evidence } = retrieval;
  return el("section", {}, el("h3", {}, t("explain.gate")),
    scale(t("explain.top"), top, needed, t("explain.threshold")),
    el("p", { class: "quiet small" }, t("explain.gatehint")),
    evidence !== undefined && bar(t("explain.evidence"), evidence, evidence, "result"));
}

/** Every number the gate looked at; one it does not know yet is shown by its own name. */
function features(given) {
  if (!given) return null;
  const rows = Object.entries(given).filter(([, value]) => typeof value === "number" || typeof value === "boolean");
  return el("section", {}, el("h3", {}, t("explain.features")), rows.map(([name, value]) => {
    const number = Number(value);
    const shown = typeof value === "boolean" ? (value ? "✓" : "–") : number > 1.5 ? String(number) : score(number);
    return bar(named("feature", name), number, number > 1.5 ? 0 : number, "result", shown);
  }));
}

function timing(given) {
  if (!given) return null;
  const whole = Math.max(given.total_ms, 1);
  return el("section", {}, el("h3", {}, t("explain.timing")),
    TIMES.map((name) => bar(t(`timing.${name}`), given[name], given[name] / whole, "time", `${given[name]} ms`)));
}
