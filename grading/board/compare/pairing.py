"""
What two scored on the problems of a board, put side by side.

An answer that we could not grade may be worth 0 or 100, as on the board. So everything is compared
twice: with such answers of the first at 0 and those of the second at 100, and the other way round.
What is so both times holds whatever they are worth. Nothing is compared on what is graded alone:
beside the mean over all problems that would tell of the few that are left out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grading.board.compare.peoples import ComparedAnswer, PeoplesComparison
from grading.board.compare.sides import Side
from grading.board.scores.collecting import BoardScores
from grading.board.scores.scope import LEAST_PROBLEMS
from grading.submissions.comparison.matching import (
    ComparedProblem,
    Comparison,
    Spans,
    span_means,
)
from phybench_grader.statistics.clusters import LEAST as LEAST_PEOPLE
from phybench_grader.statistics.metrics import FULL
from phybench_grader.statistics.paired import Between
from phybench_grader.statistics.scores import Array, PeoplesScores, Scores

METRICS = ("eed", "accuracy")
Compared = Comparison | PeoplesComparison
Span = tuple[float, float]
"""The lowest and the highest that a mean can be; the same where all is graded."""


@dataclass(frozen=True)
class Paired:
    """Two side by side, at both ends of what we could not grade."""

    lower: Compared
    """With all such answers at their worst for the first."""
    upper: Compared
    """At their best for the first; the same as `lower` where all is graded."""
    graded: Sequence[tuple[int, int]]
    """Person (0 of models) and problem of what is graded for both."""
    ungraded: Sequence[int]
    """Problems of what is not: of models each once, of people each answer's."""

    @property
    def left_open(self) -> int:
        """Count problems, or with people answers, that we could not grade for either."""
        return len(self.ungraded)

    @property
    def is_told(self) -> bool:
        """
        Whether so much is graded that figures tell of no single problem, and of no single person.

        One can hand in answers that we can't grade to all problems but one.
        """
        return len(self.graded_problems) >= LEAST_PROBLEMS and (
            not self.is_with_people or self.graded_people >= LEAST_PEOPLE
        )

    @property
    def is_with_people(self) -> bool:
        return isinstance(self.lower, PeoplesComparison)

    @property
    def graded_problems(self) -> set[int]:
        return {problem for _person, problem in self.graded}

    @property
    def graded_people(self) -> int:
        """Count people with an answer that is graded."""
        return len({person for person, _problem in self.graded})

    @property
    def is_single(self) -> bool:
        """Whether each of two models gave one answer to a problem."""
        return isinstance(self.lower, Comparison) and self.lower.is_single

    @property
    def count(self) -> int:
        return self.lower.count

    @property
    def people(self) -> int | None:
        return self.lower.people if isinstance(self.lower, PeoplesComparison) else None

    @property
    def answers(self) -> int | None:
        """Count people's answers."""
        return len(self.lower.answers) if isinstance(self.lower, PeoplesComparison) else None

    @property
    def problems(self) -> set[int]:
        rows = (
            self.lower.answers if isinstance(self.lower, PeoplesComparison) else self.lower.problems
        )
        return {one.problem for one in rows}

    @cached_property
    def accuracy(self) -> Between:
        return Between(self.lower.accuracy, self.upper.accuracy)

    @cached_property
    def eed(self) -> Between:
        return Between(self.lower.eed, self.upper.eed)

    def of(self, metric: str) -> Between:
        return self.eed if metric == "eed" else self.accuracy

    @property
    def means(self) -> Spans:
        """Where the means of both can lie; nothing of no problem."""
        return span_means(self.lower.means, self.upper.means)

    def find_probability(self, metric: str) -> float | None:
        """
        Find how probable such a difference is if neither is better, at the end where it is more so.

        1 where it depends on what we could not grade which of the two is better.
        """
        ends = [_find_probability(one, metric) for one in (self.lower, self.upper)]
        known = [one for one in ends if one is not None]
        if len(known) < len(ends):
            return None
        return 1.0 if self.of(metric).is_open else max(known)

    def keep(self, problems: Collection[int]) -> "Paired":
        """Return what is of these problems."""
        lower = _keep(self.lower, problems)
        return Paired(
            lower,
            lower if self.upper is self.lower else _keep(self.upper, problems),
            [one for one in self.graded if one[1] in problems],
            [one for one in self.ungraded if one in problems],
        )


