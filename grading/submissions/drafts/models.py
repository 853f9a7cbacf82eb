"""Answers that are put together, looked at and not graded yet."""

from datetime import timedelta
from typing import Self

import pgtrigger
from django.db import models
from django.db.models import Exists, Max, OuterRef, Q
from django.db.models.functions import Greatest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.submissions.models import Submission
from grading.model_runs.models import ModelRun
from grading.solvers.models import Organisation
from phybench.files.answer_files.fields import FieldMap
from phybench.people.models import User
from phybench.work.budgets import UNMATCHED_DAYS, UNTOUCHED_DAYS
from phybench.work.models import Leased
from phybench.work.triggers import require


class DraftQuerySet(models.QuerySet["Draft"]):
    def open(self) -> Self:
        """Keep those that nothing was graded of yet."""
        return self.filter(graded_at=None)

    def forgotten(self) -> Self:
        """
        Keep what nobody went on with: for a day where no answer is to a problem, else for long.

        What a run answered was paid for, and a file that is being read is somebody's still.
        """
        matched = DraftAnswer.objects.filter(
            file__draft=OuterRef("pk"),
            identifier__in=VersionItem.objects.filter(version=OuterRef(OuterRef("version"))).values(
                "identifier"
            ),
        )
        touched = Greatest(
            "made_at", Max("files__added_at"), Max("files__mapped_at"), Max("files__read_at")
        )
        now = timezone.now()
        return (
            self.open()
            .exclude(Exists(DraftFile.objects.filter(draft=OuterRef("pk"), format=RUN)))
            .exclude(Exists(DraftFile.objects.to_read().filter(draft=OuterRef("pk"))))
            .annotate(touched=touched, is_matched=Exists(matched))
            .filter(
                Q(touched__lte=now - timedelta(days=UNTOUCHED_DAYS))
                | Q(is_matched=False, touched__lte=now - timedelta(days=UNMATCHED_DAYS))
            )
        )


