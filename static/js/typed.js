// What was typed before the scripts were there, or brought back by the browser, is read as if it
// was typed now: a preview or a save may wait for it.

"use strict";

window.addEventListener("load", () => {
  document.querySelectorAll("main textarea, main input:not([type])").forEach((text) => {
    if (text.value === text.defaultValue) return;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
});

// A button writes an answer for its reader; what stood there comes back with the browser's undo.
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-write]");
  if (!button) return;
  const answer = document.querySelector("form [name=answer], form [name=response]");
  answer.focus();
  answer.select();
  if (!document.execCommand("insertText", false, button.dataset.write)) {
    answer.value = button.dataset.write;
    answer.dispatchEvent(new Event("input", { bubbles: true }));
  }
});
