"""A judge's column of the board: beside the symbolic figures, and never mixed into them."""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, FilteredRelation, OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt
from grading.answers.permissions import publishes_columns
from grading.answers.submissions.models import Submission
from grading.board.models import PublishedColumn
from grading.board.table import Board
from grading.judging.calibration.collecting import collect
from grading.judging.calibration.standing import Calibration
from grading.judging.judgements.emptiness import list_barred
from grading.judging.judgements.models import Judgement
from grading.judging.prompts.models import JudgeConfiguration
from grading.judging.trust_words import say_beside_best, say_empty
from phybench.people.models import User
from phybench_grader.statistics.metrics import (
    FULL,
    AnswerOutcome,
    Mean,
    Tally,
    count_lacking,
    tally,
)

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """What a judge says of one model's submission, in per cent of its scale."""

    name: str
    is_demo: bool
    submission: Submission
    tally: Tally
    answers: int
    judged: int
    """Those with a verdict."""
    reasons: list[tuple[str, int]]
    """Why others have none."""
    symbolic: Mean
    """The same submission's accuracy by the grader."""
    rank: int | None = None

    @property
    def not_asked(self) -> int:
        """Answers of which nobody asked this judge, or has not yet."""
        return self.answers - self.judged - sum(count for _reason, count in self.reasons)

    @property
    def coverage(self) -> float:
        return self.judged / self.answers if self.answers else 0.0

    @property
    def mean(self) -> Mean:
        return self.tally.accuracy

    @property
    def bounds(self) -> tuple[float, float] | None:
        found = self.tally.accuracy_range
        if found is None or not found.is_provisional:
            return None
        return found.low, found.high


@dataclass(frozen=True, slots=True)
class BoardColumn:
    configuration: JudgeConfiguration
    calibration: Calibration
    rows: list[JudgeRow]

    @property
    def why_no_ranks(self) -> list[str]:
        """What of the judge itself, beside people's rulings, keeps it from ranking models."""
        found = self.calibration
        sentences = []
        if found.panel is not None and not found.panel.may_rank:
            sentences.append(say_beside_best(found.panel.beside_best))
        if not found.empty.may_rank:
            sentences.append(say_empty(found.empty))
        return sentences


class Published(TypedDict):
    is_published: bool
    """Whether everybody sees what it says on the board."""


def list_judges(
    benchmark: Benchmark, *, also_unpublished: bool = False
) -> "list[WithAnnotations[JudgeConfiguration, Published]]":
    """
    Return the judges that have said something of this benchmark's published submissions.

    One that accepted an empty answer is on no board.
    """
    said = Judgement.objects.filter(
        configuration=OuterRef("pk"),
        status=Judgement.Status.SCORED,
        attempt__submission__benchmark=benchmark,
        attempt__submission__published_at__isnull=False,
        attempt__submission__withdrawn_at=None,
    )
    published = PublishedColumn.objects.filter(benchmark=benchmark, configuration=OuterRef("pk"))
    found = JudgeConfiguration.objects.filter(Exists(said))
    found = found.annotate(is_published=Exists(published))
    found = found if also_unpublished else found.filter(is_published=True)
    judges = list(found.order_by("-pk"))
    barred = list_barred(judges) if judges else set()
    return [one for one in judges if one.pk not in barred]


def publish_column(*, benchmark: Benchmark, configuration: JudgeConfiguration, by: User) -> None:
    """Show everybody what a judge says of a benchmark's published submissions."""
    _require_admin(by)
    if list_barred([configuration]):
        raise PermissionDenied(_("This judge accepted empty answers, so it stays off boards."))
    PublishedColumn.objects.get_or_create(
        benchmark=benchmark, configuration=configuration, defaults={"published_by": by}
    )


def take_off_column(*, benchmark: Benchmark, configuration: JudgeConfiguration, by: User) -> None:
    """Show a judge's figures to admins alone again."""
    _require_admin(by)
    PublishedColumn.objects.filter(benchmark=benchmark, configuration=configuration).delete()


def _require_admin(by: User) -> None:
    if not publishes_columns(by):
        raise PermissionDenied(_("Only admins choose which judges the board shows."))


def make_column(board: Board, configuration: JudgeConfiguration) -> BoardColumn:
    """Sum up what a judge says of the submissions to a version that stand on its board."""
    own = [row for row in board.models if row.carried_from is None]
    submissions = [row.submission for row in own]
    said = Judgement.objects.filter(
        attempt__submission__in=submissions, configuration=configuration
    )
    standing = Subquery(said.standing().values("pk"))
    attempts = Attempt.objects.filter(submission__in=submissions).annotate(
        standing=FilteredRelation("judgements", condition=Q(judgements__in=standing))
    )
    lowest, highest = configuration.judge_kind.scale
    outcomes: dict[int, list[AnswerOutcome]] = defaultdict(list)
    given: dict[int, Counter[int]] = defaultdict(Counter)
    reasons: dict[int, Counter[str]] = defaultdict(Counter)
    for submission, problem, value, reason in attempts.values_list(
        "submission_id", "revision__problem_id", "standing__value", "standing__reason"
    ):
        given[submission][problem] += 1
        if value is None:
            outcomes[submission].append(AnswerOutcome(problem))
            reasons[submission].update([reason] if reason else [])
        else:
            share = FULL * (value - lowest) / (highest - lowest)
            outcomes[submission].append(AnswerOutcome(problem, share, share))
    [(_configuration, calibration)] = collect(configuration)
    rows = []
    for row in own:
        pk = row.submission.pk
        made = tally(
            outcomes[pk],
            missing=max(0, row.submission.expected - len(given[pk])),
            lacking=count_lacking(given[pk]),
        )
        rows.append(
            JudgeRow(
                name=row.name,
                is_demo=row.is_demo,
                submission=row.submission,
                # A share of a scale is no proportion, so its interval is that of a mean.
                tally=made
                if configuration.judge_kind.is_yes_or_no
                else replace(made, accuracy=made.eed, accuracy_range=made.eed_range),
                answers=sum(given[pk].values()),
                judged=made.scored,
                reasons=reasons[pk].most_common(),
                symbolic=row.quote("accuracy"),
            )
        )
    return BoardColumn(configuration, calibration, _rank(rows, calibration))


def _rank(rows: list[JudgeRow], calibration: Calibration) -> list[JudgeRow]:
    """Give a rank to what is covered well enough by a judge that people agree with."""
    ranked = [
        row
        for row in rows
        if calibration.may_rank
        and row.mean.value is not None
        and row.coverage >= settings.JUDGE_LEAST_COVERAGE
    ]
    values = {row.submission.pk: row.mean.value or 0.0 for row in ranked}
    ranks = {
        pk: 1 + sum(other > value for other in values.values()) for pk, value in values.items()
    }
    placed = [replace(row, rank=ranks.get(row.submission.pk)) for row in rows]
    return sorted(
        placed, key=lambda row: (row.mean.value is None, -(row.mean.value or 0.0), row.name)
    )
