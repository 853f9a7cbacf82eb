"""
Whether the units that an author gives fit together in the reference answer.

Units are read by pint; the rule is that of dimensional analysis: what is added has one dimension,
what a function takes, and what stands in an exponent, has none.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

import sympy
from django.utils.translation import gettext as _

from phybench_grader.reading.reading import write_latex

if TYPE_CHECKING:
    import pint

_BASES = {
    "[mass]": "kg",
    "[length]": "m",
    "[time]": "s",
    "[current]": "A",
    "[temperature]": "K",
    "[substance]": "mol",
    "[luminosity]": "cd",
}
"""Dimensions, in the order in which units are usually written, each with its SI unit."""
_DIMENSIONS = {
    "length": "m", "mass": "kg", "time": "s", "current": "A", "temperature": "K",
    "substance": "mol", "angle": "rad", "area": "(m^2)", "volume": "(m^3)", "speed": "(m/s)",
    "velocity": "(m/s)", "acceleration": "(m/s^2)", "frequency": "Hz", "force": "N",
    "energy": "J", "power": "W", "pressure": "Pa", "charge": "C", "voltage": "V",
    "momentum": "(kg*m/s)", "density": "(kg/m^3)", "resistance": "ohm", "capacitance": "F",
    "inductance": "H",
}  # fmt: skip
"""Dimensions by name, for whoever would rather not choose a unit."""
KNOWN_UNITS = {
    "c": "m/s", "G": "m^3/(kg s^2)", "h": "J s", "hbar": "J s", "k_B": "J/K",
    "varepsilon_0": "F/m", "mu_0": "N/A^2", "g": "m/s^2", "N_A": "1/mol",
}  # fmt: skip
"""Of the constants that need no introduction, by name."""
MAX_UNIT = 40
"""Characters of a unit."""
_POWER = r"(?:\^\(?-?\d{1,2}(?:/\d{1,2})?\)?|\*\*-?\d{1,2})(?![\d^]|\*\*)"
_UNIT = re.compile(rf"(?:[A-Za-zµμΩÅ°%\[\] *·⋅/()]|{_POWER}|(?<![\d.])1(?!\d))*")
_POWERS = str.maketrans("0123456789-/", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᐟ")
_SAME_AS_ARGUMENT = (sympy.Abs, sympy.conjugate, sympy.re, sympy.im, sympy.Min, sympy.Max)


class UnknownUnit(ValueError):
    """A text that is no unit; its own text says so."""


class Inconsistent(ValueError):
    """Something that units forbid; the text says what, with formulas between dollar signs."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """Powers of the seven base dimensions; those that are 0 are left out."""

    powers: frozenset[tuple[str, Fraction]] = frozenset()

    @classmethod
    def of(cls, powers: Mapping[str, Any]) -> "Dimension":
        exact = {base: Fraction(power).limit_denominator(100) for base, power in powers.items()}
        return cls(frozenset((base, power) for base, power in exact.items() if power))

    def times(self, other: "Dimension") -> "Dimension":
        powers = dict(self.powers)
        for base, power in other.powers:
            powers[base] = powers.get(base, Fraction()) + power
        return Dimension.of(powers)

    def to_the(self, power: Fraction) -> "Dimension":
        return Dimension.of({base: mine * power for base, mine in self.powers})

    def __str__(self) -> str:
        """
        Write it in SI units.

        >>> str(read_unit("N/m"))
        'kg s⁻²'
        """
        powers = dict(self.powers)
        units = [
            unit + ("" if power == 1 else str(power).translate(_POWERS))
            for base, unit in _BASES.items()
            if (power := powers.get(base))
        ]
        return " ".join(units) or "1"


NONE = Dimension()


@lru_cache(maxsize=1)
def _registry() -> "pint.UnitRegistry[Any]":
    # Here, as it takes an eighth of the time that the web server takes to start.
    import pint

    return pint.UnitRegistry(cache_folder=None)


@lru_cache(maxsize=1024)
def read_unit(text: str) -> Dimension:
    """
    Read a unit (`kg m/s^2`, `N`) or the name of a dimension (`force`, `length/time`).

    >>> str(read_unit("length/time^2")), read_unit("1") == NONE
    ('m s⁻²', True)
    """
    text = text.strip()
    # pint works such texts out as sums: nothing but units and small powers may reach it.
    if not text or len(text) > MAX_UNIT or not _UNIT.fullmatch(text):
        raise UnknownUnit(_unknown(text[:MAX_UNIT]))
    named = (
        re.sub(r"\[?\b([a-z]+)\b\]?", lambda match: _DIMENSIONS.get(match[1], match[0]), text)
        .replace("⋅", "*")
        .replace("·", "*")
    )
    try:
        unit = _registry().parse_units(named)
        return Dimension.of(_registry().get_dimensionality(unit))
    # pint lets through what its tokeniser and its sums raise.
    except Exception:
        raise UnknownUnit(_unknown(text)) from None


def _unknown(text: str) -> str:
    message = _(
        "“%(unit)s” is not a known unit: write one such as kg m/s^2, or 1 for a pure number."
    )
    return message % {"unit": text}


def find_dimension(expression: sympy.Basic, units: Mapping[str, Dimension]) -> Dimension:
    """
    Return the dimension of an expression.

    Args:
        units: the dimension of every symbol in it, by name.

    Raises:
        Inconsistent: it adds metres to seconds, or the like.

    >>> m, g, h = sympy.symbols("m g h")
    >>> units = {"m": read_unit("kg"), "g": read_unit("m/s^2"), "h": read_unit("m")}
    >>> str(find_dimension(m * g * h, units))
    'kg m² s⁻²'
    >>> find_dimension(m + g, units)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    curation...Inconsistent: $g$ (m s⁻²) and $m$ (kg) are added, but have different units.
    """
    if isinstance(expression, sympy.Symbol):
        return units[expression.name]
    if not expression.args:
        return NONE
    if isinstance(expression, sympy.Mul):
        product = NONE
        for factor in expression.args:
            product = product.times(find_dimension(factor, units))
        return product
    if isinstance(expression, sympy.Pow):
        return _find_of_power(expression, units)
    if isinstance(expression, sympy.Add):
        return _find_common(expression, units)
    if isinstance(expression, _SAME_AS_ARGUMENT):
        return _find_common(expression, units)
    if isinstance(expression, sympy.atan2):
        _find_common(expression, units)
        return NONE
    for argument in expression.args:
        if (found := find_dimension(argument, units)) != NONE:
            _refuse_argument(expression, argument, found)
    return NONE


def _find_of_power(expression: sympy.Pow, units: Mapping[str, Dimension]) -> Dimension:
    base, exponent = expression.args
    if (found := find_dimension(exponent, units)) != NONE:
        message = _("$%(exponent)s$ (%(unit)s) is an exponent, which has no unit.")
        raise Inconsistent(message % {"exponent": write_latex(exponent), "unit": found})
    of_base = find_dimension(base, units)
    if of_base == NONE:
        return NONE
    if not exponent.is_Rational:
        message = _(
            "$%(base)s$ (%(unit)s) is raised to $%(exponent)s$, which is not a fixed number."
        )
        what = {"base": write_latex(base), "exponent": write_latex(exponent), "unit": of_base}
        raise Inconsistent(message % what)
    return of_base.to_the(Fraction(int(exponent.p), int(exponent.q)))


def _find_common(expression: sympy.Basic, units: Mapping[str, Dimension]) -> Dimension:
    first, *others = sorted(expression.args, key=sympy.default_sort_key)
    common = find_dimension(first, units)
    for other in others:
        if (found := find_dimension(other, units)) != common:
            message = _(
                "$%(one)s$ (%(unit)s) and $%(other)s$ (%(found)s) are added, "
                "but have different units."
            )
            what = {"one": write_latex(first), "other": write_latex(other)}
            raise Inconsistent(message % {**what, "unit": common, "found": found})
    return common


def _refuse_argument(expression: sympy.Basic, argument: sympy.Basic, found: Dimension) -> NoReturn:
    message = _("$%(function)s$ takes a number without a unit, but $%(argument)s$ is in %(unit)s.")
    what = {"function": write_latex(expression), "argument": write_latex(argument)}
    raise Inconsistent(message % {**what, "unit": found})
