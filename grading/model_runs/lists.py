"""The runs of models that somebody may see, and the answers of one: tables, and files."""

from operator import attrgetter
from typing import Any

from django.db.models import QuerySet, Sum
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from grading.model_runs.filters import AnswerFilter, ModelRunFilter
from grading.model_runs.models import ModelRun, ModelRunAnswer, ModelRunQuerySet
from grading.model_runs.permissions import list_model_runs
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

A_PAGE = 50

# Of any rows: what `_with_all` adds, no type knows.
COLUMNS: list[Column[Any]] = [
    Column("run", value=lambda run: run.pk),
    Column("name", _("Model"), by("name"), lambda run: run.name),
    Column("organisation", value=lambda run: run.organisation.name),
    Column("version", _("Version"), by("version"), lambda run: str(run.version)),
    Column("started", _("Started"), by("created_at")),
    Column("stands", _("Status"), by("state")),
    Column("answers", _("Answers"), by("answered"), is_number=True),
    Column("money", _("Cost"), by("spent_money"), is_number=True),
    Column("endpoint", value=lambda run: run.endpoint.name),
    Column("model", value=lambda run: run.model),
    Column("samples", value=lambda run: run.samples),
    Column("temperature", value=lambda run: run.temperature),
    Column("max_tokens", value=lambda run: run.max_tokens),
    Column("reasoning_effort", value=lambda run: run.reasoning_effort),
    Column("prompt_sha256", value=lambda run: run.prompt_sha256),
    Column("started_by", value=lambda run: str(run.started_by)),
    Column("started_at", value=lambda run: run.created_at.isoformat()),
    Column("state", value=lambda run: run.state),
    Column("asked", value=lambda run: run.total),
    Column("answered", value=lambda run: run.answered),
    Column("failed", value=lambda run: run.failed),
    Column("waiting", value=lambda run: run.waiting),
    Column("calls", value=lambda run: run.spent_calls or 0),
    Column("tokens", value=lambda run: run.spent_tokens or 0),
    Column("spent", value=lambda run: run.spent_money or 0),
    Column("currency", value=lambda run: run.endpoint.currency),
]


def _with_all(found: ModelRunQuerySet) -> ModelRunQuerySet:
    return found.with_counts().annotate(
        spent_calls=Sum("answers__calls_made"),
        spent_tokens=Sum("answers__tokens"),
        spent_money=Sum("answers__money"),
    )


def _list(request: MemberRequest) -> Listing[ModelRun]:
    filters = ModelRunFilter(request.GET, _with_all(list_model_runs(request.user)))
    return Listing(request, filters.qs, COLUMNS, default="-started", filters=filters, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def model_runs(request: MemberRequest) -> HttpResponse:
    return render(request, "grading/model_runs.html", _list(request).describe())


@role_required(Role.EVALUATOR)
@require_GET
def model_runs_csv(request: MemberRequest) -> HttpResponse:
    """Write the list as it is narrowed and sorted, with what each run cost."""
    return _list(request).write("model-runs")


# --- The answers of one -----------------------------------------------------------------------

ANSWER_COLUMNS: list[Column[Any]] = [
    Column("id", _("Problem"), by("item__problem", "sample"), lambda one: one.item.identifier),
    Column("sample", _("Sample"), by("sample", "item__problem"), is_number=True),
    Column("state", _("Status"), by("state"), lambda one: one.state),
    Column("tokens", _("Tokens received"), by("completion_tokens"), is_number=True),
    Column("latency", _("Seconds"), by("latency"), lambda one: one.latency, is_number=True),
    Column("number", value=lambda one: one.sample),
    *(
        Column(name, value=attrgetter(name))
        for name in (
            "remark", "finish_reason", "failure_reason", "prompt_tokens", "completion_tokens",
            "reasoning_tokens", "calls_made", "money", "model_reported", "response", "reasoning",
        )
    ),
]  # fmt: skip


def list_answers(request: MemberRequest, run: ModelRun) -> Listing[ModelRunAnswer]:
    found: QuerySet[ModelRunAnswer] = run.answers.select_related("item")
    filters = AnswerFilter(request.GET, found)
    columns = ANSWER_COLUMNS
    return Listing(request, filters.qs, columns, default="id", filters=filters, a_page=A_PAGE)


@role_required(Role.EVALUATOR)
@require_GET
def model_run_csv(request: MemberRequest, pk: int) -> HttpResponse:
    """Write the answers as they are narrowed and sorted."""
    run = get_object_or_404(list_model_runs(request.user), pk=pk)
    return list_answers(request, run).write(f"model-run-{run.pk}")
