"""
How far apart the reviews of one round are: a measure to sort by, which decides nothing.

No database here. Each part lies between 0 and 100, and the whole is their sum:

- recommendations: over all pairs of reviewers, how far apart the two are: accept and revise, or
  revise and reject, 50; accept and reject 100; on average.
- answers: for each question that two answered at least, the same over pairs, as far apart as its
  kind says (yes and no 100, and so are 1 and 5 of a scale); then the average of the questions.
- solves: of the blind solves that could be told, the share that are not the reference. What could
  not be told, and who gave no answer, speak neither for nor against it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean
from typing import Any, TypeVar

from curation.reviewing.pipelines.models import VersionQuestion
from curation.texts.review_kinds import Answer, find_kind
from curation.texts.workflow import Recommendation, SolveOutcome

Value = TypeVar("Value")
FAR = {Recommendation.ACCEPT: 0, Recommendation.REVISE: 1, Recommendation.REJECT: 2}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far the reviews of one round are apart, each part from 0 to 100."""

    recommendations: float = 0.0
    answers: float = 0.0
    solves: float = 0.0


def measure(
    recommendations: Collection[str],
    answers: Sequence[Mapping[str, Answer]],
    solves: Collection[str],
    kinds: Mapping[str, str],
) -> Disagreement:
    """
    Measure a round by what each of its reviewers said last; `kinds` are of its questions.

    >>> kinds = {"1": "YES_NO", "2": "SCALE"}
    >>> measure(["ACCEPT", "REJECT"], [{"1": True}, {"1": False}], ["AGREES", "DISAGREES"], kinds)
    Disagreement(recommendations=100.0, answers=100.0, solves=50.0)
    >>> measure(["ACCEPT", "ACCEPT", "REVISE"], [{"2": 1}, {"2": 3}, {}], ["NOT_TOLD"], kinds)
    Disagreement(recommendations=33.333333333333336, answers=50.0, solves=0.0)
    """
    told = [one for one in solves if one in {SolveOutcome.AGREES, SolveOutcome.DISAGREES}]
    against = sum(one == SolveOutcome.DISAGREES for one in told)
    spread = _spread([Recommendation(one) for one in recommendations], _apart)
    return Disagreement(
        recommendations=spread or 0.0,
        answers=mean(measure_questions(answers, kinds).values() or [0.0]),
        solves=100 * against / len(told) if told else 0.0,
    )


def describe(
    reviews: Iterable[tuple[str, Mapping[str, Answer]]],
    solves: Iterable[str],
    questions: Iterable[VersionQuestion],
) -> dict[str, Any]:
    """Return what is kept of a round: how far apart it is, and how many said what."""
    reviews, solves = list(reviews), list(solves)
    given, told = Counter(said for said, _ in reviews), Counter(solves)
    answers = [answers for _, answers in reviews]
    found = measure(list(given.elements()), answers, solves, name_kinds(questions))
    return {
        "recommendations": found.recommendations,
        "answers": found.answers,
        "solves": found.solves,
        "accept": given[Recommendation.ACCEPT],
        "revise": given[Recommendation.REVISE],
        "reject": given[Recommendation.REJECT],
        "agreeing": told[SolveOutcome.AGREES],
        "differing": told[SolveOutcome.DISAGREES],
    }


def name_kinds(questions: Iterable[VersionQuestion]) -> dict[str, str]:
    """Return the kind of each of a round's questions, by its key."""
    return {one.key: one.kind for one in questions}


def measure_questions(
    answers: Sequence[Mapping[str, Answer]], kinds: Mapping[str, str]
) -> dict[str, float]:
    """Measure each question that two people answered at least, by its id."""
    found = {}
    for key in {key: None for one in answers for key in one}:
        given = [one[key] for one in answers if key in one]
        spread = _spread(given, find_kind(kinds[key]).apart)
        if spread is not None:
            found[key] = spread
    return found


def _spread(values: Sequence[Value], apart: Callable[[Value, Value], float]) -> float | None:
    """Average over all pairs; None where there is no pair."""
    pairs = list(combinations(values, 2))
    return mean(apart(a, b) for a, b in pairs) if pairs else None


def _apart(one: Recommendation, other: Recommendation) -> float:
    return 50.0 * abs(FAR[one] - FAR[other])
