"""Objections to single grades, and what people ruled on them."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.reports.models import ErrorReport
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import Override
from grading.solvers.models import Organisation
from phybench.people.models import User
from phybench.work.triggers import require


class ContestQuerySet(models.QuerySet["Contest"]):
    def open(self) -> Self:
        """Those that wait for a ruling."""
        return self.filter(ruled_at=None, taken_back_at=None)

    def ruled(self) -> Self:
        return self.filter(ruled_at__isnull=False)

    def untold(self) -> Self:
        """Those with an outcome that nobody of who contested has read."""
        return self.ruled().filter(told_at=None)


class Contest(models.Model):
    """
    An objection to what an answer got, until somebody has ruled on it.

    People contest rejections only, so contests are tickets: no rate is computed from them. Rates
    come from audit samples.
    """

    class Reason(models.TextChoices):
        MISREAD = "MISREAD", _("the answer was misread")
        EQUIVALENT = (
            "EQUIVALENT",
            _("the answer has the value of the reference answer in another form"),
        )
        KEY_WRONG = "KEY_WRONG", _("the reference answer is wrong")

    class Fault(models.TextChoices):
        GRADER = "GRADER", _("the grader is at fault")
        KEY = "KEY", _("the reference answer is at fault")
        MODEL = "MODEL", _("the answer is at fault: the grade is right")
        CANT_TELL = "CANT_TELL", _("can’t tell")

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="contests")
    grade = models.ForeignKey(
        Grade,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="contests",
        help_text=_("What is contested; empty where the answer could not be graded."),
    )
    reason = models.CharField(_("what is wrong"), max_length=12, choices=Reason)
    text = models.TextField(_("why"), max_length=4000)
    organisation = models.ForeignKey(
        Organisation,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="contests",
        help_text=_("Whose answer it is; empty for a participant’s own."),
    )
    contested_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="contests")
    contested_at = models.DateTimeField(default=timezone.now, editable=False)
    taken_back_at = models.DateTimeField(null=True, blank=True, editable=False)
    fault = models.CharField(_("ruling"), max_length=10, choices=Fault, blank=True)
    why = models.TextField(blank=True, help_text=_("Why it was ruled so."))
    ruled_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="ruled_contests"
    )
    ruled_at = models.DateTimeField(null=True, blank=True, editable=False)
    override = models.OneToOneField(
        Override,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="contest",
        help_text=_("Where the grader is at fault: what the answer is instead."),
    )
    report = models.ForeignKey(
        ErrorReport,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="contests",
        help_text=_("Where the reference answer is at fault: the error report about it."),
    )
    told_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When the outcome was read.")
    )

    objects = ContestQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["attempt"],
                condition=Q(ruled_at=None, taken_back_at=None),
                name="one_open_contest_an_answer",
            ),
            # A grade that was ruled on stands; another one can be contested anew.
            models.UniqueConstraint(
                fields=["grade"],
                condition=Q(ruled_at__isnull=False) & ~Q(fault="CANT_TELL"),
                name="one_ruling_a_grade",
            ),
            models.CheckConstraint(
                name="contest_is_ruled_on_by_somebody_with_a_reason",
                condition=Q(fault="", why="", ruled_by=None, ruled_at=None, report=None)
                | (
                    ~Q(fault="")
                    & ~Q(why="")
                    & Q(ruled_by__isnull=False, ruled_at__isnull=False, taken_back_at=None)
                ),
            ),
            models.CheckConstraint(
                name="contest_has_a_report_where_the_key_is_at_fault",
                condition=Q(report=None) | Q(fault="KEY"),
            ),
            models.CheckConstraint(
                name="contest_has_an_override_where_the_grader_is_at_fault",
                condition=Q(override__isnull=False, fault="GRADER")
                | (Q(override=None) & ~Q(fault="GRADER")),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="contest_stays_as_it_was_written",
                fields=[
                    *("attempt", "grade", "reason", "text", "contested_by", "contested_at"),
                ],
            ),
            pgtrigger.Protect(
                name="contest_is_ruled_on_once",
                operation=pgtrigger.Update,
                # A row that is ruled on says who, what and why: all of it comes at once.
                condition=pgtrigger.Q(old__ruled_at__isnull=False)
                & (
                    pgtrigger.Q(old__ruled_at__df=pgtrigger.F("new__ruled_at"))
                    | pgtrigger.Q(old__ruled_by__df=pgtrigger.F("new__ruled_by"))
                    | pgtrigger.Q(old__fault__df=pgtrigger.F("new__fault"))
                    | pgtrigger.Q(old__why__df=pgtrigger.F("new__why"))
                    | pgtrigger.Q(old__override__df=pgtrigger.F("new__override"))
                    | pgtrigger.Q(old__report__df=pgtrigger.F("new__report"))
                ),
            ),
            pgtrigger.Protect(
                name="contest_is_taken_back_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__taken_back_at__isnull=False)
                & (
                    pgtrigger.Q(old__taken_back_at__df=pgtrigger.F("new__taken_back_at"))
                    | pgtrigger.Q(new__ruled_at__isnull=False)
                ),
            ),
            pgtrigger.Protect(name="contest_stays", operation=pgtrigger.Delete),
            require(
                "contested_grade_is_the_attempts",
                when=pgtrigger.Q(new__grade__isnull=False),
                found="""
                    SELECT FROM grading_grade
                    WHERE id = NEW.grade_id AND attempt_id = NEW.attempt_id
                """,
            ),
            require(
                "override_is_of_its_contest",
                when=pgtrigger.Q(new__override__isnull=False),
                found="""
                    SELECT FROM grading_override override
                    JOIN grading_attempt attempt USING (revision_id, response)
                    WHERE override.id = NEW.override_id AND attempt.id = NEW.attempt_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Contest {self.pk} of {self.attempt}"

    def get_absolute_url(self) -> str:
        return reverse("grading:contest", args=[self.pk])

    @property
    def is_open(self) -> bool:
        return self.ruled_at is None and self.taken_back_at is None
