"""What workers do for boards: the analysis of `figures`, and asking ahead what pages ask."""

import logging
from datetime import timedelta

from celery import shared_task
from django.core.cache import cache
from django.db.models import Count, Max, Model
from django.utils import timezone

from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt, Grade
from grading.answers.runs.models import GradingRun, Ungraded
from grading.answers.submissions.models import Submission
from grading.answers.unordered.models import UnorderedScore
from grading.board import figures
from grading.board.analyses.actions import ask
from grading.board.analyses.kinds import AnalysisKind, list_kinds
from grading.board.analyses.models import Analysis
from grading.board.panels.models import Panel
from grading.board.panels.tasks import freeze_first
from grading.board.scores.collecting import Field, find_field
from grading.board.scores.requests import find_scope
from grading.board.scores.scope import Scope
from grading.studies.models import HumanBaseline, Study

__all__ = ["figures"]

logger = logging.getLogger(__name__)

ALL_IS_THERE = "all answers are graded, and all figures are there."
"""`dev.py run` tells this line of a log to who waits for the demo."""
QUIET = timedelta(seconds=30)
"""For so long nobody has published anything, before the first panel is frozen at once."""
SEEN = "boards-looked-ahead-of"


@shared_task
def look_ahead() -> bool:
    """
    Ask what pages ask of the versions that they show, so that who opens one finds it worked out.

    Returns:
        Whether all of it is there.
    """
    state = _describe_state()
    if cache.get(SEEN) == state:
        return True
    # Each is asked, also where one before it waits.
    coming = [one for one in _list_shown() if not prepare(one)]
    if not coming:
        # A worker that looked at the same time did the same.
        cache.set(SEEN, state, timeout=None)
    return not coming


def _list_shown() -> set[BenchmarkVersion]:
    """List the newest versions, and those that pages show until a newer one has a complete row."""
    newest = set(BenchmarkVersion.objects.current().select_related("benchmark"))
    shown = (find_scope(one.benchmark).version for one in newest)
    return newest.union(one for one in shown if one)


def _describe_state() -> list[object]:
    """Tell whether there is anything new, by a look at the ends of some tables."""
    rows: tuple[type[Model], ...] = (
        *(Grade, Ungraded, GradingRun, Panel, HumanBaseline, UnorderedScore, BenchmarkVersion),
    )
    newest = [one._default_manager.aggregate(newest=Max("pk"))["newest"] for one in rows]
    changed = GradingRun.objects.aggregate(Count("adopted_at"))
    shown = Submission.objects.aggregate(Count("published_at"), Count("withdrawn_at"))
    return [*newest, *changed.values(), *shown.values(), Study.objects.aggregate(Count("ended_at"))]


def prepare(version: BenchmarkVersion) -> bool:
    """Ask all that pages ask of a version once all is graded; return whether it is there."""
    scope = Scope.of(version)
    field = find_field(scope)
    if not field.standing or not scope.is_told:
        return True
    if any(one.waiting for one in field.standing) or _await_people(version):
        return False
    if not version.panels.exists():
        if not _is_quiet(field):
            return False
        freeze_first(version)
    asked = [(one, ask(one, scope)) for one in list_kinds() if one.is_due(scope, field)]
    is_done = all(_is_there(kind, one) for kind, one in asked)
    if is_done and cache.add(f"{SEEN}-{version.pk}", True, timeout=None):
        logger.info("%s: %s", version, ALL_IS_THERE)
    return is_done


def _is_there(kind: AnalysisKind, analysis: Analysis) -> bool:
    """Whether pages show all of it; what could not be calculated comes no more."""
    if analysis.is_waiting:
        return False
    return analysis.result is None or kind.is_whole(analysis.result)


def _await_people(version: BenchmarkVersion) -> bool:
    """Whether an answer of a person waits for its grade."""
    waiting = Attempt.objects.filter(
        submission=None,
        status__in=[Attempt.Status.QUEUED, Attempt.Status.GRADING],
        revision__problem__benchmark=version.benchmark_id,
    )
    return waiting.exists()


def _is_quiet(field: Field) -> bool:
    """Whether nobody is just publishing one model after another: a panel is of all of them."""
    last = max(one.published_at for one in field.submissions if one.published_at)
    return last <= timezone.now() - QUIET
