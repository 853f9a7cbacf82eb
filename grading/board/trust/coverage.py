"""How much of a version each kind of solver answered."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.postgres.aggregates import ArrayAgg

from grading.answers.models import Attempt
from grading.board.groups import group
from grading.board.table import Board, BoardRow

Answered = Mapping[int, frozenset[int]]
"""By submission the problems that it answers."""


@dataclass(frozen=True, slots=True)
class KindCoverage:
    """What all solvers of one kind answered together."""

    label: str
    solvers: int
    answered: int
    """Problems with an answer of any of them."""
    scored: int
    unreadable: int
    missing: int | None
    """None of people, who answer a few problems each."""
    ungraded: int


def cover_kinds(board: Board) -> list[KindCoverage]:
    """
    Sum up models by what is said of them now, and each group of people that has figures.

    Kinds without any are left out. One query.
    """
    answered = _find_answered(board)
    models = [row for row in board.models if not row.is_provisional]
    found = [
        _sum_up(label, rows, answered)
        for label, rows in group(models, "kind", lambda row: row.traits)
    ]
    people = [
        KindCoverage(
            label=one.who.name,
            solvers=one.who.people,
            answered=one.answered,
            scored=one.answers,
            unreadable=one.unreadable,
            missing=None,
            ungraded=one.ungraded,
        )
        for one in board.peoples
    ]
    return [*found, *people]


def _find_answered(board: Board) -> Answered:
    by_model = Attempt.objects.filter(submission__in=[row.submission for row in board.models])
    given = by_model.order_by().values_list("submission")
    problems = given.annotate(problems=ArrayAgg("revision__problem", distinct=True))
    kept = {
        row.submission.pk: board.scope.list_kept(row.submission.version_id) for row in board.models
    }
    return {submission: kept[submission].intersection(found) for submission, found in problems}


def _sum_up(label: str, rows: Iterable[BoardRow], answered: Answered) -> KindCoverage:
    rows = list(rows)
    problems = [answered.get(row.submission.pk, frozenset()) for row in rows]
    return KindCoverage(
        label=label,
        solvers=len(rows),
        answered=len(set().union(*problems)),
        scored=sum(row.tally.scored for row in rows),
        unreadable=sum(row.tally.unreadable for row in rows),
        missing=sum(row.tally.missing for row in rows),
        ungraded=sum(row.tally.ungraded for row in rows),
    )
