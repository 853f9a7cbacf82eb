"""What workers do with notices: send them. The clock finds them once their drafts are graded."""

from grading.submissions.notices import actions
from grading.submissions.notices.models import Notice
from phybench.work.kinds import Kind, Pool, register
from phybench.work.mailing import give_up

SENDING = register(
    Kind(
        name="send_notice",
        rows=Notice.objects.to_send(),
        do=actions.send,
        give_up=give_up,
        # They wait for others' servers, and answers that are to be graded do not.
        pool=Pool.CALLS,
    )
)
