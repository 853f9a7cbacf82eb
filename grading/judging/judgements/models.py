"""What judges were asked and what came back: one row for each attempt, never changed."""

from decimal import Decimal
from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Exists, F, OuterRef, Q, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.endpoints import Cost
from grading.judging.models import JudgeItem
from grading.judging.prompts.models import JudgeConfiguration
from grading.runs.models import MONEY_PLACES
from phybench.pages.sentences import SentenceField


class JudgeCallQuerySet(models.QuerySet["JudgeCall"]):
    def without_verdict(self) -> Self:
        """Keep those of rounds without a verdict: they go on, were stopped, or failed."""
        of_round = Judgement.objects.filter(item=OuterRef("item"), round=OuterRef("round"))
        return self.exclude(Exists(of_round.filter(status=Judgement.Status.SCORED)))

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
    token = models.CharField(
        max_length=20, blank=True, help_text=_("The code that the reply has to bear.")
    )
    reply = models.JSONField(null=True, blank=True)
    reason = models.CharField(max_length=40, blank=True, help_text=_("Why the call failed."))
    retry_after = models.FloatField(null=True, blank=True)
    read_path = models.CharField(max_length=100, blank=True)
    read_reason = models.CharField(max_length=40, blank=True)
    read_preference = models.CharField(
        max_length=3, blank=True, help_text=_("Of a pair: the place that it prefers, or TIE.")
    )
    says_right = models.BooleanField(
        null=True,
        blank=True,
        help_text=_("Whether it says that the answer is right; empty where it does not say."),
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


class JudgementQuerySet(models.QuerySet["Judgement"]):
    _verdicts_first = models.Case(models.When(status="SCORED", then=0), default=1)

    def standing_first(self) -> Self:
        """
        Put the one that counts first: of those with a verdict the oldest.

        A run can be made afresh. Its verdicts show how steady a judge is, and take no other's
        place: nobody gains by asking until the judge says what they like.
        """
        return self.order_by(self._verdicts_first, "pk")

    def standing(self) -> Self:
        """Keep the one of each attempt that counts."""
        return self.order_by("attempt_id", self._verdicts_first, "pk").distinct("attempt_id")


class Judgement(models.Model):
    """What a run's judges said of an item in one round: a verdict, or why there is none."""

    class Status(models.TextChoices):
        SCORED = "SCORED", _("has a verdict")
        UNSCORED = "UNSCORED", _("no verdict")
        SKIPPED = "SKIPPED", _("left out")

    item = models.ForeignKey(
        JudgeItem, on_delete=models.PROTECT, related_name="judgements", db_index=False
    )
    round = models.PositiveIntegerField()
    configuration = models.ForeignKey(
        JudgeConfiguration, on_delete=models.PROTECT, related_name="judgements"
    )
    attempt = models.ForeignKey(
        Attempt,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="judgements",
        help_text=_(
            "Empty for a trap item and for a pair: the verdict is not about one answer alone."
        ),
    )
    status = models.CharField(max_length=10, choices=Status)
    verdict = models.JSONField(null=True, blank=True)
    is_right = models.BooleanField(
        null=True, blank=True, help_text=_("Whether the verdict is that the answer is right.")
    )
    value = models.FloatField(null=True, blank=True, help_text=_("The verdict as a number."))
    has_passed = models.BooleanField(
        null=True, blank=True, help_text=_("For a trap item: whether the verdict is the known one.")
    )
    stage = models.CharField(max_length=10, blank=True)
    rule = models.JSONField(null=True, blank=True)
    path = models.CharField(max_length=100, blank=True, help_text=_("How the reply was read."))
    flags = models.JSONField(default=list, blank=True)
    doubts = models.JSONField(
        default=list, blank=True, help_text=_("Why a person should check it.")
    )
    reason = models.CharField(max_length=40, blank=True)
    message = SentenceField()
    votes = models.JSONField(default=list, blank=True)
    symbolic_verdict = models.CharField(max_length=20, blank=True)
    other_symbolic_verdict = models.CharField(
        max_length=20, blank=True, help_text=_("Of a pair: that of the other answer.")
    )
    calls = models.PositiveIntegerField(default=0)
    tokens = models.PositiveIntegerField(default=0)
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))
    estimated = models.PositiveIntegerField(default=0)
    input_sha256 = models.CharField(max_length=64)
    versions = models.JSONField(default=dict, blank=True)
    reused = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = JudgementQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["configuration", "input_sha256"], name="judgement_reuse")]
        constraints = [
            models.UniqueConstraint(fields=["item", "round"], name="one_judgement_a_round"),
            models.CheckConstraint(
                name="judgement_has_a_verdict_or_a_reason",
                condition=Q(status="SCORED", verdict__isnull=False, reason="")
                | ~Q(status="SCORED")
                & Q(verdict__isnull=True, is_right=None, value=None)
                & ~Q(reason=""),
            ),
            # Several judges may have no verdict together, and one of them fallen for a canary.
            models.CheckConstraint(
                name="judgement_without_verdict_passed_nothing",
                condition=Q(status="SCORED") | Q(has_passed=None) | Q(has_passed=False),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="judgement_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            )
        ]

    def __str__(self) -> str:
        return f"{self.status} on item {self.item_id}, round {self.round}"
