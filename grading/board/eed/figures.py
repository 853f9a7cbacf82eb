"""What a worker finds of EED on a board: how it is spread, and how well it tells models apart."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from grading.board.eed.collecting import arrange_unordered
from grading.board.figures import compare, list_ranked, sum_up
from grading.board.scores.collecting import BoardScores
from grading.board.scores.peoples import Who
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.domains import average, span
from phybench_grader.statistics.efficiency import (
    Discrimination,
    estimate,
    find_discrimination,
    find_sample_efficiency,
)
from phybench_grader.statistics.metrics import FULL, Mean
from phybench_grader.statistics.provisional import Range
from phybench_grader.statistics.ranks import RankRange, read_ranges
from phybench_grader.statistics.score_shares import ScoreShares
from phybench_grader.statistics.scores import Scores

# --- What EED adds to accuracy ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Efficiency:
    """The paper's sample efficiency of one model, 1 where EED varies as accuracy does."""

    paper: float
    by_mean: float
    """What of it comes of the higher mean, as a factor …"""
    by_scatter: float
    """… and what of the smaller standard error."""
    accuracy_variation: float
    """Coefficients of variation, in per cent."""
    eed_variation: float


@dataclass(frozen=True, slots=True)
class ModelsEED:
    accuracy: Mean
    eed: Mean
    shares: ScoreShares
    ungraded: int
    efficiency: Efficiency | None
    """None where nothing is right, all score the same, or an answer is not graded."""
    accuracy_range: Range | None = None
    """Where the mean can lie: while not all is graded it may not be quoted."""
    eed_range: Range | None = None

    @property
    def is_provisional(self) -> bool:
        return self.ungraded > 0


@dataclass(frozen=True, slots=True)
class PeoplesEED:
    """Answers of one group of people, all together: each answers a few problems."""

    who: Who
    accuracy: ClusteredMean
    eed: ClusteredMean
    shares: ScoreShares
    ungraded: int


@dataclass(frozen=True, slots=True)
class EEDFigures:
    rows: dict[int, ModelsEED]
    """By the number (`pk`) of the submission."""
    discrimination: Discrimination
    peoples: list[PeoplesEED] = field(default_factory=list)
    """The groups that the board tells of, in its order; what was kept before groups has none."""

    @property
    def efficiencies(self) -> list[float]:
        """Return the paper's figure of each model that has one."""
        return [row.efficiency.paper for row in self.rows.values() if row.efficiency]

    @property
    def efficiency(self) -> float:
        return fmean(self.efficiencies)

    @property
    def deviation(self) -> float:
        found = self.efficiencies
        return stdev(found) if len(found) > 1 else 0.0


_EED = TypeAdapter(EEDFigures)
read_eed = _EED.validate_python
"""Reads what was kept."""


def work_out_eed(scores: BoardScores) -> dict[str, Any]:
    """Describe the EED of each model whose answers are all graded, and of groups of people."""
    summed = sum_up(scores)
    finished = _list_finished(scores)
    rows = {
        pk: ModelsEED(
            accuracy=summed.rows[pk].tally.accuracy,
            eed=summed.rows[pk].tally.eed,
            shares=ScoreShares.of(scores.of[pk].eed),
            ungraded=summed.rows[pk].tally.ungraded,
            # With an answer that is not graded, the means are ranges: nothing is a ratio of them.
            efficiency=None
            if summed.rows[pk].tally.is_provisional
            else _find_efficiency(scores.of[pk]),
            accuracy_range=summed.rows[pk].tally.accuracy_range,
            eed_range=summed.rows[pk].tally.eed_range,
        )
        for pk in finished
    }
    groups = {one.who: one for one in scores.groups}
    peoples = [
        PeoplesEED(
            who=one.who,
            accuracy=one.means["accuracy"],
            eed=one.means["eed"],
            shares=ScoreShares.of(groups[one.who].scores.eed),
            ungraded=one.ungraded,
        )
        for one in summed.peoples
        if any(mean.range or mean.value is not None for mean in one.means.values())
    ]
    found = EEDFigures(rows, _discriminate([scores.of[pk] for pk in finished]), peoples)
    kept: dict[str, Any] = _EED.dump_python(found, mode="json")
    return kept


def _list_finished(scores: BoardScores) -> list[int]:
    """Return the submissions without answers that wait: half of them would say something else."""
    return [one.submission.pk for one in scores.field.standing if not one.waiting]


