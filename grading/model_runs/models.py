"""Runs of a model over a version of a benchmark: what is asked, and what came of each time."""

from decimal import Decimal
from typing import ClassVar, Self

import pgtrigger
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.versions.models import BenchmarkVersion, VersionItem
from grading.endpoints import Cause, Cost, Parameters
from grading.runs.models import MONEY_PLACES, Endpoint, ModelCall, ModelCallQuerySet, Run
from grading.solvers.models import Organisation
from phybench.pages.sentences import SentenceField
from phybench.work.models import Leased

MOST_SAMPLES = 16
"""Times that a model is asked each problem."""
LONGEST_NAME = 120


class ModelRunQuerySet(models.QuerySet["ModelRun"]):
    def with_counts(self) -> Self:
        """Add how many answers each has, how many wait, and how many failed for our reasons."""
        waits = Q(answers__state__in=ModelRunAnswer.WAITING)
        return self.annotate(
            total=Count("answers"),
            waiting=Count("answers", filter=waits),
            answered=Count("answers", filter=Q(answers__state="ANSWERED")),
            failed=Count("answers", filter=Q(answers__state="FAILED")),
        )

    def to_hand_over(self) -> Self:
        """Keep those all of whose calls have ended, and whose answers are in no draft yet."""
        waiting = ModelRunAnswer.objects.waiting().filter(run=OuterRef("pk"))
        return self.filter(~Exists(waiting), handed_over_at=None)


