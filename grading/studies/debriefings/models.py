"""What somebody said of a problem after they sat it."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.studies.sessions.models import SessionItem


class Debriefing(models.Model):
    """What one person said of one problem after their session; each part may be left out."""

    class Rating(models.IntegerChoices):
        ONE = 1, _("1, poor")
        TWO = 2, "2"
        THREE = 3, "3"
        FOUR = 4, "4"
        FIVE = 5, _("5, very good")

    class KeyOpinion(models.TextChoices):
        RIGHT = "RIGHT", _("right")
        WRONG = "WRONG", _("wrong")
        UNSURE = "UNSURE", _("not sure")

    class Cause(models.TextChoices):
        SLIP = "SLIP", _("a slip: I knew how, and made a mistake on the way")
        BELIEF = "BELIEF", _("a belief: I took something wrong to be true, or did not know how")

    item = models.OneToOneField(SessionItem, on_delete=models.PROTECT, related_name="debriefing")
    clarity = models.PositiveSmallIntegerField(
        _("How clear is the statement?"), choices=Rating, null=True, blank=True
    )
    rigour = models.PositiveSmallIntegerField(
        _("How rigorous is it: does it say all that the answer needs?"),
        choices=Rating,
        null=True,
        blank=True,
    )
    key_opinion = models.CharField(
        _("The reference answer is"), max_length=6, choices=KeyOpinion, blank=True
    )
    cause = models.CharField(
        _("Your answer is wrong because of"), max_length=6, choices=Cause, blank=True
    )
    comment = models.TextField(_("Comment"), max_length=2000, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="ratings_are_of_the_scale",
                condition=(Q(clarity=None) | Q(clarity__range=(1, 5)))
                & (Q(rigour=None) | Q(rigour__range=(1, 5))),
            ),
        ]

    def __str__(self) -> str:
        return f"What was said of {self.item}"
