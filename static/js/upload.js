// Show how far a form's files are sent. Without this the browser alone says so.

"use strict";

(() => {
  document.body.addEventListener("htmx:xhr:progress", ({ target, detail }) => {
    const bar = target.querySelector?.("[data-sent] progress");
    if (!bar || !detail.lengthComputable) return;
    bar.closest("[data-sent]").hidden = false;
    bar.max = detail.total;
    bar.value = detail.loaded;
  });
})();
