"""What the reviews of a round say side by side: how far apart, and by whom, without names."""

from collections.abc import Sequence
from string import ascii_uppercase

from django.db.models import (
    Count,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    prefetch_related_objects,
)
from django.utils.crypto import salted_hmac

from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.reviews.summary import Voice, collect_voices
from curation.reviewing.rounds.models import BlindSolve, Review, ReviewRound, RoundDisagreement
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


def fetch_voices(rounds: Sequence[ReviewRound]) -> None:
    """Fetch what `list_voices` shows, in three queries for however many rounds."""
    prefetch_related_objects(
        rounds,
        Prefetch("reviews", Review.objects.newest()),
        Prefetch("solves", BlindSolve.objects.all()),
        "version__questions",
    )


def list_voices(review_round: ReviewRound) -> list[Voice]:
    """
    Return who spoke in a round, under a letter instead of their name: A, B, …

    The order is that of a keyed hash: the same on each page and in each file, and neither that
    in which people came nor one that somebody without the key can work out.
    """
    voices = collect_voices(review_round)
    places = sorted(voices, key=lambda person: _shuffle(review_round.pk, person))
    for place, person in enumerate(places):
        voices[person].name = name_place(place)
    return [voices[person] for person in places]


def _shuffle(review_round: int, person: int) -> str:
    return salted_hmac("curation.evidence", f"{review_round} {person}").hexdigest()


def name_place(place: int) -> str:
    """
    Name a place as a spreadsheet names its columns.

    >>> name_place(0), name_place(25), name_place(26)
    ('A', 'Z', 'AA')
    """
    more, last = divmod(place, len(ascii_uppercase))
    return (name_place(more - 1) if more else "") + ascii_uppercase[last]
