"""What the clock does for the API: forget answers that are a day old."""

from celery import shared_task

from phybench.pages.api.models import KeptReply


@shared_task
def forget_replies() -> int:
    count, _by_model = KeptReply.objects.outdated().delete()
    return count
