"""Two of one's own submissions compared: figures, a table of problems, and a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from curation.problems.models import Problem
from grading.answers.permissions import list_submissions
from grading.answers.submissions.models import Submission
from grading.submissions.comparison.matching import (
    Cell,
    ComparedProblem,
    ComparedSubmissions,
    LeftOut,
    compare_submissions,
)
from grading.submissions.results.exposing import record_verdicts
from grading.submissions.results.rows import AnsweredProblem, list_samples
from phybench.pages.csv import stream_csv
from phybench.pages.listing import Column, Listing, Order, make_tabs, read_sort
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

A_PAGE = 50
Both = tuple[Submission, Submission]

# The rows are no queryset: what each is sorted by is in `SORTED_BY`, and these only name it.
BOTH_WAYS = ["+"], ["-"]
HEADER = [
    "id", "domain", "difficulty", "right", "first_accuracy", "second_accuracy",
    "accuracy_difference", "first_eed", "second_eed", "eed_difference",
]  # fmt: skip


def list_columns(names: Sequence[str] = ("", "")) -> list[Column[Any]]:
    return [
        Column("id", _("Problem"), Order(*BOTH_WAYS)),
        Column("first", names[0]),
        Column("second", names[1]),
        _difference("accuracy", _("Accuracy difference")),
        _difference("eed", _("EED difference")),
    ]


def _difference(name: str, label: str) -> Column[Any]:
    return Column(name, label, Order(*BOTH_WAYS, begins_descending=True), is_number=True)


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One problem of the table, with the answers of both."""

    compared: ComparedProblem
    problem: Problem
    first: AnsweredProblem
    second: AnsweredProblem


@role_required(Role.EVALUATOR)
@require_GET
def choose(request: MemberRequest, pk: int) -> HttpResponse:
    """Lead to the comparison with the submission that was chosen on a submission's page."""
    other = request.GET.get("other", "")
    if not other.isascii() or not other.isdigit():
        return redirect("grading:submission", pk)
    return redirect("grading:comparison", *[one.pk for one in _find(request, pk, int(other[:18]))])


@role_required(Role.EVALUATOR)
@require_GET
def compare(request: MemberRequest, pk: int, other: int) -> HttpResponse:
    both = _find(request, pk, other)
    comparison = compare_submissions(*both)
    names = name_both(*both)
    show = request.GET.get("show", "")
    listing = Listing(
        request,
        _sort(request, _narrow(comparison.graded.problems, show)),
        list_columns(names),
        default="-eed",
        tabs=make_tabs([("", _("all")), *label_cells(names).items()], show),
        keeps={"show": show} if show else {},
        a_page=A_PAGE,
    )
    described = listing.describe()
    labels = label_left_out(names)
    context = {
        **described,
        "rows": _join_rows(both, comparison, described["page"].object_list),
        "first": both[0],
        "second": both[1],
        "names": names,
        "comparison": comparison,
        "left_out": [(labels[why], count) for why, count in comparison.left_out.items()],
    }
    page = render(request, "grading/comparison.html", context)
    record_verdicts(request.user, *both)
    return page


def _find(request: MemberRequest, pk: int, other: int) -> Both:
    """Find two submissions to one benchmark that somebody may see both of."""
    if pk == other:
        raise Http404
    seen = list_submissions(request.user)
    first = get_object_or_404(seen, pk=pk)
    return first, get_object_or_404(seen, pk=other, benchmark=first.benchmark_id)


def name_both(first: Submission, second: Submission) -> tuple[str, str]:
    """Name two submissions; both may be of one model, or of two of the same name."""
    if first.solver.name != second.solver.name:
        return str(first.solver), str(second.solver)
    if first.solver_id != second.solver_id:
        return tuple(f"{one.solver} ({one.solver.organisation})" for one in (first, second))  # type: ignore[return-value]
    name = _("%(model)s, submission %(number)d")
    made = [name % {"model": one.solver, "number": one.number} for one in (first, second)]
    return made[0], made[1]


def label_cells(names: Sequence[str]) -> "dict[str, _StrOrPromise]":
    return {
        Cell.FIRST: _("only %(name)s right") % {"name": names[0]},
        Cell.SECOND: _("only %(name)s right") % {"name": names[1]},
        Cell.BOTH: _("both right"),
        Cell.NEITHER: _("neither right"),
    }


def label_left_out(names: Sequence[str]) -> dict[LeftOut, str]:
    return {
        LeftOut.ANOTHER_REVISION: _("whose text changed between the two versions"),
        LeftOut.ONLY_FIRST: _("that only %(name)s answered") % {"name": names[0]},
        LeftOut.ONLY_SECOND: _("that only %(name)s answered") % {"name": names[1]},
        LeftOut.WITHDRAWN: _("withdrawn from the benchmark later"),
    }


def _narrow(problems: Iterable[ComparedProblem], show: str) -> list[ComparedProblem]:
    return [one for one in problems if show not in set(Cell) or one.cell == show]


def _sort(request: MemberRequest, problems: Iterable[ComparedProblem]) -> list[ComparedProblem]:
    """Sort as the address asks; of the same difference, by the problem's number."""
    sort = read_sort(request, list_columns(), "-eed")
    values = {
        "id": lambda one: one.problem,
        "accuracy": lambda one: one.accuracy_difference,
        "eed": lambda one: one.eed_difference,
    }
    value = values[sort.removeprefix("-")]
    return sorted(problems, key=value, reverse=sort.startswith("-"))


def _join_rows(
    both: Both, comparison: ComparedSubmissions, page: Sequence[ComparedProblem]
) -> list[ComparedRow]:
    """Put the problems of a page together with the answers of both, in a query each."""
    shown = [one.problem for one in page]
    problems = Problem.objects.in_bulk(shown)
    first, second = (
        list_samples(one, shown, most=most)
        for one, most in zip(both, comparison.lower.most, strict=True)
    )
    return [
        ComparedRow(
            one,
            problems[one.problem],
            AnsweredProblem(problems[one.problem], first[one.problem], one.eeds[0]),
            AnsweredProblem(problems[one.problem], second[one.problem], one.eeds[1]),
        )
        for one in page
    ]


@role_required(Role.EVALUATOR)
@require_GET
def comparison_csv(request: MemberRequest, pk: int, other: int) -> StreamingHttpResponse:
    """Write the problems that are graded for both, narrowed and sorted as on the page."""
    both = _find(request, pk, other)
    comparison = compare_submissions(*both)
    rows = _sort(request, _narrow(comparison.graded.problems, request.GET.get("show", "")))
    problems = Problem.objects.in_bulk([one.problem for one in rows])
    record_verdicts(request.user, *both)
    return stream_csv(f"comparison-{pk}-{other}", HEADER, _write_rows(rows, problems))


def _write_rows(
    rows: Iterable[ComparedProblem], problems: Mapping[int, Problem]
) -> Iterator[list[object]]:
    for one in rows:
        problem = problems[one.problem]
        yield [
            problem.identifier,
            problem.domain,
            problem.difficulty,
            one.cell.value,
            *one.accuracies,
            one.accuracy_difference,
            *one.eeds,
            one.eed_difference,
        ]
