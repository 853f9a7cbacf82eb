"""What workers do with e-mails about studies: send them; and the clock writes reminders."""

from celery import shared_task

from grading.studies.letters import actions
from grading.studies.letters.models import Letter
from phybench.work.kinds import Kind, Pool, register
from phybench.work.mailing import give_up

SENDING = register(
    Kind(
        name="send_letter",
        rows=Letter.objects.to_send().select_related("study", "person"),
        do=actions.send,
        give_up=give_up,
        # They wait for a mail server, and answers that are to be graded do not.
        pool=Pool.CALLS,
    )
)


@shared_task
def remind_before_the_end() -> int:
    """Write reminders of studies that close soon; return how many."""
    return actions.remind_before_the_end()
