"""What workers do with e-mails: send them; the clock finds what is to be told."""

from celery import shared_task
from django.utils import timezone

from phybench.news.mails import sending
from phybench.news.mails.gathering import gather
from phybench.news.mails.models import Mail
from phybench.work.kinds import Kind, Pool, register
from phybench.work.tasks import wake

SENDING = register(
    Kind(
        name="send_mail",
        rows=Mail.objects.to_send().select_related("person"),
        do=sending.send,
        give_up=sending.give_up,
        # They wait for a mail server, and answers that are to be graded do not.
        pool=Pool.CALLS,
    )
)


@shared_task
def gather_mails() -> int:
    """Find what is new and make the e-mails that are due; return how many."""
    made = gather(timezone.now())
    wake(SENDING, made)
    return len(made)
