"""The state that the parts of the grammar share, and what they read of each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.limits import MAX_LEVELS
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared, Names
from phybench_grader.reading.reading import Finding, Unreadable
from phybench_grader.reading.stream import Stream
from phybench_grader.reading.transcript import Transcript
from phybench_grader.reading.usage import find_units

UPRIGHT = ("mathrm", "text", "operatorname", "rm")
"""Commands for upright letters."""
CONSTANTS = {sympy.pi: r"\pi", sympy.E: r"\mathrm{e}", sympy.I: r"\mathrm{i}"}
"""Constants, and how they are written."""


class Parser(Stream, ABC):
    """
    What all parts of the grammar share: the tokens, what was read of them, and what we are inside.

    Sums and atoms consist of the other parts and stand inside them: `Reader` reads those.
    """

    def __init__(
        self, text: str, tokens: list[Token], declared: Declared, choices: Choices
    ) -> None:
        super().__init__(text, tokens)
        self.declared = declared
        self.choices = choices
        self.names = Names(self, declared, choices)
        self.findings: list[Finding] = []
        self.order: dict[str, None] = {}
        """The names of the symbols read, in their order."""
        self.typed = Transcript()
        self.level = 0
        """How many sums are open, one within the other."""
        self.open_bars = [0]
        """How many absolute values are open: in the whole, and in each group that is."""
        self.open_exponentials = 0
        """In how many arguments of exponentials we are."""
        self.open_functions = 0
        """In how many arguments of other functions we are."""
        self.fraction_end = -1
        """Where the last fraction ended: a number may stand beside it."""
        self.is_all_bold = all(token.is_bold for token in tokens[:-1])
        self.units = find_units(tokens)

    def descend(self) -> None:
        self.level += 1
        # The whole is a level of its own, around the nesting.
        if self.level > MAX_LEVELS + 1:
            raise Unreadable("too_deep", self.next.start, self.next.end)

    def build(self, start: int, step: Callable[..., sympy.Expr], *arguments: object) -> sympy.Expr:
        """Take one step of arithmetic, naming the place where it goes too far."""
        try:
            return step(*arguments)
        except (arithmetic.Overgrown, OverflowError):
            # SymPy converts large complex numbers to floats on the way.
            raise Unreadable("too_large", start, self.last.end) from None
        except arithmetic.NotFinite:
            raise Unreadable("undefined", start, self.last.end) from None

    def note_positive(self, place: Token) -> None:
        note = Sentence("absolute_value_idle")
        self.findings.append(Finding("positive", note, place.start, self.last.end))

    def make_symbol(self, name: str) -> sympy.Expr:
        self.order[name] = None
        self.typed.add_symbol(name)
        return self.declared.make_symbol(name)

    def take_constant(self, constant: sympy.Expr) -> sympy.Expr:
        self.typed.add(CONSTANTS[constant])
        return constant

    @abstractmethod
    def read_sum(self) -> sympy.Expr:
        """Read terms with signs between them."""

    @abstractmethod
    def read_fractions_over(self) -> sympy.Expr:
        r"""Read a sum, or two with `\over` or `\choose` between them."""

    @abstractmethod
    def read_atom(self) -> sympy.Expr:
        """Read a number, a group, a command, a function with its argument, or letters."""

    @abstractmethod
    def read_roman_group(self) -> sympy.Expr:
        r"""Read `{\rm e}` as `\mathrm{e}`."""
