// Elements by createElement alone: text of documents can only ever become text.

const SVG = "http://www.w3.org/2000/svg";
// What turns the reading direction lets a name that ends in `gnp.md` look like one that ends in `dm.png`.
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
const SAFE_ADDRESS = /^(#|\/(?!\/)|https?:\/\/|mailto:)/i;

/**
 * An element. `on*` are listeners, `vars` are CSS properties, everything else is an attribute.
 * @param {string} tag
 * @param {Record<string, unknown>} [given]
 * @param {...(Node|string|number|null|undefined|false|Array<Node|string>)} children
 */
export function el(tag, given = {}, ...children) {
  return filled(document.createElement(tag), given, children);
}

/** The same within an SVG picture. */
export function svg(tag, given = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), given, children);
}

function filled(node, given, children) {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "vars") Object.entries(value).forEach(([key, each]) => node.style.setProperty(key, String(each)));
    else if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, checked(name, value === true ? "" : String(value)));
  }
  append(node, children);
  return node;
}

// A second look at what the server has looked at already: no attribute that runs, no address that does.
function checked(name, value) {
  const key = name.toLowerCase();
  if (key.startsWith("on") || key === "style" || key === "srcdoc") throw new Error(`${name} is not for text`);
  if ((key === "href" || key === "src") && !SAFE_ADDRESS.test(value)) throw new Error("not an address to follow");
  return value;
}

export function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child).replace(TURNS, "\ufffd"));
  }
  return node;
}

/** These children for those it had. Who had the focus has it still, on what now has the same name. */
export function fill(node, ...children) {
  const { activeElement: held } = document;
  const name = held !== node && node.contains(held) ? selectorOf(held) : "";
  node.replaceChildren();
  append(node, children);
  if (name) node.querySelector(name)?.focus({ preventScroll: true });
  return node;
}

function selectorOf({ localName, id, name, type, value }) {
  if (id) return `#${CSS.escape(id)}`;
  if (!name) return "";
  const one = type === "checkbox" || type === "radio" ? `[value="${CSS.escape(value)}"]` : "";
  return `${localName}[name="${CSS.escape(name)}"]${one}`;
}

/** One control in the place of another; the focus goes along. */
export function instead(shown, gone) {
  const held = document.activeElement === gone;
  shown.hidden = false;
  gone.hidden = true;
  if (held) shown.focus();
}

export function button(label, onclick, given = {}) {
  return el("button", { type: "button", onclick, ...given }, label);
}

/** The address of a link out of a document, or null. */
export function outward(href) {
  try {
    const address = new URL(String(href));
    return ["http:", "https:", "mailto:"].includes(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}

/** Waits until nothing has called for `ms`, then runs once. */
export function debounced(run, ms) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => run(...given), ms);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}
