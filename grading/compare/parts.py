"""Where each of two is better: by domain, by difficulty, and by how long the solution is."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from curation.problems.models import Difficulty, PhysicsField
from grading.compare.pairing import Paired
from grading.compare.peoples import PeoplesComparison
from grading.scores.scope import LEAST_PROBLEMS, Scope
from grading.statistics.clusters import LEAST as LEAST_PEOPLE
from grading.statistics.disclosure import find_told
from grading.statistics.intervals import LEAST_FOR_T, Method
from grading.statistics.multiple import find_standing_out
from grading.statistics.paired import Difference
from grading.submissions.comparison.matching import Comparison

Compared = Comparison | PeoplesComparison
LEAST_BESIDE_PEOPLE = 15
"""Problems that people answered, before a model is compared with them on those."""


class Kind(StrEnum):
    DOMAIN = "DOMAIN"
    DIFFICULTY = "DIFFICULTY"
    LENGTH = "LENGTH"
    """Of the reference solution, in thirds."""


Group = tuple[Kind, str, str, set[int]]
"""A part by its kind, value and name, with its problems."""


@dataclass(frozen=True, slots=True)
class Part:
    """How two differ on some of the problems."""

    kind: Kind
    value: str
    name: str
    problems: int
    people: int | None = None
    """How many gave the answers, where one of the two is people."""
    means: tuple[float, float] | None = None
    """None where figures of so few would tell of single problems."""
    difference: Difference | None = None
    probability: float | None = None
    """How probable such a difference is if neither is better; None where there is no interval."""
    stands_out: bool = False
    """Whether it does among all parts, by Benjamini and Hochberg."""


def list_parts(scope: Scope, paired: Paired, metric: str) -> list[Part]:
    """List the parts of a version's problems; none of what was handed in before versions."""
    compared = paired.comparison
    if scope.version is None:
        return []
    given = set(_list_problems(compared))
    told = _find_told(scope, given)
    groups = [
        (kind, value, name, given & problems) for kind, value, name, problems in _list_groups(scope)
    ]
    if isinstance(compared, PeoplesComparison):
        told_kinds = _find_kinds_beside_people(given, groups)
    else:
        told_kinds = set(Kind)
    parts = []
    for kind, value, name, answered in groups:
        if not answered:
            continue
        is_told = kind in told_kinds and (kind is Kind.LENGTH or (kind, value) in told)
        parts.append(
            _measure(Part(kind, value, name, len(answered)), compared, answered, metric, is_told)
        )
    return _mark(parts)


def _find_kinds_beside_people(given: set[int], groups: Sequence[Group]) -> set[Kind]:
    """
    Find the kinds of parts that are told beside people: those that leave no few problems over.

    How many people answered each problem is told, and differs from one to the next. So a model's
    mean over the answers to few problems tells on which of them it is right; and so does what the
    parts of a kind leave over of the whole.
    """
    sizes: dict[Kind, list[int]] = defaultdict(list)
    left = {kind: set(given) for kind in Kind}
    for kind, _value, _name, answered in groups:
        sizes[kind].append(len(answered))
        left[kind] -= answered
    return {
        kind
        for kind in Kind
        if not any(0 < size < LEAST_BESIDE_PEOPLE for size in (*sizes[kind], len(left[kind])))
    }


def _find_told(scope: Scope, given: Collection[int]) -> set[tuple[Kind, str]]:
    """Find the domains and difficulties of which figures may be told, of this scope's problems."""
    cells = Counter(scope.cells[one] for one in given)
    here = find_told(frozenset(cells.items()))
    told = set()
    for domain, difficulty in here:
        if domain and not difficulty and (domain, scope.difficulty) in scope.told:
            told.add((Kind.DOMAIN, domain))
        if difficulty and not domain and (scope.domain, difficulty) in scope.told:
            told.add((Kind.DIFFICULTY, difficulty))
    return told


