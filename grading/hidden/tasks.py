"""What workers do with hidden answers: grade them, in the same way as all others."""

from grading.answers.grader import judge_by
from grading.expressions import GRADER_VERSION, JudgeError
from grading.hidden.models import HiddenAnswer
from phybench.work.kinds import Kind, register


def grade(answer: HiddenAnswer) -> None:
    """Judge a claimed answer. A failure of ours leaves it ungraded, never a 0."""
    try:
        judgement = judge_by(answer.revision.reference, answer.response)
    except JudgeError as error:
        answer.settle(status=HiddenAnswer.Status.FAILED, failure_reason=error.reason)
    else:
        answer.settle(
            status=HiddenAnswer.Status.GRADED,
            accuracy=judgement.accuracy,
            judge_version=GRADER_VERSION,
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
