"""What workers do with hidden answers: grade them, in the same way as all others."""

from grading.answers.grader import judge_by
from grading.answers.hidden.models import HiddenAnswer
from phybench.work.kinds import Kind, register
from phybench_grader import GRADER_VERSION, JudgeError
from phybench_grader.reading.reading import TELLING

OF_THE_ANSWER = TELLING | {"timeout", "memory", "crashed", "too_large"}
"""
Why an answer can't be judged that its words bring about, and that may hang on its value.

Elsewhere such an answer is for a person, or is tried again. Here that it was would tell whether it
is right: who writes `2\\boxed{…}` around a guess is told “for a person” only of a right one. So
there is no such end here; it counts as not right, as the page says.
"""


def grade(answer: HiddenAnswer) -> None:
    """Judge a claimed answer. What fails for us alone leaves it ungraded."""
    try:
        accuracy = judge_by(answer.revision.reference, answer.response).accuracy
    except JudgeError as error:
        if error.reason not in OF_THE_ANSWER:
            answer.settle(status=HiddenAnswer.Status.FAILED, failure_reason=error.reason)
            return
        accuracy = 0.0
    answer.settle(
        status=HiddenAnswer.Status.GRADED, accuracy=accuracy, judge_version=GRADER_VERSION
    )


def give_up(answer: HiddenAnswer) -> None:
    """Leave an answer ungraded that takes worker after worker with it."""
    answer.settle(status=HiddenAnswer.Status.FAILED, failure_reason="worker_lost")


GRADING = register(
    Kind(
        name="grade_hidden_answer",
        rows=HiddenAnswer.objects.waiting().select_related("revision"),
        waits={"status": HiddenAnswer.Status.QUEUED},
        held={"status": HiddenAnswer.Status.GRADING},
        do=grade,
        give_up=give_up,
    )
)