def _list_groups(scope: Scope) -> Iterator[Group]:
    problems = set(scope.problems)
    if not scope.domain:
        for value, label in PhysicsField.choices:
            some = {one for one in problems if scope.cells[one][0] == value}
            yield Kind.DOMAIN, value, str(label), some
    if not scope.difficulty:
        for value, label in Difficulty.choices:
            some = {one for one in problems if scope.cells[one][1] == value}
            yield Kind.DIFFICULTY, value, str(label), some
    # Of a narrower scope thirds would be others, and what they differ by a few problems.
    if not scope.is_narrowed:
        yield from _list_lengths(scope)


def _list_lengths(scope: Scope) -> Iterator[Group]:
    """Yield thirds by length, of all public problems: they stay while some are withdrawn."""
    assert scope.version is not None
    lengths: Mapping[int, int] = dict(
        scope.version.items.public()
        .exclude(revision__solution="")
        .values_list("problem", Length("revision__solution"))
    )
    if len(lengths) < 3 * LEAST_PROBLEMS:
        return
    first, second = np.quantile(list(lengths.values()), [1 / 3, 2 / 3], method="lower").tolist()
    kept = set(scope.problems)
    # What has no solution is in none: it is what the whole has more than the thirds.
    without = kept - lengths.keys()
    thirds = (0, first), (first, second), (second, float("inf"))
    sizes = [len(without), *(len(_pick(lengths, *ends) & kept) for ends in thirds)]
    if any(0 < size < LEAST_PROBLEMS for size in sizes):
        return
    words = {"first": f"{first:,.0f}", "second": f"{second:,.0f}"}
    for value, name, low, high in (
        ("short", _("short: up to %(first)s characters"), 0, first),
        ("middle", _("middle: up to %(second)s characters"), first, second),
        ("long", _("long: over %(second)s characters"), second, float("inf")),
    ):
        yield Kind.LENGTH, value, name % words, _pick(lengths, low, high) & kept


def _pick(lengths: Mapping[int, int], low: float, high: float) -> set[int]:
    return {one for one, length in lengths.items() if low < length <= high}


def _list_problems(compared: Compared) -> Iterator[int]:
    rows = compared.answers if isinstance(compared, PeoplesComparison) else compared.problems
    return (one.problem for one in rows)


def _keep(compared: Compared, problems: Collection[int]) -> Compared:
    if isinstance(compared, PeoplesComparison):
        answers = [one for one in compared.answers if one.problem in problems]
        return PeoplesComparison(answers)
    kept = [one for one in compared.problems if one.problem in problems]
    return replace(compared, problems=kept)


def _measure(
    part: Part, compared: Compared, problems: Collection[int], metric: str, is_told: bool
) -> Part:
    some = _keep(compared, problems)
    if isinstance(some, PeoplesComparison):
        part = replace(part, people=some.people)
        is_told = is_told and some.people >= LEAST_PEOPLE
    if not is_told or len(problems) < LEAST_PROBLEMS:
        return part
    found = some.eed if metric == "eed" else some.accuracy
    probability = find_probability(some, metric)
    if found.count < LEAST_FOR_T:
        found = replace(found, method=Method.FEW, low=None, high=None, standard_error=None)
        probability = None
    return replace(part, means=some.means[metric], difference=found, probability=probability)


def find_probability(compared: Compared, metric: str) -> float | None:
    """
    Find how probable such a difference is if neither is better.

    Of right and wrong, one answer a problem, by McNemar's exact test; else by Student's t.
    """
    if metric == "eed":
        return compared.eed.probability
    if isinstance(compared, Comparison) and compared.is_single:
        return compared.table.probability
    return compared.accuracy.probability


def _mark(parts: list[Part]) -> list[Part]:
    """Say which stand out among all that have a probability."""
    tested = [one for one in parts if one.probability is not None]
    marks = find_standing_out([one.probability or 0.0 for one in tested])
    standing_out = {
        (one.kind, one.value) for one, is_out in zip(tested, marks, strict=True) if is_out
    }
    return [replace(one, stands_out=(one.kind, one.value) in standing_out) for one in parts]
