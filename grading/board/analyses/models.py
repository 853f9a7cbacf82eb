"""Analyses that were asked for, and what came of them."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading.answers.runs.models import GradingRun
from phybench.work.models import Leased


class AnalysisQuerySet(models.QuerySet["Analysis"]):
    def to_do(self) -> Self:
        return self.filter(done_at=None)


class Analysis(Leased):
    """
    One question to the scores of a board as they were once, and its answer.

    It can be worked out again at any time: whatever is out of date may be deleted.
    """

    kind = models.CharField(max_length=40, help_text=_("What was asked: its name in the code."))
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="analyses")
    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.CASCADE, null=True, blank=True, related_name="analyses"
    )
    run = models.ForeignKey(
        GradingRun,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="analyses",
        help_text=_("By whose grades; empty for those that count."),
    )
    query = models.JSONField(
        default=dict, help_text=_("What the address says of the board: version, domain, …")
    )
    question_sha256 = models.CharField(max_length=64, help_text=_("Of all of the above."))
    state_sha256 = models.CharField(
        max_length=64, help_text=_("Of the scores that it is of, and of the code’s version.")
    )
    result = models.JSONField(null=True, blank=True)
    failure = models.TextField(blank=True, help_text=_("Why there is no result."))
    asked_at = models.DateTimeField(default=timezone.now, editable=False)
    done_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("analysis")
        verbose_name_plural = _("analyses")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="analyses_not_done",
                condition=Q(done_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["question_sha256", "state_sha256"], name="one_analysis_a_state"
            ),
            models.CheckConstraint(
                name="analysis_is_done_with_a_result_or_a_failure",
                condition=Q(done_at=None, result=None, failure="")
                | Q(done_at__isnull=False, result__isnull=False, failure="")
                | (Q(done_at__isnull=False, result=None) & ~Q(failure="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.version or self.benchmark}"

    @property
    def is_waiting(self) -> bool:
        return self.done_at is None
