"""What workers do with versions: publish one, whose keys are hashed one by one."""

from django.utils.translation import gettext as _

from curation.versions import actions
from curation.versions.actions import CannotChange
from curation.versions.models import BenchmarkVersion
from phybench.news.jobs.actions import begin
from phybench.news.jobs.kinds import JobKind, Result, register
from phybench.news.jobs.models import Job
from phybench.people.models import User

PUBLISHING = "publish_version"


def ask_to_publish(*, version: BenchmarkVersion, by: User) -> Job:
    """Have a worker do what `actions.publish` does; of two admins who ask, one begins it."""
    return begin(
        PUBLISHING,
        subject=version.pk,
        by=by,
        title=_("Publishing version %(number)d of %(benchmark)s")
        % {"number": version.number, "benchmark": version.benchmark},
        back=version.get_absolute_url(),
    )


def carry_out(job: Job) -> Result:
    version = BenchmarkVersion.objects.select_related("benchmark").filter(pk=job.subject).first()
    if version is None:
        raise CannotChange(_("This draft was deleted."))
    actions.publish(version=version, by=job.by)
    return Result(
        _("Published: answers are now submitted to this version."), version.get_absolute_url()
    )


register(JobKind(PUBLISHING, carry_out, refusals=(CannotChange,)))
