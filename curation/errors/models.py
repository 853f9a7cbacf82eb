"""Errors that readers found in accepted problems, and what became of each."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem, Revision
from phybench.models import User
from phybench.triggers import require


def _is_of_reader(user: User) -> Q:
    reviewed = user.reviews.values("round__revision__problem")
    return Q(reporter=user) | Q(revision__problem__in=reviewed)


class ErrorReportQuerySet(models.QuerySet["ErrorReport"]):
    def open(self) -> Self:
        """Those that nobody has closed, also while a correction is on its way."""
        return self.filter(closed_at=None)

    def awaiting_correction(self) -> Self:
        return self.open().exclude(outcome="")

    def of_reader(self, user: User) -> Self:
        """Those that `user` reported, or that are about what they reviewed."""
        return self.filter(_is_of_reader(user))

    def readable_by(self, user: User) -> Self:
        """Those, and the ones about what `user` writes."""
        wrote = Problem.objects.of(user).values("pk")
        return self.filter(_is_of_reader(user) | Q(revision__problem__in=wrote))


class ErrorReport(models.Model):
    """
    An error that somebody says an accepted revision has.

    It is open until an admin decides. “Fixed” is decided first and true later: the report is closed
    when the revision that mends it is accepted.
    """

    class Kind(models.TextChoices):
        STATEMENT = "STATEMENT", _("the statement")
        ANSWER = "ANSWER", _("the answer")
        SOLUTION = "SOLUTION", _("the solution")
        OTHER = "OTHER", _("something else")

    class Outcome(models.TextChoices):
        NO_ERROR = "NO_ERROR", _("no error")
        STATEMENT_FIXED = "STATEMENT_FIXED", _("statement or solution fixed")
        KEY_FIXED = "KEY_FIXED", _("answer fixed")
        WITHDRAWN = "WITHDRAWN", _("problem withdrawn")

    FIXES = (Outcome.STATEMENT_FIXED, Outcome.KEY_FIXED)

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="error_reports")
    reporter = models.ForeignKey(User, on_delete=models.PROTECT, related_name="error_reports")
    kind = models.CharField(_("where the error is"), max_length=10, choices=Kind)
    text = models.TextField(_("what is wrong"))
    own_answer = models.TextField(_("your own answer"), blank=True)
    reported_at = models.DateTimeField(default=timezone.now, editable=False)
    outcome = models.CharField(_("outcome"), max_length=20, choices=Outcome, blank=True)
    reason = models.TextField(blank=True, help_text=_("Why; of a fix what was wrong."))
    decided_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = ErrorReportQuerySet.as_manager()

    class Meta:
        ordering = ["-reported_at", "-pk"]
        indexes = [models.Index(fields=["-reported_at", "-id"], name="error_reports_newest")]
        constraints = [
            # Who has more to say of it says it there.
            models.UniqueConstraint(
                fields=["revision", "reporter", "kind"],
                condition=Q(closed_at=None),
                name="one_open_report_a_person_and_kind",
            ),
            models.CheckConstraint(
                name="report_is_decided_by_somebody_with_a_reason",
                condition=Q(outcome="", reason="", decided_by=None, decided_at=None, closed_at=None)
                | (
                    ~Q(outcome="")
                    & ~Q(reason="")
                    & Q(decided_by__isnull=False, decided_at__isnull=False)
                ),
            ),
            models.CheckConstraint(
                name="only_a_fix_is_waited_for",
                condition=Q(closed_at__isnull=False)
                | Q(outcome__in=["", "STATEMENT_FIXED", "KEY_FIXED"]),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="report_stays_as_it_was_written",
                fields=["revision", "reporter", "kind", "text", "own_answer", "reported_at"],
            ),
            pgtrigger.Protect(
                name="closed_report_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__closed_at__isnull=False),
            ),
            pgtrigger.Protect(name="report_stays", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"Error report {self.pk} on {self.revision}"

    def get_absolute_url(self) -> str:
        return reverse("curation:report", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def awaits_correction(self) -> bool:
        return self.is_open and self.outcome != ""


class ReportReply(models.Model):
    """What somebody said about an error report; never changed."""

    report = models.ForeignKey(ErrorReport, on_delete=models.PROTECT, related_name="replies")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="report_replies")
    text = models.TextField(_("your reply"))
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        triggers = [
            pgtrigger.Protect(
                name="reply_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.person} on {self.report}"


class Erratum(models.Model):
    """What was wrong with an accepted revision, who said so, and which revision mends it."""

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="errata")
    corrected_by = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="corrects", verbose_name=_("corrected by")
    )
    report = models.OneToOneField(ErrorReport, on_delete=models.PROTECT, related_name="erratum")
    is_of_key = models.BooleanField(
        help_text=_("Whether the key was wrong: grades made with it are marked.")
    )
    text = models.TextField(help_text=_("What was wrong; everybody who reads the problem sees it."))
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name_plural = _("errata")
        constraints = [
            models.CheckConstraint(
                name="erratum_is_mended_by_another_revision",
                condition=~Q(revision=models.F("corrected_by")),
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="erratum_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "erratum_is_mended_in_its_problem",
                when=pgtrigger.Q(new__revision__isnull=False),
                found="""
                    SELECT FROM curation_revision AS wrong
                    JOIN curation_revision AS mended ON mended.problem_id = wrong.problem_id
                    JOIN curation_errorreport AS report ON report.revision_id = wrong.id
                    WHERE wrong.id = NEW.revision_id AND mended.id = NEW.corrected_by_id
                    AND report.id = NEW.report_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Erratum to {self.revision}"
