"""What speaks for caution once a verdict stands beside the symbolic grade."""

from collections.abc import Mapping
from typing import Any

from grading.answers.models import Grade, VerdictChoice
from grading.judging.engine.records import list_doubts
from grading.judging.models import JudgeItem
from phybench_grader.judges.kinds import of_verdict


def grader_says_right(symbolic_verdict: str | None) -> bool | None:
    """
    Tell whether the grader takes an answer for right; None where it could not tell.

    >>> grader_says_right("CORRECT"), grader_says_right("PARTIAL"), grader_says_right("UNREADABLE")
    (True, False, None)
    """
    if symbolic_verdict in (None, "", VerdictChoice.UNREADABLE):
        return None
    return symbolic_verdict == VerdictChoice.CORRECT


def compare(item: JudgeItem, said: Mapping[str, Any]) -> dict[str, Any]:
    """
    Set what was said beside the symbolic grade, and say why a person should look.

    Nobody rules on pairs, so of one its run shows why.
    """
    if item.canary:
        return {}
    grades = Grade.objects.current().filter(attempt__in=[item.attempt_id, item.other_id])
    verdicts = dict(grades.values_list("attempt_id", "verdict"))
    ours, theirs = (verdicts.get(pk or 0, "") for pk in (item.attempt_id, item.other_id))
    doubts = list_doubts(
        item.run.configuration.judge_kind,
        flags=said["flags"],
        reason=said.get("reason"),
        votes=said["votes"],
    )
    if item.other_id is not None:
        if _contradicts_grader(said["verdict"], ours, theirs):
            doubts.append("GRADER_DISAGREES")
        return {"doubts": doubts, "symbolic_verdict": ours, "other_symbolic_verdict": theirs}
    is_right, graded = said["is_right"], grader_says_right(ours)
    if None not in (is_right, graded) and is_right is not graded:
        doubts.append("GRADER_DISAGREES")
    elif ours and graded is None and is_right:
        # What could not be read may well be right: the two say nothing against each other.
        doubts.append("GRADER_COULD_NOT_READ")
    return {"doubts": doubts, "symbolic_verdict": ours}


def _contradicts_grader(verdict: Mapping[str, Any] | None, ours: str, theirs: str) -> bool:
    """Tell whether one alone is right by the grader, and the judge does not prefer it."""
    first, second = grader_says_right(ours), grader_says_right(theirs)
    if verdict is None or None in (first, second) or first is second:
        return False
    return of_verdict(verdict).count(verdict) != (1.0 if first else 0.0)