def _find_efficiency(scores: Scores) -> Efficiency | None:
    accuracy, eed = (estimate(scores.by_problem(metric)) for metric in ("accuracy", "eed"))
    paper = find_sample_efficiency(accuracy, eed) if accuracy and eed else None
    if not (accuracy and eed and paper and accuracy.variation and eed.variation):
        return None
    return Efficiency(
        paper=paper,
        by_mean=(eed.mean / accuracy.mean) ** 2,
        by_scatter=(accuracy.error / eed.error) ** 2,
        accuracy_variation=FULL * accuracy.variation,
        eed_variation=FULL * eed.variation,
    )


def _discriminate(models: Sequence[Scores]) -> Discrimination:
    if not models:
        return Discrimination(0, None, None)
    accuracy, eed = (
        np.stack([one.by_problem(metric) for one in models]) for metric in ("accuracy", "eed")
    )
    return find_discrimination(accuracy, eed)


# --- EED beside unordered EED -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a metric puts a model."""

    mean: Mean
    place: int | None
    """By the mean alone; None while that may not be quoted."""
    ranks: RankRange | None
    """Those that are possible; None of a model that the board does not rank."""
    range: Range | None = None
    """Where the mean can lie."""

    @property
    def quoted(self) -> Mean:
        """Return the mean as it may be quoted: without a value while not all is graded."""
        return self.mean.quote(self.range)


@dataclass(frozen=True, slots=True)
class Beside:
    """One model by either metric; nobody is ranked by the second."""

    eed: Place
    unordered: Place
    answers: int
    """Those that the second mean is of."""

    @property
    def shift(self) -> int:
        """Return how many places further up it would stand by the second metric."""
        before, after = self.eed.place, self.unordered.place
        return 0 if before is None or after is None else before - after

    @property
    def difference(self) -> float | None:
        before, after = self.eed.quoted.value, self.unordered.quoted.value
        return None if before is None or after is None else after - before


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of models that a metric tells apart."""

    both: int
    eed_only: int
    unordered_only: int
    reversed: int

    @classmethod
    def of(cls, eed: NDArray[np.bool_], unordered: NDArray[np.bool_]) -> Self:
        return cls(
            both=int((eed & unordered).sum()),
            eed_only=int((eed & ~unordered & ~unordered.T).sum()),
            unordered_only=int((unordered & ~eed & ~eed.T).sum()),
            reversed=int((eed & unordered.T).sum()),
        )


@dataclass(frozen=True, slots=True)
class UnorderedFigures:
    rows: dict[int, Beside]
    """By the number (`pk`) of the submission."""
    pairs: Pairs | None
    """None where nobody is ranked."""

    @property
    def moved(self) -> int:
        """How many models would stand elsewhere …"""
        return sum(row.shift != 0 for row in self.rows.values())

    @property
    def furthest(self) -> int:
        """… and by how many places at most."""
        return max((abs(row.shift) for row in self.rows.values()), default=0)


_UNORDERED = TypeAdapter(UnorderedFigures)
read_unordered = _UNORDERED.validate_python
"""Reads what was kept."""


def work_out_unordered(scores: BoardScores) -> dict[str, Any]:
    """Put unordered EED beside EED: the means, and the ranks that either metric allows."""
    summed, finished = sum_up(scores), _list_finished(scores)
    arranged, ranked = arrange_unordered(scores), list_ranked(scores, summed)
    by_eed, by_other = compare(scores.of, ranked, "eed"), compare(arranged, ranked, "eed")
    # What could be graded and not measured is left out, as the page says; only what could not be
    # graded leaves both means open.
    tallies = {pk: summed.rows[pk].tally for pk in finished}
    held = {pk: tally.eed_range for pk, tally in tallies.items() if tally.is_provisional}
    eed = _place(
        {pk: tally.eed for pk, tally in tallies.items()},
        dict(zip(ranked, read_ranges(by_eed), strict=True)),
        held,
    )
    other = _place(
        {pk: average(arranged[pk].eed) for pk in finished},
        dict(zip(ranked, read_ranges(by_other), strict=True)),
        {pk: span(arranged[pk].eed) for pk in held},
    )
    rows = {
        pk: Beside(eed[pk], other[pk], int((~np.isnan(arranged[pk].eed)).sum())) for pk in finished
    }
    found = UnorderedFigures(rows, Pairs.of(by_eed, by_other) if ranked else None)
    kept: dict[str, Any] = _UNORDERED.dump_python(found, mode="json")
    return kept


def _place(
    means: Mapping[int, Mean], ranks: Mapping[int, RankRange], held: Mapping[int, Range | None]
) -> dict[int, Place]:
    values = {pk: round(mean.value or 0.0, 9) for pk, mean in means.items() if pk not in held}
    places = {pk: 1 + sum(one > own for one in values.values()) for pk, own in values.items()}
    return {
        pk: Place(mean, places.get(pk), ranks.get(pk), held.get(pk)) for pk, mean in means.items()
    }
