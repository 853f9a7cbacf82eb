"""The curves of each solver, as they are shown, drawn and written to a file."""

from collections.abc import Iterator
from dataclasses import dataclass

from grading.answers.submissions.models import Submission
from grading.board.scaling.figures import Curves, ScalingFigures
from grading.board.scores.collecting import Field, name_all
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.scaling import Point


@dataclass(frozen=True, slots=True)
class Line:
    """What k answers come to."""

    samples: int
    left_out: int
    pass_at: Mean
    vote: Mean | None
    """None while wrong answers are still being sorted."""
    best_eed: Mean


@dataclass(frozen=True, slots=True)
class Row:
    submission: Submission
    name: str
    curves: Curves

    @property
    def lines(self) -> list[Line]:
        return list(self._list_lines())

    def _list_lines(self) -> Iterator[Line]:
        votes: list[Point | None] = [*self.curves.vote] or [None] * len(self.curves.pass_at)
        points = zip(self.curves.pass_at, votes, self.curves.best_eed, strict=True)
        for one, vote, eed in points:
            yield Line(one.samples, one.left_out, one.mean, vote.mean if vote else None, eed.mean)

    @property
    def is_being_sorted(self) -> bool:
        return self.curves.sorted_problems < self.curves.to_sort

    @property
    def first(self) -> float:
        """Return what one answer comes to."""
        return (self.curves.pass_at[0].mean.value or 0.0) if self.curves.pass_at else 0.0


def make_rows(figures: ScalingFigures, field: Field) -> list[Row]:
    """Return the solvers with several answers a problem, the best with one answer first."""
    names = name_all(field)
    rows = [
        Row(one.submission, names[one.submission.pk], figures.rows[one.submission.pk])
        for one in field.standing
        if one.submission.pk in figures.rows
    ]
    return sorted(rows, key=lambda row: (-row.first, row.name))
