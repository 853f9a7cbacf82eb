// What was typed before the scripts were there, or brought back by the browser, is read as if it
// was typed now: a preview or a save may wait for it.

"use strict";

window.addEventListener("load", () => {
  document.querySelectorAll("main textarea, main input:not([type])").forEach((text) => {
    if (text.value === text.defaultValue) return;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
});
