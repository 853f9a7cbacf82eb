"""
Names of symbols.

A symbol is one SymPy `Symbol`, positive from the start unless a problem declares otherwise. Its
name is its LaTeX without the first backslash (`omega_0`, `vec{v}_0`, `t'`): SymPy orders sums and
products by name, the paper's code names symbols so, and the edit distance depends on that order.
"""

from __future__ import annotations

import re
from functools import lru_cache

import sympy

from phybench_grader.numbers.domains import POSITIVE, Domain


def split_words(text: str) -> frozenset[str]:
    """Make a set of words written with blanks between them."""
    return frozenset(text.split())


GREEK = split_words(
    "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa varkappa lambda "
    "mu nu xi omicron rho varrho sigma varsigma tau upsilon phi varphi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
LETTERLIKE = GREEK | {"hbar", "ell", "hslash", "imath", "jmath"}
"""Commands that are symbols by themselves."""
SAME = {"epsilon": "varepsilon", "varphi": "phi", "hslash": "hbar"}
"""Two spellings of one symbol (unless a problem declares both)."""
SAME_UNLESS_BOTH = {"ell": "l", "vartheta": "theta", "varrho": "rho"}
"""Two spellings of one symbol, unless a problem declares both or writes both."""
ACCENTS = {
    "vec": "vec", "overrightarrow": "vec", "hat": "hat", "widehat": "hat", "bar": "bar",
    "overline": "bar", "dot": "dot", "ddot": "ddot", "tilde": "tilde", "widetilde": "tilde",
    "mathcal": "mathcal", "mathscr": "mathcal", "cal": "mathcal", "mathfrak": "mathfrak",
    "mathbb": "mathbb", "underline": "underline", "breve": "breve", "check": "check",
    "acute": "acute", "grave": "grave", "mathring": "mathring",
}  # fmt: skip
"""Commands over one symbol that make another symbol of it."""
SUBSCRIPT_COMMANDS = LETTERLIKE | {
    "infty", "perp", "parallel", "odot", "oplus", "ast", "star", "circ", "prime", "dagger",
    "bullet", "pi", "times", "to", "rightarrow", "leftarrow", "uparrow", "downarrow", "cdot",
    "triangle", "square", "Vert", "vert", "leftrightarrow", "partial", "ominus", "otimes", "pm",
    "mp", "degree", "sim", "Delta", "sum", "dots", "ldots", "cdots",
}  # fmt: skip
"""Commands that may stand in a subscript, where they are only part of a name."""
SUBSCRIPT_WORDS = split_words(
    "max min eq eff ext tot cm in out avg rms rel net crit init final int ind kin pot th esc orb "
    "sat mag rot lab air gas obs ref opt abs sys inner outer top bottom left right"
)
"""Subscripts of several letters that plain text writes without braces: `F_max`."""


_CHANGE = re.compile(r"(?:Delta|delta) (.+)")


@lru_cache(maxsize=4096)
def make_symbol(name: str, domain: Domain = POSITIVE) -> sympy.Symbol:
    """Make the one symbol of this name, positive as the paper assumes if nothing is declared."""
    return sympy.Symbol(name, **domain.assumptions)


def name_symbol(base: str, subscript: str, primes: int) -> str:
    """
    Put a name together in its one canonical form.

    >>> name_symbol("v", "0", 0), name_symbol("F", "max", 1)
    ('v_0', "F_{max}'")
    """
    name = base
    if subscript:
        name += f"_{subscript}" if len(subscript) == 1 else f"_{{{subscript}}}"
    return name + "'" * primes


def name_in_latex(name: str) -> str:
    r"""
    Write a symbol's name in LaTeX.

    >>> name_in_latex("omega_0"), name_in_latex("vec{v}"), name_in_latex("F_{max}")
    ('\\omega_0', '\\vec{v}', 'F_{max}')
    """
    return re.sub(r"^([A-Za-z]{2,})", r"\\\1", name)


def find_changed(name: str) -> str | None:
    r"""
    Find the symbol, in LaTeX, whose change a name is.

    >>> find_changed(r"Delta \omega"), find_changed("Delta")
    ('\\omega', None)
    """
    match = _CHANGE.fullmatch(name)
    return match[1] if match else None


def latex_names(expression: sympy.Basic) -> dict[sympy.Symbol, str]:
    """Map an expression's symbols to their LaTeX, sorted by name."""
    symbols = sorted(expression.free_symbols, key=lambda symbol: str(symbol.name))
    return {symbol: name_in_latex(symbol.name) for symbol in symbols}
