"""What a person made of it where the reviews of a round disagree."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import OVERRIDES, STAYING, Step
from phybench.people.models import User


class Adjudication(models.Model):
    """What somebody decided, asked for or noted where the reviews of a round disagree; and why."""

    round = models.ForeignKey(
        ReviewRound, on_delete=models.PROTECT, related_name="adjudications", db_index=False
    )
    number = models.PositiveSmallIntegerField(help_text=_("1, and one more for each later one."))
    step = models.CharField(
        max_length=20,
        choices=Step,
        blank=True,
        help_text=_("Its effect on the review; empty if it is only a note."),
    )
    reason = models.TextField(help_text=_("Why it was decided so, or the note."))
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
                fields=["round"],
                condition=Q(step__in=OVERRIDES),
                name="one_deciding_adjudication_a_round",
            ),
            models.CheckConstraint(
                name="adjudication_says_what_and_why",
                condition=~Q(reason="") & Q(step__in=["", *STAYING, *OVERRIDES]),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="adjudication_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.by} on {self.round}"
