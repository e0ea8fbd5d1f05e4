// The quote behind a marker, shown beside it while it is pointed at or has the focus.

import { el, fill } from "./dom.js";
import { placeOf, sectionOf } from "./places.js";
import { sentence } from "./text.js";

const GAP = 8;
const WIDEST = 440;
const NARROWEST = 320;
let card = null;
let owner = null;

function theCard() {
  if (!card) {
    card = el("div", { id: "quote-card", class: "quotecard", role: "tooltip", hidden: true });
    // It may be read and selected: leaving the marker for the card keeps it open.
    card.addEventListener("pointerleave", () => hide());
    document.body.append(card);
    addEventListener("scroll", () => hide(), { passive: true });
  }
  return card;
}

/** Shows `citations` (those a marker stands for in its sentence) beside `node`, whenever it is looked at. */
export function quoting(node, citations) {
  const open = () => show(node, citations);
  node.addEventListener("pointerenter", open);
  node.addEventListener("focus", open);
  node.addEventListener("pointerleave", (event) => {
    if (!theCard().contains(event.relatedTarget)) hide();
  });
  node.addEventListener("blur", () => hide());
  return node;
}

function show(node, citations) {
  const place = theCard();
  fill(place, citations.map((citation) => el("figure", {},
    citation.quote && el("blockquote", {}, sentence(citation.quote.text)),
    el("figcaption", {}, el("span", { class: "path" }, placeOf(citation)),
      sectionOf(citation) && el("span", { class: "section" }, sectionOf(citation))))));
  place.hidden = false;
  owner?.removeAttribute("aria-describedby");
  owner = node;
  node.setAttribute("aria-describedby", place.id);
  put(place, node.getBoundingClientRect());
}

function put(place, mark) {
  const room = roomBeside(document.getElementById("drawer"));
  const width = Math.min(WIDEST, room - 2 * GAP);
  place.style.setProperty("width", `${width}px`);
  const left = Math.max(GAP, Math.min(mark.left - 16, room - width - GAP));
  const below = mark.bottom + GAP + place.offsetHeight < innerHeight || mark.top < place.offsetHeight + GAP;
  const top = below ? mark.bottom + 4 : mark.top - place.offsetHeight - 4;
  place.style.setProperty("left", `${left}px`);
  place.style.setProperty("top", `${top}px`);
}

/** What an open drawer leaves of the page, if that is enough to read in. */
function roomBeside(drawer) {
  const whole = document.documentElement.clientWidth;
  const left = drawer.hidden ? whole : drawer.getBoundingClientRect().left;
  return left > NARROWEST ? left : whole;
}

/** @returns {boolean} whether there was something to hide */
export function hide() {
  if (!card || card.hidden) return false;
  card.hidden = true;
  owner?.removeAttribute("aria-describedby");
  owner = null;
  return true;
}
