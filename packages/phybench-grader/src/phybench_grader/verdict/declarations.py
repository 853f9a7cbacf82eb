r"""
What an author declares of a problem's symbols, as it is typed: sign and range, one row a symbol.

>>> declare([Declaration(r"\theta", high=r"\frac{\pi}{2}")]).domains
(('\\theta', Domain(low=0, high=pi/2, is_integer=False)),)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from phybench_grader.numbers.domains import Domain, NoDomain
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import split_tokens
from phybench_grader.reading.names import Declared, Names
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Unreadable
from phybench_grader.reading.stream import Stream
from phybench_grader.verdict.ranges import read_domain

SIGNS: dict[str, tuple[str, str, bool]] = {
    "positive": ("0", "", False),
    "negative": ("", "0", False),
    "any": ("", "", False),
    "positive_whole": ("1", "", True),
    "whole": ("", "", True),
}
"""The lowest and the highest value of each sign, and whether it is of whole numbers."""
_CHANGE = re.compile(r"\\(?:Delta|delta|mathrm\s*\{\s*d\s*\})|d(?=\s*[\\A-Za-z])")
"""What may stand before a symbol and make another of it: a change, a differential."""
_UPRIGHT = re.compile(r"\\(?:mathrm|text|operatorname)\s*\{\s*[A-Za-z]{1,10}\s*\}")


class Undeclarable(ValueError):
    """A row that declares nothing: `field` is what is wrong with it, the text says why."""

    def __init__(self, field: str, message: Sentence) -> None:
        super().__init__(field, message)
        self.field = field
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


@dataclass(frozen=True, slots=True)
class Declaration:
    """One symbol in LaTeX, a key of `SIGNS`, and the bounds in LaTeX; an empty one is none."""

    latex: str
    sign: str = "positive"
    low: str = ""
    high: str = ""

    def read(self) -> Domain:
        """
        Read the numbers that the symbol may stand for. Raises `Undeclarable`.

        >>> Declaration("n", "positive_whole", high="3").read()
        Domain(low=1, high=3, is_integer=True)
        """
        if not is_symbol(self.latex):
            raise Undeclarable("latex", Sentence.of("no_symbol", symbol=self.latex))
        if self.sign not in SIGNS:
            raise Undeclarable("sign", Sentence("no_sign"))
        low, high, is_integer = SIGNS[self.sign]
        allowed = read_domain(low, high, is_integer=is_integer)
        try:
            domain = read_domain(self.low or low, self.high or high, is_integer=is_integer)
        except Unreadable as unreadable:
            message = Sentence.of("bound_unreadable", message=unreadable.message)
            raise Undeclarable("range", message) from None
        except NoDomain as error:
            message = Sentence.of("no_range", error=error.message)
            raise Undeclarable("range", message) from None
        if not _lies_within(domain, allowed):
            raise Undeclarable("range", Sentence("range_contradicts_sign"))
        return domain


def _lies_within(domain: Domain, allowed: Domain) -> bool:
    is_low_enough = allowed.low is None or (domain.low is not None and domain.low >= allowed.low)
    is_high_enough = allowed.high is None or (
        domain.high is not None and domain.high <= allowed.high
    )
    return bool(is_low_enough and is_high_enough)


def is_symbol(latex: str) -> bool:
    r"""
    Whether a text is one symbol, perhaps with a sign of change before it.

    >>> [is_symbol(text) for text in ("v_0", r"\Delta p", r"\mathrm{Re}", "a b", r"\frac{a}{b}")]
    [True, True, True, False, False]
    """
    text = latex.strip()
    if _UPRIGHT.fullmatch(text) or _is_plain(text):
        return True
    change = _CHANGE.match(text)
    return change is not None and _is_plain(text[change.end() :])


def _is_plain(text: str) -> bool:
    try:
        tokens = split_tokens(text)
        stream = Stream(text, tokens)
        names = Names(stream, Declared(), Choices())
        if not names.starts():
            return False
        names.read()
    except Unreadable:
        return False
    return stream.sees("end")


def declare(declarations: Iterable[Declaration]) -> Question:
    """
    Make the declared symbols of an author's rows; of one that is there twice the first counts.

    Raises `Undeclarable` for the first row that can't be read.
    """
    domains: dict[str, Domain] = {}
    for declaration in declarations:
        domains.setdefault(declaration.latex.strip(), declaration.read())
    return Question(tuple(domains.items()))


def declare_each(
    declarations: Iterable[Declaration],
) -> tuple[Question, list[tuple[int, str, Sentence]]]:
    """
    Declare those rows that can be read; of the others return number, field and message.

    >>> declare_each([Declaration("m"), Declaration("a b")])[1][0][:2]
    (1, 'latex')
    """
    readable, refused = [], []
    for number, declaration in enumerate(declarations):
        try:
            declaration.read()
        except Undeclarable as error:
            refused.append((number, error.field, error.message))
        else:
            readable.append(declaration)
    return declare(readable), refused
