"""The runs of judges that somebody may see: a table, narrowed and sorted, and a file."""

from typing import Any

from django.db.models import OuterRef, Subquery, Sum
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from grading.judging.judgements.models import JudgeCall
from grading.judging.models import JudgeRun, JudgeRunQuerySet
from grading.judging.permissions import list_runs
from grading.judging.runs.filters import RunFilter
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 50


def _tell_state(run: Any) -> str:
    """Tell how a run of `with_counts` stands, as its page does: one with nothing left has ended."""
    is_over = run.state == JudgeRun.State.RUNNING and not run.waiting
    return "ENDED" if is_over else run.state


def _spent(name: str) -> Column[Any]:
    """Write what a run of `_with_cost` spent, what killed workers lost among it."""
    return Column(
        name,
        value=lambda run: (getattr(run, f"spent_{name}") or 0) + getattr(run, f"lost_{name}"),
    )


# Of any rows: what `with_counts` and `_with_cost` add, no type knows.
COLUMNS: list[Column[Any]] = [
    Column("run", value=lambda run: run.pk),
    Column(
        "submission",
        _("Submission"),
        by("submission__solver__name"),
        lambda run: run.submission_id,
    ),
    Column("solver", value=lambda run: run.submission.solver.name if run.submission else ""),
    Column("file", value=lambda run: run.file.file_name if run.file else ""),
    Column("file_sha256", value=lambda run: run.file.sha256 if run.file else ""),
    Column("other", value=lambda run: run.other_id),
    Column("other_solver", value=lambda run: run.other.solver.name if run.other else ""),
    Column("judge", _("Judge"), by("configuration__name")),
    Column("started", _("Started"), by("created_at")),
    Column("stands", _("Status"), by("state")),
    Column("verdicts", _("With a verdict"), by("scored"), is_number=True),
    Column("configuration", value=lambda run: run.configuration.name),
    Column("configuration_sha256", value=lambda run: run.configuration.sha256),
    Column("purpose", value=lambda run: run.purpose),
    Column("started_by", value=lambda run: str(run.started_by)),
    Column("started_at", value=lambda run: run.created_at.isoformat()),
    Column("state", value=_tell_state),
    Column("paused_for", value=lambda run: run.paused_for),
    Column("answers", value=lambda run: run.total),
    Column("with_verdict", value=lambda run: run.scored),
    Column("waiting", value=lambda run: run.waiting),
    *(_spent(name) for name in ("calls", "tokens", "money")),
]


def _list(request: MemberRequest, runs: JudgeRunQuerySet) -> Listing[JudgeRun]:
    filters = RunFilter(request.GET, runs)
    return Listing(request, filters.qs, COLUMNS, default="-started", filters=filters, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def judge_runs(request: MemberRequest) -> HttpResponse:
    listing = _list(request, list_runs(request.user).with_counts())
    return render(request, "grading/judge_runs.html", listing.describe())


@role_required(Role.EVALUATOR)
@require_GET
def judge_runs_csv(request: MemberRequest) -> HttpResponse:
    """Write the list as it is narrowed and sorted, with what each run cost."""
    found = list_runs(request.user).with_counts()
    return _list(request, _with_cost(found)).write("judge-runs")


def _with_cost(found: JudgeRunQuerySet) -> JudgeRunQuerySet:
    made = JudgeCall.objects.filter(item__run=OuterRef("pk")).order_by().values("item__run")
    return found.annotate(
        **{
            f"spent_{name}": Subquery(made.annotate(sum=Sum(name)).values("sum"))
            for name in ("calls", "tokens", "money")
        }
    )
