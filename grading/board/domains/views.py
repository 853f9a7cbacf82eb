"""How solvers do in each domain: the page, its picture, and its file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion
from grading.board.analyses.asking import Asked, answer_later, look_up
from grading.board.domains.drawing import SHOWN, draw, say_in_words
from grading.board.domains.figures import DOMAINS, KEPT, METRICS, Metric
from grading.board.domains.table import VIEWS, DomainTable, View, make_table
from grading.board.panels.actions import freeze
from grading.board.panels.collecting import find_members, list_panels
from grading.board.panels.forms import FreezeForm
from grading.board.panels.models import LEAST_MODELS, Panel
from grading.board.panels.permissions import freezes_panels
from grading.board.scores.collecting import find_field
from grading.board.scores.pages import describe, find_scope_of
from grading.board.scores.scope import Scope
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.pages.pictures import ShownPicture, is_narrow, svg_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

OFFERS = ("difficulty",)
HEADER = [
    "solver", "organisation", "submission", "domain", "problems", "metric", "mean", "low", "high",
    "counted", "method", "panel", "panel_mean", "advantage", "relative_advantage", "from", "to",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """What an address asks for, as far as it is known."""

    scope: Scope
    asked: Asked
    panels: list[Panel]
    panel: Panel | None
    table: DomainTable | None
    """None until a worker had time."""
    view: View
    metric: Metric

    @property
    def query(self) -> dict[str, str]:
        """Return what leads back to the same."""
        said = dict(self.scope.query)
        if self.metric != METRICS[0]:
            said["metric"] = self.metric
        if self.panel:
            said["panel"] = str(self.panel.pk)
        return said


def _read(request: HttpRequest, slug: str) -> Shown:
    scope = find_scope_of(request, slug, offers=OFFERS)
    field = find_field(scope)
    asked = look_up(DOMAINS, scope, field=field)
    figures = KEPT.validate_python(asked.result) if asked.result else None
    panels = list_panels(scope.version)
    by_number = {str(one.pk): one for one in panels}
    newest = panels[0] if panels else None
    panel = by_number.get(request.GET.get("panel", ""), newest)
    metric = METRICS[request.GET.get("metric") == "accuracy"]
    table = make_table(figures, field, panel, metric) if figures else None
    asked_for = request.GET.get("show", "")
    view = View(asked_for) if asked_for in [*View] and panel else View.MEANS
    return Shown(scope, asked, panels, panel, table, view, metric)


@for_everybody
def domains(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    address = reverse("domains_csv", args=[slug])
    context: dict[str, Any] = {
        **describe(shown.scope, offers=OFFERS),
        "also_kept": _keep(shown),
        "asked": shown.asked,
        "shown": shown,
        "table": shown.table,
        "views": [(one, label, one == shown.view) for one, label in VIEWS.items()],
        "metrics": [(one, one == shown.metric) for one in METRICS],
        "members": find_members(shown.panel).standing if shown.panel else [],
        "permalink": urlencode({**shown.query, "show": shown.view.value}),
        "csv": f"{address}?{urlencode(shown.query)}",
        "least_models": LEAST_MODELS,
        "freezing": FreezeForm() if shown.scope.version and _freezes(request) else None,
    }
    if shown.table and any(row.means.micro.value is not None for row in shown.table.rows):
        context["picture"] = ShownPicture(
            name=f"domains-{slug}",
            path=reverse("domains_picture", args=[slug]),
            text=say_in_words(shown.table),
            query=shown.query,
            caption=_("The %(count)d best solvers over all problems.") % {"count": SHOWN}
            if len(shown.table.rows) > SHOWN
            else "",
            csv=context["csv"],
        )
    return render(request, "grading/domains.html", context)


def _keep(shown: Shown) -> dict[str, str]:
    """Return what narrowing the problems leaves in the address."""
    kept = {name: shown.query[name] for name in ("metric", "panel") if name in shown.query}
    return kept if shown.view is View.MEANS else {**kept, "show": shown.view.value}


def _freezes(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and freezes_panels(request.user)


@for_everybody
def domains_picture(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    if shown.table is None:
        return answer_later(shown.asked.failure)
    drawn = draw(shown.table, is_narrow=is_narrow(request))
    return svg_response(request, "pictures/domains.svg", drawn, name=f"domains-{slug}")


@for_everybody
def domains_csv(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    if shown.table is None:
        return answer_later(shown.asked.failure)
    return csv_response(f"domains-{slug}", HEADER, _list_rows(shown.table))


def _list_rows(table: DomainTable) -> Iterator[list[object]]:
    for row in table.rows:
        who = [row.name, row.submission.solver.organisation, row.submission.number]
        for cell in row.cells:
            mean, found, held = cell.quoted, cell.advantage, cell.range
            figures = [mean.value, mean.low, mean.high] if mean else [None] * 3
            yield [
                *who,
                cell.domain.name,
                cell.domain.problems,
                table.metric,
                *map(_write, figures),
                mean.count if mean else "",
                mean.method if mean else "NOT_TOLD",
                table.panel or "",
                _write(cell.domain.panel),
                _write(found.absolute if found else None),
                "" if found is None or found.relative is None else f"{found.relative:.4f}",
                *([_write(held.low), _write(held.high)] if held else ["", ""]),
            ]


def _write(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


@role_required(Role.ADMIN)
@require_POST
def freeze_panel(request: MemberRequest, slug: str, number: int) -> HttpResponse:
    """Freeze who stands on a version's board."""
    versions = BenchmarkVersion.objects.published().select_related("benchmark")
    version = get_object_or_404(versions, benchmark__slug=slug, number=number)
    back = redirect(f"{reverse('domains', args=[slug])}?version={number}")
    form = FreezeForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Give the panel a name of at most 100 characters."))
        return back
    try:
        panel = freeze(version=version, name=form.cleaned_data["name"], by=request.user)
    except NotAllowedNow as refusal:
        messages.error(request, str(refusal))
        return back
    text = _("Frozen: “%(name)s” has %(count)d models and can no longer change.")
    messages.success(request, text % {"name": panel, "count": panel.size})
    return back
