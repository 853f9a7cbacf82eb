"""What the pages about a board's scores have in common: which version, and which problems."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from curation.versions.models import BenchmarkVersion
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope

NARROWING = ("domain", "difficulty")


class NarrowForm(forms.Form):
    """Choose problems by domain and difficulty, among those of which figures may be told."""

    domain = forms.ChoiceField(label=_("Domain"), required=False)
    difficulty = forms.ChoiceField(label=_("Difficulty"), required=False)

    def __init__(self, scope: Scope, offers: tuple[str, ...]) -> None:
        super().__init__(scope.query, auto_id="narrow-%s")
        choices = {"domain": PhysicsField.choices, "difficulty": Difficulty.choices}
        for name in NARROWING:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            of_version = {cell[NARROWING.index(name)] for cell in scope.cells.values()}
            offered = [one for one in choices[name] if one[0] in of_version]
            field.choices = [("", _("any")), *offered]
            if name not in offers:
                del self.fields[name]


def find_scope_of(request: HttpRequest, slug: str, *, offers: tuple[str, ...] = NARROWING) -> Scope:
    """Return what an address asks for; what the page does not offer to narrow by is ignored."""
    benchmark = get_object_or_404(Benchmark, slug=slug)
    ignored = set(NARROWING) - set(offers)
    query: dict[str, str] = {
        name: str(value) for name, value in request.GET.items() if name not in ignored
    }
    return read_scope(benchmark, query)


def describe(scope: Scope, *, offers: tuple[str, ...] = NARROWING) -> dict[str, Any]:
    """Return what `grading/_scope.html` needs."""
    published = BenchmarkVersion.objects.published().filter(benchmark=scope.benchmark)
    kept = {name: value for name, value in scope.query.items() if name not in NARROWING}
    return {
        "scope": scope,
        "benchmark": scope.benchmark,
        "version": scope.version,
        "versions": list(published) if scope.version else [],
        "kept": kept,
        "narrowing": NarrowForm(scope, offers) if scope.version and offers else None,
    }
