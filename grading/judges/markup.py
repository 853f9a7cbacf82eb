r"""Markup around an answer: emphasis, quotes, dollar signs, `\text{…}`; taken off by offsets."""

import re
from dataclasses import dataclass

from grading.expressions.lexer import match_braces

__all__ = ["Span", "match_braces", "unwrap"]

MAX_LAYERS = 16
"""How many wrappers are taken off."""

_PAIRS = (
    ("**", "**"),
    ("__", "__"),
    ("$$", "$$"),
    (r"\(", r"\)"),
    (r"\[", r"\]"),
    ("*", "*"),
    ("_", "_"),
    ("`", "`"),
    ("$", "$"),
    ('"', '"'),
    ("“", "”"),
    ("„", "“"),
    ("'", "'"),
    ("‘", "’"),
)
_MATH = {"$$", r"\(", r"\[", "$"}
_COMMAND = re.compile(
    r"\\(?:text|textbf|textit|textrm|texttt|mathrm|mathbf|mathit|mathsf|bm|boldsymbol|fbox"
    r"|boxed|emph|underline|bold)\s*(?=\{)"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text by its offsets."""

    start: int
    end: int
    is_math: bool = False

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def unwrap(text: str, span: Span) -> Span:
    r"""
    Take white space, a final full stop and markup off a piece of a text, layer by layer.

    >>> text = r"**$\text{(A)}$.**"
    >>> unwrap(text, Span(0, len(text))).of(text)
    '(A)'
    """
    for _ in range(MAX_LAYERS):
        inner = _unwrap_once(text, span)
        if inner == span:
            break
        span = inner
    return span


def _unwrap_once(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    piece = text[start:end]
    if bare := piece.strip():
        start += piece.index(bare)
        end = start + len(bare)
    else:
        return Span(start, start, span.is_math)
    for left, right in _PAIRS:
        is_wrapped = len(bare) > len(left) + len(right)
        is_wrapped = is_wrapped and bare.startswith(left) and bare.endswith(right)
        if is_wrapped and right not in bare[len(left) : -len(right)]:
            return Span(start + len(left), end - len(right), span.is_math or left in _MATH)
    command = _COMMAND.match(bare)
    if command and match_braces(bare).get(command.end()) == len(bare) - 1:
        return Span(start + command.end() + 1, end - 1, span.is_math)
    # Bold that began with the sentence ends with it; a lone star may mean something.
    if bare.endswith("**") and bare.count("**") == 1 and len(bare) > 2:
        return Span(start, end - 2, span.is_math)
    if bare.startswith("**") and bare.count("**") == 1 and len(bare) > 2:
        return Span(start + 2, end, span.is_math)
    if bare.endswith((".", "。")) and not bare.endswith("..") and len(bare) > 1:
        return Span(start, end - 1, span.is_math)
    return Span(start, end, span.is_math)
