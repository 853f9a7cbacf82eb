"""What a page, a picture or a file on EED is asked for, and the figures that there are of it."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from curation.problems.benchmarks.models import Benchmark
from grading.board.scores.collecting import Field, find_field
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope


@dataclass(frozen=True, slots=True)
class Asked:
    """A board that the page is of."""

    scope: Scope
    field: Field

    @classmethod
    def of(cls, request: HttpRequest, slug: str) -> "Asked":
        benchmark = get_object_or_404(Benchmark, slug=slug)
        # A domain may have one problem only, whose score would be told by its answers' shares.
        said = {name: request.GET.get(name, "") for name in ("version", "as")}
        scope = read_scope(benchmark, said)
        return cls(scope, find_field(scope))
