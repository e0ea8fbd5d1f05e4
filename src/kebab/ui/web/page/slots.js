// What the tabs of one browser share, which has six connections to a server: who listens, and how many stream at once.

const ANSWERS = 3;

/** Runs `work` while this tab is the one that does; all tabs do where the browser has no locks. */
export function alone(name, work) {
  if (!navigator.locks) return work();
  return navigator.locks.request(`kebab.${name}`, work);
}

/**
 * Runs `work` in one of a few places; `waiting` is called when all are taken by other tabs.
 * @template T
 * @param {() => Promise<T>} work
 * @param {AbortSignal} signal
 */
export async function inSlot(work, signal, waiting = () => {}) {
  if (!navigator.locks) return work();
  for (let number = 0; number < ANSWERS; number += 1) {
    const done = await ifFree(number, work);
    if (done) return done.result;
  }
  waiting();
  return inNextFree(work, signal);
}

function ifFree(number, work) {
  return navigator.locks.request(`kebab.answer.${number}`, { ifAvailable: true }, async (lock) =>
    lock ? { result: await work() } : null);
}

async function inNextFree(work, signal) {
  const losers = new AbortController();
  signal.addEventListener("abort", () => losers.abort(), { once: true });
  let won = false;
  const tries = Array.from({ length: ANSWERS }, (_, number) =>
    navigator.locks.request(`kebab.answer.${number}`, { signal: losers.signal }, async () => {
      if (won) throw new DOMException("", "AbortError");
      won = true;
      losers.abort();
      return work();
    }));
  return Promise.any(tries).catch((error) => {
    throw error.errors?.find((each) => each.name !== "AbortError") ?? new DOMException("", "AbortError");
  });
}
