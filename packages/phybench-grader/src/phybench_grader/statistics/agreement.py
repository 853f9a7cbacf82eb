"""
How far several who judge the same items agree: people with people, judges with people.

Pure: no Django, no database. Cohen's kappa: J. Cohen, Educ. Psychol. Meas. 20, 37 (1960), with
weights Psychol. Bull. 70, 213 (1968). Fleiss' kappa: Psychol. Bull. 76, 378 (1971). Krippendorff's
alpha: K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).

A figure that is undefined, as kappa is where everybody chose one category, is None beside its
count: neither 0 nor 1. Agreement by chance depends on how common each category is, so a kappa is
read beside `Errors.prevalence` or the counts of the categories.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

Category = TypeVar("Category", bound=Hashable)
Item = TypeVar("Item")

RESAMPLES = 1_000
"""How many samples a bootstrap draws unless told otherwise."""
LEVEL = 0.95


class Scale(StrEnum):
    """What the values mean, and so how far apart two of them are."""

    NOMINAL = "NOMINAL"
    """Names: the same or not."""
    ORDINAL = "ORDINAL"
    """Ranks: what lies between them counts."""
    INTERVAL = "INTERVAL"
    """Numbers: their difference counts, squared."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of agreement, None where it is undefined, of so many items."""

    value: float | None
    count: int


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a figure lies with the given confidence, from samples drawn item by item."""

    low: float | None
    high: float | None
    samples: int
    """Samples in which the figure was defined."""
    undefined: int
    """Samples in which it was not. Where they are the larger part there is no interval."""


@dataclass(frozen=True, slots=True)
class Errors:
    """
    How a judge errs beside a ruling, with false accepts and false rejects apart.

    >>> errors = count_errors([(True, True), (True, False), (False, False), (True, False)])
    >>> errors.false_accepts, errors.false_rejects
    (2, 0)
    """

    true_accepts: int
    false_accepts: int
    """Called right by the judge, and wrong."""
    true_rejects: int
    false_rejects: int
    """Called wrong by the judge, and right."""

    @property
    def count(self) -> int:
        return self.true_accepts + self.false_accepts + self.true_rejects + self.false_rejects

    @property
    def prevalence(self) -> float | None:
        """Share of what is right."""
        return _divide(self.true_accepts + self.false_rejects, self.count)


def count_errors(pairs: Iterable[tuple[bool, bool]]) -> Errors:
    """Count a judge's errors from pairs: what the judge says, what is so."""
    counts = Counter((bool(judge), bool(truth)) for judge, truth in pairs)
    return Errors(
        true_accepts=counts[True, True],
        false_accepts=counts[True, False],
        true_rejects=counts[False, False],
        false_rejects=counts[False, True],
    )


def percent_agreement(pairs: Sequence[tuple[Category, Category]]) -> Figure:
    """
    Measure how often two agree, from 0 to 100.

    >>> percent_agreement([("a", "a"), ("a", "b")])
    Figure(value=50.0, count=2)
    """
    share = _divide(sum(a == b for a, b in pairs), len(pairs))
    return Figure(None if share is None else 100 * share, len(pairs))


def cohen_kappa(pairs: Sequence[tuple[Category, Category]]) -> Figure:
    """
    Measure how far two agree beyond chance, in categories without order.

    >>> pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    >>> round(cohen_kappa(pairs).value, 4)
    0.4
    >>> cohen_kappa([(1, 1)] * 9)
    Figure(value=None, count=9)
    """
    return _weigh(pairs, lambda a, b: float(a != b))


def weighted_kappa(pairs: Sequence[tuple[float, float]]) -> Figure:
    """
    Measure how far two ratings agree beyond chance, where far apart counts more (quadratically).

    >>> weighted_kappa([(1, 1), (2, 2), (3, 3)]).value
    1.0
    """
    return _weigh(pairs, lambda a, b: float((a - b) ** 2))


def _weigh(
    pairs: Sequence[tuple[Category, Category]], distance: Callable[[Category, Category], float]
) -> Figure:
    count = len(pairs)
    seen = Counter(pairs)
    left = Counter(a for a, _ in pairs)
    right = Counter(b for _, b in pairs)
    observed = math.fsum(distance(a, b) * times for (a, b), times in seen.items())
    by_chance = math.fsum(
        distance(a, b) * times * others for a, times in left.items() for b, others in right.items()
    )
    if not by_chance:
        return Figure(None, count)
    return Figure(1 - observed * count / by_chance, count)


