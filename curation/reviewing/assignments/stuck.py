"""Open rounds that ask for more reviewers than there are people who may still review them."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from curation.reviewing.assignments import loads
from curation.reviewing.assignments.permissions import Prospects
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import Eligibility
from curation.texts.prospects import Supply
from phybench.people.models import User
from phybench.people.permissions import list_reviewers

FEW = 8
"""People among whom nearly every round finds enough: only for the others all are looked at."""


def list_stuck(rounds: ReviewRoundQuerySet | None = None) -> list[ReviewRound]:
    """
    List the open rounds that can't be finished as things are, the oldest first.

    Too few people are left to whom nothing but an assignment is missing, or who could solve it
    blind when it comes to that. How many reviews somebody holds does not matter here: they can be
    taken back, or come to their end.

    Args:
        rounds: of which; of all where none are given.
    """
    found = list(
        (ReviewRound.objects.all() if rounds is None else rounds)
        .open()
        .with_free_places()
        .select_related("revision__problem", "version__stage")
        # Hundreds of rounds, of which little is asked.
        .only(
            *(
                "number",
                "reviews_needed",
                "solves_needed",
                "opened_at",
                "closed_at",
                "version__stage__pipeline",
            ),
            *(f"version__{name}" for name in ("is_blind", "shows_key", "solves_needed")),
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
    return _list_short(_list_short(found, few), people)


def _list_short(rounds: list[Any], people: Sequence[User]) -> list[ReviewRound]:
    """List those of rounds that too few of these people can finish, or can be given now."""
    if not rounds:
        return []
    eligibility, prospects = Eligibility(rounds, people), Prospects(rounds, people)
    declined = loads.list_declined(rounds)
    short = []
    for one in rounds:
        possible = (
            person
            for person in people
            if (one.pk, person.pk) not in declined
            and eligibility.can_be_asked(one, person)
            and not prospects.is_needed(one, person)
        )
        outlook = prospects.find(one)
        is_short = outlook is not None and outlook.supply is Supply.SHORT
        if is_short or len(list(islice(possible, one.free))) < one.free:
            short.append(one)
    return short
