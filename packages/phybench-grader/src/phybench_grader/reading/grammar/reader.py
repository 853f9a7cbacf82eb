r"""
Tokens to a SymPy expression, by recursive descent: one parser, in the order of its grammar.

A sum is products, a product is factors (side by side or with signs between them), a factor is an
atom with what follows it (exponent, factorial). An atom is a number, a group, a command, a function
with its argument, or letters: a symbol, a constant, or what is no mathematics at all. Where a
notation has several honest readings, the reader asks `Choices`.
"""

from __future__ import annotations

import re

import sympy

from phybench_grader.numbers import arithmetic
from phybench_grader.numbers.functions import BRACKETS, EXTREMES, SPELLINGS
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.grammar.brackets import (
    read_absolute,
    read_function_bracket,
    read_group,
    read_mean,
)
from phybench_grader.reading.grammar.differentials import cut_differentials
from phybench_grader.reading.grammar.factors import read_signs
from phybench_grader.reading.grammar.fractions import read_fraction, read_root
from phybench_grader.reading.grammar.functions import read_extreme, read_function
from phybench_grader.reading.grammar.letters import read_letters, read_symbol
from phybench_grader.reading.grammar.numbers import read_number
from phybench_grader.reading.grammar.orders import Order, cut_orders, is_kept
from phybench_grader.reading.grammar.parser import UPRIGHT, Parser
from phybench_grader.reading.grammar.products import read_product
from phybench_grader.reading.grammar.words import read_upright, read_word
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Finding, Unreadable
from phybench_grader.reading.stream import CLOSERS
from phybench_grader.reading.vocabulary import ENVIRONMENTS


class Reader(Parser):
    """Reads one expression; `findings` collects what its author should know."""

    def read_all(self) -> sympy.Expr:
        """Read the whole stream as one expression."""
        if self.sees("end"):
            raise Unreadable("empty", 0, len(self.text))
        cut_differentials(self.text, self.tokens, self.names)
        orders = cut_orders(self)
        expression = self.read_fractions_over()
        if not self.sees("end"):
            raise self.refuse()
        for order in orders:
            self._note_order(order, expression)
        return expression

    def _note_order(self, order: Order, expression: sympy.Expr) -> None:
        """Note what was left out, and whether it may be of the order of what is written."""
        tokens = order.tokens
        place = tokens[0].start, tokens[-1].end
        self.findings.append(Finding("order", Sentence("order_left_out"), *place))
        if tokens[-1].kind == ")":
            opener = next(count for count, token in enumerate(tokens) if token.kind == "(")
            kept = expression if order.kept is None else self._read_apart(order.kept)
            if is_kept(self._read_apart(tokens[opener + 1 : -1]), kept):
                note = Sentence("order_doubtful")
                self.findings.append(Finding("order_doubtful", note, *place))

    def _read_apart(self, tokens: list[Token]) -> sympy.Expr:
        end = Token("end", "", tokens[-1].end, tokens[-1].end) if tokens else self.tokens[-1]
        return Reader(self.text, [*tokens, end], self.declared, Choices()).read_all()

    def read_fractions_over(self) -> sympy.Expr:
        mark = self.typed.mark()
        above = self.read_sum()
        if not self.sees_command("over", "choose"):
            return above
        sign = self.take()
        self.typed.join(mark, r"\frac{" if sign.text == "over" else r"\binom{", "}{")
        step = arithmetic.divide if sign.text == "over" else arithmetic.choose
        below = self.read_sum()
        self.typed.join(mark, after="}")
        return self.build(sign.start, step, above, below)

    def read_sum(self) -> sympy.Expr:
        start = self.next.start
        self.descend()
        terms = [self._read_term("")]
        while self.sees("+", "-"):
            terms.append(self._read_term("+"))
        self.level -= 1
        return self.build(start, arithmetic.add, terms)

    def _read_term(self, sign: str) -> sympy.Expr:
        is_negative = read_signs(self)
        self.typed.add("-" if is_negative else sign)
        term = read_product(self)
        return -term if is_negative else term

    def read_atom(self) -> sympy.Expr:
        token = self.next
        if (name := self.names.read_declared()) is not None:
            return self.make_symbol(self.names.decorate(name))
        if token.kind == "number":
            return read_number(self)
        if token.kind == "letter":
            return read_letters(self)
        if token.kind in BRACKETS:
            return read_function_bracket(self)
        if token.kind == "⟨":
            return read_mean(self)
        if token.kind in CLOSERS:
            return read_group(self)
        if token.kind == "bar" and token.text != ")":
            return read_absolute(self)
        if token.kind == "command":
            return self._read_command()
        raise self.refuse()

    def _read_command(self) -> sympy.Expr:
        token = self.next
        name = token.text
        if name == "pi":
            self.take()
            named = self.names.decorate("pi")
            if named != "pi" or "pi" in self.declared.names:
                return self.make_symbol(named)
            return self.take_constant(sympy.pi)
        if self.names.starts():
            return read_symbol(self)
        if name in ("frac", "binom"):
            return read_fraction(self)
        if name in EXTREMES:
            self.take()
            return read_extreme(self, name)
        if name in ("sqrt", "cbrt"):
            return read_root(self)
        if name in SPELLINGS:
            self.take()
            return read_function(self, SPELLINGS[name])
        if name in UPRIGHT:
            return read_upright(self)
        if name == "begin":
            return self._refuse_environment()
        raise self.refuse()

    def _refuse_environment(self) -> sympy.Expr:
        token = self.take()
        match = re.match(r"\s*\{(\w+)\*?\}", self.text[token.end :])
        name = match[1] if match else ""
        raise Unreadable(ENVIRONMENTS.get(name, "environment"), token.start, token.end)

    def read_roman_group(self) -> sympy.Expr:
        opener = self.take()
        self.take()
        end = self.find_closer(self.position - 2)
        return read_word(self, opener, end, "mathrm")
