"""Jobs that somebody began: those under way, and those that were not done, for a day."""

from collections.abc import Iterator
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from phybench.news.desks.lines import Line, Urgency
from phybench.news.desks.registry import desk_lines
from phybench.news.jobs.models import Job
from phybench.news.jobs.permissions import list_jobs
from phybench.people.models import Role, User

MOST = 10
A_DAY = timedelta(days=1)


@desk_lines(*Role)
def tell_jobs(user: User) -> Iterator[Line]:
    failed = Q(ended_at__gt=timezone.now() - A_DAY) & ~Q(outcome=Job.Outcome.DONE)
    for job in list_jobs(user).filter(Q(ended_at=None) | failed)[:MOST]:
        if job.ended_at is None:
            text = _("%(job)s: in progress.") % {"job": job}
            yield Line(Urgency.LATER, text, _("See the progress"), job.get_absolute_url())
        else:
            text = _("%(job)s: not done. %(why)s") % {"job": job, "why": job.said}
            yield Line(Urgency.SOON, text, _("Go back to it"), job.leads_to, since=job.ended_at)
