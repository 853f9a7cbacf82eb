"""
What people saw of a problem beside what models are sent, and how the two differ.

Found mechanically, from texts: a line that only one of the two has is a difference, whatever it
says. Pure: no Django, no database.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

_BLANKS = re.compile(r"\s+")


class Kind(StrEnum):
    """In what the two differ."""

    LANGUAGE = "LANGUAGE"
    """The statement is in another language."""
    STATEMENT = "STATEMENT"
    """The same language, other words."""
    SYMBOLS = "SYMBOLS"
    """Only people see what the symbols mean."""
    WANTED = "WANTED"
    """Only people see what is asked for, as a sentence."""
    FORMAT = "FORMAT"
    """Models are told more of the form of the answer."""


@dataclass(frozen=True, slots=True)
class ShownToPeople:
    """What the page of a session says of one problem."""

    statement: str
    language: str
    symbols: tuple[str, ...] = ()
    """Rows of the table of symbols, as text."""
    wanted: str = ""
    """What is asked for, as a sentence."""


@dataclass(frozen=True, slots=True)
class SentToModels:
    """What a model is sent of one problem."""

    prompt: str
    """All of it."""
    statement: str
    language: str


@dataclass(frozen=True, slots=True)
class Differences:
    """How the two differ for one problem."""

    kinds: tuple[Kind, ...]
    only_people: tuple[str, ...]
    """Lines that only people see."""
    only_models: tuple[str, ...]
    """Lines that only models are sent."""


def find_differences(people: ShownToPeople, models: SentToModels) -> Differences:
    """
    Find how what people saw differs from what models are sent.

    >>> people = ShownToPeople("A ball falls.", "en", ("$m$ mass",), "Find $v$.")
    >>> models = SentToModels("Solve this.\\nA ball falls.\\nFind $v$.", "A ball falls.", "en")
    >>> found = find_differences(people, models)
    >>> [kind.value for kind in found.kinds], found.only_people, found.only_models
    (['SYMBOLS', 'FORMAT'], ('$m$ mass',), ('Solve this.',))
    """
    sent = _fold(models.prompt)
    kinds = []
    if people.language != models.language:
        kinds.append(Kind.LANGUAGE)
    elif _fold(people.statement) != _fold(models.statement):
        kinds.append(Kind.STATEMENT)
    if any(_fold(row) not in sent for row in people.symbols):
        kinds.append(Kind.SYMBOLS)
    if people.wanted and _fold(people.wanted) not in sent:
        kinds.append(Kind.WANTED)
    shown = [people.statement, *people.symbols, people.wanted]
    only_people = _list_missing(shown, models.prompt)
    only_models = _list_missing([models.prompt], "\n".join(shown))
    if _list_missing([models.prompt], "\n".join([models.statement, people.wanted])):
        kinds.append(Kind.FORMAT)
    return Differences(tuple(kinds), only_people, only_models)


def _list_missing(texts: Iterable[str], other: str) -> tuple[str, ...]:
    """List the lines of texts that another has not."""
    there = {_fold(line) for line in other.splitlines()}
    lines = [line.strip() for text in texts for line in text.splitlines()]
    return tuple(line for line in lines if line and _fold(line) not in there)


def _fold(text: str) -> str:
    """Take blanks for one another: how a text is broken into lines is no difference."""
    return _BLANKS.sub(" ", text).strip()


def count_kinds(found: Sequence[Differences]) -> dict[Kind, int]:
    """
    Count the problems that each difference is of.

    >>> count_kinds([Differences((Kind.FORMAT,), (), ())])[Kind.FORMAT]
    1
    """
    counted = Counter(kind for one in found for kind in one.kinds)
    return {kind: counted[kind] for kind in Kind}
