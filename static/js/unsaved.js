// Ask before a page with unsaved text is left. Where the page saves while one types, know of it.

"use strict";

document.querySelectorAll("form[data-unsaved]").forEach((form) => {
  let unsaved = form.dataset.unsaved === "now";
  let saving = false;
  let waiting = null; // the button that was pressed meanwhile
  let leaving = false;

  form.addEventListener("input", () => (unsaved = true));
  form.addEventListener("submit", (event) => {
    // What is being stored would seem to have been stored in another window.
    if (saving) {
      event.preventDefault();
      waiting = event.submitter;
    } else {
      unsaved = false;
      leaving = true;
    }
  });
  window.addEventListener("pageshow", () => (leaving = false));
  window.addEventListener("beforeunload", (event) => {
    if (unsaved) event.preventDefault();
  });

  const saved = form.querySelector("#saved[hx-post]");
  saved?.addEventListener("htmx:beforeRequest", (event) => {
    // The form itself is on its way.
    if (leaving) {
      event.preventDefault();
      return;
    }
    saving = true;
    unsaved = false;
  });
  saved?.addEventListener("htmx:afterRequest", () => {
    saving = false;
    // Refused, or not reached: it is still only here.
    if (!saved.querySelector("[data-saved]")) unsaved = true;
    if (waiting) form.requestSubmit(waiting);
    waiting = null;
  });
});
