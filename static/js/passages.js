// Select words of a source, and “Comment on this” is about them instead of the whole paragraph.

"use strict";

(() => {
  let chosen = null; // the block, and where in its source the selection begins and ends

  // Places are counted in characters, as the server counts; here a rare one takes two units.
  const count = (range) => Array.from(range.toString()).length;

  function read() {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const node = range.commonAncestorContainer;
    const block = (node.closest ? node : node.parentElement).closest("[data-passage]");
    if (!block) return null;
    const before = document.createRange();
    before.selectNodeContents(block);
    before.setEnd(range.startContainer, range.startOffset);
    const start = Number(block.dataset.passage) + count(before);
    return { block, start, end: start + count(range) };
  }

  const linkOf = (block) => block.parentElement.querySelector("[data-passage-link]");

  function label(link, isSelected) {
    link.dataset.label ??= link.textContent;
    const own = document.getElementById("comments").dataset.selectionLabel;
    link.textContent = isSelected ? own : link.dataset.label;
  }

  document.addEventListener("selectionchange", () => {
    const found = read();
    const old = chosen && linkOf(chosen.block);
    if (old && found?.block !== chosen.block) label(old, false);
    chosen = found;
    const link = found && linkOf(found.block);
    if (link) label(link, true);
  });

  // Pressing the link must not take the selection away that it is about.
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-passage-link]")) event.preventDefault();
  });

  document.addEventListener("htmx:configRequest", (event) => {
    const link = event.detail.elt;
    if (!chosen || link !== linkOf(chosen.block)) return;
    event.detail.parameters.start = String(chosen.start);
    event.detail.parameters.end = String(chosen.end);
  });

  // Comments and answers that are not sent yet are only here.
  const writing = () =>
    Array.from(document.querySelectorAll("#comments textarea[name=text]")).filter((one) =>
      one.value.trim(),
    );

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.detail.elt.matches("[data-comment-link]")) return;
    const [begun] = writing();
    if (!begun) return;
    // A new comment draws all others again: first this one is sent, or emptied.
    event.preventDefault();
    begun.focus();
  });

  window.addEventListener("beforeunload", (event) => {
    if (writing().length) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const close = event.target.closest(".new-comment [data-close]");
    if (!close) return;
    event.preventDefault();
    const place = close.closest(".new-comment");
    place.replaceChildren();
    place.parentElement.querySelector("[data-comment-link]").focus();
  });
})();
