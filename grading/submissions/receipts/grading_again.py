"""Grade answers once more, in child processes, and say which come to something else."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from curation.texts.references.reference import Reference
from grading.answers import grader
from grading.answers.grader import Judged
from grading.answers.models import NOT_GRADED
from grading.submissions.receipts.comparing import TOLERANCE
from grading.submissions.receipts.receipt import ReceiptItem
from phybench.work import sandbox
from phybench_grader import JudgeError

AT_ONCE = 200
"""Answers that are held in memory."""
PASSING = frozenset({"timeout", "memory", "crashed", "worker_lost", "grader_error"})
"""Failures of ours that say nothing of an answer: another time, or machine, may have none."""


class Agreement(StrEnum):
    SAME = "SAME"
    DIFFERS = "DIFFERS"
    COULD_NOT_TELL = "COULD_NOT_TELL"


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of an answer: a verdict with its EED, or why there is none."""

    verdict: str | None
    eed: float | None
    reason: str | None
    """None where a person's ruling stands in its place."""


@dataclass(frozen=True, slots=True)
class GradedAgain:
    item: ReceiptItem
    before: Said
    now: Said

    @property
    def agreement(self) -> Agreement:
        if _are_alike(self.before, self.now):
            return Agreement.SAME
        if any(one.verdict is None and one.reason in PASSING for one in (self.before, self.now)):
            return Agreement.COULD_NOT_TELL
        return Agreement.DIFFERS


@dataclass(frozen=True, slots=True)
class ToGrade:
    """An answer with what was said of it, and the key it was graded by."""

    item: ReceiptItem
    response: str
    key: Reference


def grade_again(answers: Iterable[ToGrade], *, processes: int) -> Iterator[GradedAgain]:
    """Grade each answer anew and yield it, in their order; nothing is kept."""
    waiting = iter(answers)
    while some := list(islice(waiting, AT_ONCE)):
        found = sandbox.gather(_judge, some, children=processes)
        for one, judged in zip(some, found, strict=True):
            yield GradedAgain(one.item, say_automatic(one.item), _say(judged))


def say_automatic(item: ReceiptItem) -> Said:
    """Say what the grader said of an item, which is what can be had from it again."""
    if item.decided_by != "person":
        return Said(item.verdict, item.eed, item.reason)
    said = None if item.automatic_verdict == NOT_GRADED else item.automatic_verdict
    return Said(said, item.automatic_eed, None)


def _judge(one: ToGrade) -> Judged:
    return grader.judge_timed(one.key, one.response)


def _say(judged: Judged) -> Said:
    if isinstance(judged.said, JudgeError):
        return Said(None, None, judged.said.reason)
    return Said(judged.said.verdict.value, judged.said.eed, judged.said.reason)


def _are_alike(before: Said, now: Said) -> bool:
    if before.verdict != now.verdict or before.reason not in (None, now.reason):
        return False
    if before.eed is None or now.eed is None:
        return before.eed is now.eed
    return math.isclose(before.eed, now.eed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
