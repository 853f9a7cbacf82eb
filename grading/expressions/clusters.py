r"""
Sorting answers into groups that say the same thing.

>>> groups = group_answers(["m g h", r"\frac{2 m g h}{2}", "m g", "oops{"])
>>> [(group.latex, group.members) for group in groups]
[('g h m', (0, 1)), ('g m', (2,))]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from grading.expressions.answer import read
from grading.expressions.conditions import read_space
from grading.expressions.equality import Equality, compare_readings
from grading.expressions.question import Question
from grading.expressions.reading import Reading, Unreadable
from grading.expressions.response import find_answer


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that are equal, by their places in the list that was given."""

    latex: str
    """The first of them, as it was read."""
    members: tuple[int, ...]


def group_answers(answers: Sequence[str], *, declared: Collection[str] = ()) -> list[Group]:
    """
    Group answers, or whole responses, by equality of value; the largest group first.

    What can't be read is in no group. An answer of which it stays open whether it equals another
    has a group of its own: two groups may then say the same, one group never says two things.
    """
    symbols = Question.of(declared)
    space = read_space(symbols)
    found: list[tuple[Reading, list[int]]] = []
    by_text: dict[str, int | None] = {}
    for place, answer in enumerate(answers):
        text = find_answer(answer)
        if text not in by_text:
            by_text[text] = None
            try:
                reading = read(text, declared=symbols)
            except Unreadable:
                continue
            by_text[text] = next(
                (
                    number
                    for number, (known, _) in enumerate(found)
                    if compare_readings(reading, known, space) is Equality.EQUAL
                ),
                len(found),
            )
            if by_text[text] == len(found):
                found.append((reading, []))
        number = by_text[text]
        if number is not None:
            found[number][1].append(place)
    groups = [Group(reading.latex, tuple(members)) for reading, members in found]
    return sorted(groups, key=lambda group: -len(group.members))
