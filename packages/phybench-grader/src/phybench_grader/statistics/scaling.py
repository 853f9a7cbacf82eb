"""
What more samples of each problem bring: the best of k answers, and the answer most of k give.

Each problem has n answers, and k of them are drawn without replacement in every possible way: what
is told is the mean over all ways, computed and not drawn. It has no bias, as the share of those
right once in the first k samples has none and scatters more (M. Chen and others, arXiv 2107.03374,
for pass@k).

- The best of k: E = Σ s_(j) C(j - 1, k - 1) / C(n, k) over scores in rising order. Of scores that
  are right or wrong it is pass@k, 1 - C(n - c, k) / C(n, k) with c right ones.
- The vote of k: answers that are equivalent make a cluster, and the largest is the answer. Equal
  ones share the vote, as if one of them were drawn. Who gives no readable answer abstains, and
  where all abstain the score is 0.

An answer that we could not grade (NaN) is none of the n: neither right nor wrong. A problem with
fewer than k graded answers has no value at k; the mean at k is without it and says so.

Pure: no Django, no database. Scores are 0 to 100.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.metrics import Mean

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Point:
    """A mean at so many samples, over problems."""

    samples: int
    mean: Mean
    left_out: int
    """Problems with fewer graded answers: the mean is without them."""


def find_best(scores: Sequence[float]) -> Values:
    """
    Find the mean best of k answers to one problem, at place k - 1 for each k up to all of them.

    >>> find_best([0.0, 100.0, 0.0, math.nan]).round(1).tolist()
    [33.3, 66.7, 100.0]
    """
    rising = np.sort([score for score in scores if not math.isnan(score)])
    return np.asarray(_weigh_best(len(rising)) @ rising)


@lru_cache(maxsize=64)
def _weigh_best(count: int) -> Values:
    """Return how often each of the scores is the best, a row a number of answers drawn."""
    return np.array(
        [
            [math.comb(place, drawn) / math.comb(count, drawn + 1) for place in range(count)]
            for drawn in range(count)
        ]
    ).reshape(count, count)


def find_vote(labels: Sequence[Hashable | None], scores: Sequence[float]) -> Values:
    """
    Find the mean score of what most of k answers to one problem say, at place k - 1 for each k.

    Args:
        labels: of each answer its cluster; None abstains.
        scores: of each answer.

    >>> find_vote(["x", "x", "y", None], [100.0, 100.0, 0.0, 0.0]).round(1).tolist()
    [50.0, 66.7, 75.0, 100.0]
    """
    clusters: dict[Hashable, list[float]] = defaultdict(list)
    abstained = 0
    for label, score in zip(labels, scores, strict=True):
        if math.isnan(score):
            continue
        if label is None:
            abstained += 1
        else:
            clusters[label].append(score)
    found = np.zeros(abstained + sum(map(len, clusters.values())))
    shares = _share_votes(tuple(sorted(map(len, clusters.values()))), abstained)
    for members in clusters.values():
        found += shares[len(members)] * (math.fsum(members) / len(members))
    return found


@lru_cache(maxsize=4_096)
def _share_votes(sizes: tuple[int, ...], abstained: int) -> dict[int, Values]:
    """
    Return how probably a cluster of each size is the answer, at place k - 1 for each k.

    The ways in which v of a cluster are drawn, and at most v of each other, are the coefficients
    of a polynomial: its powers are how many are drawn in all, and how many others have v as well.
    """
    count = sum(sizes) + abstained
    all_ways = np.array([float(math.comb(count, drawn)) for drawn in range(1, count + 1)])
    shares = {}
    for size in set(sizes):
        others = list(sizes)
        others.remove(size)
        ways = np.zeros(count + 1)
        for votes in range(1, size + 1):
            ties = _count_ways(others, abstained, votes, count)
            shared = (ties / np.arange(1, len(ties) + 1)[:, None]).sum(axis=0)
            ways[votes:] += math.comb(size, votes) * shared[: count + 1 - votes]
        shares[size] = ways[1:] / all_ways
    return shares


def _count_ways(others: Sequence[int], abstained: int, votes: int, count: int) -> Values:
    """Count the ways to draw others: a row the number that tie, a column how many are drawn."""
    most = sum(size >= votes for size in others)
    ways = np.zeros((most + 1, count + 1))
    ways[0, : abstained + 1] = [math.comb(abstained, drawn) for drawn in range(abstained + 1)]
    for size in others:
        with_it = np.zeros_like(ways)
        for drawn in range(min(votes, size + 1)):
            with_it += math.comb(size, drawn) * _shift(ways, drawn)
        with_it[1:] += math.comb(size, votes) * _shift(ways, votes)[:-1]
        ways = with_it
    return ways


def _shift(ways: Values, drawn: int) -> Values:
    shifted = np.zeros_like(ways)
    shifted[:, drawn:] = ways[:, : ways.shape[1] - drawn]
    return shifted


def average(problems: Sequence[Values], samples: int) -> Point:
    """
    Average problems at a number of samples; the interval is over problems.

    Args:
        problems: of each what `find_best` or `find_vote` gives.
    """
    enough = [one for one in problems if len(one) >= samples]
    values = [float(one[samples - 1]) for one in enough]
    mean = Mean.of(values, is_averaged=any(len(one) > samples for one in enough))
    return Point(samples, mean, len(problems) - len(values))
