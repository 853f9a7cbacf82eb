"""Samples of wrong answers, the same problems for every solver, and what people said of them."""

from typing import Any, Self

import pgtrigger
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField, Revision
from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.samples.labelling.models import (
    LABELS,
    AskedLabeller,
    BlindLabel,
    ItemQuerySet,
    LabelledItem,
    LabelledSample,
    LabelQuerySet,
    SampleQuerySet,
)
from grading.samples.labelling.triggers import (
    keep_adjudications,
    keep_items,
    keep_labels,
    keep_samples,
)
from phybench.people.models import User
from phybench.work.triggers import require


class Kind(models.TextChoices):
    """What the first error of an answer is (arXiv 2504.16074, section 5), or why none is named."""

    PERCEPTION = "PERCEPTION", _("physical perception")
    SEMANTIC = "SEMANTICS", _("robust reasoning: semantic")
    SYMBOLIC = "SYMBOLIC", _("robust reasoning: symbolic")
    NO_ERROR = "NO_ERROR", _("no error found: the answer is right")
    KEY_WRONG = "KEY_WRONG", _("the problem or its reference answer is wrong")
    CANT_TELL = "CANT_TELL", _("can’t tell")


ERRORS = (Kind.PERCEPTION, Kind.SEMANTIC, Kind.SYMBOLIC)
"""Those that name an error, and so the passage where it stands."""


class FirstErrorSampleQuerySet(SampleQuerySet["FirstErrorSample"]):
    def listed(self) -> Self:
        """Fetch what lists and pages say of each."""
        return self.select_related("version__benchmark", "drawn_by")


