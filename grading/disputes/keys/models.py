"""What speaks against a problem's key, kept for the people who look at it."""

from typing import Any, Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Revision
from curation.reports.models import Erratum, ErrorReport
from curation.texts.workflow import Status
from phybench.people.models import User
from phybench.work.triggers import require


class KeyCheckQuerySet(models.QuerySet["KeyCheck"]):
    def doubted(self) -> Self:
        # Of what was corrected since, the answers speak against a key that is no more.
        corrected = Erratum.objects.filter(revision=models.OuterRef("revision"), is_of_key=True)
        return self.exclude(doubts=[]).exclude(models.Exists(corrected))

    def waiting(self) -> Self:
        """
        Keep those that an admin is to decide on.

        What was decided waits again once there are newer answers, but not while its error report
        is open: until that is closed, what is to be done is done there.
        """
        is_new = Q(last_decision=None) | Q(last_decision__choice=KeyDecision.Choice.NEEDS_WORK)
        has_newer = Q(last_decision__last_grade__lt=F("last_grade")) & (
            Q(last_decision__report=None) | Q(last_decision__report__closed_at__isnull=False)
        )
        # A later revision has a key of its own, and what is retired is corrected no more.
        is_asked = Q(revision__problem__accepted_revision=F("revision")) & ~Q(
            revision__problem__status=Status.RETIRED
        )
        return self.doubted().filter(is_new | has_newer, is_asked)

    def decided(self) -> Self:
        """Keep those on which nothing is to be done now."""
        return self.doubted().exclude(pk__in=self.waiting().values("pk"))


class KeyCheck(models.Model):
    """
    How the answers to one revision lie beside its key, as of the newest grade.

    It is computed from grades, which never change, and computed again when there are more.
    """

    class Doubt(models.TextChoices):
        """As `grading.disputes.keys.radar.Doubt`, with the words that people read."""

        OTHER_LEADS = (
            "OTHER_LEADS",
            _("more solvers agree on another answer than on the reference answer"),
        )
        NOBODY_RIGHT = "NOBODY_RIGHT", _("no solver has given the reference answer")
        STRONG_FAIL = "STRONG_FAIL", _("strong solvers do worse on it than weak ones")
        TWO_READINGS = (
            "TWO_READINGS",
            _("the reference answer can be read in more than one way"),
        )

    revision = models.OneToOneField(Revision, on_delete=models.CASCADE, related_name="key_check")
    doubts = ArrayField(models.CharField(max_length=20, choices=Doubt), default=list, blank=True)
    groups = models.JSONField(
        default=list,
        help_text=_(
            "Equal answers: latex, solvers, blind_solves, answers, is_key; of a reference answer "
            "with several readings these, the standard one first."
        ),
    )
    strong = models.FloatField(null=True, help_text=_("Mean accuracy of the strong half."))
    weak = models.FloatField(null=True, help_text=_("Mean accuracy of the weak half."))
    in_half = models.PositiveIntegerField(default=0)
    solvers = models.PositiveIntegerField(
        default=0, help_text=_("Models, participants, and reviewers who solved it blind.")
    )
    blind_solves = models.PositiveIntegerField(
        default=0, help_text=_("Reviewers among the solvers: those who solved it blind.")
    )
    unread = models.PositiveIntegerField(default=0, help_text=_("Answers that are in no group."))
    last_grade = models.PositiveBigIntegerField(
        help_text=_("The newest grade it takes into account.")
    )
    computed_at = models.DateTimeField(default=timezone.now)
    last_decision = models.ForeignKey(
        "grading.KeyDecision",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
    )

    objects = KeyCheckQuerySet.as_manager()

    class Meta:
        ordering = ["-computed_at", "-pk"]
        triggers = [
            require(
                "last_decision_on_a_key_is_its_last",
                when=pgtrigger.Q(new__last_decision__isnull=False),
                found="""
                    SELECT FROM grading_keydecision last
                    WHERE last.id = NEW.last_decision_id AND last.key_check_id = NEW.id
                        AND NOT EXISTS (
                            SELECT FROM grading_keydecision
                            WHERE key_check_id = NEW.id AND id > last.id
                        )
                """,
            )
        ]

    def __str__(self) -> str:
        return f"{self.revision}: {', '.join(self.doubts) or 'no doubt'}"

    @property
    def counted_groups(self) -> list[tuple[dict[str, Any], int]]:
        """Each group with how many solvers it has, blind ones too."""
        return [
            # What was computed before blind solves counted knows of none.
            (group, len(group["solvers"]) + group.get("blind_solves", 0))
            for group in self.groups
        ]

    @property
    def labels(self) -> list[str]:
        return [str(self.Doubt(doubt).label) for doubt in self.doubts]

    def find_leader(self) -> str:
        """Return the answer, other than the key, that most solvers agree on; "" of none."""
        others = [one for one in self.counted_groups if not one[0]["is_key"]]
        if not others:
            return ""
        group, _count = max(others, key=lambda one: one[1])
        return str(group["latex"])


class KeyDecision(models.Model):
    """What an admin decided on a key in doubt, with the answers there were. Never changed."""

    class Choice(models.TextChoices):
        KEY_RIGHT = "KEY_RIGHT", _("the reference answer is right")
        KEY_WRONG = "KEY_WRONG", _("the reference answer is wrong")
        AMBIGUOUS = "AMBIGUOUS", _("the problem is ambiguous")
        NEEDS_WORK = "NEEDS_WORK", _("needs more work")

    REPORTED = (Choice.KEY_WRONG, Choice.AMBIGUOUS)
    """Those that open an error report."""

    key_check = models.ForeignKey(KeyCheck, on_delete=models.PROTECT, related_name="decisions")
    choice = models.CharField(
        _("decision"),
        max_length=10,
        choices=Choice,
        blank=True,
        help_text=_(
            "Empty where a reference answer was only checked, before there were decisions."
        ),
    )
    note = models.TextField(_("what was found"))
    report = models.ForeignKey(
        ErrorReport, on_delete=models.PROTECT, null=True, blank=True, related_name="key_decisions"
    )
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    last_grade = models.PositiveBigIntegerField(
        help_text=_("The newest grade that it takes into account.")
    )

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("decision on a reference answer in doubt")
        verbose_name_plural = _("decisions on reference answers in doubt")
        constraints = [
            models.CheckConstraint(name="key_decision_says_what_was_found", condition=~Q(note="")),
            models.CheckConstraint(
                name="key_decision_against_a_key_has_a_report",
                condition=Q(choice__in=["KEY_WRONG", "AMBIGUOUS"], report__isnull=False)
                | ~Q(choice__in=["KEY_WRONG", "AMBIGUOUS"]) & Q(report=None),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="key_decision_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "key_decision_has_a_report_on_its_revision",
                when=pgtrigger.Q(new__report__isnull=False),
                found="""
                    SELECT FROM grading_keycheck
                    JOIN curation_errorreport report USING (revision_id)
                    WHERE grading_keycheck.id = NEW.key_check_id AND report.id = NEW.report_id
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice or 'Looked at'}: {self.key_check.revision}"

    @property
    def said(self) -> str:
        """Say it in words."""
        return str(self.get_choice_display() if self.choice else _("already checked"))
