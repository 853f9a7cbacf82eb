"""What workers do with submissions: what changes each of their answers."""

from grading.submissions import jobs
from grading.submissions.cancelling import CannotCancel
from phybench.news.jobs.kinds import JobKind, register

for name, do in (
    (jobs.CANCELLING, jobs.cancel),
    (jobs.GOING_ON, jobs.go_on),
    (jobs.TRYING_AGAIN, jobs.try_again),
):
    register(JobKind(name, do, refusals=(CannotCancel,)))
