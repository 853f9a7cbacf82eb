"""How far apart the reviews of a round are, and what an admin made of it."""

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import OVERRIDES, Step
from phybench.people.models import User


class RoundDisagreement(models.Model):
    """
    How far apart a round's reviews and solves are, as `curation.disagreement` measures it.

    It is computed from rows that never change, in the transaction that adds one, so that a bank
    of thousands of rounds is sorted by an index.
    """

    round = models.OneToOneField(ReviewRound, on_delete=models.CASCADE, related_name="disagreement")
    recommendations = models.FloatField(default=0.0)
    answers = models.FloatField(default=0.0)
    solves = models.FloatField(default=0.0)
    total = models.GeneratedField(
        expression=F("recommendations") + F("answers") + F("solves"),
        output_field=models.FloatField(),
        db_persist=True,
    )
    accept = models.PositiveIntegerField(default=0)
    revise = models.PositiveIntegerField(default=0)
    reject = models.PositiveIntegerField(default=0)
    agreeing = models.PositiveIntegerField(default=0, help_text=_("Blind solves."))
    differing = models.PositiveIntegerField(default=0, help_text=_("Blind solves."))

    class Meta:
        ordering = ["-total", "-round"]
        indexes = [
            models.Index(F("total").desc(), F("round").desc(), name="most_disagreement_first")
        ]
        constraints = [
            models.CheckConstraint(
                name="parts_of_disagreement_are_percentages",
                condition=Q(
                    recommendations__range=(0, 100), answers__range=(0, 100), solves__range=(0, 100)
                ),
            )
        ]

    def __str__(self) -> str:
        return f"{self.round}: {self.total:.0f} of 300"

    @property
    def parts(self) -> dict[str, float | None]:
        """Return how far apart they are, by kind; None where there is no pair, or no solve."""
        has_pair = self.accept + self.revise + self.reject > 1
        has_solve = self.agreeing + self.differing > 0
        return {
            "total": self.total if has_pair or has_solve or self.total else None,
            "recommendations": self.recommendations if has_pair or self.recommendations else None,
            "answers": self.answers if has_pair or self.answers else None,
            "solves": self.solves if has_solve or self.solves else None,
        }


class Adjudication(models.Model):
    """What an admin decided, or learned, where the reviews of a round disagree; and why."""

    round = models.ForeignKey(
        ReviewRound, on_delete=models.PROTECT, related_name="adjudications", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text=_("1, and one more for each later one."))
    step = models.CharField(
        max_length=20,
        choices=Step,
        blank=True,
        help_text=_("Its effect on the round; empty if it is only a finding."),
    )
    finding = models.TextField(help_text=_("The decision or finding."))
    reason = models.TextField()
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="adjudications")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            # Of two admins who have read the same, one is told of the other.
            models.UniqueConstraint(
                fields=["round", "number"], name="one_adjudication_a_round_and_number"
            ),
            models.UniqueConstraint(
                fields=["round"], condition=~Q(step=""), name="one_deciding_adjudication_a_round"
            ),
            models.CheckConstraint(
                name="adjudication_says_what_and_why",
                condition=~Q(finding="") & ~Q(reason="") & Q(step__in=["", *OVERRIDES]),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="adjudication_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.by} on {self.round}"
