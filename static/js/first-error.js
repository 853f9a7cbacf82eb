// Select words in the source of a response: a button takes them over as the passage of its first
// error, with the place where they stand.

"use strict";

(() => {
  const source = document.querySelector("[data-response]");
  const button = document.querySelector("[data-take-passage]");
  const form = button?.form;
  if (!source || !form) return;
  const { passage, start } = form.elements;

  // Places are counted in characters, as the server counts; here a rare one takes two units.
  const count = (text) => Array.from(text).length;

  function read() {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    if (!source.contains(range.commonAncestorContainer)) return null;
    const before = document.createRange();
    before.selectNodeContents(source);
    before.setEnd(range.startContainer, range.startOffset);
    return { text: range.toString(), start: count(before.toString()) };
  }

  document.addEventListener("selectionchange", () => {
    button.disabled = !read();
  });

  // Keys act in the form: who has selected words goes on there, and the words stay selected.
  source.addEventListener("mouseup", () => {
    if (read() && form.hasAttribute("tabindex")) form.focus({ preventScroll: true });
  });

  // Pressing the button must not take the selection away that it is about.
  for (const kind of ["mousedown", "pointerdown"]) {
    button.addEventListener(kind, (event) => event.preventDefault());
  }

  button.addEventListener("click", () => {
    const found = read();
    if (!found) return;
    passage.value = found.text;
    passage.dispatchEvent(new Event("input", { bubbles: true }));
    start.value = String(found.start);
    // Enter saves from here, once a kind is chosen.
    (form.querySelector("input[name=choice]:checked") ?? form).focus({ preventScroll: true });
  });

  // What is typed stands where the server finds it.
  passage.addEventListener("input", () => {
    start.value = "";
  });
})();
