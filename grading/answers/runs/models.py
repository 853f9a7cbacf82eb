"""Grading runs: by which grader, keys and rulings, and which run a benchmark goes by."""

from collections.abc import Collection
from dataclasses import replace
from typing import Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import MD5
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from curation.versions.models import BenchmarkVersion
from phybench.pages.sentences import SentenceField
from phybench.people.models import User
from phybench.work.triggers import require
from phybench_grader import GRADER_VERSION

AS_THEY_COME = gettext_noop("Answers are graded as they come in.")
"""Why a benchmark's first run was made."""


class GradingRunQuerySet(models.QuerySet["GradingRun"]):
    def adopted(self) -> Self:
        """The runs that benchmarks go by now."""
        return self.filter(adopted_at__isnull=False, set_aside_at=None)

    def proposed(self) -> Self:
        """Those that stand beside what counts and wait for a decision."""
        return self.filter(adopted_at=None, discarded_at=None)

    def of_version(self, version: BenchmarkVersion) -> Self:
        """Return the runs that a published version's grades went by, the one that counts first."""
        counted = self.filter(benchmark=version.benchmark_id, adopted_at__isnull=False)
        since = Q(set_aside_at=None) | Q(set_aside_at__gt=version.published_at)
        return counted.filter(since).order_by("-adopted_at")

    def get_adopted(self, benchmark: int) -> "GradingRun":
        """Return the run that a benchmark goes by; its first graded answer begins one."""
        # Of two workers at once the database lets one make it, and the other finds it then.
        run, _is_new = self.adopted().get_or_create(
            benchmark_id=benchmark,
            defaults={
                "grader_version": GRADER_VERSION,
                "why": AS_THEY_COME,
                "adopted_at": timezone.now(),
            },
        )
        return run


