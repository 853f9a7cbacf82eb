"""What the page says of EED: the figures that a worker found, with the names of whom they are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from grading.answers.submissions.models import Submission
from grading.board.analyses.actions import ask, find_before
from grading.board.analyses.kinds import AnalysisKind
from grading.board.analyses.models import Analysis
from grading.board.eed.figures import Beside, EEDFigures, ModelsEED, UnorderedFigures
from grading.board.scores.collecting import Field, name_all
from grading.board.scores.scope import Scope

Figures = TypeVar("Figures")


@dataclass(frozen=True, slots=True)
class Found:
    """An analysis that was asked for, and the newest result there is."""

    analysis: Analysis
    result: dict[str, Any] | None
    """That of earlier scores, while it is worked out anew."""

    @property
    def is_old(self) -> bool:
        return self.result is not None and self.analysis.is_waiting


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


def find(kind: AnalysisKind, scope: Scope, field: Field) -> Found:
    """Ask a question, and take what was said before while the answer is worked out."""
    analysis = ask(kind, scope, field=field)
    if not analysis.is_waiting:
        return Found(analysis, analysis.result)
    before = find_before(analysis)
    return Found(analysis, before.result if before else None)


def list_rows(figures: EEDFigures, field: Field) -> list[EEDRow]:
    """List models by their mean EED, the best first; those without any graded answer are none."""
    named = [one for one in _name(figures.rows, field) if one[2].eed.value is not None]
    named.sort(key=lambda one: (-(one[2].eed.value or 0.0), one[0]))
    return [EEDRow(number, *one) for number, one in enumerate(named, start=1)]


def list_unordered(figures: UnorderedFigures, field: Field) -> list[UnorderedRow]:
    """List models by their mean EED, not by the other; those without any graded answer are none."""
    rows = [
        UnorderedRow(*one)
        for one in _name(figures.rows, field)
        if one[2].eed.mean.value is not None
    ]
    return sorted(rows, key=lambda row: (row.figures.eed.place, row.name))


def _name(rows: Mapping[int, Figures], field: Field) -> Iterable[tuple[str, Submission, Figures]]:
    """Name the rows of what still stands on the board."""
    names = name_all(field)
    for one in field.submissions:
        if one.pk in rows:
            yield names[one.pk], one, rows[one.pk]
