"""Where each of two is better: by domain, by difficulty, and by how long the solution is."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from django.db.models.functions import Length
from django.utils.translation import gettext as _

from curation.problems.models import Difficulty, PhysicsField
from grading.board.compare.pairing import Paired, Span
from grading.board.scores.scope import LEAST_PROBLEMS, Scope
from phybench_grader.statistics.disclosure import find_told
from phybench_grader.statistics.intervals import LEAST_FOR_T, Method
from phybench_grader.statistics.multiple import find_standing_out
from phybench_grader.statistics.paired import Between, Difference

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
    left_open: int = 0
    """Problems, or with people answers, that we could not grade for either."""
    means: tuple[Span, Span] | None = None
    """None where figures of so few would tell of single problems."""
    difference: Between | None = None
    probability: float | None = None
    """How probable such a difference is if neither is better; None where there is no interval."""
    stands_out: bool = False
    """Whether it does among all parts, by Benjamini and Hochberg."""


def list_parts(scope: Scope, paired: Paired, metric: str) -> list[Part]:
    """List the parts of a version's problems; none of what was handed in before versions."""
    if scope.version is None:
        return []
    # What is not graded is all but known: neither of all nor of the rest figures may be of few.
    bases = [paired.problems]
    if paired.left_open:
        bases.append(paired.graded_problems)
    listed = list(_list_groups(scope))
    told, told_kinds = _find_told(scope, bases[0]), set(Kind)
    for base in bases:
        told &= _find_told(scope, base)
        if paired.is_with_people:
            groups = [(kind, value, name, base & some) for kind, value, name, some in listed]
            told_kinds &= _find_kinds_beside_people(base, groups)
    parts = []
    for kind, value, name, some in listed:
        answered = bases[0] & some
        if not answered:
            continue
        is_told = kind in told_kinds and (kind is Kind.LENGTH or (kind, value) in told)
        parts.append(
            _measure(Part(kind, value, name, len(answered)), paired.keep(answered), metric, is_told)
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


def _measure(part: Part, some: Paired, metric: str, is_told: bool) -> Part:
    part = replace(part, people=some.people)
    if not is_told or not some.is_told:
        return part
    found = some.of(metric)
    probability = some.find_probability(metric)
    if found.count < LEAST_FOR_T:
        found = Between(_withhold(found.lower), _withhold(found.upper))
        probability = None
    return replace(
        part,
        left_open=some.left_open,
        means=some.means[metric],
        difference=found,
        probability=probability,
    )


def _withhold(found: Difference) -> Difference:
    return replace(found, method=Method.FEW, low=None, high=None, standard_error=None)


def _mark(parts: list[Part]) -> list[Part]:
    """Say which stand out among all that have a probability."""
    tested = [one for one in parts if one.probability is not None]
    marks = find_standing_out([one.probability or 0.0 for one in tested])
    standing_out = {
        (one.kind, one.value) for one, is_out in zip(tested, marks, strict=True) if is_out
    }
    return [replace(one, stands_out=(one.kind, one.value) in standing_out) for one in parts]
