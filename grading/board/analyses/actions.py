"""Ask a question to the scores of a board."""

from grading.answers.runs.models import GradingRun
from grading.board.analyses.kinds import AnalysisKind, hash_question
from grading.board.analyses.models import Analysis
from grading.board.analyses.tasks import WORKING_OUT
from grading.board.scores.collecting import Field
from grading.board.scores.scope import Scope
from phybench.work.models import Priority
from phybench.work.tasks import wake


def ask(
    kind: AnalysisKind, scope: Scope, *, field: Field | None = None, run: GradingRun | None = None
) -> Analysis:
    """
    Return what is known of a question, and have a worker find out what is not.

    Args:
        field: whose scores it is of, where that was looked up before.
        run: by whose grades, in place of those that count.
    """
    field = field or kind.find_field(scope)
    question, state = hash_question(kind, scope, field, run)
    kept = Analysis.objects.filter(question_sha256=question, state_sha256=state).first()
    if kept is not None:
        return kept
    analysis, is_new = Analysis.objects.get_or_create(
        question_sha256=question,
        state_sha256=state,
        defaults={
            "kind": kind.name,
            "benchmark": scope.benchmark,
            "version": scope.version,
            "run": run,
            "query": scope.query,
            "priority": Priority.SOON,
        },
    )
    if is_new:
        wake(WORKING_OUT, [analysis])
    return analysis


def find_before(analysis: Analysis) -> Analysis | None:
    """Find the newest answer to the same question, of scores as they were before."""
    same = Analysis.objects.filter(question_sha256=analysis.question_sha256)
    return same.filter(result__isnull=False).exclude(pk=analysis.pk).order_by("-done_at").first()
