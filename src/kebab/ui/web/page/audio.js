// A recording that starts at the cited time, and what is said in it, line by line.

import { address } from "./api.js";
import { button, el } from "./dom.js";
import { clock, t } from "./words.js";

/** @param {{doc: string, view: object, words: URLSearchParams}} given */
export function audioView({ doc, view, words }) {
  const from = Number(words.get("t")) || 0;
  const player = el("audio", { controls: true, preload: "metadata", src: address("/v1/media", { doc }),
    "aria-label": t("doc.recording", { title: view.doc.title || view.doc.doc_path }) });
  player.addEventListener("loadedmetadata", () => {
    player.currentTime = from;
  }, { once: true });
  const segments = view.segments ?? [];
  const items = segments.map((segment) => segmentNode(segment, player, cited(segment, words, from)));
  player.addEventListener("timeupdate", () => follow(player, segments, items));
  const list = el("section", { class: "segmentlist" }, el("h2", {}, t("doc.segments")), el("ol", {}, items));
  return { body: el("div", { class: "audioview" }, player, list),
    target: items.find((item) => item.classList.contains("cited")) };
}

function cited(segment, words, from) {
  return words.has("t") && segment.start_ms / 1000 <= from + 0.001 && segment.end_ms / 1000 > from;
}

function segmentNode(segment, player, isCited) {
  const start = segment.start_ms / 1000;
  const jump = button(clock(start), () => {
    player.currentTime = start;
    player.play().catch(() => {});
  }, { class: "plain time" });
  return el("li", { class: isCited ? "cited" : null }, jump, el("span", { class: "said" }, segment.text));
}

function follow(player, segments, items) {
  const now = player.currentTime * 1000;
  segments.forEach((segment, at) => {
    items[at].classList.toggle("now", !player.paused && now >= segment.start_ms && now < segment.end_ms);
  });
}
