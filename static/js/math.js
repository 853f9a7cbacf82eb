// Draw the mathematics of the page and of every fragment that htmx swaps in.

"use strict";

(() => {
  const SELECTOR = ".math.inline, .math.block, [data-tex]";

  // Untrusted TeX: no links or files, no boxes larger than the page, no endless macros.
  const LIMITS = { trust: false, maxSize: 20, maxExpand: 500, strict: "ignore" };

  // KaTeX gives the arrow of a vector its width in a style attribute, which the page's policy
  // ignores: nothing would be seen of it. What a script sets counts.
  SVGElement.prototype.setAttribute = function (name, value) {
    if (name === "style") this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  };

  function draw(element) {
    if (element.dataset.drawn) return;
    element.dataset.drawn = "yes";
    const tex = element.dataset.tex ?? element.textContent.trim();
    const displayMode = element.matches(".math.block, .formula");
    try {
      // KaTeX's own error box sets a style attribute, which the page's policy forbids; so errors
      // are thrown and shown here.
      katex.render(tex, element, { ...LIMITS, displayMode, throwOnError: true });
    } catch (error) {
      element.textContent = tex;
      element.title = error.message;
      element.classList.add("math-unset");
    }
    // A formula wider than its box can be scrolled with the keyboard.
    if (displayMode && element.scrollWidth > element.clientWidth) element.tabIndex = 0;
  }

  function renderMath(root) {
    if (root.matches?.(SELECTOR)) draw(root);
    root.querySelectorAll(SELECTOR).forEach(draw);
  }

  htmx.onLoad(renderMath);
})();
