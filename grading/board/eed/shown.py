"""What the page says of EED: the figures that a worker found, with the names of whom they are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from grading.answers.submissions.models import Submission
from grading.board.eed.figures import Beside, EEDFigures, ModelsEED, UnorderedFigures
from grading.board.scores.collecting import Field, name_all
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range

Figures = TypeVar("Figures")


@dataclass(frozen=True, slots=True)
class EEDRow:
    """One model's EED beside its accuracy."""

    number: int
    """In the picture."""
    name: str
    submission: Submission
    figures: ModelsEED

    @property
    def added(self) -> float:
        """Return the points that EED gives beyond accuracy."""
        return (self.figures.eed.value or 0.0) - (self.figures.accuracy.value or 0.0)


@dataclass(frozen=True, slots=True)
class UnorderedRow:
    name: str
    submission: Submission
    figures: Beside


def list_rows(figures: EEDFigures, field: Field) -> list[EEDRow]:
    """
    List models by their mean EED or the least that it can be, the best first.

    Those without any graded answer are none.
    """
    named = [one for one in _name(figures.rows, field) if one[2].eed.value is not None]
    named.sort(key=lambda one: (-_find_least(one[2].eed, one[2].eed_range), one[0]))
    return [EEDRow(number, *one) for number, one in enumerate(named, start=1)]


def list_unordered(figures: UnorderedFigures, field: Field) -> list[UnorderedRow]:
    """
    List models by their mean EED, not by the other, or by the least that it can be.

    Those without any graded answer are none.
    """
    rows = [
        UnorderedRow(*one)
        for one in _name(figures.rows, field)
        if one[2].eed.mean.value is not None
    ]
    return sorted(rows, key=lambda row: (-_least_of(row), row.name))


def _least_of(row: UnorderedRow) -> float:
    return _find_least(row.figures.eed.mean, row.figures.eed.range)


def _find_least(mean: Mean, found: Range | None) -> float:
    return round(found.low if found else mean.value or 0.0, 9)


def _name(rows: Mapping[int, Figures], field: Field) -> Iterable[tuple[str, Submission, Figures]]:
    """Name the rows of what still stands on the board."""
    names = name_all(field)
    for one in field.submissions:
        if one.pk in rows:
            yield names[one.pk], one, rows[one.pk]
