"""E-mails about a study: to whom, what became of each, and who wants no more."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.studies.models import Study
from phybench.people.models import User
from phybench.work.models import Leased


class LetterQuerySet(models.QuerySet["Letter"]):
    def to_send(self) -> Self:
        return self.filter(sent_at=None, failed_at=None)

    def failed(self) -> Self:
        return self.filter(failed_at__isnull=False)


class Letter(Leased):
    """One e-mail to one person about one study."""

    class Kind(models.TextChoices):
        INVITATION = "INVITATION", _("invitation")
        REMINDER = "REMINDER", _("reminder")

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="letters")
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(null=True, blank=True, editable=False)
    failure = models.TextField(blank=True, help_text=_("Why the last try failed."))

    objects = LetterQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="letters_not_sent",
                condition=Q(sent_at=None, failed_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "person"],
                condition=Q(kind="INVITATION"),
                name="one_invitation_by_mail_a_person",
            ),
            models.CheckConstraint(
                name="letter_is_sent_or_failed", condition=Q(sent_at=None) | Q(failed_at=None)
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="letter_stays_to_whom_it_is", fields=["study", "person", "kind", "made_at"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} to {self.study}"


class LettersOff(models.Model):
    """Somebody wants no more e-mails about a study."""

    study = models.ForeignKey(
        Study, on_delete=models.CASCADE, related_name="letters_off", db_index=False
    )
    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "letters off"
        constraints = [
            models.UniqueConstraint(fields=["study", "person"], name="letters_are_off_once"),
        ]

    def __str__(self) -> str:
        return f"No letters about {self.study}"
