"""The parts of a grading run that workers take, and what it says of reviewers' blind solves."""

from typing import Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import SolveOutcome
from grading.answers.runs.models import GradingRun
from phybench.work.models import Leased
from phybench.work.triggers import require


class RegradePartQuerySet(models.QuerySet["RegradePart"]):
    def to_do(self) -> Self:
        """Keep those that wait for a worker or have one, of runs that nobody decided on."""
        return self.filter(done_at=None, run__in=GradingRun.objects.proposed())


class RegradePart(Leased):
    """
    Some of the answers that a run beside the one that counts is to grade: these, in their order.

    What of it is graded has a grade in the run, so a worker that takes it over goes on from there.
    """

    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="parts", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("Of this run’s parts, from 1."))
    first = models.PositiveBigIntegerField(help_text=_("Its first answer."))
    last = models.PositiveBigIntegerField(help_text=_("Its last answer."))
    is_of_solves = models.BooleanField(
        default=False, help_text=_("Whether these are answers of reviewers who solved blind.")
    )
    done_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = RegradePartQuerySet.as_manager()

    class Meta:
        ordering = ["run", "number"]
        verbose_name = _("part of a regrade")
        verbose_name_plural = _("parts of regrades")
        indexes = [
            models.Index(
                fields=["priority", "queued_at", "id"],
                name="regrade_parts_not_done",
                condition=Q(done_at=None),
            )
        ]
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="one_part_a_run_and_number"),
            models.CheckConstraint(
                name="part_of_a_run_has_an_answer", condition=Q(first__lte=F("last"))
            ),
        ]

    def __str__(self) -> str:
        return f"Part {self.number} of grading run {self.run_id}"


class RegradedSolve(models.Model):
    """What a run says of the answer of a reviewer who solved blind. Never changed."""

    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="solves", db_index=False
    )
    solve = models.ForeignKey(BlindSolve, on_delete=models.PROTECT, related_name="regraded")
    outcome = models.CharField(max_length=20, choices=SolveOutcome)
    eed = models.FloatField(null=True, blank=True)
    not_told_reason = models.CharField(max_length=40, blank=True)
    grader_version = models.CharField(max_length=20)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("blind solve graded anew")
        verbose_name_plural = _("blind solves graded anew")
        constraints = [
            models.UniqueConstraint(fields=["run", "solve"], name="one_outcome_a_run_and_solve"),
            models.CheckConstraint(
                name="regraded_solve_that_is_not_told_says_why",
                condition=(Q(outcome="NOT_TOLD") & ~Q(not_told_reason=""))
                | (~Q(outcome="NOT_TOLD") & Q(not_told_reason="")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="regraded_solve_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            ),
            require(
                "regraded_solve_is_of_its_runs_benchmark",
                when=pgtrigger.Q(new__run__isnull=False),
                found="""
                    SELECT FROM grading_gradingrun run
                    JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id
                    JOIN curation_revision revision ON revision.problem_id = problem.id
                    JOIN curation_reviewround round ON round.revision_id = revision.id
                    JOIN curation_blindsolve solve ON solve.round_id = round.id
                    WHERE run.id = NEW.run_id AND solve.id = NEW.solve_id
                        AND run.set_aside_at IS NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.outcome} in grading run {self.run_id}"
