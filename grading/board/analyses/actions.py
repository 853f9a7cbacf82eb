"""Ask a question to the scores of a board."""

from django.utils import timezone

from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.board.analyses.kinds import AnalysisKind, hash_question
from grading.board.analyses.models import Analysis
from grading.board.analyses.tasks import WORKING_OUT
from grading.board.scores.collecting import Field, arrange
from grading.board.scores.scope import Scope
from phybench.work.models import Priority
from phybench.work.tasks import wake


def ask(
    kind: AnalysisKind, scope: Scope, *, field: Field | None = None, run: GradingRun | None = None
) -> Analysis:
    """
    Return what is known of a question, and have a worker find out what is not.

    Where no answer of a model is graded there is next to nothing to find out: that is said at once,
    not promised.

    Args:
        field: whose scores it is of, where that was looked up before.
        run: by whose grades, in place of those that count.
    """
    field = field or kind.find_field(scope)
    question, state = hash_question(kind, scope, field, run)
    kept = Analysis.objects.filter(question_sha256=question, state_sha256=state).first()
    if kept is not None:
        return kept
    said = {
        "kind": kind.name,
        "benchmark": scope.benchmark,
        "version": scope.version,
        "run": run,
        "query": scope.query,
        "priority": Priority.SOON,
    }
    graded = Attempt.objects.filter(submission__in=field.submissions, status=Attempt.Status.GRADED)
    if not graded.exists():
        said |= {"result": kind.work_out(arrange(scope, run, field)), "done_at": timezone.now()}
    analysis, is_new = Analysis.objects.get_or_create(
        question_sha256=question, state_sha256=state, defaults=said
    )
    if is_new and analysis.is_waiting:
        wake(WORKING_OUT, [analysis])
    return analysis


def find_before(analysis: Analysis) -> Analysis | None:
    """Find the newest answer to the same question, of scores as they were before."""
    same = Analysis.objects.filter(question_sha256=analysis.question_sha256)
    return same.filter(result__isnull=False).exclude(pk=analysis.pk).order_by("-done_at").first()
