// Write times in the reader's own zone. Without this they stand in UTC, and say so.

"use strict";

(() => {
  const DAY = { day: "numeric", month: "short", year: "numeric" };
  const MINUTE = { ...DAY, hour: "2-digit", minute: "2-digit" };

  // 20 Nov 2026, which nobody takes for another day.
  const LANGUAGE = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

  function localise(element) {
    const at = new Date(element.dateTime);
    if (Number.isNaN(at.valueOf())) return;
    // A span of time such as "3 days": only its title says when.
    if (element.hasAttribute("data-since")) {
      element.title = at.toLocaleString(LANGUAGE, MINUTE);
      return;
    }
    if (element.hasAttribute("data-clock")) {
      element.textContent = at.toLocaleTimeString(LANGUAGE);
      element.title = at.toLocaleString(LANGUAGE, MINUTE);
      return;
    }
    const shown = element.hasAttribute("data-day") ? DAY : MINUTE;
    element.textContent = at.toLocaleString(LANGUAGE, shown);
    element.title = at.toISOString();
  }

  htmx.onLoad((root) => {
    if (root.matches?.("time[datetime]")) localise(root);
    root.querySelectorAll("time[datetime]").forEach(localise);
  });
})();
