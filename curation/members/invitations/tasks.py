"""What workers do with invitations: make those of a whole list, and send them."""

from collections.abc import Collection

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.members.invitations import actions
from curation.members.invitations.addresses import read_addresses
from curation.members.invitations.models import Invitation
from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs import kinds as jobs
from phybench.news.jobs.actions import begin
from phybench.news.jobs.models import Job
from phybench.people.models import User
from phybench.work.kinds import Kind, Pool, register
from phybench.work.mailing import give_up

SENDING = register(
    Kind(
        name="send_invitation",
        rows=Invitation.objects.to_send().select_related("invited_by"),
        do=actions.send,
        give_up=give_up,
        # They wait for a mail server, and answers that are to be graded do not.
        pool=Pool.CALLS,
    )
)

INVITING = "invite_people"


def ask_to_invite(
    *,
    addresses: str,
    roles: Collection[str],
    days: int,
    language: str,
    benchmark: str,
    by: User,
) -> Job:
    """Have a worker invite each address of a text; the same list sent twice is one job."""
    actions.check_may_invite(by)
    return begin(
        INVITING,
        by=by,
        title=_("Inviting people"),
        back=reverse("curation:invite", args=[benchmark]),
        addresses=addresses,
        roles=sorted(roles),
        days=days,
        language=language,
        benchmark=benchmark,
    )


def carry_out(job: Job) -> jobs.Result:
    asked = job.arguments
    found = actions.leave_out_known(read_addresses(asked["addresses"]))
    if not found.entries:
        raise NotAllowedNow(_("None of these addresses can be invited. Check the list again."))
    made = actions.invite(
        entries=found.entries,
        roles=asked["roles"],
        days=asked["days"],
        language=asked["language"],
        by=job.by,
        benchmark=Benchmark.objects.filter(slug=asked["benchmark"]).first(),
    )
    said = [actions.say_sent(len(made))]
    if lost := len(found.entries) - len(made):
        text = ngettext(
            "%(count)d address was invited by somebody else in the same moment.",
            "%(count)d addresses were invited by somebody else in the same moment.",
            lost,
        )
        said.append(text % {"count": lost})
    return jobs.Result(" ".join(said), reverse("curation:members") + "?show=invitations")


jobs.register(jobs.JobKind(INVITING, carry_out, refusals=(NotAllowedNow,)))
