"""What an unreadable answer was meant to say."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import VerdictChoice
from grading.studies.sessions.models import SessionItem
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench.work.models import Leased


class RepairQuerySet(models.QuerySet["Repair"]):
    def waiting(self) -> Self:
        return self.filter(state=Repair.State.QUEUED)


class Repair(Leased):
    """
    What somebody blind to the key takes an unreadable answer to mean, and how that is graded.

    It stands beside the answer's own grade, which stays 0. What nobody can make out is empty.
    """

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("queued")
        GRADED = "GRADED", _("graded")
        FAILED = "FAILED", _("not graded")
        HOPELESS = "HOPELESS", _("can’t be made out")

    item = models.OneToOneField(SessionItem, on_delete=models.PROTECT, related_name="repair")
    meant = models.TextField(blank=True)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    verdict = models.CharField(max_length=20, choices=VerdictChoice, blank=True)
    accuracy = models.FloatField(null=True, blank=True, help_text=_("0 or 100"))
    eed = models.FloatField(verbose_name="EED", null=True, blank=True, help_text=_("0 to 100"))
    judge_version = models.CharField(max_length=40, blank=True)
    failure_reason = models.CharField(max_length=40, blank=True)
    failure_message = SentenceField()

    objects = RepairQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="repairs_not_graded",
                condition=Q(state="QUEUED"),
            )
        ]
        constraints = [
            models.CheckConstraint(
                name="repair_that_is_hopeless_has_no_text",
                condition=Q(state="HOPELESS", meant="") | (~Q(state="HOPELESS") & ~Q(meant="")),
            ),
            models.CheckConstraint(
                name="repair_that_is_graded_has_a_grade",
                condition=Q(state="GRADED", accuracy__isnull=False, eed__isnull=False)
                & ~Q(verdict="")
                | ~Q(state="GRADED") & Q(accuracy=None, eed=None, verdict=""),
            ),
        ]

    def __str__(self) -> str:
        return f"What was meant in {self.item}"
