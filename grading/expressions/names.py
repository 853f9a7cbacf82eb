"""Reading the names of symbols: letters with subscripts, primes and accents."""

from __future__ import annotations

import re
from collections.abc import Collection

import sympy

from grading.expressions.ambiguity import Choices
from grading.expressions.domains import POSITIVE, Domain
from grading.expressions.lexer import Token, split_tokens
from grading.expressions.question import Question
from grading.expressions.reading import Unreadable
from grading.expressions.stream import Stream
from grading.expressions.symbols import (
    ACCENTS,
    GREEK,
    LETTERLIKE,
    SAME,
    SUBSCRIPT_COMMANDS,
    SUBSCRIPT_WORDS,
    make_symbol,
    name_symbol,
)

_UPRIGHT = frozenset({"mathrm", "text", "operatorname", "rm", "cal", "sf", "tt"})
_OPERATORS = frozenset({"max", "min", "lim", "sup", "inf", "sin", "cos", "exp", "log", "deg"})


class Declared:
    """The symbols a problem declares: they decide before any other rule."""

    def __init__(self, declared: Collection[str] = ()) -> None:
        self.spellings: list[tuple[tuple[str, ...], str]] = []
        self.names: set[str] = set()
        self.domains: dict[str, Domain] = {}
        self.same = dict(SAME)
        written = "".join(declared)
        for kept, dropped in (("epsilon", "varepsilon"), ("varphi", "phi")):
            if _has_command(written, kept) and _has_command(written, dropped):
                del self.same[kept]
        self.question = Question.of(declared)
        for latex, domain in self.question.domains:
            if (name := self._declare(latex)) is not None:
                self.names.add(name)
                self.domains[name] = domain
        # The longest spelling that fits is the one meant.
        self.spellings.sort(key=lambda spelling: -len(spelling[0]))

    def make_symbol(self, name: str) -> sympy.Symbol:
        """Make the symbol of this name, in the domain declared for it."""
        return make_symbol(name, self.domains.get(name, POSITIVE))

    def _declare(self, latex: str) -> str | None:
        """Note how a symbol is spelled, and return its name."""
        tokens = split_tokens(latex)[:-1]
        if not tokens:
            return None
        for token in tokens:
            if token.kind == "word":
                raise Unreadable("words", token.start, token.end)
        stream = Stream(latex, split_tokens(latex))
        names = Names(stream, self, Choices())
        if names.starts():
            name = names.read()
            if stream.sees("end"):
                return name
        signs = tuple(_sign(token) for token in tokens if token.kind not in "{}")
        name = latex.strip().removeprefix("\\")
        self.spellings.append((signs, name))
        return name


def _has_command(text: str, name: str) -> bool:
    return any(
        text.startswith("\\" + name, place) and not text[place + len(name) + 1 :][:1].isalpha()
        for place in range(len(text))
    )


def _sign(token: Token) -> str:
    return "\\" + token.text if token.kind == "command" else token.text


def _split_accented(base: str) -> tuple[str, str]:
    r"""Part `\vec{v_0}` into `\vec{v}` and its subscript."""
    if match := re.fullmatch(r"(\w+\{[^_{}]+)_(?:\{(.+)\}|(.))\}", base):
        return match[1] + "}", match[2] or match[3]
    return base, ""


