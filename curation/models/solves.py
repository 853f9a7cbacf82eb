"""Blind solves: what reviewers made of a problem before they saw its answer."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.models.reviews import ReviewRound
from curation.workflow import SolveOutcome
from phybench.models import User
from phybench.sentences import SentenceField


class SolveKind(models.TextChoices):
    ANSWER = "ANSWER", _("an answer")
    AMBIGUOUS = "AMBIGUOUS", _("it is ambiguous")
    CANT_SOLVE = "CANT_SOLVE", _("I can’t solve it")
    NEEDS_FIGURE = "NEEDS_FIGURE", _("it needs a figure")


class BlindSolve(models.Model):
    """One reviewer's answer to the revision of a round, or why there is none; once, for good."""

    round = models.ForeignKey(ReviewRound, on_delete=models.PROTECT, related_name="solves")
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="blind_solves")
    kind = models.CharField(max_length=20, choices=SolveKind)
    answer = models.TextField(blank=True)
    reason = models.TextField(blank=True, help_text=_("Why there is no answer."))
    outcome = models.CharField(max_length=20, choices=SolveOutcome)
    eed = models.FloatField(null=True, blank=True)
    answer_read = models.TextField(blank=True)
    not_told_reason = models.CharField(max_length=40, blank=True)
    message = SentenceField()
    grader_version = models.CharField(max_length=20)
    solved_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["solved_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer"], name="one_blind_solve_a_reviewer_and_round"
            ),
            models.CheckConstraint(
                name="no_answer_has_a_reason_instead",
                condition=(
                    Q(kind=SolveKind.ANSWER) & ~Q(answer="") & ~Q(outcome=SolveOutcome.NO_ANSWER)
                )
                | (
                    ~Q(kind=SolveKind.ANSWER)
                    & Q(answer="", outcome=SolveOutcome.NO_ANSWER)
                    & ~Q(reason="")
                ),
            ),
            models.CheckConstraint(
                name="what_could_not_be_told_says_why",
                condition=(Q(outcome=SolveOutcome.NOT_TOLD) & ~Q(not_told_reason=""))
                | (~Q(outcome=SolveOutcome.NOT_TOLD) & Q(not_told_reason="")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="blind_solve_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.outcome} by {self.reviewer} on {self.round}"
