"""
What a board says of each row: worked out by a worker once, and kept for as long as scores stay.

Until a worker has done so a page sums rows up by itself, without ranks: these take a second.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from pydantic import TypeAdapter

from grading.answers.tallies.collected import Answers
from grading.board.analyses.kinds import AnalysisKind, register_analysis
from grading.board.scores.collecting import LEAST_COVERAGE, BoardScores, Standing
from grading.board.scores.peoples import PeoplesGroup, Who
from grading.board.scores.scope import Scope
from phybench_grader.statistics.clusters import ClusteredMean, Spread, average, find_spread
from phybench_grader.statistics.metrics import Tally
from phybench_grader.statistics.ranks import LEAST_FOR_RANK, RankRange, find_better, read_ranges
from phybench_grader.statistics.scores import Scores

SortKey = Literal["eed", "accuracy"]
SORTS: tuple[SortKey, ...] = ("eed", "accuracy")
LEAST_PEOPLE = 5
"""Of fewer people the board says nothing: they could be told apart, and no interval holds."""


@dataclass(frozen=True, slots=True)
class RowFigures:
    """What is known of one submission, whoever's it is."""

    tally: Tally
    answered: int
    """Problems with an answer."""
    asked: int
    samples: int
    """Answers to the problem that has most of them."""
    accepted: int
    """Answers that the grader found right."""
    ranks: dict[str, RankRange] = field(default_factory=dict)
    """By EED and by accuracy; empty where it has none, or it is not known yet."""

    @property
    def is_covered(self) -> bool:
        return self.answered >= LEAST_COVERAGE * self.asked

    @property
    def is_ungraded(self) -> bool:
        """Whether we could not grade so many answers that a rank would say nothing."""
        return self.tally.is_unranked


@dataclass(frozen=True, slots=True)
class PeoplesFigures:
    """What is known of people together. Each answer counts; people and problems cluster them."""

    who: Who
    answers: int
    answered: int
    """Problems with an answer of any of them."""
    unreadable: int
    ungraded: int
    means: dict[str, ClusteredMean]
    """Nothing is told while fewer than `LEAST_PEOPLE` of them have a graded answer."""
    of_a_person: dict[str, Spread]
    """How people's own means are spread; nothing while an answer is not graded."""
    problems: int = 0
    """In a session of it."""
    clock: int = 0
    """Minutes of a session, as planned."""
    minutes_a_problem: float | None = None
    """Median time that a problem was shown; None where that is not known."""
    minutes_a_session: float | None = None
    """Median."""


@dataclass(frozen=True, slots=True)
class BoardFigures:
    rows: dict[int, RowFigures]
    """By the number (`pk`) of the submission."""
    people: PeoplesFigures | None
    """Of those who answered without a study; None of fewer than five."""
    few_people: int = 0
    """How many there are, where they are too few."""
    studies: list[PeoplesFigures] = field(default_factory=list)
    """Those that at least five people sat, the human baseline first."""
    better: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """By EED and by accuracy the pairs of which the first is significantly better."""
    is_ranked: bool = False
    """Whether ranks were looked for; until then the page says that they come."""

    @property
    def peoples(self) -> list[PeoplesFigures]:
        """Return the people of each study, and last those without one."""
        return [*self.studies, *([self.people] if self.people else [])]


_FIGURES = TypeAdapter(BoardFigures)


def read_figures(result: dict[str, Any]) -> BoardFigures:
    """Read what was kept."""
    return _FIGURES.validate_python(result)


def sum_up(scores: BoardScores) -> BoardFigures:
    """Sum up each row, without ranks."""
    *studies, without = scores.groups
    people = without.scores.count
    return BoardFigures(
        rows={
            one.submission.pk: sum_up_row(
                scores.scope, one, scores.answers.get(one.submission.pk, Answers())
            )
            for one in scores.field.rows
        },
        people=_sum_up_people(without) if people >= LEAST_PEOPLE else None,
        few_people=people if people < LEAST_PEOPLE else 0,
        studies=[_sum_up_people(one) for one in studies if one.scores.count >= LEAST_PEOPLE],
    )


