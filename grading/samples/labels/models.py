"""What people say of single answers: on a page, or labelled elsewhere and brought in files."""

import pgtrigger
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from phybench.people.models import User


class LabelFile(models.Model):
    """
    A file of labels as it was brought: looked at first, and taken once somebody says so.

    Its rows are kept as they were read, those that are no label too, each with its number.
    """

    brought_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="label_files")
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, help_text=_("Of the file, byte for byte."))
    origin = models.CharField(
        max_length=500, help_text=_("Who labelled, when and by what instructions.")
    )
    rows = models.JSONField(help_text=_("As they were read."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    taken_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-pk"]
        triggers = [
            pgtrigger.Protect(
                name="label_file_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "brought_by", "file_name", "sha256", "origin", "rows", "created_at"
                ),
            ),
            pgtrigger.Protect(
                name="label_file_is_taken_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__taken_at__isnull=False),
            ),
            pgtrigger.Protect(
                name="taken_label_file_stays",
                operation=pgtrigger.Delete,
                condition=pgtrigger.Q(old__taken_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.file_name

    def get_absolute_url(self) -> str:
        return reverse("grading:label_file", args=[self.pk])


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
