// The editor: a reading is taken over by its button, and by itself while nobody wrote what is asked;
// the symbol table is left alone while somebody writes there; errors go when they are mended.

"use strict";

(() => {
  const editor = document.getElementById("editor");
  if (!editor) return;

  const boxes = ["quantity", "unit", "terms", "conditions"].map((name) => editor.elements[name]);
  const asked = () => boxes.map((box) => box.value);
  // What this page filled in; null once somebody has written there.
  let drafted = asked().every((text) => !text) ? asked() : null;

  const fill = (texts) => {
    if (texts.join("\n") === asked().join("\n")) return;
    boxes.forEach((box, place) => (box.value = texts[place]));
    drafted = drafted && texts;
    boxes[0].dispatchEvent(new Event("input", { bubbles: true }));
  };
  const read = (from) =>
    ["fillQuantity", "fillUnit", "fillTerms", "fillConditions"].map((name) => from.dataset[name]);

  boxes.forEach((box) =>
    box.addEventListener("input", (event) => {
      if (event.isTrusted) drafted = null;
    }),
  );
  document.body.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fill]");
    if (!button) return;
    drafted = null;
    fill(read(button.closest("[data-fill-quantity]")));
    boxes[0].focus();
  });
  document.body.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.target.id === "rendered" && drafted?.some(Boolean)) {
      event.detail.parameters["is_drafted"] = "1";
    }
  });

  // What came of the last submission is of a text that is another now.
  editor.addEventListener("input", () => document.querySelector("#submitting > .error-word")?.remove());

  const rows = () => document.getElementById("symbol-rows");
  const symbolOf = (row) => row.querySelector("[name=symbol_was]").value;
  const write = () =>
    Array.from(rows().querySelectorAll("input, select"), (field) => field.value).join("\n");
  let sent = "";
  let focus = null; // where somebody is in the table while it is filled anew

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target.id === "rendered") sent = write();
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.detail.target.id !== "symbol-rows") return;
    // Somebody has written there since: the next answer fills it.
    if (write() !== sent) {
      event.detail.shouldSwap = false;
      return;
    }
    const field = document.activeElement;
    const row = field.closest("#symbol-rows .symbol-row");
    const number = Array.from(rows().children).indexOf(row);
    focus = row && { number, name: field.name, symbol: symbolOf(row), isOpen: row.querySelector(".symbol-open").checked };
  });
  document.body.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target.id !== "symbol-rows" || !focus) return;
    const table = Array.from(rows().querySelectorAll(".symbol-row"));
    const row = table.find((one) => symbolOf(one) === focus.symbol) ?? table[Math.min(focus.number, table.length - 1)];
    const open = row.querySelector(".symbol-open");
    open.checked ||= focus.isOpen;
    const field = focus.name ? row.querySelector(`[name=${focus.name}]`) : open;
    field.focus();
    focus = null;
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id !== "rendered") return;
    const found = document.querySelector("#rendered [data-fill-quantity]");
    if (found && drafted) fill(read(found));
    if (!editor.elements["refused"]) return;
    // What is said at a field goes with what the list above says of it.
    for (const list of editor.querySelectorAll(".errorlist[id$=_error]")) {
      const field = list.id.replace(/_error$/, "");
      const said = [field, field.replace(/^id_/, "field_")].flatMap((id) =>
        Array.from(document.querySelectorAll(`#errors a[href="#${id}"] ~ span`)),
      );
      list.replaceChildren(
        ...said.map((one) => {
          const item = document.createElement("li");
          item.append(...one.cloneNode(true).childNodes);
          return item;
        }),
      );
      if (said.length) continue;
      document.getElementById(field)?.removeAttribute("aria-invalid");
      list.remove();
    }
  });
})();
