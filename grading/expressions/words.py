r"""Reading letters and words: symbols, the constants e and i, `\mathrm{…}`, units and prose."""

from __future__ import annotations

import re

import sympy

from grading.expressions import arithmetic
from grading.expressions.applications import Applications
from grading.expressions.functions import SPELLINGS
from grading.expressions.lexer import Token
from grading.expressions.reading import Unreadable, write_latex
from grading.expressions.symbols import GREEK, LETTERLIKE
from grading.expressions.vocabulary import LONGEST_PRODUCT, PROSE, SEVERAL_WORDS, UNITS

_UPRIGHT_INSIDE = re.compile(r"^\\(?:rm|mathrm)\s*\{?\s*([A-Za-z]+)\s*\}?$")


class Words(Applications):
    """Tells symbols, constants, functions, units and prose apart."""

    def _make_symbol(self, name: str) -> sympy.Expr:
        return self.declared.make_symbol(name)

    def _read_lone_letter(self) -> sympy.Expr:
        letter = self.take().text
        if letter == "i" and self._exponentials and "i" not in self.declared.names:
            return sympy.I
        return self._make_symbol(letter)

    def _read_symbol_name(self) -> str:
        r"""Read a symbol; of `v^2_0` the exponent is left to be read after the subscript."""
        base = self.names.read_base()
        if self.sees("^"):
            end = self._find_script_end(self.position + 1)
            if end is not None and self.tokens[end].kind == "_":
                script = self.tokens[self.position : end]
                del self.tokens[self.position : end]
                name = self.names.decorate(base)
                self.tokens[self.position : self.position] = script
                return name
        return self.names.decorate(base)

    def _find_script_end(self, position: int) -> int | None:
        kind = self.tokens[position].kind
        if kind == "{":
            return self.find_closer(position) + 1
        return position + 1 if kind in ("number", "letter", "command", "*") else None

    def _read_letters(self) -> sympy.Expr:
        token = self.next
        if token.word:
            if (function := self._find_typed_function(token)) is not None:
                return self._read_function(function)
            self._refuse_prose(token)
        if token.word == "pi" and not self.names.is_latex and "pi" not in self.declared.names:
            self.position += 2
            return sympy.pi
        name = self._read_symbol_name()
        if name in self.declared.names:
            return self._make_symbol(name)
        if name == "e":
            return self._read_e(token)
        if name == "i":
            if self._exponentials:
                return sympy.I
            if self._functions:  # an angle
                return self._make_symbol("i")
            return (self._make_symbol("i"), sympy.I)[self.choices.pick("i", token.start, token.end)]
        if name == "f" and self.sees("("):
            return self._read_application(token)
        return self._make_symbol(name)

    def _read_e(self, token: Token) -> sympy.Expr:
        """Tell an exponential from the charge e: an integer exponent is the charge's."""
        symbol = self._make_symbol("e")
        if not self.sees("^"):
            return (symbol, sympy.E)[self.choices.pick("e", token.start, token.end)]
        sign = self.take()
        if self._takes_degree():
            return self._build(token.start, arithmetic.multiply, [symbol, sympy.pi / 180])
        self._exponentials += 1
        exponent = self._read_exponent(sign)
        self._exponentials -= 1
        base = sympy.E
        if exponent.is_Integer:
            base = (symbol, sympy.E)[self.choices.pick("e", token.start, self.last.end)]
        return self._build(token.start, arithmetic.raise_to, base, exponent)

    def _read_application(self, token: Token) -> sympy.Expr:
        """Read `f(x+1)`: a product, or else a value of an unknown function f."""
        if not self.choices.pick("application", token.start, self.next.end):
            return self._make_symbol("f")
        return self._make_symbol(f"f({write_latex(self._read_group())})")

    def _refuse_prose(self, token: Token) -> None:
        word = token.word
        end = token.start + len(word)
        if word.lower() in SEVERAL_WORDS:
            raise Unreadable("several", token.start, end)
        if word.lower() in PROSE or (
            len(word) > LONGEST_PRODUCT and word not in GREEK and word not in LETTERLIKE
        ):
            raise Unreadable("words", token.start, end)

    def _read_roman_group(self) -> sympy.Expr:
        r"""Read `{\rm e}` as `\mathrm{e}`."""
        opener = self.take()
        self.take()
        end = self.find_closer(self.position - 2)
        return self._read_word(opener, end, "mathrm")

    def _read_upright(self) -> sympy.Expr:
        command = self.take()
        if self.sees("{"):
            end = self.find_closer(self.position)
            self.take()
            return self._read_word(command, end, command.text)
        end = self.position + 1
        if self.sees("end"):
            raise Unreadable("missing", command.start, command.end)
        return self._read_word(command, end, command.text)

    def _read_word(self, command: Token, end: int, style: str) -> sympy.Expr:
        """Read upright letters up to token `end`: a function, a constant, a symbol, a unit."""
        tokens = self.tokens[self.position : end]
        closes = self.tokens[end].kind == "}" and end > self.position
        content = self.text[tokens[0].start : tokens[-1].end].strip() if tokens else ""
        behind = end + 1 if closes else end
        content = _UPRIGHT_INSIDE.sub(r"\1", content)
        if content in SPELLINGS:
            self.position = behind
            return self._read_function(SPELLINGS[content])
        if content in ("e", "i", "j", "pi", "\\pi") and style != "text":
            self.position = behind
            value = {"e": sympy.E, "i": sympy.I, "j": sympy.I}.get(content, sympy.pi)
            return value
        words = re.findall(r"[A-Za-z]+", content)
        place = (command.start, self.tokens[end].end)
        if any(word.lower() in SEVERAL_WORDS for word in words):
            raise Unreadable("several", *place)
        # At the very beginning upright letters are a symbol: there is nothing to measure yet.
        is_first = self.tokens[0].start == command.start
        if words and all(word in UNITS for word in words) and not is_first:
            raise Unreadable("units", *place)
        if style == "operatorname":
            raise Unreadable("unknown_function", *place, content)
        if re.fullmatch(r"[A-Za-z]{1,4}", content):
            self.position = behind
            base = content if len(content) == 1 else f"mathrm{{{content}}}"
            return self._make_symbol(self.names.decorate(base))
        if style == "text" or not tokens or len(words) > 1 or re.fullmatch("[A-Za-z]+", content):
            raise Unreadable("words", *place)
        inside = self.read_sum()
        if closes:
            self._close(command, "}")
        return inside
