"""Several people at the same moment, each on a database connection of their own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

from django.db import connection

from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import NotAllowedNow


def at_once(*steps: Callable[[], object]) -> list[str]:
    """Take these steps at the same moment, and tell of each whether it was refused."""
    return ["refused" if why else "done" for why in list_refusals(*steps)]


def list_refusals(*steps: Callable[[], object]) -> list[str]:
    """Take these steps at the same moment; return why each was refused, "" where it was not."""
    ready = Barrier(len(steps), timeout=10)

    def attempt(step: Callable[[], object]) -> str:
        try:
            ready.wait()
            step()
        except NotAllowedNow as refusal:
            return str(refusal)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(steps)) as threads:
        return list(threads.map(attempt, steps))


def with_copies(
    review_round: ReviewRound, *steps: Callable[[ReviewRound], object]
) -> list[Callable[[], object]]:
    """Give each step a copy of the round, as somebody's page had it."""
    rounds = ReviewRound.objects.select_related("revision__problem")
    return [partial(step, rounds.get(pk=review_round.pk)) for step in steps]