class Override(models.Model):
    """
    What an answer is, as a person ruled. Never changed; the newest on the same words counts.

    It counts in the grading runs that take it up, beside what the grader says there. It holds for
    all answers to the revision in the same words, whoever gave them: else who contests is paid.
    """

    class Kind(models.TextChoices):
        RIGHT = "RIGHT", _("the answer is right")
        WRONG = "WRONG", _("the answer is wrong")
        READ_AS = "READ_AS", _("the answer is to be read as")

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="overrides")
    response = models.TextField(help_text=_("The words that it is about, as submitted."))
    kind = models.CharField(max_length=10, choices=Kind)
    read_as = models.TextField(
        blank=True, max_length=4000, help_text=_("LaTeX that is graded in place of the words.")
    )
    key_sha256 = models.CharField(
        max_length=64,
        help_text=_(
            "The reference answer that the ruling used: right and wrong hold for that one only."
        ),
    )
    why = models.TextField()
    ruled_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="overrides")
    ruled_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("ruling that counts")
        verbose_name_plural = _("rulings that count")
        indexes = [models.Index("revision", MD5("response"), name="overrides_by_their_words")]
        constraints = [
            models.CheckConstraint(
                name="override_says_what_is_read_where_it_is_read",
                condition=(Q(kind="READ_AS") & ~Q(read_as=""))
                | (~Q(kind="READ_AS") & Q(read_as="")),
            )
        ]
        triggers = [
            pgtrigger.Protect(
                name="override_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "override_is_a_contests",
                when=pgtrigger.Q(new__kind__isnull=False),
                found="SELECT FROM grading_contest WHERE override_id = NEW.id",
                at_commit=True,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} on {self.revision}, by {self.ruled_by}"


class GradingRun(models.Model):
    """
    One pass of one grader over given keys.

    New answers are graded into the run that their benchmark has adopted. Another run stands beside
    it and counts nothing until it is adopted; one that was set aside stays as it was.
    """

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="grading_runs")
    grader_version = models.CharField(
        max_length=40, help_text=_("That of its beginning; each grade says its own.")
    )
    why = models.CharField(max_length=300, help_text=_("Why it was made."))
    made_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Empty if a worker or a command did it."),
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    base = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_(
            "The run that counted when this one was made. This run can only replace that one."
        ),
    )
    overrides = models.ManyToManyField(
        Override,
        related_name="runs",
        blank=True,
        help_text=_("Rulings that it takes up."),
    )
    adopted_at = models.DateTimeField(null=True, blank=True, editable=False)
    adopted_by = models.ForeignKey(
        User,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text=_("Empty if a command did it, or if it was the first of a benchmark."),
    )
    why_adopted = models.TextField(blank=True)
    set_aside_at = models.DateTimeField(null=True, blank=True, editable=False)
    discarded_at = models.DateTimeField(null=True, blank=True, editable=False)
    discarded_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    why_discarded = models.TextField(blank=True)

    objects = GradingRunQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["benchmark"],
                condition=Q(adopted_at__isnull=False, set_aside_at=None),
                name="one_adopted_run_a_benchmark",
            ),
            models.CheckConstraint(
                name="run_is_set_aside_after_it_was_adopted",
                condition=Q(set_aside_at=None)
                | Q(adopted_at__isnull=False, set_aside_at__gte=F("adopted_at")),
            ),
            models.CheckConstraint(
                name="run_is_adopted_or_discarded_with_a_reason",
                condition=Q(discarded_at=None, discarded_by=None, why_discarded="")
                | (Q(discarded_at__isnull=False, adopted_at=None) & ~Q(why_discarded="")),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="run_stays_as_it_was_made",
                fields=["benchmark", "grader_version", "why", "made_by", "created_at", "base"],
            ),
            pgtrigger.Protect(
                name="run_that_was_set_aside_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__set_aside_at__isnull=False),
            ),
            pgtrigger.Protect(
                name="run_that_was_discarded_is_frozen",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__discarded_at__isnull=False),
            ),
            pgtrigger.Protect(name="run_stays", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="run_is_adopted_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__adopted_at__isnull=False)
                & pgtrigger.Q(old__adopted_at__df=pgtrigger.F("new__adopted_at")),
            ),
            require(
                "another_run_is_adopted_instead",
                when=pgtrigger.Q(new__set_aside_at__isnull=False),
                found="""
                    SELECT FROM grading_gradingrun WHERE benchmark_id = NEW.benchmark_id
                        AND adopted_at IS NOT NULL AND set_aside_at IS NULL
                """,
                at_commit=True,
            ),
        ]

    def __str__(self) -> str:
        return f"Grading run {self.pk} of {self.benchmark}, grader {self.grader_version}"

    def get_absolute_url(self) -> str:
        return reverse("grading:regrade", args=[self.pk])

    @property
    def is_adopted(self) -> bool:
        return self.adopted_at is not None and self.set_aside_at is None

    @property
    def state(self) -> str:
        """In a word, as files have it."""
        if self.discarded_at:
            return "discarded"
        if self.adopted_at is None:
            return "proposed"
        return "set aside" if self.set_aside_at else "adopted"

    @property
    def is_proposed(self) -> bool:
        return self.adopted_at is None and self.discarded_at is None

    @property
    def said_why(self) -> str:
        """Why it was made, in the language of the page where no person said it."""
        return gettext(self.why) if self.why == AS_THEY_COME else self.why

    def hold(self) -> bool:
        """Tell whether it is adopted; if so, it stays so until this transaction ends."""
        # Django has no shared lock: one that excludes others would make workers wait in turn.
        adopted = GradingRun.objects.raw(
            "SELECT id FROM grading_gradingrun WHERE id = %s"
            " AND adopted_at IS NOT NULL AND set_aside_at IS NULL FOR SHARE",
            [self.pk],
        )
        return bool(list(adopted))

    def find_keys(self, revisions: Collection[int]) -> dict[int, Revision]:
        """Say by whose key it grades answers to each of these revisions; settled once asked."""
        known = self._list_keys(revisions)
        if missing := set(revisions) - known.keys():
            # Of two workers at once one makes it.
            RunKey.objects.bulk_create(
                [
                    RunKey(run=self, revision=one, key=one, sha256=hash_key(one))
                    for one in Revision.objects.in_bulk(missing).values()
                ],
                ignore_conflicts=True,
            )
            known = self._list_keys(revisions)
        return known

    def _list_keys(self, revisions: Collection[int]) -> dict[int, Revision]:
        found = self.keys.filter(revision__in=revisions).select_related("key")
        return {one.revision_id: one.key for one in found.defer("key__solution")}


