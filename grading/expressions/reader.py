r"""
Tokens to a SymPy expression, by recursive descent.

A sum is products, a product is factors (side by side or with signs between them), a factor is an
atom with what follows it (exponent, factorial). Where a notation has several honest readings, the
reader asks `Choices`.
"""

from __future__ import annotations

import re

import sympy

from grading.expressions import arithmetic
from grading.expressions.functions import SPELLINGS
from grading.expressions.lexer import Token
from grading.expressions.limits import MAX_DIGITS
from grading.expressions.reading import Unreadable
from grading.expressions.stream import CLOSERS
from grading.expressions.vocabulary import ENVIRONMENTS
from grading.expressions.words import Words

_UPRIGHT = ("mathrm", "text", "operatorname", "rm")
_DERIVATIVE = re.compile(
    r"\s*(?:d|\\mathrm\{d\})(?:\s*\^\s*\{?\d\}?)?\s*(?P<of>\\?[A-Za-z]+(?:_\w|_\{\w+\})?)?\s*"
)


class Reader(Words):
    """Reads one expression; `findings` collects what its author should know."""

    def read_all(self) -> sympy.Expr:
        """Read the whole stream as one expression."""
        if self.sees("end"):
            raise Unreadable("empty", 0, len(self.text))
        expression = self._read_fractions_over()
        if not self.sees("end"):
            raise self.refuse()
        return expression

    def _read_fractions_over(self) -> sympy.Expr:
        r"""Read a sum, or two with `\over` between them."""
        numerator = self.read_sum()
        if not self.sees_command("over"):
            return numerator
        start = self.take().start
        return self._build(start, arithmetic.divide, numerator, self.read_sum())

    def read_sum(self) -> sympy.Expr:
        """Read terms with signs between them."""
        start = self.next.start
        self._descend()
        terms = [self._read_term()]
        while self.sees("+", "-"):
            terms.append(self._read_term())
        self._level -= 1
        return self._build(start, arithmetic.add, terms)

    def _read_term(self) -> sympy.Expr:
        is_negative = self._read_signs()
        term = self._read_product()
        return -term if is_negative else term

    def _read_signs(self) -> bool:
        is_negative = False
        while self.sees("+", "-"):
            is_negative ^= self.take().kind == "-"
        return is_negative

    def _read_product(self) -> sympy.Expr:
        start = self.next.start
        factors = [self._read_factor()]
        while True:
            if self.sees("*") or self.sees_command("cdot"):
                self.take()
                factors.append(self._read_signed_factor())
            elif self.sees("/") or self.sees_command("div"):
                factors.append(self._read_divisor())
            elif self._starts_factor():
                self._refuse_neighbours()
                factors.append(self._read_factor())
            else:
                return self._build(start, arithmetic.multiply, factors)

    def _read_signed_factor(self) -> sympy.Expr:
        is_negative = self._read_signs()
        factor = self._read_factor()
        return -factor if is_negative else factor

    def _read_divisor(self) -> sympy.Expr:
        """Read what a slash divides by: one factor, or (`1/2\\pi`) all those side by side."""
        sign = self.take()
        divisors = [self._read_signed_factor()]
        if self._starts_factor() and self.choices.pick("slash", sign.start, self.next.end):
            while self._starts_factor():
                self._refuse_neighbours()
                divisors.append(self._read_factor())
        divisor = self._build(sign.start, arithmetic.multiply, divisors)
        return self._build(sign.start, arithmetic.raise_to, divisor, sympy.Integer(-1))

    def _read_factor(self) -> sympy.Expr:
        return self._read_powers(self._read_atom())

    def _read_powers(self, base: sympy.Expr) -> sympy.Expr:
        """Read the exponents and factorials after an atom."""
        start = self.last.start
        while True:
            if self.sees("^"):
                base = self._read_power(base, start)
            elif self.sees("!"):
                sign = self.take()
                if self.sees("!"):
                    raise Unreadable("unknown_function", sign.start, self.next.end, "!!")
                base = self._build(start, arithmetic.take_factorial, base)
            else:
                return base

    def _read_power(self, base: sympy.Expr, start: int) -> sympy.Expr:
        sign = self.take()
        if self._takes_degree():
            return self._build(start, arithmetic.multiply, [base, sympy.pi / 180])
        exponent = self._read_exponent(sign)
        return self._build(start, arithmetic.raise_to, base, exponent)

    def _takes_degree(self) -> bool:
        if self.sees_command("circ"):
            self.take()
            return True
        signs = [token.text for token in self.tokens[self.position : self.position + 3]]
        if signs == ["{", "circ", "}"]:
            self.position += 3
            return True
        return False

    def _read_exponent(self, sign: Token) -> sympy.Expr:
        """Read what stands raised after `^`."""
        is_negative = self._read_signs()
        if self.sees("end", ")", "]", "}"):
            raise Unreadable("script", sign.start, sign.end)
        exponent = self._read_argument_sign(raised=True)
        if self.sees("^"):
            self._descend()
            exponent = self._read_power(exponent, sign.start)
            self._level -= 1
        return -exponent if is_negative else exponent

    def _read_argument_sign(self, *, raised: bool = False) -> sympy.Expr:
        r"""
        Read what LaTeX takes after `^`, `\frac` or `\sqrt`: a group in brackets or one sign.

        Of a number that is one digit; in plain text after `^` it is the whole number.
        """
        token = self.next
        if token.kind == "number" and len(token.text) > 1:
            only_one = True
            if raised:
                only_one = self.names.is_latex
                if "." not in token.text:
                    only_one ^= bool(self.choices.pick("digits", token.start, token.end))
                else:
                    only_one = False
            if only_one and token.text[0] != ".":
                self.split_number(1)
        elif token.kind == "letter" and (raised is False or self.names.is_latex):
            self.tokens[self.position] = Token("letter", token.text, token.start, token.end)
            return self._read_lone_letter()
        elif token.kind == "command":
            self._descend()
            argument = self._read_atom()
            self._level -= 1
            return argument
        return self._read_atom()

    def _starts_factor(self) -> bool:
        token = self.next
        if token.kind == "bar":
            return token.text == "(" or (token.text == "" and not self._bars[-1])
        if token.kind == "command":
            return (
                self.names.starts()
                or token.text in SPELLINGS
                or token.text in _UPRIGHT
                or token.text in ("frac", "cbrt", "pi")
            )
        return token.kind in ("number", "letter", "(", "[", "{")

    def _read_atom(self) -> sympy.Expr:
        token = self.next
        if (name := self.names.read_declared()) is not None:
            return self._make_symbol(self.names.decorate(name))
        if token.kind == "number":
            return self._read_number()
        if token.kind == "letter":
            return self._read_letters()
        if token.kind in CLOSERS:
            return self._read_group()
        if token.kind == "bar" and token.text != ")":
            return self._read_absolute()
        if token.kind == "command":
            return self._read_command()
        raise self.refuse()

    def _read_number(self) -> sympy.Expr:
        token = self.take()
        if len(token.text) > MAX_DIGITS:
            raise Unreadable("too_large", token.start, token.end)
        if "." in token.text:
            self._find("float", "The decimal was read as the exact fraction.", token)
        return sympy.Rational(token.text)

    def _read_group(self) -> sympy.Expr:
        opener = self.next
        if opener.kind == "{" and self.tokens[self.position + 1].text == "rm":
            return self._read_roman_group()
        self.take()
        if self.sees(CLOSERS[opener.kind]):
            raise Unreadable("missing", opener.start, self.next.end)
        self._bars.append(0)
        inside = self._read_fractions_over()
        self._bars.pop()
        self._close(opener, CLOSERS[opener.kind])
        if opener.kind == "{" and inside.is_Symbol and self.sees("_", "'"):
            return self._make_symbol(self.names.decorate(inside.name))
        return inside

    def _close(self, opener: Token, closer: str) -> None:
        if self.sees("end") or (self.next.kind in CLOSERS.values() and not self.sees(closer)):
            raise Unreadable("bracket", opener.start, opener.end)
        if not self.sees(closer):
            raise self.refuse()
        self.take()

    def _read_absolute(self) -> sympy.Expr:
        opener = self.take()
        self._bars[-1] += 1
        inside = self.read_sum()
        self._bars[-1] -= 1
        if not self.sees("bar"):
            raise Unreadable("bracket", opener.start, opener.end)
        self.take()
        return self._take_absolute(inside, opener)

    def _read_command(self) -> sympy.Expr:
        token = self.next
        name = token.text
        if name == "pi":
            self.take()
            named = self.names.decorate("pi")
            return (
                sympy.pi
                if named == "pi" and "pi" not in self.declared.names
                else (self._make_symbol(named))
            )
        if self.names.starts():
            return self._make_symbol(self._read_symbol_name())
        if name == "frac":
            return self._read_fraction()
        if name in ("sqrt", "cbrt"):
            return self._read_root()
        if name in SPELLINGS:
            self.take()
            return self._read_function(SPELLINGS[name])
        if name in _UPRIGHT:
            return self._read_upright()
        if name == "begin":
            return self._refuse_environment()
        raise self.refuse()

    def _refuse_environment(self) -> sympy.Expr:
        token = self.take()
        match = re.match(r"\s*\{(\w+)\*?\}", self.text[token.end :])
        name = match[1] if match else ""
        raise Unreadable(ENVIRONMENTS.get(name, "environment"), token.start, token.end)

    def _read_fraction(self) -> sympy.Expr:
        command = self.take()
        first = self.position
        numerator = self._read_argument_sign()
        middle = self.position
        denominator = self._read_argument_sign()
        self._refuse_derivative(command, first, middle)
        return self._build(command.start, arithmetic.divide, numerator, denominator)

    def _refuse_derivative(self, command: Token, first: int, middle: int) -> None:
        if "d" in self.declared.names:
            return
        halves = [
            _DERIVATIVE.fullmatch(self.text[tokens[0].end : tokens[-1].start])
            for tokens in (self.tokens[first:middle], self.tokens[middle : self.position])
            if tokens
        ]
        if len(halves) == 2 and halves[0] and halves[1] and halves[1]["of"]:
            raise Unreadable("derivative", command.start, self.last.end)

    def _read_root(self) -> sympy.Expr:
        command = self.take()
        index: sympy.Expr = sympy.Integer(3 if command.text == "cbrt" else 2)
        if command.text == "sqrt" and self.sees("["):
            index = self._read_group()
        # `√12` typed in plain text is the root of twelve.
        if self.sees("number") and not self.names.is_latex:
            radicand = self._read_number()
        else:
            radicand = self._read_argument_sign()
        exponent = self._build(command.start, arithmetic.divide, sympy.Integer(1), index)
        root = self._build(command.start, arithmetic.raise_to, radicand, exponent)
        if index == 2 and radicand == root**2 and root.is_Symbol:
            self._note_positive(command)
        return root
