"""What an answer is worth by unordered EED, and the parts of the work that workers take."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Grade
from grading.answers.runs.models import GradingRun
from phybench.work.models import Leased
from phybench.work.triggers import require
from phybench_grader.eed.unordered import UNORDERED_VERSION


class Reason(models.TextChoices):
    """Why there is no score. Each is ours: none says anything of the answer."""

    TIMEOUT = "timeout", _("it took too long")
    MEMORY = "memory", _("it took too much memory")
    CRASHED = "crashed", _("the process that measured it stopped")
    WORKER_LOST = "worker_lost", _("the worker stopped while measuring it")
    ERROR = "error", _("an error in our program: see the log")


class UnorderedScoreQuerySet(models.QuerySet["UnorderedScore"]):
    def of_today(self) -> Self:
        """Keep what the metric of today says, not what an earlier version of it said."""
        return self.filter(version=UNORDERED_VERSION)

    def failed(self) -> Self:
        return self.filter(score=None)


class UnorderedScore(models.Model):
    """
    How far the trees of a grade are apart, whatever the order of terms and factors.

    Only a grade that keeps its trees has one: what is right is worth 100 by either metric, and
    where EED is 0 without a distance (unreadable, far too large, ruled wrong by a person) so is
    this. Never changed; what failed may be taken away, to be tried again.
    """

    grade = models.ForeignKey(
        Grade, on_delete=models.PROTECT, related_name="unordered", db_index=False
    )
    version = models.CharField(max_length=20, help_text=_("Of the metric."))
    distance = models.FloatField(null=True, blank=True)
    score = models.FloatField(null=True, blank=True, help_text=_("0 to 60; empty: see the reason."))
    reason = models.CharField(max_length=20, choices=Reason, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = UnorderedScoreQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("unordered score")
        verbose_name_plural = _("unordered scores")
        constraints = [
            models.UniqueConstraint(
                fields=["grade", "version"],
                include=["score"],  # what a page adds up
                name="one_unordered_score_a_grade",
            ),
            models.CheckConstraint(
                name="unordered_score_or_a_reason",
                condition=Q(score__isnull=False, distance__isnull=False, reason="")
                | (Q(score=None, distance=None) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="unordered_score_is_of_a_wrong_answer",
                condition=Q(score=None) | Q(score__gte=0, score__lte=60, distance__gte=0),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="unordered_score_stays_as_it_was", operation=pgtrigger.Update),
            pgtrigger.Protect(
                name="unordered_score_stays",
                operation=pgtrigger.Delete,
                condition=pgtrigger.Q(old__score__isnull=False),
            ),
            require(
                "unordered_score_is_of_a_measured_grade",
                when=pgtrigger.Q(new__grade__isnull=False),
                found="SELECT FROM grading_grade WHERE id = NEW.grade_id AND trees IS NOT NULL",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reason or self.score} of grade {self.grade_id}"


class UnorderedPart(Leased):
    """
    Some grades whose trees are still to be measured: these, in their order.

    It is gone once that is done: the scores are the record.
    """

    # Its index is that of `one_unordered_part_a_grade`.
    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="unordered_parts", db_index=False
    )
    first = models.PositiveBigIntegerField(help_text=_("Its first grade."))
    last = models.PositiveBigIntegerField(help_text=_("Its last grade."))

    class Meta:
        ordering = ["pk"]
        verbose_name = _("part to be measured without order")
        verbose_name_plural = _("parts to be measured without order")
        constraints = [
            models.CheckConstraint(
                name="unordered_part_has_a_grade", condition=Q(first__lte=F("last"))
            ),
            models.UniqueConstraint(fields=["run", "first"], name="one_unordered_part_a_grade"),
        ]

    def __str__(self) -> str:
        return f"Grades {self.first} to {self.last} of grading run {self.run_id}"
