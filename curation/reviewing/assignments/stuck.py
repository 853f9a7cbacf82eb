"""Open rounds that ask for more reviewers than there are people who may still review them."""

from itertools import islice

from curation.reviewing.assignments import loads
from curation.reviewing.assignments.permissions import Obstacles
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.permissions import list_reviewers


def list_stuck() -> list[ReviewRound]:
    """
    List the open rounds that can't be finished as things are, the oldest first.

    Too few people are left to whom nothing but an assignment is missing. How many reviews somebody
    holds does not matter here: they can be taken back, or come to their end.
    """
    rounds = list(
        ReviewRound.objects.open()
        .with_free_places()
        .select_related("revision__problem__benchmark", "version")
        # Hundreds of rounds, of whose texts nothing is asked.
        .defer("revision__statement", "revision__solution", "revision__symbols")
        .order_by("opened_at", "pk")
    )
    people = list(list_reviewers())
    obstacles = Obstacles(rounds, people)
    declined = loads.list_declined(rounds)
    stuck = []
    for one in rounds:
        is_demo = one.revision.problem.benchmark.is_demo
        possible = (
            person
            for person in people
            if person.is_demo is is_demo
            and (one.pk, person.pk) not in declined
            and not obstacles.find(one, person)
        )
        free: int = one.free  # type: ignore[attr-defined]
        if len(list(islice(possible, free))) < free:
            stuck.append(one)
    return stuck
