"""Runs of judges: prompts and configurations, what is to be judged, and what was asked and said."""

from datetime import timedelta
from decimal import Decimal
from typing import Self

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt, Submission
from grading.calling.models import Endpoint
from grading.endpoints import Cost
from grading.judging.models.configurations import JudgeConfiguration
from phybench.models import User
from phybench.sentences import SentenceField

MONEY_PLACES = 6


class JudgeRunQuerySet(models.QuerySet["JudgeRun"]):
    def with_counts(self) -> Self:
        """Add how many items each has, how many wait and how many have a verdict."""
        real = Q(items__canary="")
        waits = Q(items__state__in=JudgeItem.WAITING)
        return self.annotate(
            total=Count("items", filter=real),
            waiting=Count("items", filter=waits),
            scored=Count("items", filter=real & Q(items__state="SCORED")),
        )


class JudgeRun(models.Model):
    """
    One configuration at work on one submission, for so much and no more.

    The pairwise judge compares it with an `other` one.
    """

    class State(models.TextChoices):
        RUNNING = "RUNNING", _("running")
        PAUSED = "PAUSED", _("paused")
        CANCELLED = "CANCELLED", _("cancelled")

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="judge_runs")
    other = models.ForeignKey(
        Submission,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="judge_runs_as_other",
        help_text=_("What a pairwise judge compares it with."),
    )
    configuration = models.ForeignKey(
        JudgeConfiguration, on_delete=models.PROTECT, related_name="runs"
    )
    started_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    purpose = models.CharField(max_length=300, help_text=_("Why it was started."))
    is_fresh = models.BooleanField(
        default=False, help_text=_("Whether it asks again what the same judge has answered.")
    )
    most_calls = models.PositiveIntegerField(null=True, blank=True)
    most_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    most_money = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    paused_for = models.CharField(max_length=40, blank=True)
    paused_message = SentenceField()
    # Calls of which nothing was heard, because their worker was killed: they may have cost.
    lost_calls = models.PositiveIntegerField(default=0)
    lost_tokens = models.PositiveBigIntegerField(default=0)
    lost_money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = JudgeRunQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="judge_run_is_paused_for_a_reason",
                condition=Q(state="PAUSED") & ~Q(paused_for="")
                | ~Q(state="PAUSED") & Q(paused_for=""),
            ),
            models.CheckConstraint(
                name="judge_run_compares_two",
                condition=Q(other=None) | ~Q(other=F("submission")),
            ),
        ]
        triggers = [
            pgtrigger.Trigger(
                name="judge_run_compares_what_can_be",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF (NEW.other_id IS NOT NULL) <> EXISTS (
                        SELECT 1 FROM grading_judgeconfiguration
                        WHERE id = NEW.configuration_id AND kind = 'PAIRWISE'
                    )
                    THEN RAISE EXCEPTION 'only the pairwise judge compares submissions';
                    END IF;
                    IF NEW.other_id IS NOT NULL AND (
                        SELECT COUNT(DISTINCT benchmark_id) FROM grading_submission
                        WHERE id IN (NEW.submission_id, NEW.other_id)
                    ) <> 1
                    THEN RAISE EXCEPTION 'submissions on two benchmarks are not compared';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.configuration} on {self.submission}"

    def get_absolute_url(self) -> str:
        return reverse("grading:judge_run", args=[self.pk])

    def lost(self) -> Cost:
        return Cost(self.lost_calls, self.lost_tokens, self.lost_money, self.lost_calls)


class RunJudge(models.Model):
    """One judge of a run: a model, and the endpoint at which it is asked."""

    run = models.ForeignKey(
        JudgeRun, on_delete=models.CASCADE, related_name="judges", db_index=False
    )
    name = models.CharField(max_length=300)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="+")
    model = models.CharField(max_length=200)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "name"], name="one_judge_a_name"),
        ]

    def __str__(self) -> str:
        return self.name


class JudgeItemQuerySet(models.QuerySet["JudgeItem"]):
    def waiting(self) -> Self:
        return self.filter(state__in=JudgeItem.WAITING)

    def unattended(self) -> Self:
        """Those that a killed worker held, or whose message was lost with the broker."""
        now, forgotten = timezone.now(), timedelta(seconds=settings.GRADING_FORGOTTEN_SECONDS)
        is_due = Q(queued_at__lt=now - forgotten, next_at=None) | Q(
            next_at__lt=now - timedelta(seconds=settings.CALLING_OVERDUE_SECONDS)
        )
        waits = Q(state=JudgeItem.State.QUEUED, run__state=JudgeRun.State.RUNNING)
        return self.filter(waits & is_due | Q(lease_until__lt=now))


