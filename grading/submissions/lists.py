"""The submissions that somebody may see: a table, narrowed, and a file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.answers.tallies.bounds import Figures
from grading.answers.tallies.keeping import read_figures
from grading.answers.tallies.models import Counted, with_counts
from grading.submissions.filters import SubmissionFilter
from grading.submissions.publication import find_ranked_of
from grading.submissions.results.exposing import record_verdicts
from phybench.pages.listing import Column, Listing
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

A_PAGE = 25


class State(Counted):
    """How far a submission got, as lists say it."""

    of: int
    """How many submissions its model has to this benchmark, whatever became of them."""


def with_state(found: QuerySet[Submission]) -> "QuerySet[WithAnnotations[Submission, State]]":
    """Add what `State` lists to submissions, newest first."""
    alike = Submission.objects.filter(
        solver=OuterRef("solver"), benchmark=OuterRef("benchmark")
    ).order_by("-number")
    # None is ever deleted, so the last number says how many there are. A file may have had very
    # many rows that are no answers.
    return with_counts(found.annotate(of=Subquery(alike.values("number")[:1]))).defer("left_out")


@dataclass(frozen=True, slots=True)
class ListedSubmission:
    """One row: how far it got and what it scored: while answers wait, a range as on its page."""

    submission: Any
    """As `with_state` gives it."""
    figures: Figures
    is_ranked: bool
    """Whether it is on the board."""

    def find_end(self, name: str) -> float | None:
        """Return one end of the mean EED, for the file; both are the mean where all is graded."""
        return getattr(self.figures.eed_range, name, None)


def list_scored(found: Iterable[Submission]) -> list[ListedSubmission]:
    """Add what submissions scored, and which are on the board: as many queries for any number."""
    shown = list(found)
    figures = read_figures(shown)
    alike = Submission.objects.filter(solver__in={one.solver_id for one in shown})
    ranked = find_ranked_of(alike.defer("left_out"))
    return [ListedSubmission(one, figures[one.pk], one.pk in ranked) for one in shown]


def _of_submission(name: str) -> Callable[[ListedSubmission], object]:
    return lambda row: getattr(row.submission, name)


def _write_time(name: str) -> Column[ListedSubmission]:
    return Column(name, value=lambda row: (at := getattr(row.submission, name)) and at.isoformat())


COLUMNS: list[Column[ListedSubmission]] = [
    Column("submission", value=_of_submission("pk")),
    Column("model", _("Model"), value=lambda row: row.submission.solver.name),
    Column("organisation", value=lambda row: row.submission.solver.organisation.name),
    Column("benchmark", _("Benchmark"), value=lambda row: row.submission.benchmark.slug),
    Column("number", _("Number"), value=_of_submission("number"), is_number=True),
    Column("of", value=_of_submission("of")),
    Column("at", _("Submitted")),
    _write_time("created_at"),
    Column("answers", _("Answers"), value=_of_submission("answers"), is_number=True),
    Column(
        "accuracy",
        _("Accuracy, %"),
        value=lambda row: row.figures.accuracy.quote(row.figures.accuracy_range).value,
        is_number=True,
    ),
    Column(
        "eed",
        _("Mean EED"),
        value=lambda row: row.figures.eed.quote(row.figures.eed_range).value,
        is_number=True,
    ),
    Column("eed_from", value=lambda row: row.find_end("low")),
    Column("eed_to", value=lambda row: row.find_end("high")),
    Column("waiting", value=_of_submission("waiting")),
    Column("not_graded", value=_of_submission("failed")),
    _write_time("published_at"),
    _write_time("withdrawn_at"),
    Column("on_the_board", value=lambda row: "yes" if row.is_ranked else "no"),
    Column("grading", _("Status")),
]


def _find(request: MemberRequest) -> SubmissionFilter:
    return SubmissionFilter(request.GET, list_submissions(request.user))


@role_required(Role.EVALUATOR)
@require_GET
def submissions(request: MemberRequest) -> HttpResponse:
    filters = _find(request)
    listing: Listing[Any] = Listing(
        request, with_state(filters.qs), COLUMNS, filters=filters, a_page=A_PAGE
    )
    described = listing.describe()
    shown = list(described["page"].object_list)
    context = {**described, "rows": list_scored(shown)}
    page = render(request, "grading/submissions.html", context)
    record_verdicts(request.user, *shown)
    return page


@role_required(Role.EVALUATOR)
@require_GET
def submissions_csv(request: MemberRequest) -> HttpResponse:
    found = list(with_state(_find(request).qs))
    file = Listing(request, list_scored(found), COLUMNS).write("submissions")
    record_verdicts(request.user, *found)
    return file