class Draft(models.Model):
    """
    What an organisation puts together before any of it counts, of one or of several files.

    Its answers are to one version, whatever is published later; people alone move it to another.
    Once it is graded, its answers are those of its submissions, one a model; of its files their
    names and hashes stay.
    """

    organisation = models.ForeignKey(Organisation, on_delete=models.PROTECT, related_name="drafts")
    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="drafts")
    version = models.ForeignKey(
        BenchmarkVersion,
        on_delete=models.PROTECT,
        related_name="drafts",
        help_text=_("The version that its answers are to: the newest when it was begun."),
    )
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="drafts")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    graded_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When its answers were queued.")
    )

    objects = DraftQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("draft of a submission")
        verbose_name_plural = _("drafts of submissions")
        triggers = [
            pgtrigger.ReadOnly(
                name="draft_stays_whose_it_is",
                # Its organisation may be merged into another.
                fields=["benchmark", "made_by", "made_at"],
            ),
            require(
                "draft_is_to_a_published_version",
                when=pgtrigger.Q(new__version__isnull=False),
                found="""
                    SELECT FROM curation_benchmarkversion
                    WHERE id = NEW.version_id AND benchmark_id = NEW.benchmark_id
                        AND published_at IS NOT NULL
                """,
            ),
            pgtrigger.Protect(
                name="draft_is_graded_once",
                operation=pgtrigger.Update | pgtrigger.Delete,
                condition=pgtrigger.Q(old__graded_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"Draft {self.pk} of {self.organisation}"

    def get_absolute_url(self) -> str:
        return reverse("grading:draft", args=[self.pk])


class DraftSubmission(models.Model):
    """One of the submissions that a draft was graded as, which there is one of a model."""

    submission = models.OneToOneField(
        Submission, on_delete=models.PROTECT, related_name="made_from"
    )
    draft = models.ForeignKey(Draft, on_delete=models.PROTECT, related_name="submissions")

    class Meta:
        ordering = ["submission_id"]
        verbose_name = _("submission of a draft")
        verbose_name_plural = _("submissions of drafts")
        triggers = [
            pgtrigger.Protect(
                name="submission_stays_of_its_draft",
                operation=pgtrigger.Update | pgtrigger.Delete,
            ),
            require(
                "submission_is_to_the_version_of_its_draft",
                when=pgtrigger.Q(new__draft__isnull=False),
                found="""
                    SELECT FROM grading_submission AS submission, grading_draft AS draft
                    WHERE submission.id = NEW.submission_id AND draft.id = NEW.draft_id
                        AND (submission.version_id IS NULL
                            OR submission.version_id = draft.version_id)
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Submission {self.submission_id} of draft {self.draft_id}"


RUN = "run"
"""The format of what is no file: answers that a run of a model asks for."""


class DraftFileQuerySet(models.QuerySet["DraftFile"]):
    def to_read(self) -> Self:
        """Keep those that wait for a worker or have one."""
        return self.filter(mapped_at__isnull=False, read_at=None).exclude(format=RUN)

    def with_runs(self) -> Self:
        """Fetch with each its run: it says whether answers are still to come."""
        unread = ("model_run__prompt_words", "model_run__paused_message")
        return self.select_related("model_run").defer(*unread)


class DraftFile(Leased):
    """
    One file of a draft, or what one call of the API sent, or a run of a model asked for.

    Its bytes are kept in pieces until the draft is graded, so that it can be read by other fields.
    """

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField(help_text=_("Bytes, as it came."))
    model_run = models.OneToOneField(
        ModelRun,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="file",
        help_text=_("The run whose answers it holds; empty for a file."),
    )
    format = models.CharField(max_length=10, blank=True)
    fields = models.JSONField(
        default=list, blank=True, help_text=_("What its rows have: path, example, in how many.")
    )
    field_map = models.JSONField(default=dict, blank=True, help_text=_("Which field holds what."))
    is_map_chosen = models.BooleanField(
        default=False, help_text=_("Whether a person chose the fields, and they were not guessed.")
    )
    mapped_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("Empty until it is known what to read.")
    )
    read_at = models.DateTimeField(null=True, blank=True, editable=False)
    consumed = models.PositiveBigIntegerField(
        default=0, help_text=_("Bytes of it that have been read.")
    )
    rows = models.PositiveIntegerField(default=0, help_text=_("That have been read."))
    characters = models.PositiveBigIntegerField(
        default=0, help_text=_("Of the responses that are kept of it.")
    )
    left_out = models.JSONField(
        default=list,
        blank=True,
        help_text=_("The first rows that are not answers: row, id, message, model, reason."),
    )
    counts = models.JSONField(
        default=dict, blank=True, help_text=_("How many rows are not answers, by model and reason.")
    )
    broken_off = models.TextField(blank=True, help_text=_("Why it can’t be read to its end."))
    added_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = DraftFileQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("file of a draft")
        verbose_name_plural = _("files of drafts")
        constraints = [
            models.CheckConstraint(
                name="draft_file_is_read_once_mapped",
                condition=Q(read_at=None) | Q(mapped_at__isnull=False),
            ),
            models.CheckConstraint(
                name="draft_file_of_a_run_says_which",
                condition=Q(format=RUN, model_run__isnull=False)
                | ~Q(format=RUN) & Q(model_run=None),
            ),
        ]
        triggers = [
            pgtrigger.ReadOnly(
                name="draft_file_stays_as_it_came",
                fields=["draft", "name", "sha256", "size", "model_run", "added_at"],
            ),
            require(
                "draft_file_is_of_an_open_draft",
                when=pgtrigger.Q(new__draft__isnull=False),
                found="""
                    SELECT FROM grading_draft WHERE id = NEW.draft_id AND graded_at IS NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def map(self) -> FieldMap:
        return FieldMap.read(self.field_map)

    @property
    def is_run(self) -> bool:
        """Whether it has no bytes: a run writes its answers once all of them have come."""
        return self.format == RUN

    @property
    def lacks_model(self) -> bool:
        """Whether all is known of its fields but which model wrote the answers."""
        return self.mapped_at is None and self.map.find_faults().keys() == {"model"}

    @property
    def is_being_read(self) -> bool:
        """Whether answers are still to come: of a run, whether some of its calls are."""
        if self.model_run is not None:
            return self.model_run.handed_over_at is None
        return self.mapped_at is not None and self.read_at is None


class FilePiece(models.Model):
    """Some bytes of a file, as they came; `pieces` puts them together."""

    file = models.ForeignKey(
        DraftFile, on_delete=models.CASCADE, related_name="pieces", db_index=False
    )
    number = models.PositiveIntegerField(help_text=_("From 0."))
    content = models.BinaryField()

    class Meta:
        ordering = ["file_id", "number"]
        verbose_name = _("piece of a file")
        verbose_name_plural = _("pieces of files")
        constraints = [
            models.UniqueConstraint(fields=["file", "number"], name="one_piece_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.file}, piece {self.number}"


class DraftAnswerQuerySet(models.QuerySet["DraftAnswer"]):
    def of(self, draft: Draft) -> Self:
        """Keep the answers of a draft."""
        return self.filter(file__draft=draft)

    def given_once(self) -> Self:
        """Leave out what a file answers that an earlier one of its draft answered."""
        earlier = DraftAnswer.objects.filter(
            file__draft=OuterRef("file__draft"),
            file__lt=OuterRef("file"),
            model=OuterRef("model"),
            identifier=OuterRef("identifier"),
            sample=OuterRef("sample"),
        )
        return self.filter(~Exists(earlier))


class DraftAnswer(models.Model):
    """One answer of a draft, as a file gives it: whether it is to a problem is not asked yet."""

    file = models.ForeignKey(
        DraftFile, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    row = models.PositiveIntegerField()
    model = models.CharField(max_length=120)
    identifier = models.CharField(max_length=200)
    sample = models.PositiveIntegerField(help_text=_("From 1."))
    response = models.TextField()
    is_boxed = models.BooleanField(help_text=_(r"Whether it contains a \boxed{}."))
    finish_reason = models.CharField(max_length=40, blank=True)
    tokens = models.PositiveBigIntegerField(null=True, blank=True)
    latency = models.FloatField(null=True, blank=True, help_text=_("Seconds."))

    objects = DraftAnswerQuerySet.as_manager()

    class Meta:
        ordering = ["file_id", "row", "sample"]
        verbose_name = _("answer of a draft")
        verbose_name_plural = _("answers of drafts")
        constraints = [
            models.UniqueConstraint(
                fields=["file", "model", "identifier", "sample"],
                include=["is_boxed"],  # what a preview counts
                name="one_draft_answer_a_sample",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} on {self.identifier} (sample {self.sample})"
