// The box of a response is scrolled to what was graded of it, and that of a wide tree to its middle,
// where its root is. The page itself stays where it is.

"use strict";

htmx.onLoad((root) => {
  root.querySelectorAll(".tree-box").forEach((box) => {
    box.scrollLeft = (box.scrollWidth - box.clientWidth) / 2;
  });
  const mark = root.querySelector("#graded-part");
  const box = mark?.closest(".response-box");
  if (!box) return;
  const room = Math.max(0, (box.clientHeight - mark.getBoundingClientRect().height) / 2);
  box.scrollTop += mark.getBoundingClientRect().top - box.getBoundingClientRect().top - room;
});