class JudgeItem(models.Model):
    """
    One answer that a run judges, or a pair of them, or a canary that tries its judges.

    The state says how far the work got. What was said is in its judgements, one a round; a round
    begins when somebody asks again for what is missing.
    """

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("waits")
        JUDGING = "JUDGING", _("being judged")
        SCORED = "SCORED", _("has a verdict")
        UNSCORED = "UNSCORED", _("no verdict")
        SKIPPED = "SKIPPED", _("left out")
        CANCELLED = "CANCELLED", _("cancelled")

    WAITING = (State.QUEUED, State.JUDGING)

    run = models.ForeignKey(
        JudgeRun, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    attempt = models.ForeignKey(
        Attempt, on_delete=models.PROTECT, null=True, blank=True, related_name="judge_items"
    )
    other = models.ForeignKey(
        Attempt,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="judge_items_as_other",
        help_text=_("What it is compared with, of a pair."),
    )
    canary = models.CharField(max_length=40, blank=True)
    call_id = models.CharField(
        max_length=16, help_text=_("What the judge is to send back with its verdict.")
    )
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    reason = models.CharField(max_length=40, blank=True)
    round = models.PositiveIntegerField(default=1)
    queued_at = models.DateTimeField(default=timezone.now, editable=False)
    next_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0, help_text=_("Times that a worker took it."))
    lost = models.PositiveIntegerField(default=0, help_text=_("Workers that let go of it."))
    lease_until = models.DateTimeField(null=True, blank=True)
    # Set aside of the run's budget for the call that is under way.
    reserved_calls = models.PositiveIntegerField(default=0)
    reserved_tokens = models.PositiveIntegerField(default=0)
    reserved_money = models.DecimalField(
        max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0)
    )

    objects = JudgeItemQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["state", "lease_until"],
                name="judge_items_not_done",
                condition=Q(state__in=["QUEUED", "JUDGING"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "attempt"], name="one_item_an_attempt"),
            models.UniqueConstraint(fields=["run", "other"], name="one_item_an_other_attempt"),
            models.UniqueConstraint(
                fields=["run", "canary"], name="one_item_a_canary", condition=~Q(canary="")
            ),
            models.CheckConstraint(
                name="judge_item_is_an_attempt_or_a_canary",
                condition=Q(attempt=None, other=None) & ~Q(canary="")
                | Q(attempt__isnull=False, canary=""),
            ),
            models.CheckConstraint(
                name="judge_item_compares_two",
                condition=Q(other=None) | ~Q(other=F("attempt")),
            ),
            models.CheckConstraint(
                name="judge_item_is_leased_while_held",
                condition=Q(state="JUDGING", lease_until__isnull=False)
                | ~Q(state="JUDGING") & Q(lease_until=None),
            ),
            models.CheckConstraint(
                name="judge_item_without_verdict_says_why",
                condition=Q(state__in=["UNSCORED", "SKIPPED"]) & ~Q(reason="")
                | ~Q(state__in=["UNSCORED", "SKIPPED"]) & Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.canary or self.attempt_id} in run {self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("grading:judgement", args=[self.pk])

    @property
    def is_waiting(self) -> bool:
        return self.state in self.WAITING


class JudgementQuerySet(models.QuerySet["Judgement"]):
    def standing_first(self) -> Self:
        """
        Put the one that counts first: of those with a verdict the oldest.

        A run can be made afresh. Its verdicts show how steady a judge is, and take no other's
        place: nobody gains by asking until the judge says what they like.
        """
        has_verdict = models.Case(models.When(status="SCORED", then=0), default=1)
        return self.order_by(has_verdict, "pk")


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
        help_text=_("Empty of a canary, and of a pair: its verdict is of neither answer alone."),
    )
    status = models.CharField(max_length=10, choices=Status)
    verdict = models.JSONField(null=True, blank=True)
    is_right = models.BooleanField(
        null=True, blank=True, help_text=_("Whether the verdict takes the answer for right.")
    )
    value = models.FloatField(null=True, blank=True, help_text=_("The verdict as a number."))
    has_passed = models.BooleanField(
        null=True, blank=True, help_text=_("Of a canary: whether the verdict is the known one.")
    )
    stage = models.CharField(max_length=10, blank=True)
    rule = models.JSONField(null=True, blank=True)
    path = models.CharField(max_length=100, blank=True, help_text=_("How the reply was read."))
    flags = models.JSONField(default=list, blank=True)
    doubts = models.JSONField(
        default=list, blank=True, help_text=_("Why a person should look at it.")
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
