"""
Items of the checklist, and their answers.

Pure: no Django, no database.
"""

from dataclasses import dataclass

from grading.board.baselines.checklist.sentences import NOT_REPORTED


@dataclass(frozen=True, slots=True)
class Item:
    """One question and its answer."""

    number: str
    question: str
    answer: str
    """With line breaks; `NOT_REPORTED` where it is not known."""

    @property
    def is_reported(self) -> bool:
        return self.answer != NOT_REPORTED


@dataclass(frozen=True, slots=True)
class Part:
    title: str
    items: list[Item]


def make_item(number: str, question: str, *lines: str) -> Item:
    answer = "\n".join(line.strip() for line in lines if line.strip())
    return Item(number, question, answer or NOT_REPORTED)
