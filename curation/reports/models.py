"""Errors that readers found in accepted problems, and what became of each."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench.work.triggers import require


class ErrorReportQuerySet(models.QuerySet["ErrorReport"]):
    def open(self) -> Self:
        """Those that nobody has closed, also while a correction is on its way."""
        return self.filter(closed_at=None)

    def awaiting_correction(self) -> Self:
        return self.open().exclude(outcome="")


class ErrorReport(models.Model):
    """
    An error that somebody says an accepted revision has, or a row of a board.

    It is open until an admin decides. “Fixed” is decided first and true later: the report is closed
    when the revision that mends it is accepted. A report without a reporter is a visitor's: they
    read what became of it by a link with a secret, of which the hash is kept.
    """

    class Kind(models.TextChoices):
        STATEMENT = "STATEMENT", _("the statement")
        ANSWER = "ANSWER", _("the answer")
        SOLUTION = "SOLUTION", _("the solution")
        OTHER = "OTHER", _("something else")
        ROW = "ROW", _("a row of the board")

    class Outcome(models.TextChoices):
        NO_ERROR = "NO_ERROR", _("no error")
        STATEMENT_FIXED = "STATEMENT_FIXED", _("statement or solution fixed")
        KEY_FIXED = "KEY_FIXED", _("answer fixed")
        WITHDRAWN = "WITHDRAWN", _("problem withdrawn")
        ROW_FIXED = "ROW_FIXED", _("row corrected")

    OF_ROWS = (Outcome.NO_ERROR, Outcome.ROW_FIXED)
    FIXES = (Outcome.STATEMENT_FIXED, Outcome.KEY_FIXED)

    revision = models.ForeignKey(
        Revision,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="error_reports",
        help_text=_("Empty if a row of a board is reported."),
    )
    benchmark = models.ForeignKey(
        Benchmark,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("The benchmark whose board has the row; empty if a problem is reported."),
    )
    row = models.CharField(
        max_length=200, blank=True, help_text=_("The model’s name, as it was written.")
    )
    reporter = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="error_reports",
        help_text=_("Empty if a visitor reported it."),
    )
    secret_sha256 = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text=_("Hash of the secret with which a visitor reads the outcome."),
    )
    kind = models.CharField(_("where the error is"), max_length=10, choices=Kind)
    message = SentenceField(help_text=_("What the app says before the text."))
    text = models.TextField(_("what is wrong"))
    own_answer = models.TextField(_("your own answer"), blank=True)
    reported_at = models.DateTimeField(default=timezone.now, editable=False)
    outcome = models.CharField(_("outcome"), max_length=20, choices=Outcome, blank=True)
    reason = models.TextField(blank=True, help_text=_("Reason, or what was wrong if it was fixed."))
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
            models.UniqueConstraint(
                fields=["secret_sha256"],
                condition=~Q(secret_sha256=""),
                name="one_report_a_secret",
            ),
            models.CheckConstraint(
                name="report_is_of_a_problem_or_a_row",
                condition=(Q(revision__isnull=False, benchmark=None, row="") & ~Q(kind="ROW"))
                | (Q(revision=None, benchmark__isnull=False, kind="ROW") & ~Q(row="")),
            ),
            models.CheckConstraint(
                name="visitors_report_has_a_secret",
                condition=Q(reporter__isnull=False, secret_sha256="")
                | (Q(reporter=None) & ~Q(secret_sha256="")),
            ),
            models.CheckConstraint(
                name="rows_and_problems_have_their_outcomes",
                condition=Q(outcome__in=["", "NO_ERROR"])
                | Q(outcome="ROW_FIXED", revision=None)
                | (~Q(outcome="ROW_FIXED") & Q(revision__isnull=False)),
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
                fields=[
                    *("revision", "benchmark", "row", "reporter", "secret_sha256"),
                    *("kind", "message", "text", "own_answer", "reported_at"),
                ],
            ),
            pgtrigger.Protect(
                name="closed_report_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__closed_at__isnull=False),
            ),
            pgtrigger.Protect(name="report_stays", operation=pgtrigger.Delete),
        ]

    def __str__(self) -> str:
        return f"Error report {self.pk} on {self.revision or self.row}"

    def get_absolute_url(self) -> str:
        return reverse("curation:report", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def awaits_correction(self) -> bool:
        return self.is_open and self.outcome != ""

    @property
    def possible_outcomes(self) -> list[Outcome]:
        """What an admin can decide of it: of a row otherwise than of a problem."""
        of_row = self.kind == self.Kind.ROW
        return [
            one
            for one in self.Outcome
            if one == self.Outcome.NO_ERROR or (one in self.OF_ROWS) == of_row
        ]


class ReportContact(models.Model):
    """
    How a visitor said that they can be reached, for admins alone.

    A row of its own, so that it can be deleted while the report stays.
    """

    report = models.OneToOneField(ErrorReport, on_delete=models.PROTECT, related_name="contact")
    name = models.CharField(max_length=100, blank=True)
    email = models.EmailField(blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="contact_has_a_name_or_an_address", condition=~Q(name="", email="")
            )
        ]

    def __str__(self) -> str:
        return f"Contact for error report {self.report_id}"


class ReportReply(models.Model):
    """What somebody said about an error report; never changed."""

    report = models.ForeignKey(ErrorReport, on_delete=models.PROTECT, related_name="replies")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="report_replies")
    message = SentenceField(help_text=_("What the app says before the text."))
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
        help_text=_("Whether the reference answer was wrong: grades made with it are marked.")
    )
    text = models.TextField(help_text=_("What was wrong. All readers of the problem see it."))
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["at", "pk"]
        verbose_name_plural = _("corrections")
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
