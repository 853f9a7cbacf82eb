// What KaTeX is told, by the pages (math.js) and by the server, which tries the formulas of what is
// written (curation/texts/katex.py).

"use strict";

globalThis.typesetting = (() => {
  // Untrusted TeX: no boxes larger than the page, no endless macros.
  const LIMITS = { maxSize: 20, maxExpand: 500, strict: "ignore" };

  // What the grader reads and KaTeX does not know.
  const HYPERBOLIC = ["sinh", "cosh", "tanh", "coth", "sech", "csch"];
  const NAMES = ["sech", "csch", "arccot", "arcsec", "arccsc", "abs", "erf", "erfc"].concat(
    ["floor", "ceil", "sinc", "cbrt", "Tr", "tr"],
    HYPERBOLIC.flatMap((name) => [`arc${name}`, `ar${name}`]),
  );
  const MACROS = Object.fromEntries(NAMES.map((name) => [`\\${name}`, `\\operatorname{${name}}`]));
  return { LIMITS, MACROS };
})();
