"""What is worked out of each problem over a panel of models, and how it is told."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydantic import TypeAdapter

from grading.board.analyses.kinds import AnalysisKind, Result, register_analysis
from grading.board.panels.collecting import find_field_of_newest
from grading.board.panels.models import LEAST_MODELS
from grading.board.scores.collecting import BoardScores
from phybench_grader.statistics.items import find_items
from phybench_grader.statistics.ranks import find_better

LEAST_PEOPLE = 5
"""Who answered a problem, before anything is told of what they made of it."""
STEP = 5
"""Figures of a problem are told in steps of so many points: more digits tell single verdicts."""
LEAST_EITHER = 3
"""
Models that have a problem right, and that have it wrong, before its discrimination is told.

A correlation in which one model differs from the rest tells which.
"""
CLASSES = (0.0, 0.2, 0.4)
"""Where one class of discrimination ends and the next begins."""
DECIDING_DRAWS = 500


@dataclass(frozen=True, slots=True)
class ItemFigures:
    """What a panel, and people, made of one problem; exact, and so not for everybody."""

    models: int
    """Those of whose answers we could grade one at least."""
    right: float | None
    """Mean accuracy, each model counting alike, 0 to 100."""
    eed: float | None
    discrimination: float | None
    readable: float | None
    """Per cent of the answers that we could grade."""
    people: int = 0
    peoples_right: float | None = None


@dataclass(frozen=True, slots=True)
class AllFigures:
    items: dict[int, ItemFigures] = field(default_factory=dict)
    """By problem; empty where there is no panel."""


KEPT = TypeAdapter(AllFigures)


@dataclass(frozen=True, slots=True)
class Deciding:
    """What ranks hang on single problems."""

    models: int = 0
    pairs: dict[int, int] = field(default_factory=dict)
    """By problem how many pairs of models it decides, where any."""


KEPT_DECIDING = TypeAdapter(Deciding)


def work_out(board: BoardScores) -> Result:
    result: Result = KEPT.dump_python(_describe_items(board), mode="json")
    return result


def _describe_items(board: BoardScores) -> AllFigures:
    if not board.of:
        return AllFigures()
    scores = list(board.of.values())
    right = np.array([one.by_problem("accuracy") for one in scores])
    eed = np.array([one.by_problem("eed") for one in scores])
    graded, unreadable = _count_readable(board)
    people = _sum_up_people(board)
    found = {}
    for place, (problem, item) in enumerate(
        zip(board.scope.problems, find_items(right), strict=True)
    ):
        own = eed[:, place][~np.isnan(eed[:, place])]
        count, mean = people.get(problem, (0, None))
        given = graded[problem]
        found[problem] = ItemFigures(
            item.solvers,
            item.right,
            float(own.mean()) if len(own) else None,
            item.discrimination,
            100 * (given - unreadable[problem]) / given if given else None,
            count,
            mean,
        )
    return AllFigures(found)


def _count_readable(board: BoardScores) -> tuple[Counter[int], Counter[int]]:
    """Count by problem the answers that we graded, and of these the unreadable ones."""
    graded, unreadable = Counter[int](), Counter[int]()
    for answers in board.answers.values():
        for one in answers.outcomes:
            if one.accuracy is None:
                continue
            graded.update(one.problems)
            if one.is_unreadable:
                unreadable.update(one.problems)
    return graded, unreadable


def _sum_up_people(board: BoardScores) -> dict[int, tuple[int, float]]:
    """Return by problem how many people answered it, and how many per cent of them rightly."""
    is_graded = ~np.isnan(board.people.accuracy)
    problems, accuracy = board.people.problems[is_graded], board.people.accuracy[is_graded]
    listed, places, counts = np.unique(problems, return_inverse=True, return_counts=True)
    sums = np.bincount(places, weights=accuracy, minlength=len(listed))
    return {
        int(problem): (int(count), float(total / count))
        for problem, count, total in zip(listed, counts, sums, strict=True)
    }


def find_deciding(board: BoardScores) -> Result:
    """Leave out each problem in turn, and count the pairs of models that this changes."""
    finished = [one.submission.pk for one in board.field.standing if not one.waiting]
    if len(finished) < 2:
        nothing: Result = KEPT_DECIDING.dump_python(Deciding(len(finished)), mode="json")
        return nothing
    low = np.array([board.of[pk].lows("eed") for pk in finished])
    high = np.array([board.of[pk].highs("eed") for pk in finished])
    whole = find_better(low, high, draws=DECIDING_DRAWS)
    pairs = {}
    for place, problem in enumerate(board.scope.problems):
        # Left where it is, so that the same signs turn the others.
        kept = low[:, place].copy(), high[:, place].copy()
        low[:, place] = high[:, place] = np.nan
        without = find_better(low, high, draws=DECIDING_DRAWS)
        low[:, place], high[:, place] = kept
        changed = int((whole != without).sum())
        if changed:
            pairs[problem] = changed
    result: Result = KEPT_DECIDING.dump_python(Deciding(len(finished), pairs), mode="json")
    return result


ITEMS = register_analysis(AnalysisKind("items", work_out, find_field=find_field_of_newest))
DECIDING = register_analysis(AnalysisKind("items that decide ranks", find_deciding))


@dataclass(frozen=True, slots=True)
class Told:
    """What a reader is told of one problem: rounded, but for who may see figures as they are."""

    right: float | None = None
    eed: float | None = None
    readable: float | None = None
    discrimination: float | None = None
    """None for who is told its class alone."""
    kind: int | None = None
    """The class of the discrimination, 0 for below 0 to 3 for the highest; None where not told."""
    people: int = 0
    peoples_right: float | None = None


def tell(figures: ItemFigures, *, exactly: bool) -> Told:
    """
    Round what is told of a problem.

    Whoever knows the means of all models could tell from the digits of a discrimination, or of a
    mean over few, which of them solved the problem.
    """
    kind = _classify(figures)
    if not exactly and figures.models < LEAST_MODELS:
        # Of the others in the panel we could grade no answer: this is of too few to be told.
        figures = replace(figures, right=None, eed=None, readable=None)
    people = figures.people if exactly or figures.people >= LEAST_PEOPLE else 0
    peoples_right = figures.peoples_right if people else None
    if exactly:
        return Told(
            figures.right,
            figures.eed,
            figures.readable,
            figures.discrimination,
            kind,
            people,
            peoples_right,
        )
    return Told(
        _round(figures.right),
        _round(figures.eed),
        _round(figures.readable),
        None,
        kind,
        people,
        _round(peoples_right),
    )


def _classify(figures: ItemFigures) -> int | None:
    if figures.discrimination is None or figures.right is None:
        return None
    right = figures.models * figures.right / 100
    if min(right, figures.models - right) < LEAST_EITHER - 1e-9:
        return None
    return sum(figures.discrimination >= end for end in CLASSES)


def _round(value: float | None) -> float | None:
    """
    Round to a step.

    >>> _round(33.3), _round(97.5), _round(None)
    (35.0, 100.0, None)
    """
    return None if value is None else float(STEP * math.floor(value / STEP + 0.5))


def count_cells(told: Sequence[Told]) -> Counter[tuple[int, int | None]]:
    """Count problems by tens of the share right (0 to 9) and by the class of discrimination."""
    return Counter(
        (min(9, int(one.right // 10)), one.kind) for one in told if one.right is not None
    )
