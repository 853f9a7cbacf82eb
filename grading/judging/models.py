"""Runs of judges, and what they judge: answers of submissions, or items of a file."""

from decimal import Decimal
from typing import ClassVar, Self

import pgtrigger
from django.db import models
from django.db.models import Count, F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.endpoints import Cost
from grading.judging.given import read_refusal, say_id
from grading.judging.prompts.models import JudgeConfiguration
from grading.runs.models import MONEY_PLACES, Endpoint, Run
from grading.solvers.models import Organisation
from phybench.people.models import User
from phybench.work.models import Leased
from phybench.work.triggers import require
from phybench_grader.judges.canaries import Canary
from phybench_grader.judges.empty_answers import EMPTY_BY_NAME
from phybench_grader.judges.kinds import KINDS
from phybench_grader.numbers.sentences import Sentence

IS_COMPARING = " OR ".join(f"kind = '{one.code}'" for one in KINDS.values() if one.compares)
"""In SQL, of a configuration: whether its kind of judge compares two answers."""


class JudgeFile(models.Model):
    """
    A file of items as it was uploaded, for runs of judges.

    What a line means hangs on the judge and on what is left to the item, so it is read anew for
    each run; the run keeps what was read.
    """

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="judge_files"
    )
    uploaded_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    file_name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, help_text=_("Of the file, byte for byte."))
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-pk"]
        triggers = [
            pgtrigger.Protect(name="judge_file_stays", operation=pgtrigger.Delete),
            # Its organisation may be merged into another.
            pgtrigger.Protect(
                name="judge_file_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "uploaded_by", "file_name", "sha256", "content", "created_at"
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.file_name

    def get_absolute_url(self) -> str:
        return reverse("grading:judge_file", args=[self.pk])


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


class JudgeRun(Run):
    """
    One configuration at work on one submission or one file, for so much and no more.

    A judge that compares two sets a submission beside an `other` one.
    """

    run = models.OneToOneField(
        Run,
        on_delete=models.CASCADE,
        parent_link=True,
        primary_key=True,
        related_name="judge_run",
    )
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, null=True, blank=True, related_name="judge_runs"
    )
    file = models.ForeignKey(
        JudgeFile, on_delete=models.PROTECT, null=True, blank=True, related_name="judge_runs"
    )
    other = models.ForeignKey(
        Submission,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="judge_runs_as_other",
        help_text=_("What it is compared with, by a judge that compares two."),
    )
    configuration = models.ForeignKey(
        JudgeConfiguration, on_delete=models.PROTECT, related_name="runs"
    )
    purpose = models.CharField(max_length=300, help_text=_("Why it was started."))
    is_fresh = models.BooleanField(
        default=False,
        help_text=_("Whether it asks again what the same judge has already answered."),
    )
    most_calls = models.PositiveIntegerField(null=True, blank=True)
    most_tokens = models.PositiveBigIntegerField(null=True, blank=True)
    most_money = models.DecimalField(max_digits=12, decimal_places=4, null=True, blank=True)
    # Calls of which nothing was heard, because their worker was killed: they may have cost.
    lost_calls = models.PositiveIntegerField(default=0)
    lost_tokens = models.PositiveBigIntegerField(default=0)
    lost_money = models.DecimalField(max_digits=16, decimal_places=MONEY_PLACES, default=Decimal(0))

    objects: ClassVar = JudgeRunQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="judge_run_is_on_a_submission_or_a_file",
                condition=Q(submission__isnull=False, file=None)
                | Q(submission=None, file__isnull=False, other=None),
            ),
            models.CheckConstraint(
                name="judge_run_compares_two",
                condition=Q(other=None) | ~Q(other=F("submission")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="judge_run_stays_as_it_was_begun",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    "submission",
                    "file",
                    "other",
                    "configuration",
                    "purpose",
                    "is_fresh",
                ),
            ),
            pgtrigger.Trigger(
                name="judge_run_compares_what_can_be",
                operation=pgtrigger.Insert | pgtrigger.Update,
                when=pgtrigger.Before,
                func=f"""
                    IF (NEW.other_id IS NOT NULL) <> EXISTS (
                        SELECT 1 FROM grading_judgeconfiguration
                        WHERE id = NEW.configuration_id AND {IS_COMPARING}
                    )
                    THEN RAISE EXCEPTION 'a judge that compares takes two submissions, others one';
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
        return f"{self.configuration} on {self.submission or self.file}"

    def get_absolute_url(self) -> str:
        return reverse("grading:judge_run", args=[self.pk])

    def get_subject(self) -> Submission | JudgeFile:
        """Return what it judges."""
        subject = self.submission or self.file
        assert subject is not None
        return subject

    def name_subject(self) -> str:
        """Name what it judges: the solver, or the file."""
        return str(self.submission.solver if self.submission else self.file)

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
        triggers = [
            pgtrigger.Protect(name="judge_of_a_run_stays_who_it_is", operation=pgtrigger.Update)
        ]

    def __str__(self) -> str:
        return self.name


class JudgeItemQuerySet(models.QuerySet["JudgeItem"]):
    def waiting(self) -> Self:
        return self.filter(state__in=JudgeItem.WAITING)

    def to_do(self) -> Self:
        """Those that wait, but not for somebody to resume their run, and those that are held."""
        waits = Q(state=JudgeItem.State.QUEUED) & ~Q(run__state=JudgeRun.State.PAUSED)
        return self.filter(waits | Q(state=JudgeItem.State.JUDGING))


class JudgeItem(Leased):
    """
    One answer that a run judges, or a pair, an item of a file, or a canary that tries its judges.

    The state says how far the work got. What was said is in its judgements, one a round; a round
    begins when somebody asks again for what is missing.
    """

    class State(models.TextChoices):
        QUEUED = "QUEUED", _("waiting")
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
    given = models.JSONField(
        null=True, blank=True, help_text=_("Of a file: the item, as its line was read.")
    )
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    reason = models.CharField(max_length=40, blank=True)
    round = models.PositiveIntegerField(default=1)
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
                fields=["run", "priority", "queued_at", "id"],
                name="judge_items_not_done",
                condition=Q(state__in=["QUEUED", "JUDGING"]),
            ),
            models.Index(
                fields=["run"], name="judge_items_under_way", condition=Q(state="JUDGING")
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "attempt"], name="one_item_an_attempt"),
            models.UniqueConstraint(fields=["run", "other"], name="one_item_an_other_attempt"),
            models.UniqueConstraint(
                fields=["run", "canary"], name="one_item_a_canary", condition=~Q(canary="")
            ),
            models.CheckConstraint(
                name="judge_item_is_an_attempt_or_a_canary",
                condition=Q(attempt=None, other=None, given=None) & ~Q(canary="")
                | Q(attempt__isnull=False, canary="", given=None)
                | Q(attempt=None, other=None, canary="", given__isnull=False),
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
        triggers = [
            pgtrigger.ReadOnly(
                name="judge_item_stays_what_it_is",
                fields=["run", "attempt", "other", "canary", "given"],
            ),
            pgtrigger.Protect(
                name="judge_item_keeps_its_verdict",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__state="SCORED")
                & pgtrigger.Q(old__state__df=pgtrigger.F("new__state")),
            ),
            require(
                "judge_item_is_of_its_runs_submissions",
                when=pgtrigger.Q(new__attempt__isnull=False),
                found="""
                    SELECT FROM grading_judgerun run
                    JOIN grading_attempt attempt ON attempt.submission_id = run.submission_id
                    LEFT JOIN grading_attempt other ON other.id = NEW.other_id
                    WHERE run.run_id = NEW.run_id AND attempt.id = NEW.attempt_id
                    AND other.submission_id IS NOT DISTINCT FROM run.other_id
                """,
            ),
        ]

    def __str__(self) -> str:
        what = self.canary or self.attempt_id or (self.given or {}).get("id")
        return f"{what} in run {self.run_id}"

    def get_absolute_url(self) -> str:
        return reverse("grading:judgement", args=[self.pk])

    @property
    def is_waiting(self) -> bool:
        return self.state in self.WAITING

    @property
    def given_name(self) -> str:
        """What the item of a file is called on pages."""
        return say_id(self.given or {})

    @property
    def refusal(self) -> Sentence | None:
        """Why it is not judged, if it is a line of a file that can't be used."""
        return read_refusal(self.given or {})

    @property
    def empty_answer(self) -> Canary | None:
        """The answer that holds nothing, if it is about one."""
        return EMPTY_BY_NAME.get(self.canary)
