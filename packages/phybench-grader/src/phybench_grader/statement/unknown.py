r"""
Symbols of an answer that its problem does not have: mostly slips, such as w for ω.

>>> from phybench_grader import read
>>> from phybench_grader.reading.question import Question
>>> question = Question.of([r"\omega", "R"])
>>> [str(one.message) for one in list_unknown(r"w^2 R", read("w^2 R"), question)]
['$w$ is not a symbol of this problem: did you mean $\\omega$?']
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import lru_cache

from phybench_grader.numbers.sentences import Sentence
from phybench_grader.numbers.symbols import name_in_latex
from phybench_grader.reading.ambiguity import Choices
from phybench_grader.reading.lexer import split_tokens
from phybench_grader.reading.lookalikes import find_meant
from phybench_grader.reading.names import Declared, Names
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading, Unreadable
from phybench_grader.reading.rules import KNOWN_CONSTANTS
from phybench_grader.reading.stream import Stream
from phybench_grader.statement.answer import list_introduced, read
from phybench_grader.statement.members import list_names

_MOST_NAMED = 20
_MOST_MENDED = 4


@dataclass(frozen=True, slots=True)
class UnknownSymbol:
    """One symbol that the problem lacks, and the one that may be meant, in LaTeX."""

    name: str
    latex: str
    meant: str = ""
    mended: str = ""
    """The whole text with the one that is meant in its place; "" where that can't be written."""

    @classmethod
    def of(cls, name: str, known: Collection[str]) -> UnknownSymbol:
        """Make it of a symbol's name, with what may be meant among the known ones."""
        meant = find_meant(name, known)
        return cls(name, name_in_latex(name), name_in_latex(meant or ""))

    @property
    def message(self) -> Sentence:
        """Say so in one sentence."""
        if self.meant:
            return Sentence.of("symbol_unknown_meant", symbol=self.latex, meant=self.meant)
        return Sentence.of("symbol_unknown", symbol=self.latex)


@dataclass(frozen=True, slots=True)
class Shown:
    """What its author is shown of a reading. Writing LaTeX may take long: it is done here."""

    typed: str
    latex: str
    notes: tuple[Sentence, ...]
    unknown: tuple[UnknownSymbol, ...]


def read_for(text: str, question: Question) -> Shown:
    """Read a text that is typed for a problem; list the symbols which the problem lacks."""
    reading = read(text, declared=question)
    unknown = tuple(list_unknown(text, reading, question))
    return Shown(reading.typed, reading.latex, reading.notes, unknown)


def list_unknown(text: str, reading: Reading, question: Question) -> list[UnknownSymbol]:
    """List what a reading has that is neither declared nor in the statement, as first written."""
    known = list_known(question)
    if not known:
        return []
    found = [UnknownSymbol.of(name, known) for name in list_strange(reading, known)[:_MOST_NAMED]]
    # To mend one is to read the text again.
    mendable = [one for one in found if one.meant][:_MOST_MENDED]
    return [
        replace(one, mended=_mend(text, reading, question, one)) if one in mendable else one
        for one in found
    ]


def list_strange(reading: Reading, known: Collection[str]) -> list[str]:
    """List the names of a reading's symbols that are neither known nor known constants."""
    left = list_names(reading.expression) - KNOWN_CONSTANTS
    strange = {name for name in left if name.rstrip("'") not in known and name not in known}
    return [name for name in reading.order if name in strange]


@lru_cache(maxsize=512)
def list_known(question: Question) -> frozenset[str]:
    """List the names of the symbols that a problem declares or that its statement has."""
    return frozenset(Declared(question).names | list_introduced(question))


def _mend(text: str, reading: Reading, question: Question, unknown: UnknownSymbol) -> str:
    """Write the text with another symbol, if it then is that same expression with that one."""
    mended = _replace(text, question, unknown.name, unknown.meant)
    try:
        found = read(mended, declared=question).expression
        meant = read(unknown.meant, declared=question).expression
    except Unreadable:
        return ""
    symbols = reading.expression.free_symbols
    meanings = {symbol: meant for symbol in symbols if symbol.name == unknown.name}
    return mended if found == reading.expression.xreplace(meanings) else ""


def _replace(text: str, question: Question, name: str, latex: str) -> str:
    """Replace a symbol wherever its name stands."""
    stream = Stream(text, split_tokens(text))
    names = Names(stream, Declared(question), Choices())
    written, last = "", 0
    while not stream.sees("end"):
        here = stream.position
        start = stream.next.start
        try:
            found = names.read_declared() or (names.read() if names.starts() else "")
        except Unreadable:
            found = ""
        if not found:
            stream.position = here + 1
        elif found == name:
            end = stream.last.end
            # `2\omega t`, not `2\omegat`.
            space = " " if text[end : end + 1].isalpha() and latex[-1:].isalpha() else ""
            written += text[last:start] + latex + space
            last = end
    return written + text[last:]
