// Select words of a text, and “Comment on this” is about them instead of the whole paragraph.

"use strict";

(() => {
  let chosen = null; // the block, and where in its source the selection begins and ends

  // Places are counted in characters, as the server counts; here a rare one takes two units.
  const count = (text) => Array.from(text).length;

  const formulaAt = (node) => (node.closest ? node : node.parentElement).closest(".math");

  // Where a formula begins or ends, in what is typeset and in the ways to type it.
  const EDGE = "\ue020";
  const EDGES = "(?:\\$\\$?|\\\\[()\\[\\]])";
  // What is typeset was typed with signs of Markdown around it, which may stand between.
  const BETWEEN = "[\\s*_~`>\\\\-]*?";

  function textOf(range) {
    const fragment = range.cloneContents();
    fragment.querySelectorAll(".math").forEach((math) => {
      const tex = math.querySelector("annotation") ?? math;
      math.replaceChildren(EDGE + tex.textContent + EDGE);
    });
    return fragment.textContent;
  }

  function write(sign) {
    return sign === EDGE ? EDGES : sign.replace(/[.*+?^${}()|[\]\\/]/u, "\\$&");
  }

  // Where in its source a selection stands, if there is one such place; formulas count as a whole.
  function place(range, block) {
    const whole = range.cloneRange();
    const first = formulaAt(whole.startContainer);
    const last = formulaAt(whole.endContainer);
    if (first) whole.setStartBefore(first);
    if (last) whole.setEndAfter(last);
    const signs = Array.from(textOf(whole).replace(/\s+/g, ""));
    if (!signs.length) return null;
    const source = block.dataset.source;
    const found = [...source.matchAll(new RegExp(signs.map(write).join(BETWEEN), "gu"))];
    if (found.length !== 1) return null;
    const start = Number(block.dataset.passage) + count(source.slice(0, found[0].index));
    return { start, end: start + count(found[0][0]) };
  }

  function read() {
    const selection = document.getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return null;
    const range = selection.getRangeAt(0);
    const node = range.commonAncestorContainer;
    const block = (node.closest ? node : node.parentElement).closest("[data-passage]");
    const found = block && place(range, block);
    return found && { block, ...found };
  }

  const linkOf = (block) => block.parentElement.querySelector("[data-passage-link]");

  function label(link, isSelected) {
    link.dataset.label ??= link.textContent;
    link.textContent = isSelected ? link.dataset.selectionLabel : link.dataset.label;
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
    Array.from(document.querySelectorAll(".passages textarea[name=text]")).filter((one) =>
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

  // What comes in the place of a text brings the new thread with it.
  document.addEventListener("htmx:afterSettle", () => {
    const thread = document.querySelector(".thread[autofocus]");
    thread?.removeAttribute("autofocus");
    thread?.focus();
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
