"""What pages show of rounds that are open to be read: who said and solved what."""

from collections import defaultdict
from dataclasses import dataclass, field

from django.db.models import Prefetch, prefetch_related_objects

from curation.problems.models import Problem
from curation.reviewing.discussion.threads import Pseudonyms
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.permissions import choose_readable
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.review_kinds import find_kind
from phybench.people.models import User


@dataclass(slots=True)
class Voice:
    """One person's part in a round: a review, a blind solve, or both."""

    name: str = ""
    """What they are called to the reader."""
    review: Review | None = None
    solve: BlindSolve | None = None
    answers: list[tuple[str, str]] = field(default_factory=list)
    """Each question of the round with what was answered, in words."""


@dataclass(frozen=True, slots=True)
class RoundShown:
    round: ReviewRound
    voices: list[Voice]


def show_rounds(user: User, problem: Problem) -> list[RoundShown]:
    """Return what `user` may read of this problem's rounds, newest first."""
    rounds = (
        ReviewRound.objects.filter(revision__problem=problem)
        .select_related(
            "revision", "decided_by", "carried_from__revision", "version", "disagreement"
        )
        .order_by("-revision__number", "-number")
    )
    readable = choose_readable(user, problem, rounds)
    if not readable:
        return []
    # What may not be read is not even fetched.
    prefetch_related_objects(
        readable,
        "version__questions",
        Prefetch("reviews", Review.objects.newest().select_related("reviewer")),
        "reviews__responses__writer",
        Prefetch("solves", BlindSolve.objects.select_related("reviewer")),
    )
    names = Pseudonyms(user, problem)
    shown = []
    for one in readable:
        voices = collect_voices(one)
        for said in (*one.solves.all(), *one.reviews.all()):
            voices[said.reviewer_id].name = names.say(said.reviewer)
        shown.append(RoundShown(one, list(voices.values())))
    return shown


def collect_voices(review_round: ReviewRound) -> dict[int, Voice]:
    """Return, by person, what each said and solved in a round; what they are called is to come."""
    voices: dict[int, Voice] = defaultdict(Voice)
    for solve in review_round.solves.all():
        voices[solve.reviewer_id].solve = solve
    for review in review_round.reviews.all():
        voice = voices[review.reviewer_id]
        voice.review = review
        voice.answers = word_answers(review_round, review)
    return voices


def word_answers(review_round: ReviewRound, review: Review) -> list[tuple[str, str]]:
    """Return the round's questions with a review's answers to them."""
    given = review.answers
    return [
        (str(question), find_kind(question.kind).say(given[question.key]))
        for question in review_round.version.questions.all()
        if question.key in given
    ]
