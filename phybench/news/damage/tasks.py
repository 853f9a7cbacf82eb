"""What the clock calls: look at all rows once a day, log what is damaged, tell admins."""

import logging

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from phybench.news.damage.news import DAMAGE
from phybench.news.mails.gathering import write_down
from phybench.people.permissions import list_admins
from phybench.work.integrity import Check
from phybench.work.logs import Name

logger = logging.getLogger(__name__)

MOST_NAMED = 100
"""Rows that the log names; `check_integrity` names all."""
DAY_SECONDS = 24 * 3600


@shared_task
def check_integrity() -> int:
    """Take today's look, unless it was taken or it is too early; return how many are damaged."""
    now = timezone.now()
    seen = f"integrity-{now:%Y-%m-%d}"
    if now.hour < settings.INTEGRITY_FROM_HOUR or cache.get(seen):
        return 0
    check = Check()

    def log(finding: Name) -> None:
        if check.found <= MOST_NAMED:
            logger.error("%s", finding)

    check.run(log)
    if check.found or check.why_not:
        logger.error("%s", check.sum)
    if check.found:
        admins = list_admins()
        day = f"{now:%Y-%m-%d}"
        write_down(DAMAGE, ((pk, day) for pk in admins.values_list("pk", flat=True)), now)
    # Last: who was killed meanwhile looks again.
    cache.set(seen, True, DAY_SECONDS)
    return check.found
