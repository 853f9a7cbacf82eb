// The editor: a reading is taken over by its button, and by itself while nobody wrote what is asked;
// the symbol table is left alone in use; errors go when they are mended.

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

  const rows = () => document.getElementById("symbol-rows");
  const write = () =>
    Array.from(rows().querySelectorAll("input, select"), (field) => field.value).join("\n");
  let sent = "";

  document.body.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target.id === "rendered") sent = write();
  });
  document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (event.detail.target.id !== "symbol-rows") return;
    // Somebody writes there, or has written since: the next answer fills it.
    if (rows().contains(document.activeElement) || write() !== sent) {
      event.detail.shouldSwap = false;
    }
  });
  document.body.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target.id !== "rendered") return;
    const found = document.querySelector("#rendered [data-fill-quantity]");
    if (found && drafted) fill(read(found));
    if (!editor.elements["refused"]) return;
    // What is said at a field goes with what the list above says of it.
    for (const list of editor.querySelectorAll(".errorlist[id$=_error]")) {
      const field = list.id.replace(/_error$/, "");
      const said = [field, field.replace(/^id_/, "field_")].some((id) =>
        document.querySelector(`#errors a[href="#${id}"]`),
      );
      if (said) continue;
      document.getElementById(field)?.removeAttribute("aria-invalid");
      list.remove();
    }
  });
})();
