"""What the API answered to requests that name a key, so that they can be sent again."""

from datetime import timedelta
from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from phybench.people.models import User

KEPT_FOR = timedelta(hours=24)


class KeptReplyQuerySet(models.QuerySet["KeptReply"]):
    def outdated(self) -> Self:
        return self.filter(made_at__lt=timezone.now() - KEPT_FOR)


class KeptReply(models.Model):
    """One request that did something, and its answer; kept for a day."""

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=200, help_text=_("As the program chose it."))
    path = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64, help_text=_("Of what was sent."))
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    reply = models.JSONField(null=True, blank=True)
    made_at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)

    objects = KeptReplyQuerySet.as_manager()

    class Meta:
        app_label = "grading"  # its table was made there, before the door was of all pages
        ordering = ["-pk"]
        verbose_name = _("answer of the API")
        verbose_name_plural = _("answers of the API")
        constraints = [
            models.UniqueConstraint(fields=["person", "key"], name="one_reply_a_key"),
        ]

    def __str__(self) -> str:
        return f"{self.path} ({self.key})"
