// Starts the page once the browser has painted its frame: until then it has better things to do than fetch scripts.

const LONGEST_MS = 150;
let begun = false;

function begin() {
  if (begun) return;
  begun = true;
  import("./app.js");
}

requestAnimationFrame(() => setTimeout(begin));
// A tab in the background is not painted, and must not wait for it.
setTimeout(begin, document.hidden ? 0 : LONGEST_MS);
