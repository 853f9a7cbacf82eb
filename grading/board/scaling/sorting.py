"""Sort wrong answers into groups that say the same, in children with a deadline."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from grading.answers.models import Attempt, with_grade
from grading.answers.runs.models import GradingRun
from grading.board.scaling.models import AnswerSorting
from grading.submissions.results.rows import WRONG
from phybench.work import sandbox
from phybench.work.models import Priority
from phybench_grader.verdict.clusters import group_answers
from phybench_grader.verdict.declarations import Undeclarable


@dataclass(frozen=True, slots=True)
class Sorted:
    groups: list[list[int]]
    not_compared: int = 0
    stopped: str = ""


def queue(
    run: GradingRun, wanted: Iterable[tuple[int, int]], *, priority: Priority = Priority.IDLE
) -> list[AnswerSorting]:
    """
    Have wrong answers sorted, once nothing else is to be done; what was asked before is not again.

    Args:
        wanted: submissions and revisions, by number.
    """
    rows = [
        AnswerSorting(run=run, submission_id=submission, revision_id=revision, priority=priority)
        for submission, revision in wanted
    ]
    return AnswerSorting.objects.bulk_create(rows, ignore_conflicts=True, batch_size=1000)


def sort(row: AnswerSorting) -> None:
    """Sort the answers of a claimed row, and keep what is found."""
    found = _sort(row)
    row.settle(
        groups=found.groups,
        not_compared=found.not_compared,
        stopped=found.stopped,
        done_at=timezone.now(),
    )


def give_up(row: AnswerSorting) -> None:
    """Leave apart what takes worker after worker with it, and say so."""
    alike = list(_list_alike(row).values())
    row.settle(
        groups=alike,
        not_compared=sum(map(len, alike)),
        stopped="worker_lost",
        done_at=timezone.now(),
    )


def _sort(row: AnswerSorting) -> Sorted:
    alike = _list_alike(row)
    keys = row.run.find_keys({row.revision_id})
    texts = list(alike)
    try:
        groups = sandbox.run(
            group_answers,
            texts,
            declared=keys[row.revision_id].reference.question,
            deadline=settings.KEY_CHECK_DEADLINE_SECONDS,
        )
    except sandbox.Stopped as stopped:
        return _leave_apart(alike.values(), stopped.reason)
    except Undeclarable:
        return _leave_apart(alike.values(), "undeclarable")
    except CancelledError:
        raise
    found = [[pk for place in one.members for pk in alike[texts[place]]] for one in groups]
    is_open = [one.is_open for one in groups]
    placed = {pk for one in found for pk in one}
    # What the child could not read again is apart, as what stays open.
    apart = [pks for pks in alike.values() if pks[0] not in placed]
    not_compared = sum(len(one) for one, open_ in zip(found, is_open, strict=True) if open_)
    return Sorted([*found, *apart], not_compared + sum(map(len, apart)))


def _list_alike(row: AnswerSorting) -> dict[str, list[int]]:
    """Return wrong answers by what is compared: one response for all that were read alike."""
    attempts = Attempt.objects.filter(
        submission=row.submission_id, revision=row.revision_id, status=Attempt.Status.GRADED
    )
    found: dict[str, list[int]] = defaultdict(list)
    by_reading: dict[str, str] = {}
    graded = with_grade(attempts, run=row.run)
    for pk, response, reading, verdict in (
        graded.annotate(read=F("current_grade__answer_read"))
        .order_by("pk")
        .values_list("pk", "response", "read", "verdict")
    ):
        if verdict not in WRONG:
            continue
        found[by_reading.setdefault(reading or response, response)].append(pk)
    return dict(found)


def _leave_apart(alike: Iterable[Sequence[int]], why: str) -> Sorted:
    groups = [list(one) for one in alike]
    return Sorted(groups, sum(map(len, groups)), why)
