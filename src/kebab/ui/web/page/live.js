// News of the index: one tab listens to the server and tells the others.

import { events } from "./api.js";
import { alone } from "./slots.js";

const AGAIN_MS = 3000;

/** Calls `act` with every event, in every tab; `back` is of our own, and says that the server answers again. */
export function listen(act) {
  const channel = new BroadcastChannel("kebab.live");
  channel.addEventListener("message", ({ data }) => act(data));
  const tell = (event) => {
    act(event);
    channel.postMessage(event);
  };
  alone("live", async () => {
    for (let first = true; ; first = false) {
      let lost = !first;
      const goOn = await heard((event) => {
        if (lost) tell({ kind: "back" });
        lost = false;
        tell(event);
      });
      if (!goOn) return;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  });
}

async function heard(act) {
  try {
    for await (const [, value] of events("/v1/live")) act(value);
    return true;
  } catch (error) {
    // A server that refuses or lacks this path goes on doing so; one that went away may come back.
    return ![401, 404].includes(error.status);
  }
}
