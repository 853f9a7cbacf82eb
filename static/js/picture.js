// Pictures as PNG: drawn here, with the fonts of whoever looks at them, since the server has none.
"use strict";

{
  const SCALE = 2; // sharp on screens and slides
  const draw = async (button) => {
    const image = new Image();
    image.src = button.dataset.png;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${button.dataset.name}.png`;
    link.click();
    // The download has begun by then, in every browser.
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-png]");
    if (button) draw(button);
  });
  const show = (part) => {
    for (const button of part.querySelectorAll("button[data-png]")) button.hidden = false;
  };
  show(document);
  // What is put into the page later comes with buttons of its own.
  document.addEventListener("htmx:load", (event) => show(event.detail.elt));
}