def hash_key(revision: Revision) -> str:
    """Tell one key from another by all that a grade hangs on: answer, symbols, conditions."""
    return replace(revision.reference, must_accept=(), must_reject=()).sha256


class RunKeyQuerySet(models.QuerySet["RunKey"]):
    def in_use(self) -> Self:
        """Those of the runs that benchmarks go by: at most one of a revision."""
        return self.filter(run__in=GradingRun.objects.adopted())


class RunKey(models.Model):
    """Which key a run grades the answers to one revision by: its own, or one that corrects it."""

    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="keys", db_index=False
    )
    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="run_keys")
    key = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    sha256 = models.CharField(
        max_length=64, help_text=_("Of the answer, its symbols and their conditions.")
    )

    objects = RunKeyQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "revision"], name="one_key_a_run_and_revision")
        ]
        triggers = [
            pgtrigger.Protect(
                name="run_key_is_append_only", operation=pgtrigger.Update | pgtrigger.Delete
            ),
            require(
                "run_key_is_of_its_problem",
                when=pgtrigger.Q(new__run__isnull=False),
                found="""
                    SELECT FROM grading_gradingrun run
                    JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id
                    JOIN curation_revision revision ON revision.problem_id = problem.id
                    JOIN curation_revision key ON key.problem_id = problem.id
                    WHERE run.id = NEW.run_id AND revision.id = NEW.revision_id
                        AND key.id = NEW.key_id AND run.set_aside_at IS NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.revision} by the key of revision {self.key.number}"


def require_its_runs_benchmark(name: str) -> pgtrigger.Trigger:
    """Refuse a row on an attempt of another benchmark than its run's, or on a run set aside."""
    return require(
        name,
        when=pgtrigger.Q(new__run__isnull=False),
        found="""
            SELECT FROM grading_gradingrun run
            JOIN curation_problem problem ON problem.benchmark_id = run.benchmark_id
            JOIN curation_revision revision ON revision.problem_id = problem.id
            JOIN grading_attempt attempt ON attempt.revision_id = revision.id
            WHERE run.id = NEW.run_id AND attempt.id = NEW.attempt_id
                AND run.set_aside_at IS NULL
        """,
    )


class Ungraded(models.Model):
    """
    An answer that a run could not grade, and why.

    Of the adopted run the attempt itself says it, since somebody may have it tried again.
    """

    run = models.ForeignKey(
        GradingRun, on_delete=models.PROTECT, related_name="ungraded", db_index=False
    )
    attempt = models.ForeignKey(
        "grading.Attempt", on_delete=models.PROTECT, related_name="ungraded_in"
    )
    reason = models.CharField(max_length=40)
    message = SentenceField()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("answer not graded")
        verbose_name_plural = _("answers not graded")
        constraints = [
            models.UniqueConstraint(fields=["run", "attempt"], name="one_reason_a_run_and_attempt")
        ]
        triggers = [
            pgtrigger.Protect(name="reason_stays_as_it_was", operation=pgtrigger.Update),
            pgtrigger.Trigger(
                name="reason_of_a_run_that_counted_stays",
                operation=pgtrigger.Delete,
                when=pgtrigger.Before,
                func="""
                    IF EXISTS (
                        SELECT FROM grading_gradingrun
                        WHERE id = OLD.run_id AND adopted_at IS NOT NULL
                    )
                    THEN RAISE EXCEPTION 'pgtrigger: the run was adopted';
                    END IF;
                    RETURN OLD;
                """,
            ),
            require_its_runs_benchmark("reason_is_of_its_runs_benchmark"),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.attempt}"