def work_out(scores: BoardScores) -> dict[str, Any]:
    """Sum up each row and find the ranks that it can have; what a worker keeps."""
    summed = sum_up(scores)
    pks = list_ranked(scores, summed)
    better: dict[str, list[tuple[int, int]]] = {}
    ranks: dict[int, dict[str, RankRange]] = {pk: {} for pk in summed.rows}
    for key in SORTS if pks else ():
        found = compare(scores.of, pks, key)
        better[key] = [(pks[one], pks[other]) for one, other in np.argwhere(found).tolist()]
        for pk, range_ in zip(pks, read_ranges(found), strict=True):
            ranks[pk][key] = range_
    rows = {
        pk: RowFigures(row.tally, row.answered, row.asked, row.samples, row.accepted, ranks[pk])
        for pk, row in summed.rows.items()
    }
    figures = replace(summed, rows=rows, better=better, is_ranked=True)
    kept: dict[str, Any] = _FIGURES.dump_python(figures, mode="json")
    return kept


BOARD = register_analysis(AnalysisKind("board", work_out, version=4))


def list_ranked(scores: BoardScores, figures: BoardFigures) -> list[int]:
    """Return the submissions that have ranks: none where there are too few problems."""
    if len(scores.scope.problems or _list_problems(scores)) < LEAST_FOR_RANK:
        return []
    return [one.submission.pk for one in scores.field.standing if _may_rank(figures, one)]


def _may_rank(figures: BoardFigures, standing: Standing) -> bool:
    row = figures.rows[standing.submission.pk]
    return (
        not standing.waiting
        and row.is_covered
        and not row.is_ungraded
        and row.tally.accuracy.value is not None
    )


def compare(
    scores: Mapping[int, Scores], pks: Sequence[int], key: SortKey
) -> "np.typing.NDArray[np.bool_]":
    """Find which of some submissions are better than which; a row and a column each."""
    if not pks:
        return np.zeros((0, 0), dtype=np.bool_)
    lows = np.stack([scores[pk].lows(key) for pk in pks])
    highs = np.stack([scores[pk].highs(key) for pk in pks])
    return find_better(lows, highs)


def _list_problems(scores: BoardScores) -> list[int]:
    """Return the problems of what has no version: those that anybody answered."""
    return next(iter(scores.of.values())).problems.tolist() if scores.of else []


def sum_up_row(scope: Scope, standing: Standing, answers: Answers) -> RowFigures:
    asked = scope.count if scope.version else standing.submission.expected
    return RowFigures(
        tally=_tally(scope, standing, answers, asked),
        answered=len(answers.given),
        asked=max(asked, len(answers.given)),
        samples=answers.most,
        accepted=sum(len(one.problems) for one in answers.outcomes if one.accuracy),
    )


def _tally(scope: Scope, standing: Standing, answers: Answers, asked: int) -> Tally:
    """
    Sum a row up; problems that it was not asked are no 0, and what they will be worth is not known.

    Where it was asked others in their place nothing is told: beside the mean of all those that
    would tell what a few of them were worth.
    """
    version = standing.submission.version_id
    new = scope.list_new(version)
    if not new:
        return answers.sum_up(asked)
    if not scope.earlier[version or 0].is_whole:
        return Answers().sum_up(0)
    coming = Counter(dict.fromkeys(new, max(1, answers.most)))
    return replace(answers, pending=answers.pending + coming).sum_up(asked - len(new))


def _sum_up_people(group: PeoplesGroup) -> PeoplesFigures:
    found = group.scores
    is_graded = ~np.isnan(found.accuracy)
    answers, ungraded = int(is_graded.sum()), int((~is_graded).sum())
    # Of the graded answers of fewer nothing is told either: a mean over one would be that person's.
    is_told = len(np.unique(found.people[is_graded])) >= LEAST_PEOPLE
    scores = {key: np.where(is_told, found.of(key), np.nan) for key in SORTS}
    return PeoplesFigures(
        who=group.who,
        answers=answers,
        answered=group.answered,
        unreadable=int(found.is_unreadable.sum()),
        ungraded=ungraded,
        means={key: average(scores[key], found.people, found.problems) for key in SORTS},
        of_a_person={
            key: spread
            for key in SORTS
            if (spread := find_spread(scores[key], found.people)) is not None
        },
        problems=group.study.problems if group.study else 0,
        clock=group.study.minutes if group.study else 0,
        minutes_a_problem=_find_median(group.minutes),
        minutes_a_session=_find_median(group.sat),
    )


def _find_median(minutes: "np.typing.NDArray[np.float64]") -> float | None:
    known = minutes[~np.isnan(minutes)]
    return float(np.median(known)) if known.size else None
