"""Answers, and what each is worth."""

from typing import TYPE_CHECKING, Self, TypedDict

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import MD5, Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from curation.reports.models import Erratum
from grading.answers.counting import COUNTING
from grading.answers.runs.models import GradingRun, Override, RunKey, require_its_runs_benchmark
from grading.solvers.models import Solver
from phybench.pages.sentences import SentenceField
from phybench.work.models import Leased
from phybench.work.triggers import require
from phybench_grader.numbers.limits import OVER_LIMITS
from phybench_grader.reading.reading import TELLING

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


LEFT_TO_A_PERSON = Q(status="FAILED", failure_reason__in=TELLING | OVER_LIMITS)


class AttemptQuerySet(models.QuerySet["Attempt"]):
    def waiting(self) -> Self:
        return self.filter(status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING])

    def for_grading(self) -> Self:
        """Fetch what is asked of each; texts of revisions are fetched once, with their keys."""
        own = [one.name for one in Attempt._meta.concrete_fields]
        related = self.select_related("revision__problem", "solver")
        return related.only(*own, "revision__problem__benchmark", "solver__user")

    def unseen(self) -> Self:
        """Keep what no worker has taken yet; what is tried again was seen before."""
        return self.waiting().filter(tries=0)

    def graded(self) -> Self:
        return self.filter(status=Attempt.Status.GRADED)

    def counting(self) -> Self:
        """Leave out what was cancelled; of a person's answers, what another took the place of."""
        return self.exclude(status=Attempt.Status.CANCELLED)

    def telling(self) -> Self:
        """Keep those that tell what the key is: by a grade, or by why a person must give it."""
        left_to_a_person = models.Q(status=Attempt.Status.FAILED, failure_reason__in=TELLING)
        # Graded, it may be, before another took its place.
        replaced = models.Q(status=Attempt.Status.CANCELLED, submission=None)
        # The page counts it before its grade is there, and it may be cancelled by then.
        known = models.Q(status=Attempt.Status.GRADED) | models.Q(wrong_at__isnull=False)
        return self.filter(left_to_a_person | replaced | known)

    def for_a_person(self) -> Self:
        """Keep those that the grader leaves to a person for their words, for no fault of ours."""
        return self.filter(LEFT_TO_A_PERSON)


