"""Open rounds that ask for more reviewers than there are people who may still review them."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from django.db.models import F

from curation.reviewing.assignments import loads
from curation.reviewing.assignments.permissions import Obstacles
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User
from phybench.people.permissions import list_reviewers

FEW = 8
"""People among whom nearly every round finds enough: only for the others all are looked at."""


def list_stuck() -> list[ReviewRound]:
    """
    List the open rounds that can't be finished as things are, the oldest first.

    Too few people are left to whom nothing but an assignment is missing. How many reviews somebody
    holds does not matter here: they can be taken back, or come to their end.
    """
    rounds = list(
        ReviewRound.objects.open()
        .with_free_places()
        .select_related("revision__problem", "version")
        .annotate(is_demo=F("revision__problem__benchmark__is_demo"))
        # Hundreds of rounds, of which little is asked.
        .only(
            *("revision", "version__is_blind", "opened_at", "closed_at"),
            *(f"revision__problem__{name}" for name in ("author", "title", "language")),
        )
        .order_by("opened_at", "pk")
    )
    people = list(list_reviewers())
    few = [
        one
        for is_demo in (False, True)
        for one in islice((one for one in people if one.is_demo is is_demo), FEW)
    ]
    return _list_short(_list_short(rounds, few), people)


def _list_short(rounds: list[Any], people: Sequence[User]) -> list[ReviewRound]:
    """List those of rounds that fewer of these people may be given than there are free places."""
    if not rounds:
        return []
    obstacles = Obstacles(rounds, people)
    declined = loads.list_declined(rounds)
    short = []
    for one in rounds:
        possible = (
            person
            for person in people
            if person.is_demo is one.is_demo
            and (one.pk, person.pk) not in declined
            and not obstacles.find(one, person)
        )
        if len(list(islice(possible, one.free))) < one.free:
            short.append(one)
    return short
