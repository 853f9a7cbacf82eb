"""Which wrong answers of one submission to one problem say the same: sorted once, and kept."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from phybench.work.models import Leased
from phybench.work.triggers import require


class AnswerSortingQuerySet(models.QuerySet["AnswerSorting"]):
    def to_do(self) -> Self:
        return self.filter(done_at=None)


class AnswerSorting(Leased):
    """
    The wrong answers of a submission to one problem, sorted into groups that are equal.

    Right ones equal the key, and so each other: the grader has said that. What a run calls wrong
    is sorted for that run. Once it is done it never changes.
    """

    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="sortings", db_index=False
    )
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="sortings")
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="sortings")
    groups = models.JSONField(
        default=list, blank=True, help_text=_("Lists of answers, by number, that are equal.")
    )
    not_compared = models.PositiveIntegerField(
        default=0,
        help_text=_("Answers for which it is unclear whether they equal others; each is separate."),
    )
    stopped = models.CharField(
        max_length=20, blank=True, help_text=_("Why comparing ended early; empty where it did not.")
    )
    done_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = AnswerSortingQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("sorting of answers")
        verbose_name_plural = _("sortings of answers")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="sortings_not_done",
                condition=Q(done_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "submission", "revision"], name="one_sorting_a_run_and_problem"
            )
        ]
        triggers = [
            pgtrigger.Protect(name="sorting_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="sorting_that_is_done_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__done_at__isnull=False),
            ),
            require(
                "sorting_is_of_its_submissions_answers",
                when=pgtrigger.Q(new__submission__isnull=False),
                found="""
                    SELECT FROM grading_attempt attempt
                    JOIN grading_submission submission ON submission.id = attempt.submission_id
                    JOIN grading_gradingrun run USING (benchmark_id)
                    WHERE run.id = NEW.run_id AND submission.id = NEW.submission_id
                        AND attempt.revision_id = NEW.revision_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Submission {self.submission_id}, revision {self.revision_id}"
