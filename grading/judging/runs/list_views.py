"""The runs of judges that somebody may see: a table, filtered and sorted, and a file."""

from collections.abc import Iterator

from django.core.paginator import Paginator
from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grading import permissions
from grading.judging.judgements.models import JudgeCall
from grading.judging.lists import RunFilter
from grading.judging.runs.models import JudgeRun
from phybench.csv import csv_response
from phybench.http import MemberRequest, role_required
from phybench.models import Role
from phybench.sorting import Sorting, read_sorting

A_PAGE = 50


def name_currencies(run: JudgeRun) -> str:
    """Name what a run is paid in: its endpoints may differ."""
    judges = run.judges.select_related("endpoint")
    return ", ".join(sorted({one.endpoint.currency for one in judges}))


def _sort(request: MemberRequest) -> Sorting:
    columns = {
        "submission": (_("Submission"), "submission__solver__name"),
        "judge": (_("Judge"), "configuration__name"),
        "started": (_("Started"), "created_at"),
        "stands": (_("Stands"), "state"),
        "verdicts": (_("With a verdict"), "scored"),
    }
    return read_sorting(request, columns, "-started")


@role_required(Role.EVALUATOR)
@require_GET
def judge_runs(request: MemberRequest) -> HttpResponse:
    form, sorting = RunFilter(request.GET), _sort(request)
    found = form.narrow(permissions.list_runs(request.user).with_counts()).order_by(*sorting.order)
    context = {
        "form": form,
        "page": Paginator(found, A_PAGE).get_page(request.GET.get("page")),
        "columns": sorting.columns,
        "numbers": {"verdicts"},
    }
    return render(request, "grading/judge_runs.html", context)


@role_required(Role.EVALUATOR)
@require_GET
def judge_runs_csv(request: MemberRequest) -> HttpResponse:
    """Write the list as it is filtered and sorted, with what each run cost."""
    header = [
        "run", "submission", "solver", "other", "other_solver", "configuration",
        "configuration_sha256", "purpose", "started_by", "started_at", "state", "paused_for",
        "answers", "with_verdict", "waiting", "calls", "tokens", "money",
    ]  # fmt: skip
    found = RunFilter(request.GET).narrow(permissions.list_runs(request.user).with_counts())
    rows = _with_cost(found).order_by(*_sort(request).order)
    return csv_response("judge-runs", header, _write(rows))


def _with_cost(found: QuerySet[JudgeRun]) -> QuerySet[JudgeRun]:
    """Add what was spent on each, what killed workers lost among it."""
    made = JudgeCall.objects.filter(item__run=OuterRef("pk")).order_by().values("item__run")
    return found.annotate(
        **{
            f"spent_{name}": Subquery(made.annotate(sum=Sum(name)).values("sum"))
            for name in ("calls", "tokens", "money")
        }
    )


def _tell_state(run: JudgeRun) -> str:
    """Tell how a run of `with_counts` stands, as its page does: one with nothing left has ended."""
    is_over = run.state == JudgeRun.State.RUNNING and not getattr(run, "waiting", None)
    return "ENDED" if is_over else run.state


def _write(found: QuerySet[JudgeRun]) -> Iterator[list[object]]:
    for run in found:
        yield [
            run.pk,
            run.submission_id,
            run.submission.solver.name,
            run.other_id,
            run.other.solver.name if run.other else "",
            run.configuration.name,
            run.configuration.sha256,
            run.purpose,
            str(run.started_by),
            run.created_at.isoformat(),
            _tell_state(run),
            run.paused_for,
            *(getattr(run, name) for name in ("total", "scored", "waiting")),
            *(
                (getattr(run, f"spent_{name}") or 0) + getattr(run, f"lost_{name}")
                for name in ("calls", "tokens", "money")
            ),
        ]
