// Draw the mathematics of the page and of every fragment that htmx swaps in.

"use strict";

(() => {
  const { script, styles } = document.currentScript.dataset;
  const SELECTOR = ".math.inline, .math.block, [data-tex]";
  const FORMULAS = ".math.inline, .math.block, .formula";

  // Untrusted TeX: no links, no files. Only the two classes that mark what the grader's reader put
  // in are let through.
  const MARKS = ["implied", "typed"];
  const trust = (asked) => asked.command === "\\htmlClass" && MARKS.includes(asked.class);
  const LIMITS = { ...typesetting.LIMITS, trust };
  const MACROS = {
    ...typesetting.MACROS,
    ...Object.fromEntries(MARKS.map((name) => [`\\${name}`, `\\htmlClass{${name}}{#1}`])),
  };

  // KaTeX gives the arrow of a vector its width, and MathML its frames and shadows, in a style
  // attribute, which the page's policy ignores: nothing would be seen of it, and the browser
  // complains. What a script sets counts.
  for (const kind of [SVGElement, MathMLElement]) {
    kind.prototype.setAttribute = function (name, value) {
      if (name === "style") this.style.cssText = value;
      else Element.prototype.setAttribute.call(this, name, value);
    };
  }

  const find = (root, selector) =>
    [root, ...root.querySelectorAll(selector)].filter((one) => one.matches?.(selector));

  // KaTeX comes with the first formula, on the page or in what htmx brings, and not before.
  let coming;
  function fetchKatex() {
    coming ??= Promise.all([
      arrive("link", { rel: "stylesheet", href: styles }),
      arrive("script", { src: script }),
    ]);
    return coming;
  }

  function arrive(tag, attributes) {
    return new Promise((resolve, reject) => {
      const element = Object.assign(document.createElement(tag), attributes);
      element.addEventListener("load", resolve);
      element.addEventListener("error", reject);
      // Before our own styles, which say some things otherwise.
      document.head.prepend(element);
    });
  }

  function draw(element) {
    if (element.dataset.drawn) return;
    element.dataset.drawn = "yes";
    const tex = element.dataset.tex ?? element.textContent.trim();
    const displayMode = element.matches(".math.block, .formula");
    try {
      // KaTeX's own error box sets a style attribute, which the page's policy forbids; so errors
      // are thrown and shown here.
      katex.render(tex, element, { ...LIMITS, macros: { ...MACROS }, displayMode, throwOnError: true });
    } catch (error) {
      element.textContent = tex;
      element.title = error.message;
      element.classList.add("math-unset");
    }
  }

  // A formula within a line breaks between its parts. One with a part that is wider than the text
  // stands on a line of its own and is scrolled there.
  function isTooWide(element) {
    const room = element.closest("p, li, td, th, dd, div, main, body").clientWidth;
    return [...element.querySelectorAll(".base")].some((part) => part.offsetWidth > room);
  }

  function fit(root) {
    // All are measured first: to measure after each change would lay the page out once for each.
    const measured = find(root, FORMULAS).map((one) => [
      one,
      one.matches(".math.inline") ? isTooWide(one) : one.scrollWidth > one.clientWidth,
    ]);
    measured.forEach(([element, isWide]) => {
      element.classList.toggle("wide", isWide);
      // What is scrolled can be scrolled with the keyboard.
      if (isWide) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
    });
  }

  async function renderMath(root) {
    const found = find(root, SELECTOR);
    if (!found.length) return;
    try {
      await fetchKatex();
    } catch {
      // What is typed stays to be read, and the next formula tries again.
      coming = undefined;
      return;
    }
    // Something else may have been put in its place meanwhile.
    if (!root.isConnected) return;
    found.forEach(draw);
    fit(root);
  }

  // The stylesheet shows the page once its first formulas have their size.
  async function renderPage(root) {
    await renderMath(root);
    await document.fonts.ready;
    // In other letters it has another width.
    fit(root);
    document.documentElement.dataset.drawn = "yes";
  }

  addEventListener("resize", () => fit(document));
  // What is folded has no width.
  addEventListener("toggle", (event) => fit(event.target), true);
  htmx.onLoad((root) => (root === document.body ? renderPage(root) : renderMath(root)));
})();
