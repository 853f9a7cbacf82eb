"""What workers do with sessions: end each when its time is up, with or without a browser."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from grading.studies.sessions import actions
from grading.studies.sessions.models import GRACE, Session
from phybench.work.kinds import Kind, register

LOOK_AGAIN = timedelta(hours=1)
"""After a session that no worker could end: what was saved stays as it is."""


def end_on_time(claimed: Session) -> None:
    """End a session that a worker holds; one that got more time meanwhile goes on."""
    with transaction.atomic():
        # Those who save hold the same row: a save comes before or after, never in between.
        held = Session.objects.select_for_update(no_key=True).get(pk=claimed.pk)
        if held.ended_at is None and not held.is_open(timezone.now()):
            actions.end(held, Session.Ending.TIME_UP)
        claimed.settle(next_at=None if held.ended_at else held.ends_at + GRACE)


def give_up(claimed: Session) -> None:
    """Leave a session that could not be ended to another try."""
    claimed.settle(next_at=timezone.now() + LOOK_AGAIN, lost=0)


ENDING = register(
    Kind(name="end_session", rows=Session.objects.going_on(), do=end_on_time, give_up=give_up)
)