class Attempt(Leased):
    """One answer to one revision: `sample` k of what a submission holds for it."""

    class Status(models.TextChoices):
        QUEUED = "QUEUED", _("queued")
        GRADING = "GRADING", _("being graded")
        GRADED = "GRADED", _("graded")
        FAILED = "FAILED", _("not graded")
        CANCELLED = "CANCELLED", _("cancelled")

    class Origin(models.TextChoices):
        FILE = "FILE", _("a submission")
        OUTSIDE = "OUTSIDE", _("a person, outside studies")
        STUDY = "STUDY", _("a person, in a session of a study")

    solver = models.ForeignKey(Solver, on_delete=models.PROTECT, related_name="attempts")
    submission = models.ForeignKey(
        "grading.Submission",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="attempts",
    )
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="attempts")
    origin = models.CharField(max_length=7, choices=Origin, editable=False)
    sample = models.PositiveIntegerField(default=1)
    response = models.TextField(help_text=_("The whole response, as submitted."))
    finish_reason = models.CharField(
        max_length=40, blank=True, help_text=_("Why the model stopped, as its file says.")
    )
    tokens = models.PositiveBigIntegerField(
        null=True, blank=True, help_text=_("That the model wrote, as its file says.")
    )
    latency = models.FloatField(null=True, blank=True, help_text=_("Seconds, as its file says."))
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    failure_reason = models.CharField(max_length=40, blank=True)
    failure_message = SentenceField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    wrong_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=_(
            "When it was found to be wrong; how far it is from right may not be known yet."
        ),
    )
    told_at = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text=_("Since when the study it is of tells its person how it was graded."),
    )

    objects = AttemptQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="attempts_not_done",
                condition=Q(status__in=["QUEUED", "GRADING"]),
            ),
            models.Index(
                fields=["submission"],
                name="answers_not_begun",
                condition=Q(status__in=["QUEUED", "GRADING"], tries=0),
            ),
            models.Index(
                fields=["submission", "queued_at"],
                name="answers_not_graded",
                condition=Q(status="FAILED"),
            ),
            # Where the same answer was graded before (`known.py`); responses are too long for one.
            models.Index("revision", MD5("response"), name="attempts_in_the_same_words"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["submission", "revision", "sample"],
                include=["id", "status"],  # what a board and the lists of submissions count
                name="one_attempt_a_sample",
                condition=Q(submission__isnull=False),
            ),
            # A second try would know how the first was graded.
            models.UniqueConstraint(
                fields=["solver", "revision"],
                name="one_attempt_a_person",
                condition=Q(submission=None) & ~Q(status="CANCELLED"),
            ),
            models.CheckConstraint(
                name="leased_while_graded",
                condition=Q(status="GRADING", lease_until__isnull=False)
                | (~Q(status="GRADING") & Q(lease_until=None)),
            ),
            models.CheckConstraint(
                name="failed_with_a_reason",
                condition=(Q(status="FAILED") & ~Q(failure_reason=""))
                | (~Q(status="FAILED") & Q(failure_reason="")),
            ),
            models.CheckConstraint(
                name="answer_is_of_a_file_or_a_persons",
                condition=Q(origin="FILE", submission__isnull=False)
                | Q(origin__in=["OUTSIDE", "STUDY"], submission=None),
            ),
            models.CheckConstraint(
                name="a_study_tells_of_its_answers_that_count",
                condition=Q(told_at=None) | (Q(origin="STUDY") & ~Q(status="CANCELLED")),
            ),
        ]
        triggers = [
            *COUNTING,
            # Grades are of what was answered: the rest says how far the work got.
            pgtrigger.Protect(
                name="answer_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    *("solver", "submission", "revision", "origin", "sample", "response"),
                    *("created_at", "finish_reason", "tokens", "latency"),
                ),
            ),
            require(
                "attempt_is_by_its_submissions_solver",
                when=pgtrigger.Q(new__submission__isnull=False),
                found="""
                    SELECT FROM grading_submission
                    WHERE id = NEW.submission_id AND solver_id = NEW.solver_id
                """,
            ),
            require(
                "attempt_is_on_its_submissions_benchmark",
                when=pgtrigger.Q(new__submission__isnull=False),
                found="""
                    SELECT FROM grading_submission submission
                    JOIN curation_problem problem USING (benchmark_id)
                    JOIN curation_revision revision ON revision.problem_id = problem.id
                    WHERE submission.id = NEW.submission_id AND revision.id = NEW.revision_id
                        AND revision.submitted_at IS NOT NULL
                """,
            ),
            require(
                "attempt_is_on_a_public_item_of_its_version",
                when=pgtrigger.Q(new__submission__isnull=False),
                found="""
                    SELECT FROM grading_submission WHERE id = NEW.submission_id
                        AND version_id IS NULL
                    UNION ALL
                    SELECT FROM grading_submission submission
                    JOIN curation_versionitem item USING (version_id)
                    WHERE submission.id = NEW.submission_id
                        AND item.revision_id = NEW.revision_id AND NOT item.is_hidden
                """,
            ),
            require(
                "attempt_without_submission_is_a_persons",
                when=pgtrigger.Q(new__submission__isnull=True),
                found="""
                    SELECT FROM grading_solver solver, curation_revision revision
                    WHERE solver.id = NEW.solver_id AND solver.kind = 'HUMAN'
                        AND revision.id = NEW.revision_id AND revision.submitted_at IS NOT NULL
                """,
            ),
            require(
                "graded_attempt_has_a_grade",
                when=pgtrigger.Q(new__status="GRADED"),
                found="""
                    SELECT FROM grading_attempt WHERE id = NEW.id AND status <> 'GRADED'
                    UNION ALL
                    SELECT FROM grading_grade grade JOIN grading_gradingrun run
                    ON run.id = grade.run_id AND run.adopted_at IS NOT NULL
                        AND run.set_aside_at IS NULL
                    WHERE grade.attempt_id = NEW.id
                """,
                at_commit=True,
            ),
            require(
                "failed_attempt_has_no_grade",
                when=pgtrigger.Q(new__status="FAILED"),
                found="""
                    SELECT FROM grading_attempt WHERE id = NEW.id AND status <> 'FAILED'
                    UNION ALL
                    SELECT WHERE NOT EXISTS (
                        SELECT FROM grading_grade grade JOIN grading_gradingrun run
                        ON run.id = grade.run_id AND run.adopted_at IS NOT NULL
                            AND run.set_aside_at IS NULL
                        WHERE grade.attempt_id = NEW.id
                    )
                """,
                at_commit=True,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.solver} on {self.revision} (sample {self.sample})"

    def get_absolute_url(self) -> str:
        return reverse("grading:attempt", args=[self.pk])

    @property
    def is_waiting(self) -> bool:
        return self.status in {self.Status.QUEUED, self.Status.GRADING}

    @property
    def tells_verdict(self) -> bool:
        """As `AttemptQuerySet.telling` says of rows."""
        is_left = self.status == self.Status.FAILED and self.failure_reason in TELLING
        is_replaced = self.status == self.Status.CANCELLED and self.submission_id is None
        is_known = self.wrong_at is not None or self.status == self.Status.GRADED
        return is_left or is_replaced or is_known


