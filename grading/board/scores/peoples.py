"""What people's answers are worth: of studies that have ended, and those without a study."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from numpy.typing import NDArray

from grading.answers.models import Attempt, VerdictChoice, with_grade
from grading.answers.runs.models import GradingRun
from grading.board.scores.scope import Scope
from grading.studies.models import HumanBaseline, Study
from grading.studies.sessions.models import Session, SessionItem, Trace
from grading.studies.sessions.rules import find_left_out
from phybench_grader.statistics.scores import PeoplesScores

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

Outcome = SessionItem.Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Who:
    """Which people figures are of, and how many: the one place that names them."""

    people: int
    study: str = ""
    """The study that they sat; empty of those who answered without one."""
    study_pk: int | None = None
    is_baseline: bool = False
    """Whether an admin has named their study as the human baseline of its version."""

    @property
    def name(self) -> str:
        if self.is_baseline:
            return _("Human baseline")
        return self.study or _("Other answers of people, without a clock")

    @property
    def label(self) -> str:
        """Their name with how many they are."""
        words = {"name": self.name, "count": self.people}
        text = ngettext("%(name)s, %(count)d person", "%(name)s, %(count)d people", self.people)
        return text % words

    def shorten(self, longest: int) -> "Who":
        """Return the same with so many characters of the study's title, for pictures."""
        return replace(self, study=Truncator(self.study).chars(longest))


@dataclass(frozen=True, slots=True, eq=False)
class PeoplesGroup:
    """People who answered under the same conditions."""

    study: Study | None
    """None of those who answered without one: they had no clock."""
    is_baseline: bool
    scores: PeoplesScores
    answered: int
    """Problems with an answer of any of them."""
    minutes: NDArray[np.float64]
    """By answer, how long the problem was shown; NaN where that is not known."""
    sat: NDArray[np.float64]
    """By person, minutes of their session."""

    @property
    def who(self) -> Who:
        return Who(
            people=self.scores.count,
            study=self.study.title if self.study else "",
            study_pk=self.study.pk if self.study else None,
            is_baseline=self.is_baseline,
        )


class Named(TypedDict):
    is_baseline: bool
    """Whether an admin has named the study as the human baseline of its version."""


class Answer(NamedTuple):
    person: int
    problem: int
    accuracy: float | None
    eed: float | None
    is_unreadable: bool
    minutes: float


class Grades(NamedTuple):
    accuracy: float | None
    eed: float | None
    verdict: str | None


def collect_peoples(scope: Scope, run: GradingRun | None = None) -> list[PeoplesGroup]:
    """
    Return what people's answers are worth, by the grades that count or those of a run.

    The human baseline comes first, and those without a study last. Of a study whom its rules keep,
    once all its sessions have ended; what they left empty or gave up is 0 there, and what they had
    seen before does not count.
    """
    groups = [_collect_study(study, scope, run) for study in _list_studies(scope)]
    return [*groups, _collect_without(scope, run)]


def describe_peoples(scope: Scope) -> list[object]:
    """Tell one state of people's scores from another, without reading them."""
    counts = _list_without(scope).order_by().values_list("status")
    described: list[object] = [list(one) for one in counts.annotate(Count("pk"), Max("pk"))]
    for study in _list_studies(scope):
        sat = Attempt.objects.filter(sat__session__participation__study=study).order_by()
        people = study.participations.aggregate(
            Count("pk"), Count("withdrawn_at"), Count("exclusion"), Count("session__kept_to_aids")
        )
        graded = [list(one) for one in sat.values_list("status").annotate(Count("pk"), Max("pk"))]
        described.append([study.pk, study.is_baseline, study.rules, sorted(graded), people])
    return described


def _list_studies(scope: Scope) -> "list[WithAnnotations[Study, Named]]":
    """
    List the studies of a version of which nobody sits any more: their results are told.

    The human baseline comes first.
    """
    if scope.version is None:
        return []
    going_on = Session.objects.going_on().order_by().values("participation__study")
    ended = Study.objects.filter(version=scope.version, ended_at__isnull=False)
    named = HumanBaseline.objects.counting().filter(study=OuterRef("pk"))
    studies = ended.exclude(pk__in=going_on).annotate(is_baseline=Exists(named))
    # The stubs know what a query set of our own is annotated with, but not its rows.
    return list(studies.order_by("-is_baseline", "pk"))  # type: ignore[arg-type]


