"""Who is asked to review what, and plans of it."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.reviewing.rounds.models import ReviewRound
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def open(self) -> Self:
        return self.filter(state=Assignment.State.OPEN)

    def overdue(self) -> Self:
        return self.open().filter(due_at__lt=timezone.now())

    def finish(self, reviewer: User) -> None:
        """Note that a reviewer has given the review they were asked for, if they were."""
        self.open().filter(reviewer=reviewer).update(
            state=Assignment.State.DONE, ended_at=timezone.now(), ended_by=reviewer
        )

    def end(self) -> None:
        """End what is still open of a round that closes."""
        self.open().update(state=Assignment.State.ENDED, ended_at=timezone.now())

    def take_back(self, *, by: User, message: Sentence, reason: str = "") -> int:
        """Take open assignments back; what their reviewers wrote stays theirs."""
        return self.open().update(
            state=Assignment.State.REVOKED,
            ended_at=timezone.now(),
            ended_by=by,
            message=message,
            reason=reason,
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
        REVOKED = "REVOKED", _("withdrawn")
        ENDED = "ENDED", _("ended with its round")

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
        help_text=_("Empty if it ended with its round."),
    )
    message = SentenceField(help_text=_("Why the app withdrew it."))
    reason = models.TextField(blank=True, help_text=_("Why it was declined or withdrawn."))
    instead_of = models.OneToOneField(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="passed_on_as",
        help_text=_("The earlier assignment that this one replaces."),
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


class AssignmentPlan(models.Model):
    """Who would get what by a rule, as an admin was shown it; carried out once, as it stands."""

    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="assignment_plans")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    rule = models.JSONField(help_text=_("The rule used."))
    carried_out_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-made_at", "-pk"]
        triggers = [
            pgtrigger.Protect(
                name="carried_out_plan_is_frozen",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__carried_out_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"plan {self.pk} of {self.made_by}"


class PlannedAssignment(models.Model):
    """One row of a plan: a round, and who would review it or why nobody would."""

    plan = models.ForeignKey(
        AssignmentPlan, on_delete=models.CASCADE, related_name="rows", db_index=False
    )
    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="+")
    reviewer = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    why_message = SentenceField(help_text=_("Why places stay free."))
    why_nobody = models.TextField(
        blank=True, help_text=_("The same, as text of an earlier version of the app.")
    )
    assignment = models.OneToOneField(
        Assignment, on_delete=models.PROTECT, null=True, blank=True, related_name="planned_as"
    )
    refusal_message = SentenceField(help_text=_("Why it was not possible."))
    refusal = models.TextField(
        blank=True, help_text=_("The same, as text of an earlier version of the app.")
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["plan", "round", "reviewer"], name="one_row_a_plan_round_and_reviewer"
            ),
            models.CheckConstraint(
                name="a_row_without_a_reviewer_says_why",
                condition=Q(reviewer__isnull=False, why_nobody="", why_message=None)
                | (Q(reviewer=None) & (~Q(why_nobody="") | Q(why_message__isnull=False))),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.reviewer or self.why}"

    @property
    def why(self) -> Sentence | str:
        """Why places stay free; "" where there is a reviewer."""
        return self.why_message or self.why_nobody

    @property
    def why_refused(self) -> Sentence | str:
        """Why it was not possible; "" where it was, or was not tried."""
        return self.refusal_message or self.refusal
