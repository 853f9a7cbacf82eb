r"""
Sorting answers into groups that say the same thing.

>>> groups = group_answers(["m g h", r"\frac{2 m g h}{2}", "m g", "oops{"])
>>> [(group.latex, group.members) for group in groups]
[('g h m', (0, 1)), ('g m', (2,))]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from phybench_grader.equality.equality import Equality, compare_readings
from phybench_grader.numbers.space import Space
from phybench_grader.reading.conditions import read_space
from phybench_grader.reading.question import Question
from phybench_grader.reading.reading import Reading, Unreadable
from phybench_grader.statement.answer import read
from phybench_grader.statement.response import find_answer


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that are equal, by their places in the list that was given."""

    latex: str
    """The first of them, as it was read."""
    members: tuple[int, ...]
    is_open: bool = False
    """Whether it stays open if they equal another group."""


def group_answers(answers: Sequence[str], *, declared: Collection[str] = ()) -> list[Group]:
    """
    Group answers, or whole responses, by equality of value; the largest group first.

    What can't be read is in no group. An answer of which it stays open whether it equals another
    has a group of its own: two groups may then say the same, one group never says two things.
    """
    symbols = Question.of(declared)
    space = read_space(symbols)
    found: list[tuple[Reading, list[int]]] = []
    undecided: set[int] = set()
    by_text: dict[str, int | None] = {}
    for place, answer in enumerate(answers):
        text = find_answer(answer)
        if text not in by_text:
            by_text[text] = None
            try:
                reading = read(text, declared=symbols)
            except Unreadable:
                continue
            number, is_open = _find_equal(reading, [known for known, _ in found], space)
            by_text[text] = number
            if number == len(found):
                found.append((reading, []))
                if is_open:
                    undecided.add(number)
        group = by_text[text]
        if group is not None:
            found[group][1].append(place)
    groups = [
        Group(reading.latex, tuple(members), number in undecided)
        for number, (reading, members) in enumerate(found)
    ]
    return sorted(groups, key=lambda group: -len(group.members))


def _find_equal(reading: Reading, known: Sequence[Reading], space: Space) -> tuple[int, bool]:
    """Return the place of what is equal, or the next one; and whether it stays open if any is."""
    is_open = False
    for number, one in enumerate(known):
        equality = compare_readings(reading, one, space)
        if equality is Equality.EQUAL:
            return number, False
        is_open |= equality is Equality.UNDECIDED
    return len(known), is_open