def _collect_study(
    study: "WithAnnotations[Study, Named]", scope: Scope, run: GradingRun | None
) -> PeoplesGroup:
    gone = {person for people in find_left_out(study).values() for person in people}
    items = (
        SessionItem.objects.filter(
            session__participation__study=study,
            session__participation__withdrawn_at=None,
            session__ended_at__isnull=False,
        )
        .exclude(outcome=Outcome.SEEN)
        .annotate(shown=Sum("traces__amount", filter=Q(traces__kind=Trace.Kind.SHOWN)))
        .order_by("pk")
        .values_list(
            *("session__participation", "study_item__item__problem", "outcome", "attempt"),
            *("shown", "session__started_at", "session__ended_at"),
        )
    )
    attempts = Attempt.objects.filter(sat__session__participation__study=study)
    grades = _find_grades(attempts, scope, run)
    answers, sat, answered = [], {}, set()
    for person, problem, outcome, attempt, shown, started_at, ended_at in items:
        if person in gone or not scope.keeps(problem):
            continue
        grade = grades[attempt] if outcome == Outcome.ANSWERED else Grades(0.0, 0.0, None)
        is_unreadable = grade.verdict == VerdictChoice.UNREADABLE
        # A browser says what it likes: a problem is shown no longer than its session takes.
        session = (ended_at - started_at).total_seconds() / 60
        minutes = nan if shown is None else min(shown / 60_000, session)
        # Apart from the numbers of solvers, which those without a study have.
        answers.append(Answer(-person, problem, grade.accuracy, grade.eed, is_unreadable, minutes))
        if outcome == Outcome.ANSWERED:
            answered.add(problem)
        sat[person] = session
    return _put_together(
        study,
        answers,
        answered=len(answered),
        is_baseline=study.is_baseline,
        sat=sat.values(),
    )


def _collect_without(scope: Scope, run: GradingRun | None) -> PeoplesGroup:
    """Collect the answers that were given without a study; while one waits, it is not graded."""
    graded = with_grade(_list_without(scope), benchmark=scope.benchmark, run=run)
    rows = graded.order_by("pk").values_list(
        "solver_id", "revision__problem_id", "accuracy", "eed", "verdict"
    )
    answers = [
        Answer(solver, problem, accuracy, eed, verdict == VerdictChoice.UNREADABLE, nan)
        for solver, problem, accuracy, eed, verdict in rows
        if scope.keeps(problem)
    ]
    return _put_together(None, answers, answered=len({one.problem for one in answers}))


def _list_without(scope: Scope) -> "QuerySet[Attempt]":
    """Return the answers that people gave in the app, and in no study, to what the scope is of."""
    attempts = Attempt.objects.counting().filter(submission=None, sat=None)
    if scope.version is None:
        return attempts.filter(revision__problem__benchmark=scope.benchmark)
    return attempts.filter(revision__in=scope.version.items.public().values("revision"))


def _find_grades(
    attempts: "QuerySet[Attempt]", scope: Scope, run: GradingRun | None
) -> dict[int, Grades]:
    graded = with_grade(attempts, benchmark=scope.benchmark, run=run)
    rows = graded.order_by().values_list("pk", "accuracy", "eed", "verdict")
    return {pk: Grades(accuracy, eed, verdict) for pk, accuracy, eed, verdict in rows}


def _put_together(
    study: Study | None,
    answers: list[Answer],
    *,
    answered: int,
    is_baseline: bool = False,
    sat: Iterable[float] = (),
) -> PeoplesGroup:
    columns = zip(*answers, strict=True) if answers else ((),) * len(Answer._fields)
    person, problem, accuracy, eed, is_unreadable, minutes = columns
    scores = PeoplesScores(
        np.array(person, dtype=np.int64),
        np.array(problem, dtype=np.int64),
        np.array(accuracy, dtype=np.float64),  # None becomes NaN
        np.array(eed, dtype=np.float64),
        np.array(is_unreadable, dtype=np.bool_),
    )
    return PeoplesGroup(
        study,
        is_baseline,
        scores,
        answered,
        np.array(minutes, dtype=np.float64),
        np.array(list(sat), dtype=np.float64),
    )
