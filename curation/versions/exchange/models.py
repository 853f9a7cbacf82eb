"""Downloads that took problems out."""

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User


class Download(models.Model):
    """Problems that somebody took out: who, when, which texts, which fields, with keys or not."""

    class Format(models.TextChoices):
        JSON = "JSON", _("JSON list")
        JSONL = "JSONL", _("JSON lines")
        CSV = "CSV", _("CSV")
        DATASET = "DATASET", _("dataset for Hugging Face")

    person = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="downloads",
        help_text=_("Empty if a command did it."),
    )
    at = models.DateTimeField(default=timezone.now, editable=False)
    format = models.CharField(max_length=10, choices=Format)
    fields = ArrayField(models.CharField(max_length=20))
    has_keys = models.BooleanField(help_text=_("Whether it holds answers or solutions."))
    revisions = ArrayField(models.BigIntegerField(), help_text=_("Which texts, by number."))
    revisions_with_keys = ArrayField(models.BigIntegerField(), default=list, blank=True)
    asked = models.TextField(blank=True, help_text=_("Which list, and how it was filtered."))

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="download_with_keys_says_whose",
                condition=Q(has_keys=True) | Q(revisions_with_keys=[]),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="download_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.person or _('a command')}, {self.at:%Y-%m-%d %H:%M}"
