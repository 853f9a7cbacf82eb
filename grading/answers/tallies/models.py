"""How many of a submission's answers wait, are graded or not, and what they come to."""

from typing import Any, Self, TypedDict

from django.db import models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from grading.answers.submissions.models import Submission


class Counted(TypedDict):
    """What `with_counts` adds to submissions."""

    answers: int
    waiting: int
    failed: int


class SubmissionTallyQuerySet(models.QuerySet["SubmissionTally"]):
    def settled(self) -> Self:
        """Keep those of submissions of which no answer waits, or may be graded yet."""
        return self.filter(waiting=0, cancelled=0)


class SubmissionTally(models.Model):
    """
    What became of a submission's answers, so that pages need not count them.

    The database counts (`grading/answers/counting.py`), where an answer is changed and in its
    transaction. Whoever settles the last that waits keeps what they come to.
    """

    submission = models.OneToOneField(
        Submission, on_delete=models.CASCADE, primary_key=True, related_name="tally"
    )
    waiting = models.PositiveIntegerField(default=0)
    graded = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    cancelled = models.PositiveIntegerField(default=0)
    graded_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text=_("When the last of its answers was graded, or graded anew."),
    )
    scores = models.JSONField(
        null=True, blank=True, help_text=_("What they come to; empty while one may be graded.")
    )

    objects = SubmissionTallyQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("tally of a submission")
        verbose_name_plural = _("tallies of submissions")
        constraints = [
            models.CheckConstraint(
                name="tally_says_when_it_was_graded",
                condition=Q(graded=0) | Q(graded_at__isnull=False),
            ),
            models.CheckConstraint(
                name="scores_are_of_what_is_settled",
                condition=Q(scores__isnull=True) | Q(waiting=0, cancelled=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission}: {self.graded} graded, {self.waiting} waiting"


def with_counts(submissions: QuerySet[Any]) -> QuerySet[Any]:
    """Add what `Counted` lists to submissions, whatever else they have."""
    waiting, graded, failed, cancelled = (
        Coalesce(F(f"tally__{name}"), 0) for name in ("waiting", "graded", "failed", "cancelled")
    )
    counted: QuerySet[Any] = submissions.annotate(
        answers=waiting + graded + failed + cancelled, waiting=waiting, failed=failed
    )
    return counted
