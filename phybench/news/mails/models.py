"""What somebody is to be told by e-mail, the e-mails that tell it, and who wants which."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from phybench.work.models import Leased


class When(models.TextChoices):
    AT_ONCE = "AT_ONCE", _("at once")
    DAILY = "DAILY", _("once a day")
    NEVER = "NEVER", pgettext_lazy("when e-mails are sent", "never")


class MailChoice(models.Model):
    """When somebody wants e-mails of one kind, where that is not as the kind begins."""

    person = models.ForeignKey(
        "phybench.User", on_delete=models.CASCADE, related_name="mail_choices", db_index=False
    )
    kind = models.CharField(max_length=20)
    when = models.CharField(max_length=10, choices=When)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("choice of e-mails")
        verbose_name_plural = _("choices of e-mails")
        constraints = [
            models.UniqueConstraint(fields=["person", "kind"], name="one_mail_choice_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}: {self.get_when_display()}"


class MailQuerySet(models.QuerySet["Mail"]):
    def to_send(self) -> Self:
        return self.filter(sent_at=None, failed_at=None)


class Mail(Leased):
    """
    One e-mail to one person, of what happened; it is written when it is sent.

    A mail server was asked to take it since `begun_at`. From then on it is not sent again, unless
    the server said no: whether it arrived could not be told.
    """

    person = models.ForeignKey("phybench.User", on_delete=models.CASCADE, related_name="mails")
    day = models.DateField(
        null=True, blank=True, help_text=_("The day, if it is the daily e-mail; otherwise empty.")
    )
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    begun_at = models.DateTimeField(null=True, blank=True, editable=False)
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(null=True, blank=True, editable=False)
    failure = models.TextField(blank=True, help_text=_("Why the last try failed."))

    objects = MailQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("e-mail")
        verbose_name_plural = _("e-mails")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="mails_not_sent",
                condition=Q(sent_at=None, failed_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "day"],
                condition=Q(day__isnull=False),
                name="one_mail_of_the_day",
            ),
            models.CheckConstraint(
                name="mail_is_sent_or_failed", condition=Q(sent_at=None) | Q(failed_at=None)
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="mail_stays_to_whom_it_is", fields=["person", "day", "made_at"]
            ),
        ]

    def __str__(self) -> str:
        return f"E-mail of {self.day or self.made_at:%Y-%m-%d}"


class News(models.Model):
    """One thing that somebody is told by e-mail, and the one e-mail that tells it."""

    person = models.ForeignKey(
        "phybench.User", on_delete=models.CASCADE, related_name="news", db_index=False
    )
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=60, help_text=_("By which its kind finds what happened."))
    at = models.DateTimeField(default=timezone.now, editable=False)
    mail = models.ForeignKey(
        Mail,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="news",
        help_text=_("Empty until an e-mail takes it up."),
    )

    class Meta:
        ordering = ["pk"]
        verbose_name = _("lines to be sent by e-mail")
        verbose_name_plural = _("lines to be sent by e-mail")
        indexes = [models.Index(fields=["id"], name="news_in_no_mail", condition=Q(mail=None))]
        constraints = [
            models.UniqueConstraint(fields=["person", "kind", "key"], name="news_is_told_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
