r"""
Spelling an expression anew for a reader with other habits than ours.

Names, constants and functions are settled here, as our reader settles them: each symbol becomes
`x_{11}`, `x_{12}` and so on. What a reader then makes of the text is about structure alone: what
belongs to a fraction, a root, an exponent, and how far a function reaches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import sympy

from phybench_grader.numbers.functions import SPELLINGS, TYPED
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import Token
from phybench_grader.reading.names import Declared, Names
from phybench_grader.reading.stream import Stream
from phybench_grader.statement.answer import select_tokens

_FIRST_ALIAS = 11
_KNOWN_FUNCTIONS = frozenset(
    [
        *("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "ln", "exp"),
        *("arcsin", "arccos", "arctan", "arccot", "arcsinh", "arccosh", "arctanh"),
    ]
)
_UPRIGHT = ("mathrm", "operatorname", "text")
_SIGNS = {"bar": "|", "*": r"\cdot"}


class Unspellable(Exception):
    """An expression uses a notation that is not spelled anew."""


@dataclass(slots=True)
class Respelling:
    """A text in the new spelling, and what each of its symbols stands for."""

    text: str = ""
    meanings: dict[str, sympy.Expr] = field(default_factory=dict)


def respell(text: str, declared: Declared, expression: sympy.Expr) -> Respelling:
    r"""
    Spell a text anew; `expression` is what our reader made of it.

    >>> from phybench_grader import read
    >>> text = r"v_0 = \frac12\left(M+m\right)"
    >>> respell(text, Declared(), read(text).expression).text
    '\\frac { 1 } { 2 } ( x_{11} + x_{12} )'
    """
    tokens = select_tokens(text, declared)
    speller = _Speller(text, _brace_arguments(tokens), declared, expression)
    return speller.spell()


def _brace_arguments(tokens: list[Token]) -> list[Token]:
    r"""Put braces around what `\frac12` and `\sqrt x` take without them."""
    tokens = list(tokens)
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.kind != "command" or token.text not in ("frac", "sqrt"):
            continue
        position = index + 1
        if token.text == "sqrt" and tokens[position].kind == "[":
            position = Stream("", tokens).find_closer(position) + 1
        for _ in range(2 if token.text == "frac" else 1):
            position = _brace_argument(tokens, position)
    return tokens


def _brace_argument(tokens: list[Token], position: int) -> int:
    """Put braces around the argument that begins here, and return where it ends."""
    stream = Stream("", tokens)
    first = tokens[position]
    if first.kind == "{":
        return stream.find_closer(position) + 1
    if first.kind == "number" and len(first.text) > 1:
        stream.position = position
        stream.split_number(1)
        first = stream.tokens[position]
        tokens[:] = stream.tokens
    is_sign = first.kind in ("number", "letter") or (
        first.kind == "command" and first.text not in ("frac", "sqrt", *_UPRIGHT, *SPELLINGS)
    )
    if not is_sign:
        raise Unspellable
    tokens[position : position + 1] = [
        Token("{", "{", first.start, first.start),
        first,
        Token("}", "}", first.end, first.end),
    ]
    return position + 3


class _Speller:
    """One pass over the tokens of an expression."""

    def __init__(
        self, text: str, tokens: list[Token], declared: Declared, expression: sympy.Expr
    ) -> None:
        self.stream = Stream(text, tokens)
        self.declared = declared
        self.names = Names(self.stream, declared, Choices())
        self.symbols = {symbol.name for symbol in expression.free_symbols}
        self.units = {"i", "j"} - self.symbols if expression.has(sympy.I) else set()
        self.aliases: dict[object, str] = {}
        self.found = Respelling()
        self.parts: list[str] = []

    def spell(self) -> Respelling:
        stream = self.stream
        while not stream.sees("end"):
            if (name := self.names.read_declared()) is not None:
                self._add_symbol(self.names.decorate(name))
            elif self.names.starts():
                self._spell_letters()
            elif stream.sees("command"):
                self._spell_command()
            else:
                token = stream.take()
                if token.kind == "_" and self.parts[-1:] != [r"\log"]:
                    raise Unspellable
                self._add(_SIGNS.get(token.kind, token.text))
                if token.kind == "number" and stream.sees_command("frac"):
                    # Side by side they look like a mixed number.
                    self._add(r"\cdot")
        self.found.text = " ".join(self.parts)
        return self.found

    def _add(self, part: str) -> None:
        self.parts.append(part)

    def _add_symbol(self, name: str) -> None:
        self._add_meaning(name, lambda: self.declared.make_symbol(name))

    def _add_meaning(self, key: object, make: Callable[[], sympy.Expr]) -> None:
        alias = self.aliases.setdefault(key, f"x_{{{_FIRST_ALIAS + len(self.aliases)}}}")
        self.found.meanings[alias] = make()
        self._add(alias)
        if self.stream.sees("(", "["):
            # Before a bracket a symbol looks like a function.
            self._add(r"\cdot")

    def _spell_letters(self) -> None:
        token = self.stream.next
        word = token.word
        if any(word.startswith(name) for name in TYPED) or (
            "pi" in word and not self.names.is_latex
        ):
            raise Unspellable
        name = self.names.read()
        if name == "e" and "e" not in self.declared.names and self._raises_constant():
            self._add_meaning(sympy.E, lambda: sympy.E)
        elif name in self.units:
            self._add_meaning(sympy.I, lambda: sympy.I)
        elif self.stream.sees("(", "[") and name not in self.symbols:
            raise Unspellable
        else:
            self._add_symbol(name)

    def _raises_constant(self) -> bool:
        """Whether the exponent that follows makes an e the exponential's."""
        if not self.stream.sees("^"):
            return False
        ahead = self.stream.tokens[self.stream.position + 1 :]
        signs = [token for token in ahead[:4] if token.kind not in "{-"]
        is_braced = ahead[0].kind == "{"
        is_whole = signs[0].kind == "number" and signs[0].text.isdigit()
        return not (is_whole and (not is_braced or signs[1].kind == "}"))

    def _spell_command(self) -> None:
        stream = self.stream
        command = stream.take()
        name = command.text
        if name == "pi":
            named = self.names.decorate("pi")
            if named == "pi" and "pi" not in self.declared.names:
                self._add(r"\pi")
            else:
                self._add_symbol(named)
        elif name in ("frac", "sqrt"):
            self._add("\\" + name)
        elif name in SPELLINGS:
            self._add_function(SPELLINGS[name])
        elif name in ("cdot", "div"):
            self._add(r"\cdot" if name == "cdot" else "/")
        elif name in _UPRIGHT and stream.sees("{"):
            self._spell_upright(name)
        else:
            raise Unspellable

    def _add_function(self, name: str) -> None:
        if name == "lg":
            self._add(r"\log _ { 10 }")
        elif name == "log":
            self._add(r"\log" if self.stream.sees("_") else r"\ln")
        elif name in _KNOWN_FUNCTIONS:
            self._add("\\" + name)
        else:
            raise Unspellable

    def _spell_upright(self, style: str) -> None:
        stream = self.stream
        end = stream.find_closer(stream.position)
        letters = stream.tokens[stream.position + 1 : end]
        content = "".join(token.text for token in letters if token.kind == "letter")
        if len(content) != len(letters):
            raise Unspellable
        stream.position = end + 1
        if content in SPELLINGS:
            self._add_function(SPELLINGS[content])
        elif content == "e" and style != "text":
            self._add_meaning(sympy.E, lambda: sympy.E)
        elif content in ("i", "j") and style != "text":
            self._add_meaning(sympy.I, lambda: sympy.I)
        elif 1 <= len(content) <= 4 and content != "pi" and style != "operatorname":
            base = content if len(content) == 1 else f"mathrm{{{content}}}"
            self._add_symbol(self.names.decorate(base))
        else:
            raise Unspellable
