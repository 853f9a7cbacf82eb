"""What the reviews of a round say side by side: how far apart, and by whom, without names."""

from collections.abc import Sequence

from django.db.models import (
    Count,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)

from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.discussion.threads import find_letters
from curation.reviewing.reviews.summary import Voice, collect_voices
from curation.reviewing.rounds.models import Review, ReviewRound, RoundDisagreement
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.schema import LISTS, WRITTEN, Kind

LONG = [field.name for field in WRITTEN if field.kind in LISTS | {Kind.TEXT}]
"""The fields of a revision that may be long."""


def list_disagreements() -> QuerySet[RoundDisagreement]:
    """
    Return the rounds whose reviews or solves disagree, or did when they were adjudicated.

    And those that wait for a decision though all reject.
    """
    adjudications = Adjudication.objects.filter(round=OuterRef("round"))
    waits = Q(round__in=ReviewRound.objects.split())
    return (
        RoundDisagreement.objects.filter(Q(total__gt=0) | Exists(adjudications) | waits)
        .select_related("round__revision__problem", "round__version")
        # A list shows none of them, and they are by far the most of it.
        .defer(*(f"round__revision__{name}" for name in LONG))
        .annotate(adjudicated=Count("round__adjudications"))
    )


def fetch_voices(rounds: Sequence[ReviewRound]) -> dict[int, list[Voice]]:
    """Return, by round, who spoke in it, under their letters; a few queries for however many."""
    prefetch_related_objects(
        rounds,
        Prefetch("reviews", Review.objects.newest()),
        Prefetch("solves", BlindSolve.objects.all()),
        "version__questions",
    )
    letters = find_letters({one.revision.problem_id for one in rounds})
    found = {}
    for one in rounds:
        voices = collect_voices(one)
        for person, voice in voices.items():
            voice.name = letters[one.revision.problem_id, person]
        found[one.pk] = sorted(voices.values(), key=lambda voice: (len(voice.name), voice.name))
    return found