def _find_probability(compared: Compared, metric: str) -> float | None:
    """Find it of right and wrong, one answer a problem, by McNemar's test; else by Student's t."""
    if metric == "eed":
        return compared.eed.probability
    if isinstance(compared, Comparison) and compared.is_single:
        return compared.table.probability
    return compared.accuracy.probability


def _keep(compared: Compared, problems: Collection[int]) -> Compared:
    if isinstance(compared, PeoplesComparison):
        answers = [one for one in compared.answers if one.problem in problems]
        return replace(compared, answers=answers)
    kept = [one for one in compared.problems if one.problem in problems]
    return replace(compared, problems=kept)


def pair(scores: BoardScores, first: Side, second: Side) -> Paired:
    """Put two side by side; at most one of them is people."""
    if first.standing and second.standing:
        ours, theirs = (scores.of[one.submission.pk] for one in (first.standing, second.standing))
        return _pair_models(ours, theirs)
    standing, group = first.standing or second.standing, first.group or second.group
    assert standing is not None
    assert group is not None
    model = scores.of[standing.submission.pk]
    return _pair_with_people(model, group.scores, is_people_first=first.is_people)


def _pair_models(first: Scores, second: Scores) -> Paired:
    """Compare over all problems of the board."""
    is_whole = _is_graded(first) & _is_graded(second)
    most = first.samples, second.samples

    def compare(ours: dict[str, Array], theirs: dict[str, Array]) -> Comparison:
        accuracies, eeds = (
            np.column_stack([ours[one], theirs[one]]).tolist() for one in ("accuracy", "eed")
        )
        rows = zip(first.problems.tolist(), accuracies, eeds, strict=True)
        found = [
            ComparedProblem(problem, (accuracy[0], accuracy[1]), (eed[0], eed[1]))
            for problem, accuracy, eed in rows
        ]
        return Comparison(found, most)

    lower = compare(_fill(first, is_high=False), _fill(second, is_high=True))
    upper = lower
    if not is_whole.all():
        upper = compare(_fill(first, is_high=True), _fill(second, is_high=False))
    graded = [(0, problem) for problem in first.problems[is_whole].tolist()]
    return Paired(lower, upper, graded, first.problems[~is_whole].tolist())


def _fill(scores: Scores, *, is_high: bool) -> dict[str, Array]:
    """Return each problem's means, with what we could not grade at 100 or at 0."""
    return {one: scores.highs(one) if is_high else scores.lows(one) for one in METRICS}


def _is_graded(scores: Scores) -> NDArray[np.bool_]:
    whole: NDArray[np.bool_] = np.logical_not(np.isnan(scores.accuracy).any(axis=1))
    return whole


def _pair_with_people(model: Scores, people: PeoplesScores, *, is_people_first: bool) -> Paired:
    """Compare each answer of a person with the model's mean on that problem, if it was asked."""
    people = people.keep(np.isin(people.problems, model.problems))
    places = np.searchsorted(model.problems, people.problems)
    is_whole = ~np.isnan(people.accuracy) & _is_graded(model)[places]

    def compare(*, are_people_high: bool) -> PeoplesComparison:
        models = _fill(model, is_high=not are_people_high)
        value = FULL if are_people_high else 0.0
        both = {
            one: np.column_stack([np.nan_to_num(people.of(one), nan=value), models[one][places]])
            for one in METRICS
        }
        rows = zip(
            people.people.tolist(),
            people.problems.tolist(),
            both["accuracy"].tolist(),
            both["eed"].tolist(),
            strict=True,
        )
        found = [
            ComparedAnswer(
                person, problem, _order(accuracy, is_people_first), _order(eed, is_people_first)
            )
            for person, problem, accuracy, eed in rows
        ]
        return PeoplesComparison(found, is_people_first)

    lower = upper = compare(are_people_high=not is_people_first)
    if not is_whole.all():
        upper = compare(are_people_high=is_people_first)
    names = zip(people.people[is_whole].tolist(), people.problems[is_whole].tolist(), strict=True)
    return Paired(lower, upper, list(names), people.problems[~is_whole].tolist())


def _order(both: list[float], is_people_first: bool) -> tuple[float, float]:
    people, model = both
    return (people, model) if is_people_first else (model, people)
