"""Files of labels, kept as they were brought."""

import pgtrigger
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

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
