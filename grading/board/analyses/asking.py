"""What a page knows of an analysis: its result, the one before, or that it comes."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.utils.translation import gettext as _

from grading.board.analyses.actions import ask, find_before
from grading.board.analyses.kinds import AnalysisKind, Result
from grading.board.analyses.models import Analysis
from grading.board.scores.collecting import Field
from grading.board.scores.scope import Scope

AGAIN_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Asked:
    analysis: Analysis
    result: Result | None
    """Of the scores as they are, or as they were before; None until a worker had time."""

    @property
    def is_coming(self) -> bool:
        return self.analysis.is_waiting

    @property
    def failure(self) -> str:
        return self.analysis.failure


def look_up(kind: AnalysisKind, scope: Scope, *, field: Field | None = None) -> Asked:
    """Return what is known of a question; a worker finds out what is not."""
    analysis = ask(kind, scope, field=field)
    before = None if analysis.result is not None else find_before(analysis)
    return Asked(analysis, analysis.result or (before.result if before else None))


def answer_later(failure: str = "") -> HttpResponse:
    """Answer who wants a file or a picture that no worker has worked out yet, or none could."""
    text = failure and _(failure)
    text = text or _("This is still being calculated. Ask again in a few seconds.")
    headers = {} if failure else {"Retry-After": str(AGAIN_SECONDS)}
    return HttpResponse(text, status=503, content_type="text/plain; charset=utf-8", headers=headers)