class FirstErrorSample(LabelledSample):
    """
    Wrong answers of chosen solvers to public problems that all of these answered wrongly.

    So shares of errors are compared on the same problems; they are those of problems as hard.
    """

    version = models.ForeignKey(
        BenchmarkVersion, on_delete=models.PROTECT, related_name="first_error_samples"
    )
    run = models.ForeignKey(
        GradingRun,
        on_delete=models.PROTECT,
        related_name="first_error_samples",
        help_text=_("The run that the benchmark used when the sample was drawn."),
    )
    grader_version = models.CharField(max_length=40)
    size = models.PositiveIntegerField(help_text=_("How many problems were asked for."))

    objects = FirstErrorSampleQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["version"],
                condition=Q(completed_at=None, ended_at=None),
                name="one_open_first_error_sample_a_version",
            ),
            models.CheckConstraint(
                name="first_error_sample_is_ended_with_a_reason",
                condition=Q(ended_at=None, ended_by=None, why_ended="")
                | (
                    Q(ended_at__isnull=False, ended_by__isnull=False, completed_at=None)
                    & ~Q(why_ended="")
                ),
            ),
        ]
        triggers = [
            *keep_samples("first_error"),
            require(
                "first_error_sample_is_of_a_published_version",
                when=pgtrigger.Q(new__version__isnull=False),
                found="""
                    SELECT FROM curation_benchmarkversion version
                    JOIN grading_gradingrun run USING (benchmark_id)
                    WHERE version.id = NEW.version_id AND run.id = NEW.run_id
                        AND version.published_at IS NOT NULL AND run.adopted_at IS NOT NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"First-error sample {self.pk} of {self.version}"

    def get_absolute_url(self) -> str:
        return reverse("grading:first_error_sample", args=[self.pk])


class FirstErrorSolver(models.Model):
    """One solver of a sample, by the submission that stood on the board when it was drawn."""

    sample = models.ForeignKey(
        FirstErrorSample, on_delete=models.PROTECT, related_name="solvers", db_index=False
    )
    submission = models.ForeignKey(
        Submission, on_delete=models.PROTECT, related_name="first_error_solvers"
    )
    place = models.PositiveIntegerField(help_text=_("Among the solvers of the sample, from 1."))
    accuracy = models.FloatField(help_text=_("As the board had it, 0 to 100."))
    accuracy_low = models.FloatField(
        null=True, blank=True, help_text=_("One end of its 95 % interval; empty if there was none.")
    )
    accuracy_high = models.FloatField(null=True, blank=True)
    problems = models.PositiveIntegerField(help_text=_("That its accuracy is the mean over."))
    wrong = models.PositiveIntegerField(
        help_text=_("Public problems to which any of its answers was graded wrong.")
    )

    class Meta:
        ordering = ["sample", "place"]
        verbose_name = _("solver of a first-error sample")
        verbose_name_plural = _("solvers of first-error samples")
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "place"], name="one_first_error_solver_a_place"
            ),
            models.UniqueConstraint(
                fields=["sample", "submission"], name="submission_is_once_in_a_first_error_sample"
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="first_error_solver_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            ),
            require(
                "first_error_solver_is_published",
                when=pgtrigger.Q(new__sample__isnull=False),
                found="""
                    SELECT FROM grading_submission submission
                    JOIN grading_firsterrorsample sample USING (version_id)
                    WHERE sample.id = NEW.sample_id AND submission.id = NEW.submission_id
                        AND submission.published_at IS NOT NULL
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.submission.solver} in sample {self.sample_id}"


class FirstErrorDomain(models.Model):
    """How many problems of one field of physics there were when a sample was drawn."""

    sample = models.ForeignKey(
        FirstErrorSample, on_delete=models.PROTECT, related_name="domains", db_index=False
    )
    domain = models.CharField(max_length=20, choices=PhysicsField)
    problems = models.PositiveIntegerField(help_text=_("Of the public part."))
    eligible = models.PositiveIntegerField(
        help_text=_("To which every solver of the sample has a wrong answer.")
    )
    asked = models.PositiveIntegerField(help_text=_("Its even share of the problems asked for."))
    drawn = models.PositiveIntegerField()

    class Meta:
        ordering = ["sample", "domain"]
        verbose_name = _("domain of a first-error sample")
        verbose_name_plural = _("domains of first-error samples")
        constraints = [
            models.UniqueConstraint(fields=["sample", "domain"], name="one_row_a_domain"),
            models.CheckConstraint(
                name="no_more_problems_are_drawn_than_there_are",
                condition=Q(drawn__lte=models.F("eligible"), eligible__lte=models.F("problems")),
            ),
        ]
        triggers = [
            pgtrigger.Protect(
                name="first_error_domain_is_append_only",
                operation=pgtrigger.Update | pgtrigger.Delete,
            )
        ]

    def __str__(self) -> str:
        return f"{self.drawn} of {self.domain.lower()} in sample {self.sample_id}"

    @property
    def short(self) -> int:
        """How many problems there were too few for an even share."""
        return max(0, self.asked - self.drawn)


class FirstErrorItemQuerySet(ItemQuerySet["FirstErrorItem"]):
    def with_texts(self) -> Self:
        """Fetch what a labeller reads."""
        return self.select_related("attempt", "revision__problem", "key")


class FirstErrorItem(LabelledItem):
    """One wrong answer of a sample, at its place in a random order."""

    sample = models.ForeignKey(
        FirstErrorSample, on_delete=models.PROTECT, related_name="items", db_index=False
    )
    solver = models.ForeignKey(
        FirstErrorSolver, on_delete=models.PROTECT, related_name="items", db_index=False
    )
    attempt = models.ForeignKey(Attempt, on_delete=models.PROTECT, related_name="first_error_items")
    revision = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="+", help_text=_("What it answers.")
    )
    key = models.ForeignKey(
        Revision, on_delete=models.PROTECT, related_name="+", help_text=_("By which it was graded.")
    )
    outcome = models.CharField(
        max_length=10,
        choices=Kind,
        blank=True,
        help_text=_("The label that both gave, or the adjudicated one."),
    )

    objects = FirstErrorItemQuerySet.as_manager()

    class Meta:
        ordering = ["sample", "place"]
        constraints = [
            models.UniqueConstraint(fields=["sample", "place"], name="one_first_error_a_place"),
            models.UniqueConstraint(
                fields=["solver", "revision"], name="one_first_error_a_solver_and_problem"
            ),
        ]
        triggers = [
            *keep_items("first_error"),
            require(
                "first_error_item_was_graded_wrong",
                when=pgtrigger.Q(new__outcome=""),
                found="""
                    SELECT FROM grading_attempt attempt
                    JOIN grading_firsterrorsolver solver
                        ON solver.id = NEW.solver_id AND solver.sample_id = NEW.sample_id
                        AND solver.submission_id = attempt.submission_id
                    JOIN grading_firsterrorsample sample ON sample.id = NEW.sample_id
                    JOIN grading_grade grade
                        ON grade.attempt_id = attempt.id AND grade.run_id = sample.run_id
                    WHERE attempt.id = NEW.attempt_id AND attempt.revision_id = NEW.revision_id
                        AND grade.verdict IN ('PARTIAL', 'INCORRECT')
                """,
            ),
        ]

    def __str__(self) -> str:
        return f"Answer {self.place} of first-error sample {self.sample_id}"


