// Keys of a form: a printed one picks its choice or presses its button, Ctrl+Enter sends the form
// that one types in.

"use strict";

document.querySelectorAll("form[data-keys]").forEach((form) => {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      event.preventDefault();
      (event.target.closest("form") ?? form).requestSubmit();
      return;
    }
    const typing = event.target.closest("input:not([type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = form.querySelector(`input[data-key="${CSS.escape(event.key)}"]`);
    if (choice) {
      event.preventDefault();
      choice.checked = true;
      choice.focus();
      choice.dispatchEvent(new Event("input", { bubbles: true }));
      return;
    }
    const other = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not(input)`);
    if (!other) return;
    event.preventDefault();
    // What is folded away is opened first.
    for (let box = other.closest("details"); box; box = box.parentElement.closest("details")) {
      box.open = true;
    }
    if (other.matches("textarea")) other.focus();
    else other.click();
  });
});
