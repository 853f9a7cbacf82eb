r"""
Markup around an answer: emphasis, quotes, dollar signs, `\text{…}`; taken off by offsets.

What closes is markup only where it was opened. Behind an answer, a bracket or a star that nothing
opened is part of the answer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phybench_grader.reading.lexer import match_braces

__all__ = ["MAX_BEFORE", "Span", "cut_closing", "match_braces", "unwrap"]

MAX_LAYERS = 16
"""How many wrappers are taken off."""
MAX_BEFORE = 4_000
"""How far back markup may have been opened, in characters."""

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
_STOP = re.compile(r"[.。](?![.。])")
_SPACE = re.compile(r"\s+|\\[,;!: ]|\\q?quad(?![A-Za-z])|\\\\(?=\s*\\end)")
_SENTENCE_BREAK = re.compile(r"[.!?]\s")
_BEGIN = re.compile(r"\\begin\{(\w+\*?)\}")
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


def unwrap(text: str, span: Span, *, may_stop: bool = True) -> Span:
    r"""
    Take white space, one final full stop and markup off a piece of a text, layer by layer.

    Args:
        may_stop: whether a full stop may still be taken off, or was before.

    >>> text = r"**$\text{(A)}$.**"
    >>> unwrap(text, Span(0, len(text))).of(text)
    '(A)'
    >>> unwrap("a. .", Span(0, 4)).of("a. .")
    'a. .'
    """
    for _ in range(MAX_LAYERS):
        inner = _unwrap_once(text, span)
        if inner == span and may_stop:
            inner = _cut_stop(text, span)
            may_stop = inner == span
        if inner == span:
            break
        span = inner
    return span


def cut_closing(text: str, before: str, *, may_stop: bool = True) -> str:
    r"""
    Cut off what may follow an answer and is no part of it, and return what remains.

    That is white space, markup that closes what `before` opened, and one full stop directly behind
    the answer or its markup.

    >>> cut_closing("**. ", "so **"), cut_closing("**", "so "), cut_closing(" ]", "[")
    ('', '**', ']')
    >>> cut_closing(r" \]", r"\[ x"), cut_closing(" .", ""), cut_closing(")", "(")
    ('', '.', ')')
    """
    open_ = sorted(_list_open(before[-MAX_BEFORE:]), key=len, reverse=True)
    place = 0
    while place < len(text):
        closer = next((one for one in open_ if text.startswith(one, place)), None)
        space = _SPACE.match(text, place)
        if closer:
            open_.remove(closer)
            place += len(closer)
        elif may_stop and _STOP.match(text, place):
            may_stop = False
            place += 1
        elif space:
            may_stop = False
            place = space.end()
        else:
            break
    return text[place:]


def _list_open(before: str) -> Iterator[str]:
    """Give what closes each piece of markup that `before` opens and does not close."""
    for begin, end in ((r"\[", r"\]"), (r"\(", r"\)")):
        if before.rfind(begin) > before.rfind(end):
            yield end
    if begins := list(_BEGIN.finditer(before)):
        closer = rf"\end{{{begins[-1][1]}}}"
        if before.rfind(closer) < begins[-1].start():
            yield closer
    for sign in ("```", "$$"):
        if before.count(sign) % 2:
            yield sign
    paragraph = re.split(r"\n[ \t]*\n", before)[-1].replace("```", "").replace("$$", "")
    for sign in ("`", "$", '"'):
        # Dollars and inches of an earlier sentence open nothing.
        within = paragraph.rpartition(sign)[2]
        if paragraph.count(sign) % 2 and not _SENTENCE_BREAK.search(within):
            yield sign
    if paragraph.count("“") + paragraph.count("„") > paragraph.count("”"):
        yield "”"
    for sign in ("**", "__", "*", "_"):
        sides = [one.start() for one in re.finditer(re.escape(sign), paragraph)]
        if len(sides) % 2 and _opens_a_word(paragraph, sides[-1], sign):
            yield sign
        paragraph = paragraph.replace(sign, " " * len(sign))


def _opens_a_word(text: str, place: int, sign: str) -> bool:
    """Tell emphasis from a sign in a formula, and from a bullet."""
    before, after = text[:place], text[place + len(sign) :]
    return not before[-1:].isalnum() and not after[:1].isspace()


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
    # Emphasis that began with the sentence ends with it; a lone star may mean something.
    before = text[max(0, start - MAX_BEFORE) : start]
    for sign in _list_open(before):
        if bare.endswith(sign) and len(bare) > len(sign):
            return Span(start, end - len(sign), span.is_math or sign in _MATH)
    if bare.startswith("**") and bare.count("**") == 1 and len(bare) > 2:
        return Span(start + 2, end, span.is_math)
    return Span(start, end, span.is_math)


def _cut_stop(text: str, span: Span) -> Span:
    """Take one full stop off that stands directly behind a text; two are something else."""
    bare = span.of(text)
    if (
        len(bare) > 1
        and bare.endswith((".", "。"))
        and bare[-2] not in ".。"
        and not bare[-2].isspace()
    ):
        return Span(span.start, span.end - 1, span.is_math)
    return span
