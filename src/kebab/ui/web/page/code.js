// Source code with a little colour: comments, strings, numbers and the words of a language. Guesses, and never fails.

import { el } from "./dom.js";

const C_LIKE = ["/\\*[\\s\\S]*?(?:\\*/|$)", "//[^\\n]*"];
const HASH = ["#[^\\n]*"];
const DASHES = ["--[^\\n]*"];
const MARKUP = ["<!--[\\s\\S]*?(?:-->|$)"];
const BY_HASH = "python py ruby rb sh bash shell zsh console yaml yml toml make makefile dockerfile ini conf";
// A map: the name of a language is written by whoever wrote the document, and may be `constructor`.
const COMMENTS = new Map([
  ...BY_HASH.split(" ").map((lang) => [lang, HASH]),
  ["sql", [...DASHES, C_LIKE[0]]],
  ["lua", DASHES],
  ["html", MARKUP],
  ["xml", MARKUP],
  ["json", []],
]);
const STRINGS = [
  `"""[\\s\\S]*?(?:"""|$)`,
  "'''[\\s\\S]*?(?:'''|$)",
  `"(?:\\\\.|[^"\\\\\\n])*"`,
  "'(?:\\\\.|[^'\\\\\\n])*'",
  "`(?:\\\\.|[^`\\\\])*`",
].join("|");
const KEYWORDS = new Set(`
abstract and as assert async await bool boolean break case catch char class const continue def default
defer del do double elif else enum except export extends extern false False final finally float fn for from fun func
function global go if impl implements import in int interface is lambda let long loop map match mod module mut
namespace new nil None nonlocal not null object of operator or override package pass private protected pub
public raise range return self short static string struct super switch template this throw throws trait true
True try type typeof union unsafe use using val var virtual void when where while with yield select insert
update delete create table alter drop join on group by order limit into values set SELECT INSERT UPDATE DELETE
CREATE TABLE ALTER DROP FROM WHERE JOIN ON GROUP BY ORDER LIMIT INTO VALUES SET AND OR NOT
NULL AS`.trim().split(/\s+/));
// Beyond this a guess costs more than it gives.
const LONGEST = 300_000;
const patterns = new Map();

function pattern(lang) {
  if (!patterns.has(lang)) {
    const comments = COMMENTS.get(lang) ?? C_LIKE;
    const parts = [
      `(?<comment>${comments.join("|") || "(?!)"})`,
      `(?<string>${STRINGS})`,
      "(?<number>\\b\\d[\\w.]*)",
      "(?<word>[\\p{L}_$][\\p{L}\\p{N}_$]*)",
    ];
    patterns.set(lang, new RegExp(parts.join("|"), "gu"));
  }
  return patterns.get(lang);
}

/** @returns {[string, string][]} pieces of the text, all of it, each with a class or "" */
export function pieces(text, lang) {
  if (text.length > LONGEST) return [["", text]];
  const found = [];
  let at = 0;
  for (const match of text.matchAll(pattern(lang.toLowerCase()))) {
    const { comment, string, number } = match.groups;
    const kind = comment ? "comment" : string ? "string" : number ? "number" : KEYWORDS.has(match[0]) ? "keyword" : "";
    if (!kind) continue;
    if (match.index > at) found.push(["", text.slice(at, match.index)]);
    found.push([kind, match[0]]);
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push(["", text.slice(at)]);
  return found;
}

export function coloured(text, lang) {
  return pieces(text, lang).map(([kind, part]) => (kind ? el("span", { class: `code-${kind}` }, part) : part));
}

/** The same line by line: a comment that goes over several lines is cut at each end of one. */
export function colouredLines(text, lang) {
  const lines = [[]];
  for (const [kind, part] of pieces(text, lang)) {
    part.split("\n").forEach((piece, at) => {
      if (at) lines.push([]);
      if (piece) lines.at(-1).push([kind, piece]);
    });
  }
  return lines;
}
