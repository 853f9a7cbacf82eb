"""Runs, the endpoints that models are called at, every call as it was made, and what it cost."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Self

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q, Sum
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.endpoints import (
    Allowance,
    BaseURL,
    Breaker,
    Capabilities,
    Cause,
    Cost,
    Limits,
    Prices,
    Rate,
)
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench.work.triggers import require
from phybench_grader.numbers.sentences import Sentence

MARGIN_SECONDS = 30.0
"""That a call is given, over its own limit, before it counts as lost."""
NOT_NEGATIVE = [MinValueValidator(Decimal(0))]
A_PRICE = [*NOT_NEGATIVE, MaxValueValidator(Decimal(10_000))]
MOST_TOKENS = 1_000_000
"""Of one reply."""


class EndpointQuerySet(models.QuerySet["Endpoint"]):
    def in_use(self) -> Self:
        """Those that may be called now, and offer a model."""
        return self.filter(is_active=True, open_for="").exclude(offered=[])


class Endpoint(models.Model):
    """
    Where models are called: its address and key, how fast and for how much, and how it did lately.

    The key is kept encrypted and is never shown; what an admin sets and what calls change are
    written apart, so that neither undoes the other.
    """

    name = models.CharField(_("name"), max_length=80, unique=True)
    base_url = models.CharField(_("base URL"), max_length=500)
    key_encrypted = models.TextField(blank=True, editable=False)
    key_hint = models.CharField(max_length=10, blank=True, editable=False)
    key_fingerprint = models.CharField(max_length=12, blank=True, editable=False)
    offered: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=200), verbose_name=_("models"), default=list, blank=True
    )
    is_active = models.BooleanField(_("may be called"), default=True)
    # How much.
    price_prompt = models.DecimalField(
        _("price of a million tokens sent"),
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=A_PRICE,
    )
    price_completion = models.DecimalField(
        _("price of a million tokens received"),
        max_digits=12,
        decimal_places=4,
        default=Decimal(0),
        validators=A_PRICE,
    )
    currency = models.CharField(_("currency"), max_length=8, default="USD")
    # Authors spend it: without end only where an admin says so.
    daily_calls = models.PositiveIntegerField(_("calls a day"), default=500, null=True, blank=True)
    daily_tokens = models.PositiveBigIntegerField(_("tokens a day"), null=True, blank=True)
    daily_money = models.DecimalField(
        _("cost a day"),
        max_digits=12,
        decimal_places=4,
        null=True,
        blank=True,
        validators=NOT_NEGATIVE,
    )
    # How fast, how long, how large.
    requests_a_minute = models.PositiveIntegerField(_("calls a minute"), null=True, blank=True)
    tokens_a_minute = models.PositiveIntegerField(_("tokens a minute"), null=True, blank=True)
    calls_at_once = models.PositiveIntegerField(
        _("calls at the same time"), default=4, validators=[MinValueValidator(1)]
    )
    seconds_a_call = models.PositiveIntegerField(
        _("seconds for one call"), default=300, validators=[MinValueValidator(1)]
    )
    longest_reply = models.PositiveIntegerField(
        _("tokens of the longest reply"),
        default=16_000,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_TOKENS)],
    )
    # What calls teach, and change.
    limiter = models.JSONField(default=dict, blank=True, editable=False)
    capabilities = models.JSONField(
        default=dict, blank=True, editable=False, help_text=_("What is known of each model.")
    )
    failing_for = models.CharField(max_length=40, blank=True, editable=False)
    failing_streak = models.PositiveIntegerField(default=0, editable=False)
    open_for = models.CharField(
        max_length=40, blank=True, editable=False, help_text=_("Why it is not called any more.")
    )
    # The last time that it was asked which models it has.
    probed_at = models.DateTimeField(null=True, blank=True, editable=False)
    probe_reason = models.CharField(max_length=40, blank=True, editable=False)
    probe_detail = models.TextField(blank=True, editable=False)
    models_found: "ArrayField[list[str], list[str]]" = ArrayField(
        models.CharField(max_length=200), default=list, blank=True, editable=False
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = EndpointQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                name="key_comes_with_its_fingerprint",
                condition=Q(key_encrypted="", key_fingerprint="", key_hint="")
                | ~Q(key_encrypted="") & ~Q(key_fingerprint=""),
            ),
            models.CheckConstraint(
                name="endpoint_costs_nothing_or_something",
                condition=Q(price_prompt__gte=0, price_completion__gte=0)
                & (Q(daily_money=None) | Q(daily_money__gte=0)),
            ),
            models.CheckConstraint(
                name="endpoint_takes_a_call",
                condition=Q(calls_at_once__gte=1, seconds_a_call__gte=1, longest_reply__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("grading:endpoint", args=[self.pk])

    @property
    def address(self) -> BaseURL:
        return BaseURL.parse(self.base_url)

    @property
    def host(self) -> str:
        """Where texts go, port and all: what people are asked to agree to."""
        return self.address.authority

    @property
    def prices(self) -> Prices:
        return Prices(self.price_prompt, self.price_completion)

    @property
    def allowance(self) -> Allowance:
        """What may be spent in a day."""
        return Allowance(self.daily_calls, self.daily_tokens, self.daily_money)

    @property
    def longest_call(self) -> float:
        """Seconds after which a call of which nothing was heard counts as lost."""
        return self.seconds_a_call + MARGIN_SECONDS

    @property
    def rate(self) -> Rate:
        return Rate(
            self.requests_a_minute,
            self.tokens_a_minute,
            self.calls_at_once,
            longest_call=self.longest_call,
        )

    @property
    def limits(self) -> Limits:
        return Limits(total=float(self.seconds_a_call), silence=float(self.seconds_a_call))

    def capabilities_of(self, model: str) -> Capabilities:
        return Capabilities.from_json(self.capabilities.get(model, {}))

    @property
    def breaker(self) -> Breaker:
        return Breaker(
            Cause(self.failing_for) if self.failing_for else None,
            self.failing_streak,
            Cause(self.open_for) if self.open_for else None,
        )

    @property
    def can_be_called(self) -> bool:
        return self.is_active and not self.open_for

    @property
    def why_not(self) -> Sentence | None:
        """Say why it is not called; None if it is."""
        if not self.is_active:
            return Sentence("endpoint_paused")
        return Sentence(f"call_{self.open_for}") if self.open_for else None

    @property
    def closed_until(self) -> datetime | None:
        """Until when it asked to be left alone; None if it may be called as far as it said."""
        until = float(self.limiter.get("closed_until", 0.0))
        at = datetime.fromtimestamp(until, UTC)
        return at if at > timezone.now() else None

    @property
    def why_closed(self) -> Sentence:
        """Say what it answered when it asked so."""
        return Sentence(f"call_{self.limiter.get('closed_for') or Cause.RATE_LIMITED}")

    @property
    def probe_message(self) -> Sentence | None:
        """Say why it did not tell its models; None if it did."""
        if not self.probe_reason:
            return None
        is_of_call = self.probe_reason in {*Cause}
        return Sentence(f"call_{self.probe_reason}" if is_of_call else self.probe_reason)


MONEY_PLACES = 6
"""Decimals of what a call cost."""


class Run(models.Model):
    """
    What calls are made for: each run of a model or of a judge, and each trial of a draft, is one.

    It holds what they have in common. Calls and reservations are of a run, whichever kind it is.
    """

    class State(models.TextChoices):
        RUNNING = "RUNNING", _("running")
        PAUSED = "PAUSED", _("paused")
        CANCELLED = "CANCELLED", _("cancelled")
        ENDED = "ENDED", _("ended")

    state = models.CharField(max_length=10, choices=State, default=State.RUNNING)
    paused_for = models.CharField(max_length=40, blank=True)
    paused_message = SentenceField()
    started_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="run_is_paused_for_a_reason",
                condition=Q(state="PAUSED") & ~Q(paused_for="")
                | ~Q(state="PAUSED") & Q(paused_for=""),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(name="run_stays_whose_it_is", fields=["started_by", "created_at"]),
        ]

    def __str__(self) -> str:
        return f"Run {self.pk}"


class ModelCallQuerySet(models.QuerySet["ModelCall"]):
    def for_item(self, run_id: int, item: int) -> Self:
        """Keep those that a run made for one of its items."""
        return self.filter(run=run_id, item=item)


class ModelCall(models.Model):
    """
    One HTTP call as it was made: what was sent, without the key, and what came back.

    Never changed. `item` is the key of what its run made it for: an answer of a model, or a call of
    a judge. A probe has neither; nor has an item what came when somebody else had that already.
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="calls")
    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, null=True, blank=True, related_name="calls", db_index=False
    )
    item = models.PositiveBigIntegerField(
        null=True,
        blank=True,
        help_text=_("Number of the answer, or of the question to a judge, that it was made for."),
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
            models.CheckConstraint(
                name="call_for_an_item_is_of_a_run",
                condition=Q(item=None) | Q(run__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["run", "item"], name="calls_of_an_item")]
        triggers = [
            pgtrigger.Protect(name="call_is_append_only", operation=pgtrigger.Update),
            require(
                "call_is_for_an_item_of_its_run",
                when=pgtrigger.Q(new__item__isnull=False),
                found="""
                    SELECT FROM grading_modelrunanswer
                    WHERE id = NEW.item AND run_id = NEW.run_id
                    UNION ALL
                    SELECT FROM grading_trialanswer
                    WHERE id = NEW.item AND trial_id = NEW.run_id
                    UNION ALL
                    SELECT FROM grading_judgecall call
                    JOIN grading_judgeitem item ON item.id = call.item_id
                    WHERE call.id = NEW.item AND item.run_id = NEW.run_id
                """,
            ),
            # It goes with a draft that nobody else saw, and with nothing else.
            pgtrigger.Trigger(
                name="call_stays_while_what_it_was_for_does",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF NOT EXISTS (
                        SELECT 1 FROM grading_trial AS trial
                        WHERE trial.run_id = OLD.run_id
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


class Reservation(models.Model):
    """
    What a run may still cost at an endpoint: no one else can count on it.

    It shrinks with each call of the run, and goes when the run ends, is paused or cancelled.
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="reservations")
    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="reservations", db_index=False
    )
    calls = models.PositiveIntegerField()
    tokens = models.PositiveBigIntegerField()
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "endpoint"], name="run_reserves_once"),
        ]

    def __str__(self) -> str:
        return f"{self.calls} calls at {self.endpoint}"


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

    endpoint = models.ForeignKey(
        Endpoint, on_delete=models.PROTECT, related_name="spending", db_index=False
    )
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
