"""Judge an answer where it can do no harm; what fails of ours has a reason and a sentence."""

import logging
from collections.abc import Callable, Collection
from concurrent.futures import CancelledError
from typing import TypeVar

from phybench.work import sandbox
from phybench_grader import JudgeError, grade
from phybench_grader.numbers.sentences import Sentence
from phybench_grader.verdict.grade import GradedAnswer, grade_if_quick

logger = logging.getLogger(__name__)

Result = TypeVar("Result")


def judge(
    response: str, reference: str, *, deadline: float, declared: Collection[str] = ()
) -> GradedAnswer:
    """
    Grade a response in a child process, with `deadline` seconds for it.

    Raises:
        JudgeError: it could not be graded, for a reason that is ours.
    """
    return _run(grade, response, reference, declared=declared, deadline=deadline)


def judge_if_quick(
    response: str, reference: str, *, deadline: float, declared: Collection[str] = ()
) -> GradedAnswer | None:
    """
    Grade a response as `judge` does, but a long one that is wrong: of that there is no more.

    Raises:
        JudgeError: it could not be graded, for a reason that is ours.
    """
    return _run(grade_if_quick, response, reference, declared=declared, deadline=deadline)


def _run(
    function: Callable[..., Result],
    response: str,
    reference: str,
    *,
    declared: Collection[str],
    deadline: float,
) -> Result:
    try:
        return sandbox.run(function, response, reference, declared=declared, deadline=deadline)
    except (JudgeError, CancelledError):
        # The second: the application is ending, which says nothing about this answer.
        raise
    except sandbox.Stopped as stopped:
        raise JudgeError(
            stopped.reason,
            Sentence("grading_stopped"),
        ) from None
    except Exception:
        # A mistake in the grader is ours as well; the log has the rest.
        logger.exception("grading %.200r against %.200r", response, reference)
        raise JudgeError("grader_error", Sentence("grader_error")) from None
