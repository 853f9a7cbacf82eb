"""The public page on how good EED is, its pictures and its files."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django.views.decorators.vary import vary_on_headers

from curation.problems.benchmarks.models import Benchmark
from grading.answers.runs.models import GradingRun
from grading.answers.unordered import work
from grading.board.analyses.asking import answer_later, look_up
from grading.board.eed import pictures
from grading.board.eed.asked import Asked
from grading.board.eed.collecting import find_progress
from grading.board.eed.figures import read_eed, read_unordered
from grading.board.eed.shown import EEDRow, list_rows, list_unordered
from grading.board.eed.tasks import EED, UNORDERED
from grading.board.scores.scope import Scope
from phybench.pages.kept import for_everybody
from phybench.pages.pictures import ShownPicture, is_narrow, svg_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

PARTS = ("figures", "unordered")
"""Of the page; each asks again until it is worked out."""


@for_everybody
@vary_on_headers("HX-Request", "HX-Target")
def eed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what EED adds to accuracy on a board, and how unordered EED would move it."""
    asked = Asked.of(request, slug)
    target = request.headers.get("HX-Target", "")
    part = target if target in PARTS else ""
    context: dict[str, Any] = {"scope": asked.scope, "benchmark": asked.scope.benchmark}
    if part in ("", "figures"):
        context |= _describe_figures(asked)
    if part in ("", "unordered"):
        context |= _describe_unordered(asked)
    return render(request, f"grading/eed.html#{part}" if part else "grading/eed.html", context)


def _describe_figures(asked: Asked) -> dict[str, Any]:
    found = look_up(EED, asked.scope, field=asked.field)
    if found.result is None:
        return {"found": found}
    figures = read_eed(found.result)
    rows = list_rows(figures, asked.field)
    return {
        "found": found,
        "figures": figures,
        "rows": rows,
        "pictures": list_pictures(asked.scope, rows) if rows else {},
    }


def _describe_unordered(asked: Asked) -> dict[str, Any]:
    """Return how far the second metric is, and once it is measured what it says."""
    progress = find_progress(asked.scope, asked.field)
    if not progress.is_complete:
        return {"progress": progress}
    found = look_up(UNORDERED, asked.scope, field=asked.field)
    if found.result is None:
        return {"progress": progress, "unordered": found}
    figures = read_unordered(found.result)
    return {
        "progress": progress,
        "unordered": found,
        "beside": figures,
        "unordered_rows": list_unordered(figures, asked.field),
    }


# --- Pictures ---------------------------------------------------------------------------------


def _say_added(added: Sequence[float]) -> str:
    if not added:
        return _("Mean EED against accuracy: not all answers of any model are graded.")
    return ngettext(
        "Mean EED against accuracy: the model lies %(low).1f points above the line "
        "where both are equal.",
        "Mean EED against accuracy: %(count)d models lie %(low).1f to %(high).1f "
        "points above the line where both are equal.",
        len(added),
    ) % {"count": len(added), "low": min(added), "high": max(added)}


def list_pictures(scope: Scope, rows: Sequence[EEDRow]) -> dict[str, ShownPicture]:
    """Return the pictures with the finding of each in words, for those who do not see it."""
    shares = pictures.average_shares([row.figures.shares for row in rows])
    told = {
        "scatter": _say_added([row.added for row in rows if not row.figures.is_provisional]),
        "shares": _(
            "Distribution of answers: on average %(full).1f %% of a model’s answers "
            "have EED 100, %(between).1f %% lie between, and %(zero).1f %% have 0."
        )
        % {"full": shares[-1], "between": sum(shares[1:-1]), "zero": shares[0]},
        "scores": _(
            "Frequency of each EED: %(zero).1f %% of answers have 0, %(full).1f %% "
            "have 100, and none lies between 60 and 100."
        )
        % {"zero": shares[0], "full": shares[-1]},
    }
    slug = scope.benchmark.slug
    csv = f"{reverse('eed_csv', args=[slug])}?{urlencode(scope.query)}"
    return {
        name: ShownPicture(
            name=f"eed-{name}-{slug}",
            path=reverse("eed_picture", args=[slug, name]),
            text=text,
            query=scope.query,
            csv=csv,
        )
        for name, text in told.items()
    }


@for_everybody
def eed_picture(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Draw one of the page's pictures."""
    asked = Asked.of(request, slug)
    found = look_up(EED, asked.scope, field=asked.field)
    if found.result is None:
        return answer_later(found.failure)
    figures = read_eed(found.result)
    rows = list_rows(figures, asked.field)
    if not rows:
        raise Http404(_("Picture not found."))
    is_small = is_narrow(request)
    drawn: pictures.Scatter | pictures.ShareBars | pictures.Histogram
    if name == "scatter":
        # As on the board: the human baseline, or the first study.
        people = next(iter(figures.peoples), None)
        drawn = pictures.draw_scatter(rows, people, is_narrow=is_small)
    elif name == "shares":
        drawn = pictures.draw_shares(rows, is_narrow=is_small)
    elif name == "scores":
        drawn = pictures.draw_histogram([row.figures.shares for row in rows], is_narrow=is_small)
    else:
        raise Http404(_("Picture not found."))
    shown = list_pictures(asked.scope, rows)[name]
    context = {
        "picture": drawn,
        "title": shown.text,
        "width": drawn.width,
        "height": drawn.height,
    }
    return svg_response(request, f"pictures/eed_{name}.svg", context, name=shown.name)


@role_required(Role.ADMIN)
@require_POST
def measure_again(request: MemberRequest, slug: str) -> HttpResponse:
    """Have measured again what failed."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    count = sum(map(work.try_again, GradingRun.objects.adopted().filter(benchmark=benchmark)))
    text = ngettext(
        "One answer will be measured again.", "%(count)d answers will be measured again.", count
    )
    messages.success(request, text % {"count": count})
    return redirect("eed", slug)
