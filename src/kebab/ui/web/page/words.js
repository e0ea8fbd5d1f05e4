// The words of the page in Korean and English, chosen by the browser's language and by the switch.

import { lang } from "./settings.js";
import { EN } from "./words_en.js";
import { KO } from "./words_ko.js";

const TABLES = { en: EN, ko: KO };

/** The words for a key; `{name}` in them stands for a value. */
export function t(key, values = {}) {
  const words = TABLES[lang()]?.[key] ?? EN[key] ?? key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A value that has a word of its own, or itself: unknown values may come at any time. */
export function named(group, value) {
  const key = `${group}.${value}`;
  return key in EN ? t(key) : String(value);
}

export const number = (value) => new Intl.NumberFormat(lang()).format(value);
export const score = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));

export function moment(text) {
  const when = new Date(text);
  if (Number.isNaN(when.getTime())) return String(text);
  return new Intl.DateTimeFormat(lang(), { dateStyle: "medium", timeStyle: "short" }).format(when);
}

const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60]];

export function ago(text) {
  const seconds = (Date.now() - new Date(text).getTime()) / 1000;
  const format = new Intl.RelativeTimeFormat(lang(), { numeric: "auto" });
  for (const [unit, size] of STEPS) if (seconds >= size) return format.format(-Math.floor(seconds / size), unit);
  return Number.isNaN(seconds) ? "" : t("justnow");
}

export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return (parts[0] ? parts : parts.slice(1)).map((each, at) => (at ? String(each).padStart(2, "0") : each)).join(":");
}

/** Puts the words of this language into the parts of the page that are there from the start. */
export function putWords(root = document) {
  document.documentElement.lang = lang();
  for (const node of root.querySelectorAll("[data-word]")) node.textContent = t(node.dataset.word);
  for (const node of root.querySelectorAll("[data-word-label]")) {
    node.setAttribute("aria-label", t(node.dataset.wordLabel));
  }
}
