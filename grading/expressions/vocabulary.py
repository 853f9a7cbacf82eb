"""Words and commands by what they tell the reader, where they are neither symbol nor function."""

from __future__ import annotations

from grading.expressions.symbols import split_words

REFUSED = {
    "sum": "sum", "prod": "sum", "bigcup": "sum", "bigcap": "sum", "coprod": "sum",
    "int": "integral", "lim": "limit", "limsup": "limit", "liminf": "limit",
    "partial": "derivative", "nabla": "derivative",
    "pm": "several", "mp": "several", "lor": "several", "land": "several", "vee": "several",
    "wedge": "several", "\\": "several", "newline": "several", "cup": "several",
    "ldots": "dots", "infty": "infinity",
    "matrix": "matrix", "pmatrix": "matrix", "bmatrix": "matrix", "vmatrix": "matrix",
    "cases": "piecewise", "end": "environment",
    "SI": "units", "si": "units", "unit": "units", "qty": "units", "%": "units", "circ": "units",
}  # fmt: skip
"""Commands that cannot be part of an answer, and the reason to give."""

ENVIRONMENTS = {
    "cases": "piecewise", "dcases": "piecewise", "rcases": "piecewise", "matrix": "matrix",
    "pmatrix": "matrix", "bmatrix": "matrix", "vmatrix": "matrix", "Vmatrix": "matrix",
    "Bmatrix": "matrix", "smallmatrix": "matrix", "array": "matrix",
}  # fmt: skip
r"""What `\begin{…}` of these is; any other is an "environment"."""

EQUALITIES = frozenset({"=", "equiv", "triangleq", "coloneqq"})
"""Signs that may stand between a name and its expression."""
RELATIONS = EQUALITIES | {
    "<", ">", "le", "ge", "ne", "approx", "simeq", "sim", "cong", "propto", "to", "rightarrow",
    "Rightarrow", "implies", "iff", "Leftrightarrow", "leftrightarrow", "ll", "gg", "lesssim",
    "gtrsim", "leqslant", "geqslant", "in", "longrightarrow", "Longrightarrow", "therefore",
    "doteq", "because", "colon",
}  # fmt: skip
"""Signs that make an equation, an inequality or a chain of steps."""

SEVERAL_WORDS = frozenset({"or", "and", "respectively"})
PROSE = split_words(
    "the is are was where with when while for from then than that this answer final result value "
    "none not undefined unknown cannot units unit since because hence thus given if otherwise "
    "const constant true false null nan inf"
)
"""Words that no product of symbols spells."""
LONGEST_PRODUCT = 6
"""Letters typed together beyond this number are a word, not a product of symbols."""

UNITS = split_words(
    "m s kg g cm mm km nm mg ms ns min h hr hour hours N J kJ MJ W kW K A mA V kV C F H T Hz kHz "
    "MHz Pa kPa MPa atm bar mol rad sr eV keV MeV GeV L mL Ohm ohm S Wb lx lm cd deg degree "
    "degrees meter meters metre metres second seconds newton newtons joule joules watt watts "
    "volt volts kelvin kilogram kilograms radian radians coulomb tesla pascal"
)
"""Upright words that, after a factor, are units."""
