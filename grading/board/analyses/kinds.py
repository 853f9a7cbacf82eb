"""The kinds of analysis that there are, and how a worker answers one."""

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from grading.answers.runs.models import GradingRun
from grading.board.analyses.models import Analysis
from grading.board.scores.collecting import BoardScores, Field, arrange, find_field, hash_state
from grading.board.scores.requests import read_scope
from grading.board.scores.scope import Scope

logger = logging.getLogger(__name__)

KEPT = 2
"""Results of the same question that stay, the newest and the one before."""

Result = dict[str, Any]
"""What can be written as JSON; a figure that is not defined is None, never NaN."""

FAILED = gettext_noop("This could not be calculated. An admin can find the reason in the log.")
LOST = gettext_noop(
    "The worker stopped more than once while calculating this. An admin can find the "
    "reason in the log."
)


@dataclass(frozen=True, slots=True)
class AnalysisKind:
    """One question that can be asked of any board's scores."""

    name: str
    work_out: Callable[[BoardScores], Result]
    version: int = 1
    """Raised where the same scores give another result: what is kept is worked out again then."""
    find_field: Callable[[Scope], Field] = find_field
    """Whose scores it is of; those who stand on the board where nothing else is said."""
    find_more: Callable[[Scope, Field], object] = lambda scope, field: None
    """What the result hangs on besides, as can be written as JSON."""
    is_due: Callable[[Scope, Field], bool] = lambda scope, field: True
    """Whether it can be answered yet; until then no page asks it."""
    is_whole: Callable[[Result], bool] = lambda result: True
    """Whether no work that it asked for itself is left, after which it is answered anew."""


_KINDS: dict[str, AnalysisKind] = {}


def register_analysis(kind: AnalysisKind) -> AnalysisKind:
    """Make a kind known to workers, which load each room's `tasks.py`: that has to import it."""
    _KINDS[kind.name] = kind
    return kind


def list_kinds() -> list[AnalysisKind]:
    """List the kinds of the rooms whose `tasks.py` is loaded: in a worker, all."""
    return list(_KINDS.values())


def hash_question(
    kind: AnalysisKind, scope: Scope, field: Field, run: GradingRun | None
) -> tuple[str, str]:
    """Tell one question from another, and one state of what it is of from another."""
    question = [kind.name, scope.benchmark.pk, scope.query, run.pk if run else None]
    state = [hash_state(scope, field, run), kind.version, kind.find_more(scope, field)]
    return _sha256(question), _sha256(state)


def _sha256(said: object) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def work_out(analysis: Analysis) -> None:
    """Answer a claimed question, of the scores as they are now."""
    kind = _KINDS.get(analysis.kind)
    if kind is None:
        # An older version of the code knew it.
        analysis.ours().delete()
        return
    query: Mapping[str, str] = analysis.query
    scope = read_scope(analysis.benchmark, query)
    field = kind.find_field(scope)
    _question, state = hash_question(kind, scope, field, analysis.run)
    if state != analysis.state_sha256:
        # Grades came in meanwhile: who asks now asks anew.
        analysis.ours().delete()
        return
    try:
        result = kind.work_out(arrange(scope, analysis.run, field))
    except (ArithmeticError, ValueError, TypeError, LookupError):
        logger.exception("working out analysis %d", analysis.pk)
        analysis.settle(failure=FAILED, done_at=timezone.now())
        return
    with transaction.atomic():
        if analysis.settle(result=result, done_at=timezone.now()):
            _forget_older(analysis)


def _forget_older(analysis: Analysis) -> None:
    """Delete what earlier states said, but for the last of it: a page shows that meanwhile."""
    same = Analysis.objects.filter(question_sha256=analysis.question_sha256)
    done = same.exclude(done_at=None).order_by("-done_at").values_list("pk", flat=True)
    Analysis.objects.filter(pk__in=list(done[KEPT:])).delete()


def give_up(analysis: Analysis) -> None:
    """Say so of a question that takes worker after worker with it."""
    analysis.settle(failure=LOST, done_at=timezone.now())