class ModelRun(Leased, Run):
    """
    One model asked all of a version, so many times each.

    What it is asked stays as it was begun. Once all its calls have ended, its answers are put into
    a draft like those of a file (`file`), and are graded when somebody says so. The lease is of who
    puts them there.
    """

    run = models.OneToOneField(
        Run,
        on_delete=models.CASCADE,
        parent_link=True,
        primary_key=True,
        related_name="model_run",
    )
    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="model_runs"
    )
    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.PROTECT, related_name="model_runs"
    )
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="model_runs")
    model = models.CharField(max_length=200)
    host = models.CharField(max_length=300, help_text=_("Where the texts were agreed to go."))
    name = models.CharField(
        max_length=LONGEST_NAME, help_text=_("The name under which its answers are submitted.")
    )
    samples = models.PositiveIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_SAMPLES)]
    )
    temperature = models.FloatField(null=True, blank=True)
    max_tokens = models.PositiveIntegerField()
    reasoning_effort = models.CharField(max_length=20, blank=True)
    includes_hidden = models.BooleanField(help_text=_("Whether the hidden part is asked as well."))
    prompt_name = models.CharField(max_length=40)
    prompt_sha256 = models.CharField(max_length=64)
    prompt_words = models.TextField(help_text=_("Ours, with the places that a problem fills."))
    handed_over_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects: ClassVar = ModelRunQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("run of a model")
        verbose_name_plural = _("runs of models")
        constraints = [
            models.CheckConstraint(
                name="model_run_asks_a_few_times",
                condition=Q(samples__gte=1, samples__lte=MOST_SAMPLES),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="model_run_stays_as_it_was_begun",
                # Its organisation may be merged into another.
                fields=[
                    "version", "endpoint", "model", "host", "name",
                    "samples", "temperature", "max_tokens", "reasoning_effort", "includes_hidden",
                    "prompt_name", "prompt_sha256", "prompt_words",
                ],
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"Run {self.pk}: {self.name}"

    def get_absolute_url(self) -> str:
        return reverse("grading:model_run", args=[self.pk])

    @property
    def parameters(self) -> Parameters:
        """What is asked for, besides the prompt."""
        return Parameters(
            model=self.model,
            max_tokens=self.max_tokens,
            temperature=self.temperature,
            reasoning_effort=self.reasoning_effort or None,
        )


class ModelRunAnswerQuerySet(models.QuerySet["ModelRunAnswer"]):
    def waiting(self) -> Self:
        """Keep those that are still to come to an end."""
        return self.filter(state__in=ModelRunAnswer.WAITING)

    def to_do(self) -> Self:
        """Those that wait, but not for somebody to resume their run, and those that are held."""
        waits = Q(state="QUEUED") & ~Q(run__state=ModelRun.State.PAUSED)
        return self.filter(waits | Q(state="CALLING"))

    def cost(self) -> Cost:
        """Add up what their calls cost."""
        sums = self.aggregate(
            **{name: models.Sum(name) for name in ("calls_made", "tokens", "money", "estimated")}
        )
        return Cost(
            sums["calls_made"] or 0,
            sums["tokens"] or 0,
            sums["money"] or Decimal(0),
            sums["estimated"] or 0,
        )


class ModelRunAnswer(Leased):
    """
    One time that a run asks a problem.

    Whatever the model gave is an answer: cut off, refused or empty, too. A failure is ours or the
    endpoint's: it is no answer and no missing one, and nothing is graded before it is settled.
    """

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("waiting")
        CALLING = "CALLING", _("the model is asked")
        ANSWERED = "ANSWERED", _("answered")
        FAILED = "FAILED", _("the call failed")
        CANCELLED = "CANCELLED", _("cancelled")

    WAITING = (State.QUEUED, State.CALLING)

    class Remark(models.TextChoices):
        """What is to be said of an answer, by the causes of `grading.endpoints`."""

        TRUNCATED = Cause.TRUNCATED.value, _("cut off")
        REFUSAL = Cause.REFUSAL.value, _("refused")
        CONTENT_FILTERED = Cause.CONTENT_FILTERED.value, _("filtered")
        EMPTY = Cause.EMPTY.value, _("no text")

    run = models.ForeignKey(
        ModelRun, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    item = models.ForeignKey(VersionItem, on_delete=models.PROTECT, related_name="+")
    sample = models.PositiveIntegerField(help_text=_("From 1."))
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    failures = models.JSONField(
        default=list, blank=True, help_text=_("Calls that failed: reason, retry_after.")
    )
    first_call_at = models.DateTimeField(null=True, blank=True)
    failure_reason = models.CharField(max_length=40, blank=True)
    failure_message = SentenceField()
    # What came.
    response = models.TextField(blank=True)
    reasoning = models.TextField(blank=True, help_text=_("Told apart by the endpoint; not graded."))
    remark = models.CharField(max_length=20, choices=Remark, blank=True)
    finish_reason = models.CharField(max_length=60, blank=True)
    model_reported = models.CharField(max_length=200, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveIntegerField(null=True, blank=True)
    latency = models.FloatField(
        null=True, blank=True, help_text=_("Seconds of the call that returned it.")
    )
    ended_at = models.DateTimeField(null=True, blank=True)
    # What all its calls cost, the failed ones too.
    calls_made = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))
    estimated = models.PositiveIntegerField(
        default=0, help_text=_("Of the calls, those whose tokens the endpoint did not tell.")
    )

    objects = ModelRunAnswerQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("answer of a run of a model")
        verbose_name_plural = _("answers of runs of models")
        indexes = [
            models.Index(
                fields=["run", "priority", "queued_at", "id"],
                name="run_answers_not_done",
                condition=Q(state__in=["QUEUED", "CALLING"]),
            ),
            models.Index(
                fields=["run"], name="run_answers_under_way", condition=Q(state="CALLING")
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "item", "sample"], name="one_run_answer_a_time"),
            models.CheckConstraint(
                name="run_answer_is_leased_while_held",
                condition=Q(state="CALLING", lease_until__isnull=False)
                | ~Q(state="CALLING") & Q(lease_until=None),
            ),
            models.CheckConstraint(
                name="run_answer_fails_with_a_reason",
                condition=Q(state="FAILED") & ~Q(failure_reason="")
                | ~Q(state="FAILED") & Q(failure_reason=""),
            ),
            models.CheckConstraint(
                name="only_what_was_answered_has_a_remark",
                condition=Q(state="ANSWERED") | Q(remark="", response=""),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="run_answer_stays_what_it_is", fields=["run", "item", "sample"]
            ),
            pgtrigger.Protect(
                name="run_answer_is_asked_for_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__state="ANSWERED"),
            ),
            pgtrigger.Protect(
                name="run_answer_stays_with_its_calls",
                operation=pgtrigger.Delete,
                condition=pgtrigger.Q(old__calls_made__gt=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item.identifier}, sample {self.sample}, in run {self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("grading:model_run_answer", args=[self.run_id, self.pk])

    @property
    def calls(self) -> ModelCallQuerySet:
        return ModelCall.objects.for_item(self.run_id, self.pk)

    @property
    def is_empty(self) -> bool:
        """Whether the model handed in nothing."""
        return self.state == self.State.ANSWERED and not self.response.strip()
