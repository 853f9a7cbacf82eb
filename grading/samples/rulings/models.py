"""What people say of single answers: given on a page, or labelled elsewhere and brought here."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.samples.labels.models import LabelFile
from phybench.people.models import User


class Ruling(models.Model):
    """
    What a person says of an answer. Never changed.

    On a page it is given blind to what judges said. A label from a file was given elsewhere, by a
    labeller whom the file names; `ruled_by` is who brought it.
    """

    class Choice(models.TextChoices):
        RIGHT = "RIGHT", _("right")
        WRONG = "WRONG", _("wrong")
        CANT_TELL = "CANT_TELL", _("can’t tell")

    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="rulings")
    ruled_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="rulings")
    choice = models.CharField(_("ruling"), max_length=10, choices=Choice)
    reason = models.TextField(_("reason"), blank=True)
    label_file = models.ForeignKey(
        LabelFile, on_delete=models.PROTECT, null=True, blank=True, related_name="labels"
    )
    labeller = models.CharField(
        max_length=120, blank=True, help_text=_("As the file names who labelled.")
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["attempt", "ruled_by"],
                name="one_ruling_a_person",
                condition=Q(label_file=None),
            ),
            models.UniqueConstraint(
                fields=["attempt", "labeller"],
                name="one_label_a_labeller",
                condition=Q(label_file__isnull=False),
            ),
            models.CheckConstraint(
                name="ruling_has_a_reason_or_a_labeller",
                condition=Q(label_file=None, labeller="") & ~Q(reason="")
                | Q(label_file__isnull=False) & ~Q(labeller=""),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="ruling_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.attempt} by {self.labeller or self.ruled_by}"