class VerdictChoice(models.TextChoices):
    """As `phybench_grader.Verdict`, with the words that people read."""

    CORRECT = "CORRECT", _("correct")
    PARTIAL = "PARTIAL", _("partial")
    INCORRECT = "INCORRECT", _("incorrect")
    UNREADABLE = "UNREADABLE", _("could not be read")


NOT_GRADED = "NOT_GRADED"
"""What is said of an answer beside the verdicts: that it could not be graded."""


OF_THE_KEY = frozenset({"of_reference", "symbol_unknown", "symbol_unknown_meant"})
"""
Notes that tell something of the key: how it was read, and which symbols it lacks.

A symbol that only the key has is none that is unknown, so who writes all letters would learn it.
"""


class GradeQuerySet(models.QuerySet["Grade"]):
    def current(self) -> Self:
        """The grade that counts of each attempt: that of the run which its benchmark adopted."""
        return self.filter(run__in=GradingRun.objects.adopted())

    def published(self) -> Self:
        """Those that count, and those that once did; not what a run says that nobody adopted."""
        return self.filter(run__adopted_at__isnull=False).order_by("-run__adopted_at")


class CurrentGrade(TypedDict):
    """What `with_grade` adds to an attempt; those of a grade are None where there is none."""

    verdict: str | None
    accuracy: float | None
    eed: float | None
    reason: str | None
    is_key_corrected: bool
    """Whether the key that it is graded against was found to be wrong since."""


def with_grade(
    attempts: "models.QuerySet[Attempt]",
    *,
    benchmark: Benchmark | None = None,
    run: GradingRun | None = None,
) -> "models.QuerySet[WithAnnotations[Attempt, CurrentGrade]]":
    """
    Add what `CurrentGrade` lists to attempts, in the same query.

    Args:
        benchmark: of all of them, which spares the database looking at the runs of others.
        run: by whose grades, in place of those that count.
    """
    of_run = Q(
        grades__run__in=models.Subquery(GradingRun.objects.adopted().order_by().values("pk"))
    )
    if run:
        of_run = Q(grades__run=run.pk)
    elif benchmark:
        # At most one. Said so, each grade is found by its index, and not in a walk over all.
        adopted = GradingRun.objects.adopted().filter(benchmark=benchmark)
        of_run = Q(grades__run=models.Subquery(adopted.order_by().values("pk")))
    keys = RunKey.objects.in_use().filter(revision=models.OuterRef(models.OuterRef("revision")))
    used = Coalesce(models.Subquery(keys.values("key")[:1]), models.OuterRef("revision"))
    return attempts.annotate(
        current_grade=models.FilteredRelation("grades", condition=of_run),
        verdict=F("current_grade__verdict"),
        accuracy=F("current_grade__accuracy"),
        eed=F("current_grade__eed"),
        reason=F("current_grade__reason"),
        is_key_corrected=models.Exists(Erratum.objects.filter(revision=used, is_of_key=True)),
    )


