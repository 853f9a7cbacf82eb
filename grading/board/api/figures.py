"""Figures as programs read them."""

from datetime import datetime
from typing import Self

from ninja import Schema

from grading.samples.audits.figures import SampleFigures
from grading.samples.audits.models import AuditSample
from phybench_grader.statistics.audit import Rate, Untold


class RateOut(Schema):
    """A rate in per cent with its 95 % interval, or why there is none."""

    value: float | None
    low: float | None
    high: float | None
    why_untold: Untold | None

    @classmethod
    def of(cls, rate: Rate) -> Self:
        return cls(value=rate.value, low=rate.low, high=rate.high, why_untold=rate.why_untold)


class AuditOut(Schema):
    """A sample of graded answers that two people each labelled blind, and what came of it."""

    number: int
    grader: str
    state: AuditSample.State
    drawn_at: datetime
    answers: int | None
    """How many were drawn; nothing until the sample is complete."""
    cant_tell: int | None
    """Answers of which people could not tell: they are left out."""
    false_rejection: RateOut | None
    """Share of the right answers that the grader rejects; nothing until the sample is complete."""
    false_acceptance: RateOut | None
    """Share of the wrong answers that the grader accepts."""
    why_ended: str

    @classmethod
    def of(cls, figures: SampleFigures) -> Self:
        sample, errors = figures.sample, figures.errors
        return cls(
            number=sample.pk,
            grader=sample.grader_version,
            state=sample.state,
            drawn_at=sample.drawn_at,
            answers=figures.drawn,
            cant_tell=figures.cant_tell if errors else None,
            false_rejection=RateOut.of(errors.false_rejection) if errors else None,
            false_acceptance=RateOut.of(errors.false_acceptance) if errors else None,
            why_ended=sample.why_ended,
        )
