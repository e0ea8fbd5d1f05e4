// The hash of the address <-> what is shown. Every state of the page has an address, and back leads where one was.

/**
 * @typedef {{view: string, arg: string, words: URLSearchParams, hash: string}} Route
 */

/** @returns {Route} */
export function route(hash = location.hash) {
  const [path, query = ""] = split(hash.replace(/^#\/?/, ""), "?");
  const [view, arg = ""] = split(path, "/");
  return { view: view || "search", arg: decoded(arg), words: new URLSearchParams(query), hash };
}

function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {Record<string, unknown> | URLSearchParams} [words] */
export function link(view, arg = "", words = {}) {
  const query = words instanceof URLSearchParams ? words : queryOf(words);
  const path = arg ? `${view}/${encodeURIComponent(arg)}` : view;
  return `#/${path}${query.size ? `?${query}` : ""}`;
}

/** What has no value is left out; a list is the same name several times. */
export function queryOf(words) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(words)) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== null && each !== "") query.append(name, each);
    }
  }
  return query;
}

/** A step that back undoes. */
export function go(hash) {
  if (location.hash !== hash) location.hash = hash;
}

/** The same step, said better: what is typed letter by letter is one step. */
export function restate(hash) {
  if (location.hash !== hash) history.replaceState(history.state, "", hash);
}

export function whenMoved(act) {
  addEventListener("hashchange", () => act(route()));
}
