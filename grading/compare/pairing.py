"""What two scored on the problems of a board, put side by side."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grading.compare.peoples import ComparedAnswer, PeoplesComparison
from grading.compare.sides import Side
from grading.scores.collecting import BoardScores
from grading.scores.scope import LEAST_PROBLEMS
from grading.statistics.clusters import LEAST as LEAST_PEOPLE
from grading.statistics.metrics import FULL
from grading.statistics.scores import Array, PeoplesScores, Scores
from grading.submissions.comparison.matching import ComparedProblem, Comparison

METRICS = ("eed", "accuracy")
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Paired:
    """Two side by side, and what of them can't be compared since we could not grade it."""

    comparison: Comparison | PeoplesComparison
    left_out: int
    """Problems, or with people answers, that we could not grade for either."""
    ends: Mapping[str, Ends]
    """By EED and accuracy where the difference can lie; empty where nothing is left out."""

    @property
    def is_told(self) -> bool:
        """
        Whether so much is compared that figures tell of no single problem, and of no single person.

        One can hand in answers that we can't grade to all problems but one.
        """
        compared = self.comparison
        people = compared.people if isinstance(compared, PeoplesComparison) else LEAST_PEOPLE
        return compared.count >= LEAST_PROBLEMS and people >= LEAST_PEOPLE


def pair(scores: BoardScores, first: Side, second: Side) -> Paired:
    """Put two side by side; at most one of them is people."""
    if first.standing and second.standing:
        ours, theirs = (scores.of[one.submission.pk] for one in (first.standing, second.standing))
        return _pair_models(ours, theirs)
    standing = first.standing or second.standing
    assert standing is not None
    model = scores.of[standing.submission.pk]
    return _pair_with_people(model, scores.people, is_people_first=first.is_people)


def _pair_models(first: Scores, second: Scores) -> Paired:
    """Compare over the problems all answers of both to which are graded."""
    is_whole = _is_graded(first) & _is_graded(second)
    means = {
        metric: np.column_stack([first.by_problem(metric), second.by_problem(metric)])
        for metric in METRICS
    }
    compared = [
        ComparedProblem(int(problem), (accuracy[0], accuracy[1]), (eed[0], eed[1]))
        for problem, accuracy, eed in zip(
            first.problems[is_whole].tolist(),
            means["accuracy"][is_whole].tolist(),
            means["eed"][is_whole].tolist(),
            strict=True,
        )
    ]
    left_out = int((~is_whole).sum())
    ends = {
        metric: (
            float((first.lows(metric) - second.highs(metric)).mean()),
            float((first.highs(metric) - second.lows(metric)).mean()),
        )
        for metric in METRICS
        if left_out
    }
    return Paired(Comparison(compared, {}, (first.samples, second.samples)), left_out, ends)


def _is_graded(scores: Scores) -> NDArray[np.bool_]:
    whole: NDArray[np.bool_] = np.logical_not(np.isnan(scores.accuracy).any(axis=1))
    return whole


def _pair_with_people(model: Scores, people: PeoplesScores, *, is_people_first: bool) -> Paired:
    """Compare each answer of a person with the model's mean on that problem, if it was asked."""
    people = people.keep(np.isin(people.problems, model.problems))
    places = np.searchsorted(model.problems, people.problems)
    is_whole = ~np.isnan(people.accuracy) & _is_graded(model)[places]
    compared = [
        ComparedAnswer(
            person, problem, _order(accuracy, is_people_first), _order(eed, is_people_first)
        )
        for person, problem, accuracy, eed in zip(
            people.people[is_whole].tolist(),
            people.problems[is_whole].tolist(),
            np.column_stack(
                [people.accuracy[is_whole], model.by_problem("accuracy")[places][is_whole]]
            ).tolist(),
            np.column_stack(
                [people.eed[is_whole], model.by_problem("eed")[places][is_whole]]
            ).tolist(),
            strict=True,
        )
    ]
    left_out = int((~is_whole).sum())
    ends: dict[str, Ends] = {}
    if left_out:
        for metric in METRICS:
            low, high = _find_ends(model, people, places, metric)
            ends[metric] = (low, high) if is_people_first else (-high, -low)
    return Paired(PeoplesComparison(compared), left_out, ends)


def _order(both: list[float], is_people_first: bool) -> tuple[float, float]:
    people, model = both
    return (people, model) if is_people_first else (model, people)


def _find_ends(model: Scores, people: PeoplesScores, places: NDArray[np.intp], metric: str) -> Ends:
    """Return where people's mean less the model's can lie."""
    given: Array = people.of(metric)
    low = np.nan_to_num(given, nan=0.0) - model.highs(metric)[places]
    high = np.nan_to_num(given, nan=FULL) - model.lows(metric)[places]
    return float(low.mean()), float(high.mean())
