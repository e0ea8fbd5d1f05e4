// The server's API: JSON out and in, server-sent events, and failures as one sort of error.

import { queryOf } from "./router.js";

export class Failure extends Error {
  /** @param {{code?: string, message?: string, hint?: string}} body */
  constructor(status, body) {
    super(body.message || `HTTP ${status}`);
    this.status = status;
    this.code = body.code || "generic";
    this.hint = body.hint || "";
  }
}

let refused = () => {};

/** Calls `act` whenever the server asks who we are. */
export function whenRefused(act) {
  refused = act;
}

export const get = (path, words = {}, signal) => asked(address(path, words), { signal });
export const post = (path, body, signal) => asked(path, { ...json(body), signal });

export function address(path, words = {}) {
  const query = queryOf(words);
  return query.size ? `${path}?${query}` : path;
}

function json(body) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** What a browser says of a broken connection, in a language of its own, as a failure that we have words for. */
function lost(error) {
  throw error.name === "AbortError" ? error : unreachable();
}

export const unreachable = () => new Failure(0, { code: "server_unreachable" });

async function answered(path, options) {
  const response = await fetch(path, { credentials: "same-origin", ...options }).catch(lost);
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  if (response.status === 401) refused();
  throw new Failure(response.status, body);
}

async function asked(path, options) {
  return (await answered(path, options)).json();
}

/** Server-sent events of a POST (with `body`) or a GET, as they come: [name, value]. */
export async function* events(path, body, signal) {
  const options = body === undefined ? {} : json(body);
  const headers = { ...options.headers, accept: "text/event-stream" };
  const response = await answered(path, { ...options, headers, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let kept = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(lost);
      if (done) return;
      const parts = (kept + value.replaceAll("\r", "")).split("\n\n");
      kept = parts.pop();
      for (const part of parts) {
        const event = parsed(part);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parsed(part) {
  let name = "message";
  const data = [];
  for (const line of part.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? [name, JSON.parse(data.join("\n"))] : null;
}

/** Throws what an `error` event tells. */
export function heeded([name, value]) {
  if (name === "error") throw new Failure(200, value);
  return [name, value];
}
