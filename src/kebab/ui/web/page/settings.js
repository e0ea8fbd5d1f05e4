// What a person chose for this browser: theme, language and single-key shortcuts. Kept where the browser allows it.

const PREFIX = "kebab.";

function read(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    // The choice then lasts as long as the page does.
  }
}

const chosen = {
  theme: read("theme"),
  lang: read("lang"),
  keys: read("keys") !== "off",
};

export const lang = () => chosen.lang ?? (navigator.language.toLowerCase().startsWith("ko") ? "ko" : "en");
export const theme = () => (chosen.theme === "light" || chosen.theme === "dark" ? chosen.theme : "auto");
export const shortcuts = () => chosen.keys;

export function setLang(value) {
  chosen.lang = value;
  write("lang", value);
  document.documentElement.lang = value;
}

export function setTheme(value) {
  chosen.theme = value === "auto" ? null : value;
  write("theme", chosen.theme);
  if (chosen.theme) document.documentElement.dataset.theme = value;
  else delete document.documentElement.dataset.theme;
}

export function setShortcuts(on) {
  chosen.keys = on;
  write("keys", on ? null : "off");
}
