"""Answers that were handed in together."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion
from grading.solvers.models import Solver
from phybench.people.models import User
from phybench.work.triggers import require


class Submission(models.Model):
    """
    One solver's answers handed in together: its organisation's alone, until it is published.

    Its board is that of the version that it was handed in to.
    """

    solver = models.ForeignKey(
        Solver, on_delete=models.PROTECT, related_name="submissions", db_index=False
    )
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="submissions")
    version = models.ForeignKey(
        BenchmarkVersion,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="submissions",
        help_text=_("Empty if it was submitted before there were versions."),
    )
    number = models.PositiveIntegerField(
        help_text=_(
            "Which submission of this solver to this benchmark it is, from 1; withdrawn ones count."
        )
    )
    uploaded_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="uploads")
    is_named = models.BooleanField(
        default=False,
        help_text=_("Whether it was chosen to be ranked before it was graded."),
    )
    file_name = models.CharField(max_length=200, help_text=_("Of several files, the first."))
    file_sha256 = models.CharField(
        max_length=64,
        help_text=_(
            "Of several files: the hash of their hashes in hexadecimal, one a line, sorted."
        ),
    )
    left_out = models.JSONField(
        default=list,
        blank=True,
        help_text=_(
            "Rows of the file that are not attempts: row, id, message, whether it is empty."
        ),
    )
    expected = models.PositiveIntegerField(
        help_text=_("How many problems could be answered when this was submitted.")
    )
    published_at = models.DateTimeField(null=True, blank=True)
    published_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text=_("Since when its answers that wait are not graded; empty where they are."),
    )
    cancelled_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_untold = models.BooleanField(
        default=False,
        help_text=_("Whether it was cancelled before any of its answers was graded."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["solver", "benchmark", "number"], name="one_submission_a_number"
            ),
            models.CheckConstraint(
                name="published_by_somebody",
                condition=Q(published_at=None, published_by=None)
                | Q(published_at__isnull=False, published_by__isnull=False),
            ),
            models.CheckConstraint(
                name="cancelled_by_somebody_and_not_published",
                condition=Q(cancelled_at=None, cancelled_by=None)
                | Q(cancelled_at__isnull=False, cancelled_by__isnull=False, published_at=None),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="submission_is_only_published_and_withdrawn",
                operation=pgtrigger.Update,
                # That its grading is cancelled, or goes on, is no part of what it is.
                condition=pgtrigger.AnyChange(
                    exclude=[
                        *("published_at", "published_by", "withdrawn_at"),
                        *("cancelled_at", "cancelled_by", "is_untold"),
                    ]
                ),
            ),
            require(
                "submission_is_to_a_published_version",
                when=pgtrigger.Q(new__version__isnull=False),
                found="""
                    SELECT FROM curation_benchmarkversion
                    WHERE id = NEW.version_id AND benchmark_id = NEW.benchmark_id
                        AND published_at IS NOT NULL
                """,
            ),
            pgtrigger.Protect(
                name="submission_is_published_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__published_at__isnull=False)
                & (
                    pgtrigger.Q(old__published_at__df=pgtrigger.F("new__published_at"))
                    | pgtrigger.Q(old__published_by__df=pgtrigger.F("new__published_by"))
                ),
            ),
            pgtrigger.Protect(
                name="submission_is_withdrawn_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__withdrawn_at__isnull=False)
                & pgtrigger.Q(old__withdrawn_at__df=pgtrigger.F("new__withdrawn_at")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.solver} on {self.benchmark}, submission {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("grading:submission", args=[self.pk])
