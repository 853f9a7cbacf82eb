"""What a page, a picture or a file on EED is asked for, and the figures that there are of it."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from grading.board.eed.figures import PeoplesEED, read_eed
from grading.board.eed.shown import EEDRow, find, list_rows
from grading.board.eed.tasks import EED
from grading.board.scores.collecting import Field, find_field
from grading.board.scores.scope import Scope, read_scope


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


def find_rows(asked: Asked) -> tuple[list[EEDRow], list[PeoplesEED]]:
    """Return the page's rows for a file, which waits for no worker."""
    result = find(EED, asked.scope, asked.field).result
    figures = read_eed(result) if result else None
    rows = list_rows(figures, asked.field) if figures else []
    if figures is None or not rows:
        raise Http404(_("These figures have not been calculated yet. Open the page first."))
    return rows, figures.peoples
