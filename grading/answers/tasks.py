"""What workers do with answers: grade them."""

from grading.answers import grader
from grading.answers.models import Attempt
from phybench.work.kinds import Kind, register

GRADING = register(
    Kind(
        name="grade_attempt",
        rows=Attempt.objects.waiting().for_grading(),
        waits={"status": Attempt.Status.QUEUED},
        held={"status": Attempt.Status.GRADING},
        do=grader.grade,
        do_many=grader.grade_all,
        give_up=grader.give_up,
    )
)
