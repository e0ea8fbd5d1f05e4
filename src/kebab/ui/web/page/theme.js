// Runs before the first paint, so that nobody who chose the dark side sees a white flash.
(() => {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem("kebab.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    root.lang = localStorage.getItem("kebab.lang") || (navigator.language.startsWith("ko") ? "ko" : "en");
  } catch {
    // Storage may be switched off; then the system's choice holds.
  }
})();
