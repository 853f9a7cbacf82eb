"""Which submissions stand on a board, and what each of their answers is worth."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.functions import JSONObject

from grading.answers.counting import COUNTED
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun, Ungraded
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers, collect
from grading.answers.tallies.models import Counted, SubmissionTally, with_counts
from grading.board.scores.peoples import PeoplesGroup, collect_peoples, describe_peoples
from grading.board.scores.scope import Scope
from grading.solvers.models import Description, find_developer
from grading.submissions.publication import choose_newest, list_for
from phybench_grader.statistics.scores import PeoplesScores, Scores

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

LEAST_COVERAGE = 0.9
"""Share of the problems that a solver has to answer to be ranked."""


class Waiting(Counted):
    of: int
    """How many its model has handed in to this benchmark, to this version or another."""
    is_unseen: bool
    """Whether no worker has taken some of its answers yet."""
    traits: dict[str, Any] | None
    """What its model's newest description says, as `ModelTraits` has it."""


class ModelTraits(NamedTuple):
    """What a team says of its model now; empty where it doesn't."""

    kind: Literal["REASONING", "GENERAL", ""] = ""
    parameters: int | None = None
    developer: str = ""


class Standing(NamedTuple):
    """A submission that stands on a board."""

    submission: Submission
    waiting: int
    """Its answers that are graded once more."""
    handed_in: int
    """How many submissions its model has."""
    traits: ModelTraits = ModelTraits()
    carried_from: int | None = None
    """The number of the version that it was submitted to, where that is an earlier one."""


@dataclass(frozen=True, slots=True)
class Field:
    """Who stands on a board; and what stood there once, newest first."""

    standing: list[Standing]
    withdrawn: Sequence[Submission]
    provisional: Sequence[Standing] = ()
    """
    Those that were not asked all problems: their answers are to an earlier version.

    The board lists them; nothing is compared with them.
    """

    @property
    def rows(self) -> list[Standing]:
        return [*self.standing, *self.provisional]

    @property
    def submissions(self) -> list[Submission]:
        return [one.submission for one in self.rows]


@dataclass(frozen=True, slots=True, eq=False)
class BoardScores:
    """All scores on a board. The arrays of all submissions have the same problems as rows."""

    scope: Scope
    field: Field
    answers: dict[int, Answers]
    """What each submission's answers are worth, by its number (`pk`)."""
    of: dict[int, Scores]
    groups: list[PeoplesGroup]
    """People, by the study that they sat: the human baseline first, those without one last."""

    @property
    def people(self) -> PeoplesScores:
        """All of them together: for figures of single problems, which few of each group had."""
        return PeoplesScores.join([one.scores for one in self.groups])


def find_field(scope: Scope) -> Field:
    """Find what is ranked of each model and published; of an earlier version what carries over."""
    submissions = _list_submissions(scope)
    own = scope.version.pk if scope.version else None
    withdrawn = [
        one
        for one in submissions
        if one.published_at and one.withdrawn_at and one.version_id == own
    ]
    standing, provisional = [], []
    for one in _choose(submissions, own):
        version = one.submission.version_id
        if not scope.tells(version):
            continue
        if not scope.list_new(version):
            standing.append(one)
        elif scope.list_kept(version):
            provisional.append(one)
    return Field(standing, withdrawn, provisional)


def _list_submissions(scope: Scope) -> "list[WithAnnotations[Submission, Waiting]]":
    """Return all, newest first, each with how many of its answers wait."""
    # None is ever deleted, so the last number says how many there are.
    numbered = Submission.objects.filter(
        solver=OuterRef("solver"), benchmark=OuterRef("benchmark")
    ).order_by("-number")
    described = Description.objects.newest().filter(solver=OuterRef("solver"))
    before = Submission.objects.filter(benchmark=scope.benchmark, version=None)
    found = (list_for(scope.version) if scope.version else before).annotate(
        of=Subquery(numbered.values("number")[:1]),
        is_unseen=Exists(Attempt.objects.unseen().filter(submission=OuterRef("pk"))),
        traits=Subquery(
            described.values(traits=JSONObject(**{one: one for one in ModelTraits._fields}))[:1]
        ),
    )
    # A file may have had very many rows that are no answers.
    return list(with_counts(found.select_related("solver__organisation")).defer("left_out"))


