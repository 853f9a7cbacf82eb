"""
Means by field of physics, and what a solver has before others in one.

Equal problems make the micro mean, which a board shows; equal fields make the macro mean, in which
a field of 19 problems counts as much as one of 217. So it has no interval here.

A solver's advantage in a field is the difference to the mean of a panel of solvers in it, or that
as a share of the mean (the radar of arXiv 2504.16074 v1 draws the second, over all its 19 models).
Both change with whoever is in the panel: so a panel has a name, and stays as it is.

Pure: no Django, no database. Scores are 0 to 100, a row a problem and a column a sample: NaN where
we could not grade it, 0 where the solver gave no answer.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range, find_range

Samples = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class DomainMeans:
    """The means of one solver, by field."""

    by_domain: dict[str, Mean]
    micro: Mean
    """Over all problems."""
    ranges: dict[str, Range] = field(default_factory=dict)
    """Where each mean can lie: while an answer of its field is not graded it may not be quoted."""
    micro_range: Range | None = None

    def quote(self, domain: str) -> Mean | None:
        """Return a field's mean as it may be quoted: without a value while not all is graded."""
        mean = self.by_domain.get(domain)
        return mean and mean.quote(self.ranges.get(domain))

    @property
    def macro_range(self) -> Range | None:
        """Return where the mean of the fields' means can lie; None where `macro` is."""
        if self.macro is None or self.ranges.keys() != self.by_domain.keys():
            return None
        lows, highs, shares = (
            math.fsum(getattr(one, name) for one in self.ranges.values()) / len(self.ranges)
            for name in ("low", "high", "share")
        )
        return Range(lows, highs, shares)

    @property
    def macro(self) -> float | None:
        """Return the mean of the fields' means; None where a field has nothing."""
        values = [one.value for one in self.by_domain.values() if one.value is not None]
        if not values or len(values) < len(self.by_domain):
            return None
        return math.fsum(values) / len(values)


@dataclass(frozen=True, slots=True)
class Panel:
    """Solvers that others are compared with, frozen under a name."""

    name: str
    solvers: tuple[str, ...]
    means: dict[str, float]
    """Of each field the mean of their means, each solver counting alike."""

    @classmethod
    def of(cls, name: str, solvers: Mapping[str, Mapping[str, float]]) -> "Panel":
        """
        Freeze solvers by their means in each field.

        Raises:
            ValueError: there is no solver, or one lacks a field that another has.
        """
        members = list(solvers.values())
        if not members or any(one.keys() != members[0].keys() for one in members):
            raise ValueError("a panel has solvers, and each has a mean in each field")
        means = {
            domain: math.fsum(one[domain] for one in members) / len(members)
            for domain in members[0]
        }
        return cls(name, tuple(solvers), means)


@dataclass(frozen=True, slots=True)
class Advantage:
    """What a solver has before a panel."""

    absolute: float
    """Points: S - S̄."""
    relative: float | None
    """S / S̄ - 1; None where the panel has 0."""


def find_domain_means(samples: Samples, domains: Sequence[str]) -> DomainMeans:
    """
    Average a solver's scores over all problems and over those of each field.

    Args:
        samples: of accuracy or of EED.
        domains: the field of each problem.

    >>> found = find_domain_means(
    ...     np.array([[100.0], [0.0], [100.0]]), ["OPTICS", "OPTICS", "MODERN"]
    ... )
    >>> found.by_domain["OPTICS"].value, found.macro, round(found.micro.value, 1)
    (50.0, 75.0, 66.7)
    """
    names = np.array(domains)
    of_each = {name: samples[names == name] for name in sorted(set(domains))}
    ranges = {name: found for name, one in of_each.items() if (found := span(one))}
    means = {name: average(one) for name, one in of_each.items()}
    return DomainMeans(means, average(samples), ranges, span(samples))


def average(samples: Samples) -> Mean:
    """Average samples within problems, then problems; one that we could grade none of is out."""
    counts = (~np.isnan(samples)).sum(axis=1)
    given = samples[counts > 0]
    by_problem: list[float] = np.nanmean(given, axis=1).tolist() if len(given) else []
    return Mean.of(by_problem, is_averaged=bool(counts.max(initial=0) > 1))


def span(samples: Samples) -> Range | None:
    """
    Find where the mean of samples can lie while some are not graded; None where none is graded.

    >>> span(np.array([[100.0, np.nan], [0.0, 0.0]]))
    Range(low=25.0, high=50.0, share=0.25)
    """
    is_graded = ~np.isnan(samples)
    if not is_graded.any():
        return None
    scores = {
        place: row[told].tolist()
        for place, (row, told) in enumerate(zip(samples, is_graded, strict=True))
    }
    return find_range(scores, dict(enumerate((~is_graded).sum(axis=1).tolist())))


def find_advantages(means: Mapping[str, float], panel: Panel) -> dict[str, Advantage]:
    """
    Compare a solver's means with a panel's, in each field that both have.

    >>> panel = Panel.of("2025", {"A": {"OPTICS": 20.0}, "B": {"OPTICS": 60.0}})
    >>> find_advantages({"OPTICS": 50.0, "MODERN": 10.0}, panel)
    {'OPTICS': Advantage(absolute=10.0, relative=0.25)}
    """
    return {
        domain: Advantage(means[domain] - of_panel, _divide(means[domain], of_panel))
        for domain, of_panel in panel.means.items()
        if domain in means
    }


def _divide(mean: float, of_panel: float) -> float | None:
    return mean / of_panel - 1 if of_panel else None
