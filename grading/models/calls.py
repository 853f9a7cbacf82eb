"""Every call to a model as it was made, what it cost, and what is under way."""

from decimal import Decimal
from typing import Self

import pgtrigger
from django.db import models
from django.db.models import F, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.endpoints import Cost
from grading.models.endpoints import Endpoint
from grading.models.trials import TrialAnswer

MONEY_PLACES = 6
"""Decimals of what a call cost."""


class ModelCallQuerySet(models.QuerySet["ModelCall"]):
    def cost(self) -> Cost:
        """Add up what they cost."""
        sums = self.aggregate(
            calls=models.Count("pk"),
            tokens=Sum("tokens"),
            money=Sum("money"),
            estimated=models.Count("pk", filter=Q(is_estimated=True)),
        )
        return Cost(
            sums["calls"], sums["tokens"] or 0, sums["money"] or Decimal(0), sums["estimated"]
        )


class ModelCall(models.Model):
    """
    One HTTP call as it was made: what was sent, without the key, and what came back.

    Never changed. What it was made for is one of the keys to other rows, or none, for a probe.
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="calls")
    trial_answer = models.ForeignKey(
        TrialAnswer, on_delete=models.CASCADE, null=True, blank=True, related_name="calls"
    )
    judge_call = models.ForeignKey(
        "grading.JudgeCall",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="exchanges",
    )
    model = models.CharField(max_length=200, blank=True, help_text=_("As it was asked for."))
    url = models.CharField(max_length=600)
    request = models.TextField(blank=True)
    status = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Empty if no response came.")
    )
    headers = models.JSONField(default=dict, blank=True)
    body = models.TextField(blank=True, help_text=_("As it came, up to a limit."))
    is_cut = models.BooleanField(default=False, help_text=_("Whether more came than is kept."))
    reason = models.CharField(max_length=40, blank=True, help_text=_("Why it failed."))
    model_reported = models.CharField(max_length=200, blank=True)
    fingerprint = models.CharField(max_length=200, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveIntegerField(null=True, blank=True)
    tokens = models.PositiveIntegerField(default=0, help_text=_("Those that the budget counts."))
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))
    is_estimated = models.BooleanField(
        default=False, help_text=_("Whether the endpoint did not tell what it used.")
    )
    seconds = models.FloatField()
    made_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ModelCallQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="call_that_brought_nothing_says_why",
                condition=Q(status__isnull=False) | ~Q(reason=""),
            ),
        ]
        triggers = [
            pgtrigger.Protect(name="call_is_append_only", operation=pgtrigger.Update),
            # It goes with a draft that nobody else saw, and with nothing else.
            pgtrigger.Trigger(
                name="call_stays_while_what_it_was_for_does",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM grading_trialanswer AS answer
                        JOIN grading_trial AS trial ON trial.id = answer.trial_id
                        WHERE answer.id = OLD.trial_answer_id
                        AND NOT EXISTS (
                            SELECT 1 FROM curation_revision
                            WHERE problem_id = trial.problem_id AND submitted_at IS NOT NULL
                        )
                    )
                    THEN RAISE EXCEPTION 'pgtrigger: Cannot delete from %', TG_TABLE_NAME;
                    END IF;
                    RETURN OLD;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model or self.url} at {self.endpoint}: {self.reason or self.status}"


class CallUnderWay(models.Model):
    """
    What is set aside for a call while it is made, so that others can't spend it.

    One whose worker was killed runs out, and counts as spent: the provider may charge for it.
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="under_way")
    model = models.CharField(max_length=200)
    tokens = models.PositiveIntegerField()
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES)
    until = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["endpoint", "until"])]

    def __str__(self) -> str:
        return f"{self.model} at {self.endpoint}"


class SpendingQuerySet(models.QuerySet["Spending"]):
    def cost(self) -> Cost:
        """Add up what was spent."""
        sums = self.aggregate(*map(Sum, ("calls", "tokens", "money", "estimated")))
        return Cost(
            sums["calls__sum"] or 0,
            sums["tokens__sum"] or 0,
            sums["money__sum"] or Decimal(0),
            sums["estimated__sum"] or 0,
        )

    def of_today(self) -> Self:
        return self.filter(day=timezone.now().date())


class Spending(models.Model):
    """What one model at one endpoint cost on one day (UTC); it outlives what it was spent on."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="spending")
    model = models.CharField(max_length=200)
    day = models.DateField()
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))
    estimated = models.PositiveIntegerField(
        default=0, help_text=_("Of the calls, those whose tokens the endpoint did not tell.")
    )

    objects = SpendingQuerySet.as_manager()

    class Meta:
        ordering = ["-day", "model"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "model", "day"], name="one_sum_a_day"),
            models.CheckConstraint(
                name="no_more_is_estimated_than_called",
                condition=Q(estimated__lte=F("calls"), money__gte=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.endpoint} on {self.day}"
