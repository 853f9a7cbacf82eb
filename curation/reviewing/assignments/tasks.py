"""What workers do with reviews: ask for many of them."""

from curation.reviewing.assignments import distribution
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs.kinds import JobKind, register

SPREADING = "spread reviews"
register(JobKind(SPREADING, distribution.carry_out_job, refusals=(NotAllowedNow,)))
