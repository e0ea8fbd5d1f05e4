// Starts the page once the browser has painted its frame: until then it has better things to do than fetch scripts.

const LONGEST_MS = 1000;
// All at once: a browser that follows imports would ask for them in as many rounds as they are deep.
const PARTS = `
answer api app ask audio code doc doctor dom drawer entrance explain facets hits image ingest keys
library lines live markdown pages pieces places plots popover quote router search settings slots
start text watch words words_en words_ko`;
let begun = false;

function begin() {
  if (begun) return;
  begun = true;
  for (const part of PARTS.trim().split(/\s+/)) import(`./${part}.js`);
}

requestAnimationFrame(() => setTimeout(begin));
// A tab in the background is not painted, and must not wait for it.
setTimeout(begin, document.hidden ? 0 : LONGEST_MS);
