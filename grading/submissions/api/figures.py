"""Means as programs read them."""

from typing import Self

from ninja import Schema

from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range


class Figure(Schema):
    """A mean, 0 to 100, with its 95 % interval where there is one."""

    value: float | None
    low: float | None
    high: float | None
    count: int

    @classmethod
    def of(cls, mean: Mean | ClusteredMean) -> Self:
        count = mean.count if isinstance(mean, Mean) else mean.answers
        return cls(value=mean.value, low=mean.low, high=mean.high, count=count)


class Between(Schema):
    """
    Where a mean can lie while not all answers are graded: then it has no value.

    Where none is graded nothing was measured, and there is neither.
    """

    low: float
    high: float

    @classmethod
    def of(cls, found: Range | None) -> "Between | None":
        if found is None or not found.is_provisional:
            return None
        return cls(low=found.low, high=found.high)