class Grade(models.Model):
    """What a judge said of an attempt, kept with the judge's version. Never changed."""

    # Its index is that of `one_grade_a_run`.
    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="grades", db_index=False
    )
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="grades")
    judge = models.CharField(max_length=40)
    judge_version = models.CharField(max_length=40)
    verdict = models.CharField(max_length=20, choices=VerdictChoice)
    accuracy = models.FloatField(help_text=_("0 or 100"))
    eed = models.FloatField(verbose_name="EED", help_text=_("0 to 100"))
    distance = models.FloatField(null=True, blank=True)
    size = models.FloatField(null=True, blank=True)
    relative = models.FloatField(null=True, blank=True)
    reference_read = models.TextField(blank=True)
    answer_read = models.TextField(blank=True)
    reference_typed = models.TextField(blank=True)
    answer_typed = models.TextField(blank=True)
    notes = models.JSONField(default=list, blank=True)
    edits = models.JSONField(default=list, blank=True)
    trees = models.JSONField(
        null=True,
        blank=True,
        help_text=_("Both trees with the edits on them; empty where no distance was measured."),
    )
    answer_start = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Where in the response the graded part begins.")
    )
    answer_end = models.PositiveIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    message = SentenceField()
    sympy_version = models.CharField(max_length=20)
    seconds = models.FloatField()
    override = models.ForeignKey(
        Override,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="grades",
        help_text=_(
            "The ruling by a person that decides this grade; empty where the grader decided."
        ),
    )
    automatic_verdict = models.CharField(
        max_length=20,
        blank=True,
        help_text=_("Where a person ruled: what the grader said, or NOT_GRADED."),
    )
    automatic_eed = models.FloatField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = GradeQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            # What a board adds up is in the index: it need not look at the rows, which are wide.
            models.UniqueConstraint(
                fields=["run", "attempt"],
                include=["verdict", "accuracy", "eed", "reason"],
                name="one_grade_a_run",
            ),
            models.CheckConstraint(
                name="verdict_agrees_with_scores",
                condition=Q(verdict="CORRECT", accuracy=100, eed=100)
                | Q(verdict="PARTIAL", accuracy=0, eed__gt=0, eed__lt=100)
                | Q(verdict="INCORRECT", accuracy=0, eed=0)
                | (Q(verdict="UNREADABLE", accuracy=0, eed=0) & ~Q(reason="")),
            ),
            models.CheckConstraint(
                name="override_stands_beside_what_the_grader_said",
                condition=Q(override=None, automatic_verdict="", automatic_eed=None)
                | Q(override__isnull=False, automatic_verdict=NOT_GRADED, automatic_eed=None)
                | Q(
                    override__isnull=False,
                    automatic_verdict__in=VerdictChoice.values,
                    automatic_eed__isnull=False,
                ),
            ),
            models.CheckConstraint(
                name="relative_distance_comes_with_both",
                condition=Q(relative=None)
                | Q(distance__gte=0, size__gt=0, relative__gte=0)
                & Q(relative__lte=F("distance") / F("size") + 1e-9)
                & Q(relative__gte=F("distance") / F("size") - 1e-9),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="grade_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require_its_runs_benchmark("grade_is_of_its_runs_benchmark"),
        ]

    def __str__(self) -> str:
        return f"{self.verdict} by {self.judge} {self.judge_version}"
