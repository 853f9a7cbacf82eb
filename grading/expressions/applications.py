r"""Reading functions and how far their arguments reach: `\sin^2\omega t`, `\ln(x)`, `sinx`."""

from __future__ import annotations

import sympy

from grading.expressions import arithmetic
from grading.expressions.core import Core
from grading.expressions.functions import BRACKETED, FUNCTIONS, INVERSES, SPELLINGS, TYPED
from grading.expressions.lexer import Token
from grading.expressions.reading import Unreadable
from grading.expressions.symbols import GREEK


class Applications(Core):
    """Reads a function's base, power and argument."""

    def _read_function(self, name: str) -> sympy.Expr:
        """Read what follows a function's name: base, power, argument."""
        start = self.last.start
        base: sympy.Expr | None = None
        power: sympy.Expr | None = None
        while self.sees("^", "_"):
            sign = self.take()
            if sign.kind == "^" and power is None:
                power = self._read_exponent(sign)
            elif sign.kind == "_" and base is None and name == "log":
                base = self._read_argument_sign()
            else:
                raise Unreadable("script", sign.start, sign.end)
        if power == -1 and name in INVERSES:
            name, power = INVERSES[name], None
        value = self._apply(name, self._read_argument(name), start)
        if base is not None:
            divisor = self._build(start, arithmetic.apply, sympy.log, base)
            value = self._build(start, arithmetic.divide, value, divisor)
        if power is not None:
            value = self._build(start, arithmetic.raise_to, value, power)
        return value

    def _apply(self, name: str, argument: sympy.Expr, start: int) -> sympy.Expr:
        if name == "abs":
            return self._take_absolute(argument, self.tokens[max(self.position - 1, 0)])
        if name == "exp":
            return self._build(start, arithmetic.exponentiate, argument)
        return self._build(start, arithmetic.apply, FUNCTIONS[name], argument)

    def _take_absolute(self, inside: sympy.Expr, place: Token) -> sympy.Expr:
        value = self._build(place.start, arithmetic.apply, sympy.Abs, inside)
        if value == inside and not inside.is_number:
            self._note_positive(place)
        return value

    def _read_argument(self, name: str) -> sympy.Expr:
        is_exponential = name == "exp"
        self._exponentials += is_exponential
        self._functions += not is_exponential
        argument = self._read_enclosed_or_bare(name)
        self._exponentials -= is_exponential
        self._functions -= not is_exponential
        return argument

    def _read_enclosed_or_bare(self, name: str) -> sympy.Expr:
        if self.sees("(", "["):
            return self._read_group()
        if self.sees("{"):
            closer = self.find_closer(self.position)
            is_bracketed = self.tokens[self.position + 1].kind in "([" and (
                self.find_closer(self.position + 1) == closer - 1
            )
            argument = self._read_group()
            # `\sin{x}^2` looks like `\sin x^2`; its braces speak for the sine's square.
            is_open = not is_bracketed and self.sees("^")
            if is_open and self.choices.pick("power", self.next.start, self.next.end):
                return self._read_powers(argument)
            return argument
        return self._read_bare(name)

    def _read_bare(self, name: str) -> sympy.Expr:
        """Read an argument without brackets: the factors side by side, as far as it reaches."""
        start = self.next.start
        is_negative = self._read_signs()
        factors = [self._read_atom_level()]
        while self._take_bare_power(factors) and self._continues_bare():
            if self._may_end(name, factors) and self.choices.pick(
                "reach", self.next.start, self.next.end
            ):
                break
            factors.append(self._read_atom_level())
        argument = self._build(start, arithmetic.multiply, factors)
        if self.sees("/") and self.choices.pick("over", self.next.start, self.next.end):
            argument = self._build(start, arithmetic.multiply, [argument, self._read_divisor()])
        return -argument if is_negative else argument

    def _read_atom_level(self) -> sympy.Expr:
        self._descend()
        atom = self._read_atom()
        self._level -= 1
        return atom

    def _take_bare_power(self, factors: list[sympy.Expr]) -> bool:
        r"""Read the exponent of a bare argument; tell whether the argument may go on."""
        if not self.sees("^", "!"):
            return True
        degrees = [token.text for token in self.tokens[self.position + 1 : self.position + 3]]
        if "circ" in degrees and degrees[0] in ("circ", "{"):
            factors[-1] = self._read_powers(factors[-1])
            return True
        if self.choices.pick("power", self.next.start, self.next.end):
            return False
        factors[-1] = self._read_powers(factors[-1])
        return True

    def _continues_bare(self) -> bool:
        """Tell whether the next factor is simple enough to belong to a bare argument."""
        token = self.next
        if token.kind == "letter" and token.word:
            here = self.position
            tokens = list(self.tokens)
            is_function = self._find_typed_function(token) is not None
            self.position, self.tokens = here, tokens
            return not is_function
        if token.kind == "number":
            self._refuse_neighbours()
            return True
        return self.names.starts() or self.sees_command("pi")

    @staticmethod
    def _may_end(name: str, factors: list[sympy.Expr]) -> bool:
        """Tell whether an argument may end here: nobody means `sin 2` in `sin 2x`."""
        return name in ("ln", "log", "lg", "exp") or not all(factor.is_number for factor in factors)

    def _find_typed_function(self, token: Token) -> str | None:
        """Find a function in letters typed together (`sin`, `sinx`) and move behind its name."""
        word = token.word
        if word in TYPED:
            here, self.position = self.position, self.position + len(word)
            if self.sees("(", "[", "{") or (
                word not in BRACKETED and (self._starts_factor() or self.sees("^", "_"))
            ):
                return SPELLINGS[word]
            self.position = here
            return None
        shortest = 3 if self.names.is_latex else 2
        for name in sorted(TYPED - BRACKETED, key=len, reverse=True):
            rest = word[len(name) :]
            if len(name) < shortest or not word.startswith(name):
                continue
            if len(rest) == 1 or rest in GREEK or rest == "pi" or rest in TYPED:
                self.position += len(name)
                first = self.next
                self.tokens[self.position] = Token(
                    first.kind, first.text, first.start, first.end, rest
                )
                return SPELLINGS[name]
        return None

    def _refuse_neighbours(self) -> None:
        if self.sees("number") and self.last.kind == "number":
            raise Unreadable("numbers", self.last.start, self.next.end)
