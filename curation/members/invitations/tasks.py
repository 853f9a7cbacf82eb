"""What workers do with invitations: make those of a list, and send them."""

from curation.members.invitations import actions, inviting
from curation.members.invitations.models import Invitation
from curation.texts.workflow import NotAllowedNow
from phybench.news.jobs import kinds as jobs
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

jobs.register(jobs.JobKind(inviting.INVITING, inviting.carry_out, refusals=(NotAllowedNow,)))
