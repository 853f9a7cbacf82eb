"""
How far a judge agrees with people, on answers that both say right or wrong of.

What the judge said nothing of is counted beside every figure, and never taken for a verdict.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from phybench_grader.statistics.agreement import (
    Errors,
    Figure,
    Interval,
    bootstrap,
    cohen_kappa,
    count_errors,
)
from phybench_grader.statistics.metrics import FULL, Mean

SEED = 20251121
"""Of the intervals: one seed, so that the same rulings give the same figures."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What one judge said of answers that people have ruled on."""

    pairs: Sequence[tuple[bool, bool]]
    """What it said and what people say, of those of which it said something."""
    errors: Errors
    missing_right: int
    """Answers that people call right, of which the judge said nothing."""
    missing_wrong: int

    @property
    def kappa(self) -> Figure:
        return cohen_kappa(self.pairs)

    def find_kappa_interval(self, *, samples: int) -> Interval:
        return bootstrap(
            self.pairs, lambda drawn: cohen_kappa(drawn).value, seed=SEED, samples=samples
        )

    @property
    def missing(self) -> int:
        return self.missing_right + self.missing_wrong

    @property
    def ruled(self) -> int:
        return self.errors.count + self.missing

    @property
    def coverage(self) -> float | None:
        """Share of the ruled answers with a verdict, 0 to 1; None of nothing."""
        return self.errors.count / self.ruled if self.ruled else None

    @property
    def agreement(self) -> Mean:
        """Share of verdicts that are as people ruled, in per cent."""
        right = self.errors.true_accepts + self.errors.true_rejects
        return _share(right, self.errors.count)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Where it would lie if all that is missing were against people, or with them."""
        if not self.ruled:
            return None
        right = self.errors.true_accepts + self.errors.true_rejects
        return FULL * right / self.ruled, FULL * (right + self.missing) / self.ruled

    @property
    def false_accepts(self) -> Mean:
        """Share of what is wrong that the judge calls right."""
        wrong = self.errors.false_accepts + self.errors.true_rejects
        return _share(self.errors.false_accepts, wrong)

    @property
    def false_rejects(self) -> Mean:
        """Share of what is right that the judge calls wrong."""
        right = self.errors.false_rejects + self.errors.true_accepts
        return _share(self.errors.false_rejects, right)


def _share(part: int, whole: int) -> Mean:
    return Mean.of_shares([FULL] * part + [0.0] * (whole - part))


def compare(cases: Iterable[tuple[bool | None, bool]]) -> Comparison:
    """
    Compare what a judge said of answers, None where it said nothing, with what people say.

    >>> found = compare([(True, True), (False, True), (None, False), (False, False)])
    >>> found.missing_wrong, found.agreement.count, found.bounds
    (1, 3, (50.0, 75.0))
    """
    cases = list(cases)
    missing = [truth for said, truth in cases if said is None]
    pairs = [(said, truth) for said, truth in cases if said is not None]
    return Comparison(
        pairs,
        count_errors(pairs),
        missing_right=missing.count(True),
        missing_wrong=missing.count(False),
    )
