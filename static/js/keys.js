// Keys of a page: while the focus is in its form, and outside of its texts, a printed key picks its
// choice or presses its button, unless somebody switched that off in their profile: who dictates or
// hits keys by mistake would do what they never meant. Ctrl+Enter sends the form that one writes in,
// by default the page's own.
//
// What is printed on a key counts, wherever it lies. Where that is no digit, as on a French keyboard
// without Shift, its place in the row of digits counts; and where it is of another alphabet, or taken
// by an input method, its place among the Latin letters.

"use strict";

(() => {
  const form = document.querySelector("form[data-keys]");

  function name(event) {
    if (/^[0-9a-z]$/i.test(event.key)) return event.key.toLowerCase();
    const isLatin = /^[ -~]$/.test(event.key);
    const place = isLatin ? /^(?:Digit|Numpad)(\d)$/ : /^(?:Digit|Numpad|Key)(\w)$/;
    return place.exec(event.code)?.[1].toLowerCase() ?? event.key;
  }

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

  // One press answers all questions of yes or no; what does not hold is changed after that.
  for (const button of document.querySelectorAll(".all-hold")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      for (const yes of button.form.querySelectorAll("[value=yes]")) pick(yes);
    });
  }

  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      const written = event.target.closest("textarea")?.form ?? form;
      if (!written) return;
      event.preventDefault();
      written.requestSubmit();
      return;
    }
    if (!document.body.hasAttribute("data-single-keys") || !form?.contains(event.target)) return;
    const typing = event.target.closest("input:not([type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    // A finished word of an input method is no key.
    if (event.isComposing) return;
    const key = name(event);
    const choice = find(key, "input");
    const place = choice ?? find(key, ":is(a, button, textarea)");
    if (!place) return;
    event.preventDefault();
    if (choice) pick(choice);
    else go(place);
  });
})();
