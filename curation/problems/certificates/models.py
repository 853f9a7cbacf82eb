"""Certificates: what a grader made of variants of a reference answer."""

from typing import Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem
from curation.texts.references.reference import Reference, Wanted
from phybench.pages.sentences import SentenceField
from phybench.work.models import Leased
from phybench_grader import Declaration

OWN_CASES = frozenset({"must_accept", "must_reject"})
"""Kinds of cases that the author gives: where one fails, it may be the example that is wrong."""


class CertificateQuerySet(models.QuerySet["Certificate"]):
    def of(self, problem: Problem, reference: Reference) -> Self:
        """Those of this very reference, whichever grader made them; the newest last."""
        return self.filter(problem=problem, reference_sha256=reference.sha256).order_by("pk")

    def unfinished(self) -> Self:
        return self.filter(finished_at=None)


class Certificate(Leased):
    """
    What one version of the grader made of variants of a reference answer.

    It is of a reference, not of a revision: a draft changes, a submitted revision is frozen before
    a new grader certifies it again, and whoever has the reference can find every certificate of it.
    """

    class Outcome(models.TextChoices):
        """As `phybench_grader.CaseOutcome`, with the words that people read."""

        PASSED = "PASSED", _("passed")
        FAILED = "FAILED", _("failed")
        OPEN = "OPEN", _("undecided")

    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="certificates")
    answer = models.TextField(_("reference answer"))
    declarations = models.JSONField(
        default=list, blank=True, help_text=_("Declared symbols: latex, sign, low, high.")
    )
    must_accept = ArrayField(models.TextField(), default=list, blank=True)
    must_reject = ArrayField(models.TextField(), default=list, blank=True)
    wanted = models.JSONField(
        default=dict, blank=True, help_text=_("What is asked: quantity, unit, terms, conditions.")
    )
    statement = models.TextField(_("statement"), blank=True)
    reference_sha256 = models.CharField(max_length=64)
    grader_version = models.CharField(max_length=40)
    rows = models.JSONField(
        default=list,
        blank=True,
        help_text=_(
            "All cases: kind, text, expected; once tried: outcome, reason, message, eed, seconds."
        ),
    )
    left_out = models.JSONField(
        default=list, blank=True, help_text=_("Variants that made no case: kind, reason, text.")
    )
    passed = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    open = models.PositiveIntegerField(default=0, help_text=_("Undecided cases."))
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    reason = models.CharField(
        max_length=40, blank=True, help_text=_("Why the cases could not be listed.")
    )
    message = SentenceField()
    seconds = models.FloatField(default=0, help_text=_("Spent trying, over all workers."))
    started_at = models.DateTimeField(null=True, blank=True, editable=False)
    finished_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = CertificateQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["problem", "reference_sha256"]),
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="certificates_not_done",
                condition=Q(finished_at=None),
            ),
        ]
        constraints = [
            # Finished ones may be several: what could not be told can be tried again.
            models.UniqueConstraint(
                fields=["problem", "reference_sha256", "grader_version"],
                condition=Q(finished_at=None),
                name="one_certificate_in_the_making",
            ),
            models.CheckConstraint(
                name="finished_certificate_has_an_outcome",
                condition=Q(finished_at=None, outcome="")
                | Q(finished_at__isnull=False, lease_until=None) & ~Q(outcome=""),
            ),
            models.CheckConstraint(
                name="passed_certificate_has_nothing_else",
                condition=~Q(outcome="PASSED") | Q(failed=0, open=0, passed__gt=0, reason=""),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="finished_certificate_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__finished_at__isnull=False),
            ),
            # With a draft that nobody saw it may go; what was submitted rests on it.
            pgtrigger.Trigger(
                name="certificate_of_a_submitted_problem_stays",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (SELECT 1 FROM curation_revision
                               WHERE problem_id = OLD.problem_id AND submitted_at IS NOT NULL)
                    THEN RAISE EXCEPTION 'pgtrigger: Cannot delete from %', TG_TABLE_NAME;
                    END IF;
                    RETURN OLD;
                """,
            ),
        ]

    def __str__(self) -> str:
        stands = self.get_outcome_display() if self.outcome else _("not finished")
        return f"{self.problem}, certificate by {self.grader_version}: {stands}"

    @property
    def reference(self) -> Reference:
        return Reference(
            self.answer,
            tuple(Declaration(**one) for one in self.declarations),
            tuple(self.must_accept),
            tuple(self.must_reject),
            Wanted.read(self.wanted),
            self.statement,
        )

    @property
    def failed_of(self) -> set[str]:
        """Whose cases failed: `author` for examples of theirs, `grader` for what it made."""
        failed = [row["kind"] for row in self.rows if row.get("outcome") == self.Outcome.FAILED]
        return {"author" if kind in OWN_CASES else "grader" for kind in failed}

    @property
    def is_finished(self) -> bool:
        return self.finished_at is not None

    @property
    def tried(self) -> int:
        return self.passed + self.failed + self.open
