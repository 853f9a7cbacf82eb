"""What reading an answer gives: a `Reading`, or `Unreadable` with the reason and the place."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy.printing.latex import LatexPrinter

from grading.expressions.symbols import latex_names

MESSAGES = {
    "empty": "There is no expression here: write one.",
    "too_long": "The text is too long: an answer has at most 4,096 characters.",
    "too_deep": "The expression is nested too deeply: at most 64 levels.",
    "too_large": "The numbers or the expression grow too large to work with: write it smaller.",
    "bracket": "This bracket has no partner: add or remove one.",
    "equation": "Write only the expression, without an equation or inequality.",
    "several": "Write one answer: no comma, “or” or ± between several.",
    "units": "Leave the units out: an answer is an expression in symbols.",
    "words": "Leave words out: write only the expression.",
    "sum": "Sums and products over an index are not graded: write the closed form.",
    "integral": "Integrals are not graded: write the closed form.",
    "limit": "Limits are not graded: write the closed form.",
    "derivative": "Derivatives are not graded: write the closed form.",
    "matrix": "Matrices and vectors by components are not graded: write one expression.",
    "piecewise": "Cases are not graded: write one expression.",
    "environment": "LaTeX environments are not read: write one expression on one line.",
    "dots": "Dots stand for something unsaid: write the closed form.",
    "infinity": "Infinity is not a value: write a finite expression.",
    "undefined": "This has no value (a division by zero, or the like): write a finite expression.",
    "unknown_command": "The command {what} is not known here: write it another way.",
    "unknown_function": "The function {what} is not known here: write it with known functions.",
    "unknown_character": "The character {what} is not known here: remove it.",
    "numbers": "Two numbers stand side by side: put an operator between them.",
    "missing": "Something is missing here: complete the expression.",
    "script": "This subscript or superscript has nothing to belong to: write it after a symbol.",
}
"""Every reason for which a text is refused, with the sentence that says what to do."""


class Unreadable(Exception):
    """
    A text that is not one expression this project reads.

    `reason` is a key of `MESSAGES`; `start` and `end` are offsets in the text as it was given.
    """

    def __init__(self, reason: str, start: int, end: int, what: str = "") -> None:
        super().__init__(reason, start, end, what)
        self.reason = reason
        self.start = start
        self.end = end
        self.what = what

    @property
    def message(self) -> str:
        """Say in one sentence what to do."""
        return MESSAGES[self.reason].format(what=self.what)

    def __str__(self) -> str:
        return self.message


class JudgeError(Exception):
    """An answer could not be judged for a reason that is ours: never a wrong answer."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a text that was read all the same, but that its author should know of."""

    code: str
    note: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """
    How a text was read.

    >>> from grading.expressions import read
    >>> reading = read(r"F_{\\max} = 5m\\omega^2R")
    >>> reading.symbols
    ('R', 'm', '\\\\omega')
    >>> reading.notes
    ('The name before “=” was left out.',)
    """

    expression: sympy.Expr
    findings: tuple[Finding, ...] = ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols found, in LaTeX."""
        return tuple(latex_names(self.expression).values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or decided while reading, in sentences."""
        return tuple(dict.fromkeys(finding.note for finding in self.findings))

    @property
    def latex(self) -> str:
        """The expression as it was read, in LaTeX."""
        return write_latex(self.expression)


class Printer(LatexPrinter):  # type: ignore[misc]  # SymPy is untyped
    """Prints the constants e and i upright, so that they read as what they are."""

    def _print(self, expression: object, **settings: object) -> str:
        # SymPy's e prints itself, before any method named after it is asked.
        if expression is sympy.E:
            return str(self._do_exponent(r"\mathrm{e}", settings.get("exp")))
        return str(super()._print(expression, **settings))

    def _print_ExpBase(self, expression: sympy.Expr, exp: str | None = None) -> str:
        inner = str(self._print(expression.args[0]))
        # Fractions within fractions are too small to be read in an exponent.
        if exp is None and inner.count(r"\frac") > 1:
            return rf"\exp\left({inner}\right)"
        return str(self._do_exponent(rf"\mathrm{{e}}^{{{inner}}}", exp))


def write_latex(expression: sympy.Basic) -> str:
    """Write an expression made of this project's symbols in LaTeX."""
    settings = {
        "symbol_names": latex_names(expression),
        "ln_notation": True,
        "imaginary_unit": "ri",
        "inv_trig_style": "full",
    }
    return str(Printer(settings).doprint(expression))
