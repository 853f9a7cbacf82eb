"""The results of reading an answer: a `Reading`, or `Unreadable` with reason and place."""

from __future__ import annotations

from dataclasses import dataclass

import sympy
from sympy.printing.latex import LatexPrinter

from phybench_grader.numbers.limits import OVER_LIMITS
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import latex_names
from phybench_grader.reading.transcript import plain


class Unreadable(Exception):
    """
    A text that is not one expression this project reads.

    `reason` is a key of `REFUSALS`; `start` and `end` are offsets in the text as it was given.
    """

    def __init__(self, reason: str, start: int, end: int, what: str = "") -> None:
        super().__init__(reason, start, end, what)
        self.reason = reason
        self.start = start
        self.end = end
        self.what = what

    @property
    def is_over_limit(self) -> bool:
        """Whether the text is too large for us, and no mistake: it is not graded, and is no 0."""
        return self.reason in OVER_LIMITS

    @property
    def message(self) -> Sentence:
        """Say in one sentence what to do."""
        return Sentence.of(self.reason, what=self.what) if self.what else Sentence(self.reason)

    def __str__(self) -> str:
        return str(self.message)


DOUBTFUL = frozenset({"power_doubtful", "comment_doubtful", "order_doubtful"})
"""Codes of findings that leave open which reading is meant: equal by one, it is for a person."""
TELLING = frozenset({"left_side", "remark", "undecided", "notation", "reference_ambiguous"})
"""Reasons of a `JudgeError` that tell whether the value equals the reference, or nearly so."""


class JudgeError(Exception):
    """
    An answer could not be judged for a reason that is ours: never a wrong answer.

    Where it was read all the same, `answer_read` says how, in LaTeX, and `answer_typed` in the
    order in which it was typed: who decides in the grader's place sees what is decided on.
    """

    answer_read = ""
    answer_typed = ""

    def __init__(self, reason: str, message: Sentence) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a text that was read all the same, but that its author should know of."""

    code: str
    note: Sentence
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Side:
    """What stands left of a relation, as it was read."""

    signs: tuple[str, ...]
    """Its tokens, without braces and spacing: two spellings of one name are equal."""
    name: str | None = None
    """Its canonical name, if it is a single one; "" where that is words or can't be told."""
    expression: sympy.Expr | None = None
    """Its value, if it is no single name and can be read."""
    symbols: frozenset[str] = frozenset()
    """Names of all symbols in it."""
    rate_of: str = ""
    r"""The symbol whose derivative it is: x for `\dot x` and `\frac{dx}{dt}`."""
    words: str = ""

    @property
    def is_single(self) -> bool:
        """Whether it is a single name, or words."""
        return self.name is not None


@dataclass(frozen=True, slots=True)
class Reading:
    """
    How a text was read.

    >>> from phybench_grader import read
    >>> reading = read(r"F_{\\max} = 5m\\omega^2R")
    >>> reading.symbols
    ('R', 'm', '\\\\omega')
    >>> [str(note) for note in reading.notes]
    ['We left out the name before “=”.']
    """

    expression: sympy.Expr
    findings: tuple[Finding, ...] = ()
    order: tuple[str, ...] = ()
    """The names of its symbols as they are first written."""
    typed: str = ""
    """It in LaTeX as it was typed, with marks on what was implied; "" where more was put in."""
    side: Side | None = None
    """What stands left of the value, if anything does."""
    is_open: bool = False
    """Whether nothing tells if what stands left is what is asked for."""
    conditions: tuple[str, ...] = ()
    """Under which it is said to hold, and other remarks that were cut off, as typed."""
    definitions: tuple[str, ...] = ()
    """Names of the symbols that it defines and that the problem lacks."""
    doubt: str = ""
    """What was cut off and may change the value: then it is for a person to say it is right."""

    @property
    def unit(self) -> str:
        """The unit that was left out behind it, as typed."""
        units = [one.note for one in self.findings if one.code == "units"]
        return str(dict(units[0].values).get("unit", "")) if units else ""

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols found, in LaTeX."""
        return tuple(latex_names(self.expression).values())

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """List what was left out or decided while reading."""
        return tuple(dict.fromkeys(finding.note for finding in self.findings))

    @property
    def latex(self) -> str:
        """The expression as it was read, in LaTeX, in SymPy's order."""
        return write_latex(self.expression)

    @property
    def bracketed(self) -> str:
        """It in LaTeX as it was typed, with the brackets that leave no other reading."""
        return plain(self.typed) or self.latex


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
