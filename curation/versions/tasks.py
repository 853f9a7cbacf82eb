"""What workers do with versions: publish them."""

from curation.versions import publishing
from curation.versions.actions import CannotChange
from phybench.news.jobs.kinds import JobKind, register

register(JobKind(publishing.PUBLISHING, publishing.carry_out, refusals=(CannotChange,)))