def fleiss_kappa(table: Sequence[Sequence[int]]) -> Figure:
    """
    Measure how far a fixed number of raters agree beyond chance.

    Each row is an item: how many raters chose each category.

    Raises:
        ValueError: the items were not all rated by the same number, of two at least.

    >>> fleiss_kappa([[2, 0], [0, 2]])
    Figure(value=1.0, count=2)
    """
    if not table:
        return Figure(None, 0)
    raters = sum(table[0])
    if raters < 2 or any(sum(row) != raters or len(row) != len(table[0]) for row in table):
        raise ValueError("every item needs the same number of ratings, of two raters at least")
    count = len(table)
    totals = [sum(column) for column in zip(*table, strict=True)]
    by_chance = math.fsum((total / (count * raters)) ** 2 for total in totals)
    pairs = raters * (raters - 1)
    observed = math.fsum(sum(n * (n - 1) for n in row) / pairs for row in table) / count
    if math.isclose(by_chance, 1.0):
        return Figure(None, count)
    return Figure((observed - by_chance) / (1 - by_chance), count)


def krippendorff_alpha(
    items: Sequence[Sequence[float | None]], scale: Scale = Scale.NOMINAL
) -> Figure:
    """
    Measure how far any number of raters agree beyond chance, where some ratings are missing (None).

    Each row is an item with its ratings; one with fewer than two counts nothing. Names are given
    as numbers on the nominal scale.

    >>> krippendorff_alpha([[1, 1, None], [2, 2, 2], [3, None, 3]])
    Figure(value=1.0, count=3)
    """
    rows = [[value for value in row if value is not None] for row in items]
    rows = [row for row in rows if len(row) > 1]
    totals = Counter(value for row in rows for value in row)
    count = sum(totals.values())
    distance = _measure(scale, totals)
    by_chance = math.fsum(
        distance(a, b) * times * others
        for a, times in totals.items()
        for b, others in totals.items()
    )
    if not by_chance:
        return Figure(None, len(rows))
    observed = 0.0
    for row in rows:
        values = Counter(row)
        apart = math.fsum(
            distance(a, b) * times * others
            for a, times in values.items()
            for b, others in values.items()
        )
        observed += apart / (len(row) - 1)
    return Figure(1 - (count - 1) * observed / by_chance, len(rows))


def _measure(scale: Scale, totals: Mapping[float, int]) -> Callable[[float, float], float]:
    """Give the squared distance of two values on a scale."""
    if scale is Scale.NOMINAL:
        return lambda a, b: float(a != b)
    if scale is Scale.INTERVAL:
        return lambda a, b: (a - b) ** 2
    ranks: dict[float, float] = {}
    below = 0
    for value in sorted(totals):
        ranks[value] = below + totals[value] / 2
        below += totals[value]
    return lambda a, b: (ranks[a] - ranks[b]) ** 2


def bootstrap(
    items: Sequence[Item],
    figure: Callable[[Sequence[Item]], float | None],
    *,
    seed: int,
    samples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval:
    """
    Find the interval of a figure by drawing items with replacement; one seed gives one interval.

    >>> pairs = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    >>> interval = bootstrap(pairs, lambda drawn: cohen_kappa(drawn).value, seed=1)
    >>> interval.low < 0.4 < interval.high
    True
    """
    if not items:
        return Interval(None, None, 0, 0)
    source = random.Random(seed)
    drawn = (figure(source.choices(items, k=len(items))) for _ in range(samples))
    found = sorted(value for value in drawn if value is not None)
    undefined = samples - len(found)
    if len(found) <= undefined:
        return Interval(None, None, len(found), undefined)
    tail = (1 - level) / 2
    return Interval(_quantile(found, tail), _quantile(found, 1 - tail), len(found), undefined)


def _quantile(values: Sequence[float], share: float) -> float:
    """Interpolate between the two of the sorted values that the share falls between."""
    place = share * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def _divide(part: int, whole: int) -> float | None:
    return part / whole if whole else None
