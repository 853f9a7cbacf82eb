"""Trials: a draft's statement sent to a model, and what came of each time."""

from typing import ClassVar, Self

import pgtrigger
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem
from curation.texts.references.reference import Reference, Wanted
from grading.answers.models import VerdictChoice
from grading.runs.models import Endpoint, ModelCall, ModelCallQuerySet, Run
from phybench.pages.sentences import SentenceField
from phybench.work.models import Leased
from phybench_grader import Declaration

MOST_TIMES = 8
"""Times that a model is asked in one trial."""


class TrialQuerySet(models.QuerySet["Trial"]):
    def unfinished(self) -> Self:
        """Those of which an answer is still to come."""
        return self.filter(
            models.Exists(TrialAnswer.objects.waiting().filter(trial=models.OuterRef("pk")))
        )


class Trial(Run):
    """
    One text of a problem tried on one model, so many times.

    It holds the text as it was sent and the reference as it was then: the draft changes. It shows
    its writers how a problem fares; nothing else is decided by it.
    """

    run = models.OneToOneField(
        Run, on_delete=models.CASCADE, parent_link=True, primary_key=True, related_name="trial"
    )
    problem = models.ForeignKey(Problem, on_delete=models.CASCADE, related_name="trials")
    endpoint = models.ForeignKey(Endpoint, on_delete=models.PROTECT, related_name="trials")
    model = models.CharField(max_length=200)
    host = models.CharField(max_length=300, help_text=_("Where the text was agreed to go."))
    times = models.PositiveIntegerField()
    text_sha256 = models.CharField(
        max_length=64, help_text=_("Of statement, symbols and answer: tells texts apart.")
    )
    prompt_name = models.CharField(max_length=40)
    prompt_sha256 = models.CharField(max_length=64)
    prompt = models.TextField(help_text=_("What was sent."))
    answer = models.TextField(_("reference answer"))
    declarations = models.JSONField(default=list, blank=True)
    wanted = models.JSONField(
        default=dict, blank=True, help_text=_("What is asked: quantity, unit, terms, conditions.")
    )
    statement = models.TextField(_("statement"), blank=True)
    longest_reply = models.PositiveIntegerField()

    objects: ClassVar = TrialQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="trial_asks_a_few_times",
                condition=Q(times__gte=1, times__lte=MOST_TIMES),
            )
        ]

    def __str__(self) -> str:
        return f"{self.problem} on {self.model}"

    @property
    def reference(self) -> Reference:
        return Reference(
            self.answer,
            tuple(Declaration(**one) for one in self.declarations),
            wanted=Wanted.read(self.wanted),
            statement=self.statement,
        )


class TrialAnswerQuerySet(models.QuerySet["TrialAnswer"]):
    def waiting(self) -> Self:
        """Those that are still to come to an end."""
        return self.exclude(state__in=TrialAnswer.ENDS)


class TrialAnswer(Leased):
    """
    One time that a model is asked: first for a reply, which is then graded.

    The states say how far the work got. A verdict is about the answer; a failure is about us, or
    about the endpoint, and is neither right nor wrong.
    """

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("waiting")
        CALLING = "CALLING", _("the model is asked")
        REPLIED = "REPLIED", _("not graded yet")
        GRADING = "GRADING", _("being graded")
        GRADED = "GRADED", _("graded")
        FAILED = "FAILED", _("undecided")
        CANCELLED = "CANCELLED", _("cancelled")

    ENDS = (State.GRADED, State.FAILED, State.CANCELLED)
    HELD = (State.CALLING, State.GRADING)

    trial = models.ForeignKey(
        Trial, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    number = models.PositiveIntegerField(validators=[MinValueValidator(1), MaxValueValidator(8)])
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    failures = models.JSONField(
        default=list, blank=True, help_text=_("Calls that failed: reason, retry_after.")
    )
    first_call_at = models.DateTimeField(null=True, blank=True)
    failure_reason = models.CharField(max_length=40, blank=True)
    failure_message = SentenceField()
    # What came.
    replied_at = models.DateTimeField(null=True, blank=True)
    response = models.TextField(blank=True)
    reasoning = models.TextField(blank=True, help_text=_("Told apart by the endpoint; not graded."))
    finish_reason = models.CharField(max_length=60, blank=True)
    model_reported = models.CharField(max_length=200, blank=True)
    # What the grader made of it.
    judge_version = models.CharField(max_length=40, blank=True)
    verdict = models.CharField(max_length=20, choices=VerdictChoice, blank=True)
    eed = models.FloatField(verbose_name="EED", null=True, blank=True)
    answer_read = models.TextField(blank=True)
    answer_typed = models.TextField(blank=True)
    reason = models.CharField(max_length=40, blank=True)
    message = SentenceField()
    graded_at = models.DateTimeField(null=True, blank=True)

    objects = TrialAnswerQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="trial_answers_not_done",
                condition=Q(state__in=["QUEUED", "CALLING", "REPLIED", "GRADING"]),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["trial", "number"], name="one_answer_a_time"),
            models.CheckConstraint(
                name="trial_answer_is_leased_while_held",
                condition=Q(state__in=["CALLING", "GRADING"], lease_until__isnull=False)
                | ~Q(state__in=["CALLING", "GRADING"]) & Q(lease_until=None),
            ),
            models.CheckConstraint(
                name="trial_answer_fails_with_a_reason",
                condition=Q(state="FAILED") & ~Q(failure_reason="")
                | ~Q(state="FAILED") & Q(failure_reason=""),
            ),
            models.CheckConstraint(
                name="only_a_reply_is_graded",
                condition=~Q(state__in=["REPLIED", "GRADING", "GRADED"])
                | Q(replied_at__isnull=False),
            ),
            models.CheckConstraint(
                name="trial_verdict_agrees_with_its_score",
                condition=Q(verdict="", eed=None) & ~Q(state="GRADED")
                | Q(state="GRADED")
                & (
                    Q(verdict="CORRECT", eed=100)
                    | Q(verdict="PARTIAL", eed__gt=0, eed__lt=100)
                    | Q(verdict="INCORRECT", eed=0)
                    | Q(verdict="UNREADABLE", eed=0) & ~Q(reason="")
                ),
            ),
        ]
        triggers = [
            # At the end: a draft takes both along, in whichever order.
            pgtrigger.Trigger(
                name="trial_answer_goes_with_its_calls",
                operation=pgtrigger.Delete,
                when=pgtrigger.After,
                timing=pgtrigger.Deferred,
                func="""
                    IF EXISTS (
                        SELECT FROM grading_modelcall
                        WHERE run_id = OLD.trial_id AND item = OLD.id
                    )
                    THEN RAISE EXCEPTION 'pgtrigger: trial_answer_goes_with_its_calls';
                    END IF;
                    RETURN OLD;
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.trial}, time {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("grading:trial_answer", args=[self.trial_id, self.number])

    @property
    def calls(self) -> ModelCallQuerySet:
        return ModelCall.objects.for_item(self.trial_id, self.pk)

    @property
    def is_waiting(self) -> bool:
        return self.state not in self.ENDS
