"""The tokens of one text with a place to read on from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phybench_grader.reading.lexer import Token
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.vocabulary import REFUSED, RELATIONS

CLOSERS = {"(": ")", "[": "]", "{": "}", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩"}


class Stream:
    """Tokens, read from left to right; the last one is of kind "end"."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = list(tokens)
        self.position = 0

    @property
    def next(self) -> Token:
        """The token to be read next."""
        return self.tokens[self.position]

    @property
    def last(self) -> Token:
        """The token read last (or the first, before any)."""
        return self.tokens[max(self.position - 1, 0)]

    def take(self) -> Token:
        """Read one token."""
        token = self.next
        if token.kind != "end":
            self.position += 1
        return token

    def sees(self, *kinds: str) -> bool:
        """Whether the next token is of one of these kinds."""
        return self.next.kind in kinds

    def sees_command(self, *names: str) -> bool:
        """Whether the next token is one of these commands."""
        return self.next.kind == "command" and self.next.text in names

    def split_number(self, digits: int) -> None:
        """Make two numbers of the next one, the first having so many digits."""
        token = self.next
        middle = token.start + digits
        self.tokens[self.position : self.position + 1] = [
            replace(token, text=token.text[:digits], end=middle),
            replace(token, text=token.text[digits:], start=middle),
        ]

    def find_closer(self, position: int) -> int:
        """Find the token that closes the bracket at `position`; refuse if there is none."""
        opener = self.tokens[position]
        level = 0
        for index in range(position, len(self.tokens)):
            kind = self.tokens[index].kind
            if kind in CLOSERS:
                level += 1
            elif kind in CLOSERS.values():
                level -= 1
                if level == 0:
                    return index
        raise Unreadable("bracket", opener.start, opener.end)

    def refuse(self) -> Unreadable:
        """Make the exception that says why the next token cannot stand where it does."""
        token = self.next
        reason, what = "unknown_character", token.text
        if token.kind in CLOSERS.values() or token.kind == "bar":
            reason = "bracket"
        elif token.kind in ",;":
            reason = "several"
        elif token.text in RELATIONS:
            reason = "equation"
        elif token.kind in "^_'!":
            reason = "script"
        elif token.kind == "%":
            reason = "units"
        elif token.kind == "word":
            reason, what = "words", ""
        elif token.kind in ("end", "+", "-", "*", "/") or token.text in ("cdot", "div", "over"):
            reason = "missing"
        elif token.kind == "command":
            reason = REFUSED.get(token.text, "unknown_command")
            what = "\\" + token.text
        return Unreadable(reason, token.start, token.end, what)
