// Keys of a form: a printed one picks its choice, Ctrl+Enter sends the form.

"use strict";

document.querySelectorAll("form[data-keys]").forEach((form) => {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") {
      event.preventDefault();
      form.requestSubmit();
      return;
    }
    const typing = event.target.closest("input:not([type=radio]), textarea, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = form.querySelector(`input[data-key="${CSS.escape(event.key)}"]`);
    if (choice) {
      event.preventDefault();
      choice.checked = true;
      choice.focus();
    }
  });
});
