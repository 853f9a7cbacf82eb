// Keys of a page: a printed one picks its choice or presses its button, Ctrl+Enter sends the form
// that one writes in, by default the page's own.

"use strict";

(() => {
  const form = document.querySelector("form[data-keys]");

  const find = (key, kind) => document.querySelector(`${kind}[data-key="${CSS.escape(key)}"]`);

  function pick(choice) {
    choice.checked = true;
    choice.focus();
    choice.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function go(place) {
    // What is folded away is opened first.
    for (let box = place.closest("details"); box; box = box.parentElement.closest("details")) {
      box.open = true;
    }
    if (place.matches("textarea")) place.focus();
    else place.click();
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      const written = event.target.closest("textarea")?.form ?? form;
      if (!written) return;
      event.preventDefault();
      written.requestSubmit();
      return;
    }
    const typing = event.target.closest("input:not([type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = find(event.key, "input");
    const place = choice ?? find(event.key, ":is(a, button, textarea)");
    if (!place) return;
    event.preventDefault();
    if (choice) pick(choice);
    else go(place);
  });
})();