class FirstErrorLabeller(AskedLabeller):
    sample = models.ForeignKey(FirstErrorSample, on_delete=models.PROTECT, related_name="labellers")
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="asked_for_first_errors"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["sample", "person"],
                condition=Q(taken_off_at=None),
                name="asked_once_for_first_errors",
            )
        ]
        triggers = [
            pgtrigger.Protect(name="first_error_labeller_stays", operation=pgtrigger.Delete)
        ]

    def __str__(self) -> str:
        return f"{self.person} labels first-error sample {self.sample_id}"


LONGEST_PASSAGE = 1_000


class Passage(models.Model):
    """The words of a response in which its first error stands."""

    choice = models.CharField(_("first error"), max_length=10, choices=Kind)
    passage = models.TextField(_("passage"), blank=True, max_length=LONGEST_PASSAGE)
    start = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("Where in the response it begins, in characters.")
    )

    class Meta:
        abstract = True


def _has_a_passage() -> Q:
    """An error stands somewhere; what names none may stand nowhere."""
    named: Any = [one.value for one in ERRORS]
    return Q(~Q(passage=""), start__isnull=False) | (
        Q(passage="", start=None) & ~Q(choice__in=named)
    )


_STANDS_IN_THE_RESPONSE = """
    SELECT FROM grading_firsterroritem item
    JOIN grading_attempt attempt ON attempt.id = item.attempt_id
    WHERE item.id = NEW.item_id
        AND substr(attempt.response, NEW.start + 1, length(NEW.passage)) = NEW.passage
"""


class FirstErrorLabelQuerySet(LabelQuerySet["FirstErrorLabel"]):
    pass


class FirstErrorLabel(BlindLabel, Passage):
    """What one person says of an answer, blind to whose it is and to what others say."""

    item = models.ForeignKey(FirstErrorItem, on_delete=models.PROTECT, related_name="labels")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="first_error_labels")
    comment = models.TextField(blank=True, max_length=1000)

    objects = FirstErrorLabelQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["item", "number"],
                condition=Q(taken_back_at=None),
                name="one_first_error_label_a_number",
            ),
            models.UniqueConstraint(
                fields=["item", "person"],
                condition=Q(taken_back_at=None),
                name="one_first_error_label_a_person",
            ),
            models.CheckConstraint(
                name="at_most_two_first_error_labels",
                condition=Q(number__gte=1, number__lte=LABELS),
            ),
            models.CheckConstraint(
                name="first_error_label_is_taken_back_later",
                condition=Q(taken_back_at=None) | Q(taken_back_at__gte=F("given_at")),
            ),
            models.CheckConstraint(name="labelled_error_has_a_passage", condition=_has_a_passage()),
        ]
        triggers = [
            *keep_labels("first_error"),
            require(
                "labelled_passage_stands_in_the_response",
                when=~pgtrigger.Q(new__passage=""),
                found=_STANDS_IN_THE_RESPONSE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item} by {self.person}"


class FirstErrorAdjudication(Passage):
    """What somebody says of an answer that two others labelled differently. Never changed."""

    item = models.OneToOneField(
        FirstErrorItem, on_delete=models.PROTECT, related_name="adjudication"
    )
    person = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="first_error_adjudications"
    )
    reason = models.TextField(_("why"), max_length=2000)
    given_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                name="first_error_adjudication_has_a_reason", condition=~Q(reason="")
            ),
            models.CheckConstraint(
                name="adjudicated_error_has_a_passage", condition=_has_a_passage()
            ),
        ]
        triggers = [
            *keep_adjudications("first_error"),
            require(
                "adjudicated_passage_stands_in_the_response",
                when=~pgtrigger.Q(new__passage=""),
                found=_STANDS_IN_THE_RESPONSE,
            ),
        ]

    def __str__(self) -> str:
        return f"{self.choice} on {self.item}, adjudicated by {self.person}"
