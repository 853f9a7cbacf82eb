"""What judges were asked and what came back: one row for each attempt, never changed."""

from decimal import Decimal

import pgtrigger
from django.db import models
from django.db.models import F, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.endpoints import Cost
from grading.judging.models.runs import MONEY_PLACES, JudgeItem


class JudgeCallQuerySet(models.QuerySet["JudgeCall"]):
    def cost(self) -> Cost:
        sums = self.aggregate(
            calls=Sum("calls"), tokens=Sum("tokens"), money=Sum("money"), estimated=Sum("estimated")
        )
        return Cost(
            sums["calls"] or 0,
            sums["tokens"] or 0,
            sums["money"] or Decimal(0),
            sums["estimated"] or 0,
        )


class JudgeCall(models.Model):
    """One attempt to have one judge say something of an item, and how its reply was read."""

    item = models.ForeignKey(
        JudgeItem, on_delete=models.PROTECT, related_name="calls", db_index=False
    )
    round = models.PositiveIntegerField()
    judge = models.CharField(max_length=300)
    repeat = models.PositiveIntegerField()
    order = models.CharField(max_length=20, blank=True)
    attempt = models.PositiveIntegerField()
    purpose = models.CharField(max_length=20)
    template = models.CharField(max_length=100)
    template_sha256 = models.CharField(max_length=64)
    request_sha256 = models.CharField(max_length=64)
    reply = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=40, blank=True, help_text=_("Why the call failed."))
    retry_after = models.FloatField(null=True, blank=True)
    read_path = models.CharField(max_length=100, blank=True)
    read_reason = models.CharField(max_length=40, blank=True)
    read_preference = models.CharField(
        max_length=3, blank=True, help_text=_("Of a pair: the place that it prefers, or TIE.")
    )
    read_flags = models.JSONField(default=list, blank=True)
    calls = models.PositiveIntegerField(default=1)
    tokens = models.PositiveIntegerField(default=0)
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))
    estimated = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = JudgeCallQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "round", "judge", "repeat", "order", "attempt"],
                name="one_judge_call_an_attempt",
            ),
            models.CheckConstraint(
                name="judge_call_has_a_reply_or_a_reason",
                condition=Q(reply__isnull=False) | ~Q(reason=""),
            ),
            models.CheckConstraint(
                name="no_more_of_a_judge_call_is_estimated",
                condition=Q(estimated__lte=F("calls")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="judge_call_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.judge}, {self.repeat}.{self.attempt} on item {self.item_id}"