class Names:
    """Reads symbols off a stream."""

    def __init__(self, stream: Stream, declared: Declared, choices: Choices) -> None:
        self.stream = stream
        self.declared = declared
        self.choices = choices
        self.is_latex = "\\" in stream.text

    def starts(self) -> bool:
        """Whether a symbol may begin here (a letter, a Greek letter, an accent)."""
        token = self.stream.next
        return token.kind == "letter" or (
            token.kind == "command" and (token.text in LETTERLIKE or token.text in ACCENTS)
        )

    def read_declared(self) -> str | None:
        """Read a declared symbol of several signs (`\\Delta p`), if one stands here."""
        for signs, name in self.declared.spellings:
            position = self.stream.position
            matched = 0
            while matched < len(signs):
                token = self.stream.tokens[position]
                if token.kind not in "{}":
                    if _sign(token) != signs[matched]:
                        break
                    matched += 1
                position += 1
            else:
                self.stream.position = position
                return name
        return None

    def read(self) -> str:
        """Read a symbol with its subscript and primes; return its name."""
        return self.decorate(self.read_base())

    def read_base(self) -> str:
        """Read the letter, Greek letter or accented letter that a symbol begins with."""
        token = self.stream.take()
        if token.kind == "letter":
            return self._read_typed_greek(token) or token.text
        if token.text in ACCENTS:
            return self._read_accent(token)
        return self.declared.same.get(token.text, token.text)

    def _read_typed_greek(self, token: Token) -> str | None:
        # Among LaTeX, `pi` and `mu` are rather products; long names are never.
        word = token.word
        if word not in GREEK | {"hbar"} or (self.is_latex and len(word) < 4):
            return None
        self.stream.position += len(word) - 1
        return self.declared.same.get(word, word)

    def _read_accent(self, accent: Token) -> str:
        stream = self.stream
        if stream.sees("{"):
            end = stream.find_closer(stream.position)
            stream.take()
            inside = self._collect(end)
            stream.take()
        else:
            inside = self._collect(stream.position + 1)
        if not inside:
            raise Unreadable("missing", accent.start, accent.end)
        return f"{ACCENTS[accent.text]}{{{inside}}}"

    def decorate(self, base: str) -> str:
        """Read the subscript and primes that follow a symbol's base; return the whole name."""
        stream = self.stream
        base, subscript = _split_accented(base)
        primes = 0
        if stream.sees("number") and self._is_typed_index():
            subscript = stream.take().text
        while True:
            if stream.sees("'"):
                stream.take()
                primes += 1
            elif stream.sees("_"):
                sign = stream.take()
                if subscript:
                    raise Unreadable("script", sign.start, sign.end)
                subscript = self._read_subscript()
            elif stream.sees("^") and (end := self._find_prime_end()):
                marks = stream.tokens[stream.position + 1 : end]
                stream.position = end
                primes += sum(mark.text in ("prime", "'") for mark in marks)
                if any(mark.text in ("*", "cdot", "star") for mark in marks):
                    base += "^*"
            else:
                return name_symbol(base, subscript, primes)

    def _is_typed_index(self) -> bool:
        """Whether `v0` is a symbol: in plain text it is, among LaTeX it may be a product."""
        stream = self.stream
        last, number = stream.last, stream.next
        if last.kind != "letter" or last.end != number.start or not number.text.isdigit():
            return False
        return not self.choices.pick("index", number.start, number.end, 2 if self.is_latex else 1)

    def _find_prime_end(self) -> int | None:
        r"""Find where a superscript of primes or a star (`^\prime`, `^{*}`) ends."""
        tokens = self.stream.tokens
        position = self.stream.position + 1
        braces = tokens[position].kind == "{"
        start = position + braces
        end = start
        while tokens[end].text in ("prime", "'", "*", "star", "cdot") and (
            tokens[end].kind in ("command", "'", "*")
        ):
            end += 1
            if not braces:
                break
        if end == start or (braces and tokens[end].kind != "}"):
            return None
        return end + braces

    def _read_subscript(self) -> str:
        stream = self.stream
        token = stream.next
        if token.kind == "{":
            end = stream.find_closer(stream.position)
            stream.take()
            subscript = self._collect(end)
            stream.take()
        else:
            subscript = self._collect(stream.position + self._measure_bare_subscript())
        if not subscript:
            raise Unreadable("script", token.start, token.end)
        return subscript

    def _measure_bare_subscript(self) -> int:
        """Count the tokens of a subscript without braces."""
        token = self.stream.next
        if token.kind == "number" and len(token.text) > 1:
            # LaTeX lowers one digit only; whoever types plain text means all of them.
            only_one = self.choices.pick("digits", token.start, token.end) == int(not self.is_latex)
            if only_one:
                self.stream.split_number(1)
            return 1
        if token.kind == "letter" and len(token.word) > 1:
            known = token.word in SUBSCRIPT_WORDS and not self.is_latex
            taken = self.choices.pick("subscript", token.start, token.start + len(token.word))
            return len(token.word) if known != bool(taken) else 1
        if token.kind == "command" and token.text in _UPRIGHT:
            if self.stream.tokens[self.stream.position + 1].kind == "{":
                return self.stream.find_closer(self.stream.position + 1) + 1 - self.stream.position
            return 2
        return 0 if token.kind == "end" else 1

    def _collect(self, end: int) -> str:
        """Read the tokens up to position `end` as part of a name."""
        stream = self.stream
        parts: list[str] = []
        while stream.position < end:
            token = stream.take()
            if token.kind == "end":
                break
            if token.kind == "command":
                self._collect_command(token, parts)
            elif token.kind == "bar":
                parts.append("|")
            elif token.kind not in "{}":
                if token.kind == "letter" and parts and parts[-1].startswith("\\"):
                    parts.append(" ")
                parts.append(token.text)
        return "".join(parts)

    def _collect_command(self, token: Token, parts: list[str]) -> None:
        if token.text in _UPRIGHT:
            return
        if token.text in _OPERATORS:
            parts.append(token.text)
        elif token.text in SUBSCRIPT_COMMANDS:
            parts.append("\\" + self.declared.same.get(token.text, token.text))
        elif token.text in ACCENTS:
            parts.append("\\" + ACCENTS[token.text] + " ")
        else:
            raise Unreadable("unknown_command", token.start, token.end, "\\" + token.text)
