// What is put into a live region is read out: what says the same as before is left as it is.

"use strict";

document.body.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  const say = (place) => place.textContent.replace(/\s+/g, " ").trim();
  if (target.ariaLive && say(target) === say(fragment)) event.detail.shouldSwap = false;
});
