// The editor: a reading is taken over by its button; the symbol table is left alone in use.

"use strict";

(() => {
  const editor = document.getElementById("editor");

  document.body.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fill-quantity]");
    if (!button) return;
    for (const [name, text] of [
      ["quantity", button.dataset.fillQuantity],
      ["terms", button.dataset.fillTerms],
      ["conditions", button.dataset.fillConditions],
    ]) {
      editor.querySelector(`[name=${name}]`).value = text;
    }
    const first = editor.querySelector("[name=quantity]");
    first.dispatchEvent(new Event("input", { bubbles: true }));
    first.focus();
  });

  const rows = () => document.getElementById("symbol-rows");
  const read = () =>
    Array.from(rows().querySelectorAll("input, select"), (field) => field.value).join("\n");
  let sent = "";

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target.id === "rendered") sent = read();
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.detail.target.id !== "symbol-rows") return;
    // Somebody writes there, or has written since: the next answer fills it.
    if (rows().contains(document.activeElement) || read() !== sent) {
      event.detail.shouldSwap = false;
    }
  });
})();
