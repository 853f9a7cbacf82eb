"""
Answers to the hidden part of a version, kept apart from all others.

They are no attempts: no list, file, judge or check of keys looks at them. One figure of all of them
together is told, of a complete batch, when its organisation asks for it.
"""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from grading.answers.submissions.models import Submission
from grading.solvers.models import Organisation
from phybench.people.models import User
from phybench.work.models import Leased
from phybench.work.triggers import require


class HiddenBatchQuerySet(models.QuerySet["HiddenBatch"]):
    def asked(self) -> Self:
        """Keep those of which a figure was asked for: each counts for good."""
        return self.filter(asked_at__isnull=False)


class HiddenBatch(models.Model):
    """What a submission answers of its version's hidden part, and what was told of it."""

    submission = models.OneToOneField(Submission, on_delete=models.PROTECT, related_name="hidden")
    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="hidden_batches"
    )
    asked_at = models.DateTimeField(null=True, blank=True, editable=False)
    asked_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    figure = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text=_(
            "Per cent: its accuracy, or the figure that it does not beat. Empty if "
            "that figure belongs to another team."
        ),
    )
    is_better = models.BooleanField(
        null=True, blank=True, help_text=_("Whether the figure is its own.")
    )

    objects = HiddenBatchQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("batch of hidden answers")
        verbose_name_plural = _("batches of hidden answers")
        constraints = [
            models.CheckConstraint(
                name="hidden_figure_was_asked_for",
                condition=Q(asked_at=None, asked_by=None, figure=None, is_better=None)
                | Q(asked_at__isnull=False, asked_by__isnull=False, is_better=False)
                | Q(
                    asked_at__isnull=False,
                    asked_by__isnull=False,
                    is_better=True,
                    figure__lte=100,
                ),
            )
        ]
        triggers = [
            pgtrigger.Protect(name="hidden_batch_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="hidden_figure_is_told_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__asked_at__isnull=False),
            ),
            pgtrigger.ReadOnly(name="hidden_batch_is_frozen", fields=["submission"]),
        ]

    def __str__(self) -> str:
        return f"Hidden answers of {self.submission}"


class HiddenAnswerQuerySet(models.QuerySet["HiddenAnswer"]):
    def waiting(self) -> Self:
        return self.filter(status__in=[HiddenAnswer.Status.QUEUED, HiddenAnswer.Status.GRADING])

    def failed(self) -> Self:
        return self.filter(status=HiddenAnswer.Status.FAILED)


class HiddenAnswer(Leased):
    """One answer to a hidden item, and whether it is right: told to nobody by itself."""

    class Status(models.TextChoices):
        QUEUED = "QUEUED", _("queued")
        GRADING = "GRADING", _("being graded")
        GRADED = "GRADED", _("graded")
        FAILED = "FAILED", _("not graded")

    batch = models.ForeignKey(
        HiddenBatch, on_delete=models.PROTECT, related_name="answers", db_index=False
    )
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="hidden_answers")
    sample = models.PositiveIntegerField(default=1)
    response = models.TextField()
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    accuracy = models.FloatField(null=True, blank=True, help_text=_("0 or 100"))
    failure_reason = models.CharField(max_length=40, blank=True)
    judge_version = models.CharField(max_length=40, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = HiddenAnswerQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="hidden_answers_not_done",
                condition=Q(status__in=["QUEUED", "GRADING"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "revision", "sample"], name="one_hidden_answer_a_sample"
            ),
            models.CheckConstraint(
                name="hidden_answer_is_graded_or_not",
                condition=Q(status="GRADED", accuracy__in=[0, 100], failure_reason="")
                | (Q(status="FAILED", accuracy=None) & ~Q(failure_reason=""))
                | Q(status__in=["QUEUED", "GRADING"], accuracy=None, failure_reason=""),
            ),
            models.CheckConstraint(
                name="hidden_answer_leased_while_graded",
                condition=Q(status="GRADING", lease_until__isnull=False)
                | (~Q(status="GRADING") & Q(lease_until=None)),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="hidden_answer_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="hidden_answer_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "batch", "revision", "sample", "response", "created_at"
                ),
            ),
            pgtrigger.Protect(
                name="hidden_grade_is_final",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__status="GRADED"),
            ),
            require(
                "hidden_answer_is_to_a_hidden_item",
                when=pgtrigger.Q(new__batch__isnull=False),
                found="""
                    SELECT FROM grading_hiddenbatch batch
                    JOIN grading_submission submission ON submission.id = batch.submission_id
                    JOIN curation_versionitem item USING (version_id)
                    WHERE batch.id = NEW.batch_id AND item.revision_id = NEW.revision_id
                        AND item.is_hidden
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Hidden answer {self.pk}"