def _choose(
    submissions: "Iterable[WithAnnotations[Submission, Waiting]]", own: int | None
) -> list[Standing]:
    """
    Pick the submission of each model that is ranked, where that is published.

    Args:
        own: the version (`pk`) that the board is of.
    """
    waiting = {one.pk: one.waiting for one in submissions}
    of = {one.pk: one.of for one in submissions}
    traits = {one.pk: one.traits for one in submissions}
    unseen = {one.pk for one in submissions if one.is_unseen}
    by_solver: dict[int, list[Submission]] = defaultdict(list)
    for submission in submissions:
        by_solver[submission.solver_id].append(submission)
    chosen = []
    for theirs in by_solver.values():
        ranked = choose_newest(theirs, waiting=unseen)
        if ranked and ranked.published_at and not ranked.withdrawn_at:
            described = traits[ranked.pk] or {"developer": find_developer(ranked.solver.name)}
            earlier = ranked.version if ranked.version_id != own else None
            number = earlier.number if earlier else None
            counts = waiting[ranked.pk], of[ranked.pk]
            chosen.append(Standing(ranked, *counts, ModelTraits(**described), number))
    return chosen


def has_complete_row(scope: Scope) -> bool:
    """Say whether a row of a version's board answers as many problems as one has to for a rank."""
    assert scope.version is not None
    standing = [one.submission for one in find_field(scope).standing]
    asked = scope.version.items.public().filter(problem__in=scope.problems)
    answers = Attempt.objects.filter(submission__in=standing, revision__in=asked.values("revision"))
    counted = (
        answers.order_by().values("submission").annotate(problems=Count("revision", distinct=True))
    )
    return counted.filter(problems__gte=LEAST_COVERAGE * scope.count).exists()


def collect_answers(
    scope: Scope, field: Field, run: GradingRun | None = None
) -> dict[int, Answers]:
    """Put together what the answers of each submission on a board are worth, by its `pk`."""
    found = collect(field.submissions, benchmark=scope.benchmark, run=run)
    if scope.version is None:
        return found
    versions = {one.pk: one.version_id for one in field.submissions}
    kept = {one: scope.list_kept(one) for one in {*versions.values()}}
    return {pk: answers.keep(kept[versions[pk]]) for pk, answers in found.items()}


def arrange(scope: Scope, run: GradingRun | None = None, field: Field | None = None) -> BoardScores:
    """Return all scores on a board as arrays, by the grades that count or those of a run."""
    field = field or find_field(scope)
    answers = collect_answers(scope, field, run)
    problems = scope.problems
    if scope.version is None:
        problems = sorted({problem for one in answers.values() for problem in one.given})
    of = {one.submission.pk: answers[one.submission.pk].arrange(problems) for one in field.standing}
    return BoardScores(scope, field, answers, of, collect_peoples(scope, run))


def hash_state(scope: Scope, field: Field, run: GradingRun | None = None) -> str:
    """
    Tell one state of a board's scores from another, without reading them.

    Grades are never changed, and a run has one for each answer: so what counts is which run, which
    submissions, how far each is, and which problems.
    """
    counting = GradingRun.objects.adopted().filter(benchmark=scope.benchmark)
    by = run.pk if run else counting.values_list("pk", flat=True).first()
    tallies = SubmissionTally.objects.filter(submission__in=field.submissions).order_by("pk")
    state = [
        [
            by,
            run.grades.count() if run else 0,
            Ungraded.objects.filter(run=run).count() if run else 0,
        ],
        sorted((one.submission.pk, one.submission.expected) for one in field.rows),
        list(tallies.values_list("pk", *COUNTED)),
        describe_peoples(scope),
        scope.problems,
    ]
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()


def name_all(field: Field) -> dict[int, str]:
    """Name each submission's model; two organisations may have one of the same name."""
    names = Counter(one.solver.name for one in field.submissions)
    return {
        one.pk: one.solver.name
        if names[one.solver.name] == 1
        else f"{one.solver.name} ({one.solver.organisation})"
        for one in field.submissions
    }
