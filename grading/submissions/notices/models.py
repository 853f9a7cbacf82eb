"""Who wants to be told that what they had graded is graded, and whether they were."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.submissions.drafts.models import Draft
from phybench.people.models import User
from phybench.work.models import Leased


class NoticeQuerySet(models.QuerySet["Notice"]):
    def to_send(self) -> Self:
        """Keep those to send: all that was queued of their drafts is graded, or can't be."""
        waiting = Attempt.objects.waiting().filter(submission__made_from__draft=OuterRef("draft"))
        due = self.filter(sent_at=None, failed_at=None, draft__graded_at__isnull=False)
        return due.filter(~Exists(waiting))


class Notice(Leased):
    """One message, by e-mail or to an address of theirs, once a draft is graded."""

    class Way(models.TextChoices):
        MAIL = "MAIL", _("e-mail")
        WEBHOOK = "WEBHOOK", _("webhook")

    draft = models.ForeignKey(
        Draft, on_delete=models.CASCADE, related_name="notices", db_index=False
    )
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="+", help_text=_("Who asked for it.")
    )
    way = models.CharField(max_length=10, choices=Way)
    address = models.CharField(max_length=500, blank=True, help_text=_("Of a webhook."))
    sent_at = models.DateTimeField(null=True, blank=True, editable=False)
    failed_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When it was given up.")
    )
    failure = models.TextField(blank=True, help_text=_("Why the last try failed."))

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("notice that answers are graded")
        verbose_name_plural = _("notices that answers are graded")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="notices_not_sent",
                condition=Q(sent_at=None, failed_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["draft", "way"], name="one_notice_a_way"),
            models.CheckConstraint(
                name="webhook_has_an_address",
                condition=Q(way="MAIL", address="") | (Q(way="WEBHOOK") & ~Q(address="")),
            ),
            models.CheckConstraint(
                name="notice_is_sent_or_failed", condition=Q(sent_at=None) | Q(failed_at=None)
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="notice_stays_to_whom_it_is",
                fields=["draft", "person", "way", "address"],
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_way_display()} on draft {self.draft_id}"

    @property
    def state(self) -> str:
        if self.sent_at:
            return "sent"
        return "failed" if self.failed_at else "waiting"
