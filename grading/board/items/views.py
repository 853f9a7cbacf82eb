"""The problems of a version: the list, its picture, its file, and a page for each."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.texts.workflow import NotAllowedNow
from curation.versions.models import VersionItem
from grading.board.analyses.asking import answer_later
from grading.board.items import actions
from grading.board.items.drawing import draw, say_in_words
from grading.board.items.figures import LEAST_EITHER, LEAST_PEOPLE, STEP
from grading.board.items.forms import AssessForm
from grading.board.items.listed import COLUMNS, ItemList, ItemRow, list_items, sort_rows
from grading.board.panels.collecting import find_members
from grading.board.panels.models import LEAST_MODELS
from grading.board.permissions import assesses_items
from grading.board.scores.pages import NARROWING, describe, find_scope_of
from grading.board.scores.scope import Scope
from phybench.pages.kept import for_everybody
from phybench.pages.listing import Listing, Tab
from phybench.pages.pictures import ShownPicture, is_narrow, svg_response
from phybench.people.models import User
from phybench_grader.statistics.items import LEAST_FOR_CORRELATION

A_PAGE = 25
UNCERTAIN = "uncertain"
LEASTS = {
    "least_models": LEAST_MODELS,
    "least_for_correlation": LEAST_FOR_CORRELATION,
    "least_either": LEAST_EITHER,
    "least_people": LEAST_PEOPLE,
    "step": STEP,
}


@dataclass(frozen=True, slots=True)
class Shown:
    scope: Scope
    found: ItemList
    is_of_uncertain: bool

    @property
    def query(self) -> dict[str, str]:
        return {**self.scope.query, **({"show": UNCERTAIN} if self.is_of_uncertain else {})}

    @property
    def rows(self) -> list[ItemRow]:
        return self.found.uncertain if self.is_of_uncertain else self.found.rows


def _read(request: HttpRequest, slug: str) -> Shown:
    scope = find_scope_of(request, slug)
    whole = find_scope_of(request, slug, offers=()) if scope.is_narrowed else scope
    found = list_items(_reader(request), scope, whole)
    return Shown(scope, found, request.GET.get("show") == UNCERTAIN)


def _reader(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _list(request: HttpRequest, shown: Shown) -> Listing[ItemRow]:
    found = shown.found
    narrowed = urlencode(shown.scope.query)
    tabs = [
        Tab(
            f"?{narrowed}",
            _("All %(count)d") % {"count": len(found.rows)},
            not shown.is_of_uncertain,
        ),
        Tab(
            f"?{urlencode({**shown.scope.query, 'show': UNCERTAIN})}",
            _("Uncertain %(count)d") % {"count": len(found.uncertain)},
            shown.is_of_uncertain,
        ),
    ]
    return Listing(
        request,
        sort_rows(request, shown.rows),
        COLUMNS,
        default="id",
        # One that holds nothing is no choice.
        tabs=tabs if found.uncertain or shown.is_of_uncertain else (),
        keeps=shown.query,
        hides=() if found.tells_deciding else ["deciding"],
        a_page=A_PAGE,
    )


@for_everybody
def items(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    listing = _list(request, shown).describe()
    found = shown.found
    _record(request, listing["page"])
    context: dict[str, Any] = {
        **describe(shown.scope, offers=NARROWING),
        **listing,
        **LEASTS,
        "also_kept": {"show": UNCERTAIN} if shown.is_of_uncertain else {},
        "found": found,
        "asked": found.asked,
        "members": find_members(found.panel).standing if found.panel else [],
        "is_of_uncertain": shown.is_of_uncertain,
        "permalink": urlencode(shown.query),
        "csv": f"{reverse('items_csv', args=[slug])}?{urlencode(shown.query)}",
        "has_doubts": any(row.doubts for row in listing["page"]),
    }
    if any(row.told.right is not None for row in shown.rows):
        context["picture"] = ShownPicture(
            name=f"problems-{slug}",
            path=reverse("items_picture", args=[slug]),
            text=say_in_words(shown.rows),
            query=shown.query,
            caption=_("The number in a mark is its number of problems."),
            csv=context["csv"],
        )
    return render(request, "grading/items.html", context)


def _record(request: HttpRequest, rows: list[ItemRow]) -> None:
    """Write down who is told what speaks against keys: that tells of verdicts."""
    reader = _reader(request)
    told = [row.item.revision_id for row in rows if row.doubts.key_check]
    if reader and told:
        ledger.write_verdicts(reader, Reason.DOUBT, told)


@for_everybody
def items_picture(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    if shown.found.asked.result is None:
        return answer_later(shown.found.asked.failure)
    drawn = draw(shown.rows, is_narrow=is_narrow(request))
    return svg_response(request, "pictures/items.svg", drawn, name=f"problems-{slug}")


@for_everybody
def items_csv(request: HttpRequest, slug: str) -> HttpResponse:
    shown = _read(request, slug)
    if shown.found.asked.result is None:
        return answer_later(shown.found.asked.failure)
    return _list(request, shown).write(f"problems-{slug}")


@login_not_required
@require_http_methods(["GET", "POST"])
def item(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show what is told of one problem of a version, and take what somebody says of it."""
    public = VersionItem.objects.public().filter(version__published_at__isnull=False)
    found = get_object_or_404(
        public.select_related("version__benchmark", "problem", "revision", "withdrawal"),
        version__benchmark__slug=slug,
        pk=pk,
    )
    reader = _reader(request)
    assesses = bool(reader and assesses_items(reader, found.problem))
    form = AssessForm(request.POST) if request.method == "POST" else AssessForm()
    if request.method == "POST":
        if reader is None or not assesses:
            raise PermissionDenied
        if form.is_valid():
            try:
                actions.assess(revision=found.revision, by=reader, **form.cleaned_data)
            except NotAllowedNow as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("Saved. Everyone can read it here now."))
                return redirect("item", slug, pk)
    whole = Scope.of(found.version, is_as_published=hasattr(found, "withdrawal"))
    listed = list_items(reader, whole, whole)
    row = next(one for one in listed.rows if one.item.pk == found.pk)
    _record(request, [row])
    context = {
        **LEASTS,
        "item": found,
        "version": found.version,
        "benchmark": found.version.benchmark,
        "row": row,
        "found": listed,
        "asked": listed.asked,
        "form": form if assesses else None,
        "says": _say_panel(listed),
    }
    status = 400 if form.is_bound and form.errors else 200
    return render(request, "grading/item.html", context, status=status)


def _say_panel(listed: ItemList) -> str:
    if listed.panel is None:
        return ""
    text = ngettext(
        "Over the panel “%(name)s” of %(count)d model.",
        "Over the panel “%(name)s” of %(count)d models.",
        listed.panel.size,
    )
    return text % {"name": listed.panel, "count": listed.panel.size}
