"""Who is asked to review what."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.reviewing.rounds.models import ReviewRound
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def open(self) -> Self:
        return self.filter(state=Assignment.State.OPEN)

    def overdue(self) -> Self:
        return self.open().filter(due_at__lt=timezone.now())

    def end(
        self,
        state: str = "ENDED",
        *,
        by: User | None = None,
        message: Sentence | None = None,
        reason: str = "",
    ) -> int:
        """End those that are open, with their stage or as said; what was written stays theirs."""
        return self.open().update(
            state=state, ended_at=timezone.now(), ended_by=by, message=message, reason=reason
        )


class Assignment(models.Model):
    """One reviewer asked for one review. However it ends, the row stays and says how."""

    class How(models.TextChoices):
        BY_HAND = "BY_HAND", _("by an admin")
        BY_RULE = "BY_RULE", _("by a rule")
        TAKEN = "TAKEN", _("taken from the open queue")

    class State(models.TextChoices):
        OPEN = "OPEN", _("open")
        DONE = "DONE", _("done")
        DECLINED = "DECLINED", _("declined")
        REVOKED = "REVOKED", pgettext_lazy("request", "withdrawn")
        ENDED = "ENDED", _("ended with its stage")

    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="assignments")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="assignments")
    how = models.CharField(max_length=20, choices=How)
    assigned_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The admin, or the reviewer who took it."),
    )
    assigned_at = models.DateTimeField(default=timezone.now, editable=False)
    due_at = models.DateTimeField(null=True, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    ended_at = models.DateTimeField(null=True, blank=True, editable=False)
    ended_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Empty if it ended with its stage."),
    )
    message = SentenceField(help_text=_("Why the app withdrew it."))
    reason = models.TextField(blank=True, help_text=_("Why it was declined or withdrawn."))
    instead_of = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="passed_on_as",
        help_text=_("The earlier request that this one replaces."),
    )

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ["assigned_at", "pk"]
        indexes = [models.Index(fields=["reviewer", "state"])]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer"],
                condition=Q(state="OPEN"),
                name="one_open_assignment_a_reviewer_and_round",
            ),
            models.CheckConstraint(
                name="assignment_origin_is_known",
                condition=Q(how__in=["BY_HAND", "BY_RULE", "TAKEN"]),
            ),
            models.CheckConstraint(
                name="ended_assignment_says_how",
                condition=Q(state="OPEN", ended_at=None, ended_by=None, reason="")
                | Q(state="DONE", ended_at__isnull=False, ended_by__isnull=False, reason="")
                | (
                    Q(
                        state__in=["DECLINED", "REVOKED"],
                        ended_at__isnull=False,
                        ended_by__isnull=False,
                    )
                    & (~Q(reason="") | Q(message__isnull=False))
                )
                | Q(state="ENDED", ended_at__isnull=False, ended_by=None, reason=""),
            ),
        ]
        triggers = [
            # Who was asked, and what came of it, is evidence.
            pgtrigger.Protect(name="assignment_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="ended_assignment_is_frozen",
                operation=pgtrigger.Update,
                condition=~pgtrigger.Q(old__state="OPEN"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}, {self.reviewer}: {self.state}"

    @property
    def is_overdue(self) -> bool:
        if self.state != self.State.OPEN or self.due_at is None:
            return False
        return self.due_at < timezone.now()
