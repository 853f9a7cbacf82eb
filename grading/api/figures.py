"""Figures as programs read them."""

from typing import Self

from ninja import Schema

from grading.statistics.metrics import Mean


class Figure(Schema):
    """A mean, 0 to 100, with its 95 % interval where there is one."""

    value: float | None
    low: float | None
    high: float | None
    count: int

    @classmethod
    def of(cls, mean: Mean) -> Self:
        return cls(value=mean.value, low=mean.low, high=mean.high, count=mean.count)
