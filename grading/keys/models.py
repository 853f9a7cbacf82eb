"""What speaks against a problem's key, kept for the people who look at it."""

from typing import Any, Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.errors.models import Erratum
from curation.problems.models import Revision
from phybench.models import User


class KeyCheckQuerySet(models.QuerySet["KeyCheck"]):
    def doubted(self) -> Self:
        # Of what was corrected since, the answers speak against a key that is no more.
        corrected = Erratum.objects.filter(revision=models.OuterRef("revision"), is_of_key=True)
        return self.exclude(doubts=[]).exclude(models.Exists(corrected))

    def open(self) -> Self:
        """Those that nobody has looked at since the last answer came in."""
        return self.doubted().filter(Q(looked_at=None) | Q(looked_grade__lt=F("last_grade")))


class KeyCheck(models.Model):
    """
    How the answers to one revision lie beside its key, as of the newest grade.

    It is computed from grades, which never change, and computed again when there are more.
    """

    class Doubt(models.TextChoices):
        """As `grading.keys.radar.Doubt`, with the words that people read."""

        OTHER_LEADS = "OTHER_LEADS", _("more solvers agree on another answer than on the key")
        NOBODY_RIGHT = "NOBODY_RIGHT", _("nobody ever got the key")
        STRONG_FAIL = "STRONG_FAIL", _("strong solvers do worse on it than weak ones")

    revision = models.OneToOneField(Revision, on_delete=models.CASCADE, related_name="key_check")
    doubts = ArrayField(models.CharField(max_length=20, choices=Doubt), default=list, blank=True)
    groups = models.JSONField(
        default=list,
        help_text=_("Equal answers: latex, solvers, blind_solves, answers, is_key."),
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
    looked_at = models.DateTimeField(null=True, blank=True)
    looked_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True)
    looked_grade = models.PositiveBigIntegerField(null=True, blank=True)
    note = models.TextField(blank=True, help_text=_("What whoever looked at it found."))

    objects = KeyCheckQuerySet.as_manager()

    class Meta:
        ordering = ["-computed_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="key_was_looked_at_by_somebody_who_says_what_they_found",
                condition=Q(looked_at=None, looked_by=None, looked_grade=None, note="")
                | Q(looked_at__isnull=False, looked_by__isnull=False, looked_grade__isnull=False)
                & ~Q(note=""),
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

    @property
    def is_open(self) -> bool:
        return bool(self.doubts) and (
            self.looked_grade is None or self.looked_grade < self.last_grade
        )
