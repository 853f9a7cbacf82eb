"""The page of problems that people solve and hardly any model does, and its file."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.views.decorators.vary import vary_on_headers

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.permissions import list_visible
from curation.versions.models import VersionItem
from grading.board.analyses.asking import Asked, answer_later, look_up
from grading.board.compare.contrasts import (
    CONTRASTS,
    LEAST_ANSWERS,
    LEAST_MODELS,
    MODELS,
    PEOPLE,
)
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench.people.models import User


def _find(request: HttpRequest, slug: str) -> tuple[Scope, Asked]:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    # Of all problems of a version: of some of them the same ones would be listed.
    asked = {name: request.GET.get(name, "") for name in ("version", "as")}
    scope = read_scope(benchmark, asked)
    return scope, look_up(CONTRASTS, scope)


def _list(scope: Scope, result: dict[str, Any] | None, name: str) -> list[VersionItem]:
    """List items of the version; what is withdrawn meanwhile is left out."""
    if scope.version is None or not result:
        return []
    listed = set(result[name]) & set(scope.problems)
    items = scope.version.items.public().filter(problem__in=listed)
    return list(items.select_related("problem"))


@for_everybody
@vary_on_headers("HX-Request")
def contrasts(request: HttpRequest, slug: str) -> HttpResponse:
    scope, asked = _find(request, slug)
    viewer = request.user if isinstance(request.user, User) else None
    lists = [_list(scope, asked.result, name) for name in (PEOPLE, MODELS)]
    listed = [item.problem_id for items in lists for item in items]
    readable = list_visible(viewer) if viewer else Problem.objects.none()
    context = {
        "benchmark": scope.benchmark,
        "scope": scope,
        "query": urlencode(scope.query),
        "asked": asked,
        "result": asked.result,
        "lists": lists,
        "readable": set(readable.filter(pk__in=listed).values_list("pk", flat=True)),
        "least_models": LEAST_MODELS,
        "least_answers": LEAST_ANSWERS,
    }
    part = "#found" if "HX-Request" in request.headers else ""
    return render(request, f"grading/contrasts.html{part}", context)


@for_everybody
def contrasts_csv(request: HttpRequest, slug: str) -> HttpResponse:
    scope, asked = _find(request, slug)
    if asked.result is None:
        return answer_later(asked.failure)
    rows = [
        [name, item.identifier, item.problem.domain, item.problem.difficulty]
        for name in (PEOPLE, MODELS)
        for item in _list(scope, asked.result, name)
    ]
    return csv_response(
        f"people-and-models-{slug}", ["solved_by", "id", "domain", "difficulty"], rows
    )
