"""What workers do with studies: open them, and invite people to them."""

from curation.texts.workflow import NotAllowedNow
from grading.studies import jobs
from phybench.news.jobs.kinds import JobKind, register

for name, do in (
    (jobs.OPENING, jobs.carry_out_opening),
    (jobs.INVITING, jobs.carry_out_inviting),
):
    register(JobKind(name, do, refusals=(NotAllowedNow,)))
