"""Blind solves, and what a reviewer has typed and not submitted yet."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.reviewing.rounds.models import ReviewRound, require_open_round
from curation.texts.workflow import SolveOutcome
from phybench.pages.sentences import SentenceField
from phybench.people.models import User


class SolveKind(models.TextChoices):
    ANSWER = "ANSWER", _("an answer")
    AMBIGUOUS = "AMBIGUOUS", _("it is ambiguous")
    CANT_SOLVE = "CANT_SOLVE", _("I can’t solve it")
    NEEDS_FIGURE = "NEEDS_FIGURE", _("it needs a figure")


class BlindSolve(models.Model):
    """One reviewer's answer to the revision of a round, or why there is none; once, for good."""

    round = models.ForeignKey(
        ReviewRound, on_delete=models.PROTECT, related_name="solves", db_index=False
    )
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="blind_solves")
    kind = models.CharField(max_length=20, choices=SolveKind)
    answer = models.TextField(blank=True)
    reason = models.TextField(blank=True, help_text=_("Why there is no answer."))
    outcome = models.CharField(max_length=20, choices=SolveOutcome)
    eed = models.FloatField(null=True, blank=True)
    answer_read = models.TextField(blank=True)
    answer_typed = models.TextField(blank=True)
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
            ),
            require_open_round("blind_solve_is_given_while_its_round_is_open", at="solved_at"),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} by {self.reviewer} on {self.round}"


class ReviewDraftQuerySet(models.QuerySet["ReviewDraft"]):
    def newest(self) -> Self:
        """Choose what was begun and not submitted, the newest first."""
        return self.select_related("round__revision__problem", "round__version").order_by(
            "-saved_at"
        )


class ReviewDraft(models.Model):
    """
    What a reviewer has typed and not submitted: of a review, or of a blind solve.

    It is no review, and nobody's but theirs.
    """

    class Kind(models.TextChoices):
        REVIEW = "REVIEW", _("review")
        SOLVE = "SOLVE", _("blind solve")

    round = models.ForeignKey(
        ReviewRound, on_delete=models.PROTECT, related_name="drafts", db_index=False
    )
    reviewer = models.ForeignKey(User, on_delete=models.PROTECT, related_name="review_drafts")
    kind = models.CharField(max_length=10, choices=Kind)
    fields = models.JSONField(default=dict, help_text=_("The content of each field of the form."))
    saved_at = models.DateTimeField(auto_now=True)

    objects = ReviewDraftQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "reviewer", "kind"], name="one_review_draft_a_form"
            ),
            models.CheckConstraint(
                name="review_draft_kind_is_known", condition=Q(kind__in=["REVIEW", "SOLVE"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reviewer}’s on {self.round}"
