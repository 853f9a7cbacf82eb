"""Endpoints that models are called at."""

from decimal import Decimal
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.endpoints import (
    Allowance,
    BaseURL,
    Breaker,
    Capabilities,
    Limits,
    Prices,
    Rate,
    Reason,
)
from grading.expressions import Sentence

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
        _("money a day"),
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
            Reason(self.failing_for) if self.failing_for else None,
            self.failing_streak,
            Reason(self.open_for) if self.open_for else None,
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
    def probe_message(self) -> Sentence | None:
        """Say why it did not tell its models; None if it did."""
        if not self.probe_reason:
            return None
        is_of_call = self.probe_reason in {*Reason}
        return Sentence(f"call_{self.probe_reason}" if is_of_call else self.probe_reason)
