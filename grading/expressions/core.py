"""What every part of the reader stands on: the stream, the choices, the limits."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from grading.expressions import arithmetic
from grading.expressions.ambiguity import Choices
from grading.expressions.lexer import Token
from grading.expressions.limits import MAX_LEVELS
from grading.expressions.names import Declared, Names
from grading.expressions.reading import Finding, Unreadable
from grading.expressions.stream import Stream


class Core(Stream):
    """Holds the state of reading one text; its parts read each other's signs."""

    def __init__(
        self, text: str, tokens: list[Token], declared: Declared, choices: Choices
    ) -> None:
        super().__init__(text, tokens)
        self.declared = declared
        self.choices = choices
        self.names = Names(self, declared, choices)
        self.findings: list[Finding] = []
        self._level = 0
        self._bars = [0]
        self._exponentials = 0
        self._functions = 0

    def _descend(self) -> None:
        self._level += 1
        # The whole is a level of its own, around the nesting.
        if self._level > MAX_LEVELS + 1:
            raise Unreadable("too_deep", self.next.start, self.next.end)

    def _build(self, start: int, step: Callable[..., sympy.Expr], *arguments: object) -> sympy.Expr:
        """Take one step of arithmetic, naming the place where it goes too far."""
        try:
            return step(*arguments)
        except arithmetic.Overgrown:
            raise Unreadable("too_large", start, self.last.end) from None
        except arithmetic.Undefined:
            raise Unreadable("undefined", start, self.last.end) from None

    def _find(self, code: str, note: str, token: Token) -> None:
        self.findings.append(Finding(code, note, token.start, token.end))

    def _note_positive(self, place: Token) -> None:
        note = "All symbols count as positive, so this absolute value changes nothing."
        self.findings.append(Finding("positive", note, place.start, self.last.end))

    def read_sum(self) -> sympy.Expr:
        """Read terms with signs between them."""
        raise NotImplementedError

    def _read_signs(self) -> bool:
        raise NotImplementedError

    def _read_powers(self, base: sympy.Expr) -> sympy.Expr:
        raise NotImplementedError

    def _read_exponent(self, sign: Token) -> sympy.Expr:
        raise NotImplementedError

    def _takes_degree(self) -> bool:
        raise NotImplementedError

    def _read_divisor(self) -> sympy.Expr:
        raise NotImplementedError

    def _read_atom(self) -> sympy.Expr:
        raise NotImplementedError

    def _read_group(self) -> sympy.Expr:
        raise NotImplementedError

    def _starts_factor(self) -> bool:
        raise NotImplementedError

    def _read_argument_sign(self, *, raised: bool = False) -> sympy.Expr:
        raise NotImplementedError

    def _close(self, opener: Token, closer: str) -> None:
        raise NotImplementedError
