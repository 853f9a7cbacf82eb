"""What workers do with contests: tell who contested what came of it."""

from grading.contests import mails
from grading.contests.models import OutcomeMail
from phybench.work.kinds import Kind, Pool, register
from phybench.work.mailing import give_up

TELLING = register(
    Kind(
        name="tell_outcome",
        rows=OutcomeMail.objects.to_send(),
        do=mails.send,
        give_up=give_up,
        # They wait for others' servers, and answers that are to be graded do not.
        pool=Pool.CALLS,
    )
)
