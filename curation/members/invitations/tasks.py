"""What workers do with invitations: send them."""

from curation.members.invitations import actions
from curation.members.invitations.models import Invitation
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
