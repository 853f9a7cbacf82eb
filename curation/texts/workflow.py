"""
What can become of a problem: its statuses, the one table of transitions, and the decision rules.

No database here. The drawing in `docs/concepts.md` is made from this table.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean
from typing import TypeVar

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from curation.texts.review_kinds import Answer, find_kind


class Status(TextChoices):
    DRAFT = "DRAFT", _("draft")
    IN_REVIEW = "IN_REVIEW", _("in review")
    RETURNED = "RETURNED", _("returned")
    ACCEPTED = "ACCEPTED", pgettext_lazy("status of a problem", "accepted")
    REJECTED = "REJECTED", _("rejected")
    RETIRED = "RETIRED", _("retired")


class Step(TextChoices):
    """What happens to a problem; each is one kind of event in its history."""

    CREATE = "CREATE", _("drafted")
    IMPORT = "IMPORT", _("imported as published")
    SUBMIT = "SUBMIT", _("submitted for review")
    WITHDRAW = "WITHDRAW", _("withdrawn from review")
    PASS = "PASS", _("passed a stage of review")
    ACCEPT = "ACCEPT", pgettext_lazy("status of a problem", "accepted")
    RETURN = "RETURN", _("returned to its author")
    REJECT = "REJECT", _("rejected")
    ASK = "ASK", _("asked of one more reviewer")
    SHRINK = "SHRINK", _("given a smaller review plan")
    REOPEN = "REOPEN", _("reopened for correction")
    KEEP = "KEEP", _("correction abandoned")
    RETIRE = "RETIRE", _("retired")


class Recommendation(TextChoices):
    ACCEPT = "ACCEPT", _("accept")
    REVISE = "REVISE", _("revise")
    REJECT = "REJECT", _("reject")


class SolveOutcome(TextChoices):
    """What a blind solve says of the reference; not to have told is neither for nor against it."""

    AGREES = "AGREES", _("agrees with the reference answer")
    DISAGREES = "DISAGREES", _("differs from the reference answer")
    NOT_TOLD = "NOT_TOLD", _("undecided")
    NO_ANSWER = "NO_ANSWER", _("no answer was given")


class Rule(TextChoices):
    """
    How a round turns its reviews into a decision, once enough are in.

    No rule rejects, and none decides a split: see `is_split`.
    """

    UNANIMOUS = (
        "UNANIMOUS",
        _(
            "All reviewers have to accept. Otherwise it returns to its author. If a reviewer "
            "rejects it, someone else decides."
        ),
    )
    MAJORITY = (
        "MAJORITY",
        _(
            "More than half of the reviewers have to accept. Otherwise it returns to its author. "
            "If a reviewer rejects it, someone else decides."
        ),
    )
    BLIND_SOLVES = (
        "BLIND_SOLVES",
        _(
            "All reviewers have to accept, and enough of them have to reach the reference answer "
            "on their own. If a reviewer rejects it or gets another answer, someone else decides."
        ),
    )


@dataclass(frozen=True, slots=True)
class Terms:
    """What a round goes by."""

    rule: Rule
    reviews_needed: int = 1
    solves_needed: int = 0
    """Blind solves that must agree with the reference before the stage is passed."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one reviewer said last, and what came of their blind solve."""

    recommendation: Recommendation
    solve: SolveOutcome | None = None


@dataclass(frozen=True, slots=True)
class Transition:
    step: Step
    before: Status | None
    """None: the problem did not exist."""
    after: Status


TRANSITIONS = (
    Transition(Step.CREATE, None, Status.DRAFT),
    Transition(Step.IMPORT, None, Status.ACCEPTED),
    Transition(Step.SUBMIT, Status.DRAFT, Status.IN_REVIEW),
    Transition(Step.SUBMIT, Status.RETURNED, Status.IN_REVIEW),
    Transition(Step.WITHDRAW, Status.IN_REVIEW, Status.RETURNED),
    # A stage is passed, and another one is still to come.
    Transition(Step.PASS, Status.IN_REVIEW, Status.IN_REVIEW),
    # What a stage has heard does not settle it, and whoever decides it wants to hear one more.
    Transition(Step.ASK, Status.IN_REVIEW, Status.IN_REVIEW),
    # Nobody is left who could finish the stage as it is.
    Transition(Step.SHRINK, Status.IN_REVIEW, Status.IN_REVIEW),
    Transition(Step.ACCEPT, Status.IN_REVIEW, Status.ACCEPTED),
    Transition(Step.RETURN, Status.IN_REVIEW, Status.RETURNED),
    Transition(Step.REJECT, Status.IN_REVIEW, Status.REJECTED),
    # An error was found: the next revision is written, and the accepted one stands until then.
    Transition(Step.REOPEN, Status.ACCEPTED, Status.RETURNED),
    # It was rejected, and an admin gives its author another try.
    Transition(Step.REOPEN, Status.REJECTED, Status.RETURNED),
    # Only of a problem that was accepted: there is no error, or no correction came of it.
    Transition(Step.KEEP, Status.RETURNED, Status.ACCEPTED),
    Transition(Step.RETIRE, Status.ACCEPTED, Status.RETIRED),
)

AFTER = {(transition.step, transition.before): transition.after for transition in TRANSITIONS}

EDITABLE = frozenset(before for step, before in AFTER if step is Step.SUBMIT)
"""The statuses in which an author may change the text."""

CLOSED = frozenset({Status.REJECTED, Status.RETIRED})
"""Nobody will read these any more, in whichever language."""


class NotAllowedNow(Exception):
    """A step that the table does not know from where the problem stands; the message says so."""


def move(step: Step, before: Status | str | None) -> Status:
    """
    Return where `step` takes a problem that stands at `before`.

    Raises:
        NotAllowedNow: the table has no such step from there.
    """
    try:
        return AFTER[step, None if before is None else Status(before)]
    except KeyError:
        stands = _("new") if before is None else Status(before).label
        raise NotAllowedNow(
            _("This problem is %(status)s, so it can't be %(step)s now.")
            % {"status": stands, "step": step.label}
        ) from None


OVERRIDES = (Step.PASS, Step.ACCEPT, Step.RETURN, Step.REJECT)
"""What an admin may decide instead of the rule."""
STAYING = (Step.ASK, Step.SHRINK)
"""What leaves the round open, for others to go on."""


def is_split(
    terms: Terms, opinions: Collection[Opinion], others: Collection[SolveOutcome] = ()
) -> bool:
    """
    Whether a person has to decide, whatever the rule: somebody rejects, or blind solves differ.

    Enough reviews are in, so nobody else is waited for; until somebody decides the round stays
    open, and its reviewers may change what they said. `ReviewRoundQuerySet.split` asks the same of
    the database.

    Args:
        others: blind solves of people who have not reviewed.
    """
    if not opinions or len(opinions) < terms.reviews_needed:
        return False
    solves = {*(opinion.solve for opinion in opinions), *others}
    rejects = any(opinion.recommendation is Recommendation.REJECT for opinion in opinions)
    return rejects or {SolveOutcome.AGREES, SolveOutcome.DISAGREES} <= solves


def decide(
    terms: Terms, opinions: Collection[Opinion], others: Collection[SolveOutcome] = ()
) -> Step | None:
    """
    Turn a round's reviews into what becomes of it, or None while it waits for more, or is split.

    The order of the reviews does not matter. `PASS` means that this stage is passed; `conclude`
    says what that is worth.
    """
    if not opinions or len(opinions) < terms.reviews_needed or is_split(terms, opinions, others):
        return None
    given = Counter(opinion.recommendation for opinion in opinions)
    if terms.rule is Rule.MAJORITY:
        # A tie is no majority.
        return Step.PASS if given[Recommendation.ACCEPT] > len(opinions) / 2 else Step.RETURN
    if given[Recommendation.ACCEPT] < len(opinions):
        return Step.RETURN
    return Step.PASS if _is_solved(terms, opinions) else None


def _is_solved(terms: Terms, opinions: Collection[Opinion]) -> bool:
    """Whether enough blind solves agree; whoever else is asked solves it too."""
    if terms.rule is not Rule.BLIND_SOLVES:
        return True
    agreeing = sum(opinion.solve is SolveOutcome.AGREES for opinion in opinions)
    return agreeing >= terms.solves_needed


def conclude(step: Step, *, is_last: bool, is_correction: bool = False) -> Step:
    """
    Return what a round's decision does to the problem: the last stage passed accepts it.

    A correction that is rejected goes back: the accepted revision still stands, and only an admin
    takes that away, by retiring the problem.
    """
    if step is Step.REJECT and is_correction:
        return Step.RETURN
    return Step.ACCEPT if step is Step.PASS and is_last else step


# --- How far the reviews of a round are apart -------------------------------------------------
#
# A measure to sort by, which decides nothing. Each part lies between 0 and 100:
#
# - recommendations: over all pairs of reviewers, how far apart the two are: accept and revise, or
#   revise and reject, 50; accept and reject 100; on average.
# - answers: for each question that two answered at least, the same over pairs, as far apart as its
#   kind says (yes and no 100, and so are 1 and 5 of a scale); then the average of the questions.
# - solves: of the blind solves that could be told, the share that are not the reference. What could
#   not be told, and who gave no answer, speak neither for nor against it.

Value = TypeVar("Value")
FAR = {Recommendation.ACCEPT: 0, Recommendation.REVISE: 1, Recommendation.REJECT: 2}


def measure(
    recommendations: Collection[str],
    answers: Sequence[Mapping[str, Answer]],
    solves: Collection[str],
    kinds: Mapping[str, str],
) -> dict[str, float]:
    """
    Measure a round by what each of its reviewers said last; `kinds` are of its questions.

    >>> kinds = {"1": "YES_NO", "2": "SCALE"}
    >>> measure(["ACCEPT", "REJECT"], [{"1": True}, {"1": False}], ["AGREES", "DISAGREES"], kinds)
    {'recommendations': 100.0, 'answers': 100.0, 'solves': 50.0}
    >>> measure(["ACCEPT", "ACCEPT", "REVISE"], [{"2": 1}, {"2": 3}, {}], ["NOT_TOLD"], kinds)
    {'recommendations': 33.333333333333336, 'answers': 50.0, 'solves': 0.0}
    """
    told = [one for one in solves if one in {SolveOutcome.AGREES, SolveOutcome.DISAGREES}]
    against = sum(one == SolveOutcome.DISAGREES for one in told)
    spread = _spread([Recommendation(one) for one in recommendations], _apart)
    return {
        "recommendations": spread or 0.0,
        "answers": mean(measure_questions(answers, kinds).values() or [0.0]),
        "solves": 100 * against / len(told) if told else 0.0,
    }


def describe(
    reviews: Iterable[tuple[str, Mapping[str, Answer]]],
    solves: Iterable[str],
    kinds: Mapping[str, str],
) -> dict[str, float]:
    """Return what is kept of a round: how far apart it is, and how many said what."""
    reviews, solves = list(reviews), list(solves)
    given, told = Counter(said for said, _ in reviews), Counter(solves)
    answers = [answers for _, answers in reviews]
    return {
        **measure(list(given.elements()), answers, solves, kinds),
        "accept": given[Recommendation.ACCEPT],
        "revise": given[Recommendation.REVISE],
        "reject": given[Recommendation.REJECT],
        "agreeing": told[SolveOutcome.AGREES],
        "differing": told[SolveOutcome.DISAGREES],
    }


def measure_questions(
    answers: Sequence[Mapping[str, Answer]], kinds: Mapping[str, str]
) -> dict[str, float]:
    """Measure each question that two people answered at least, by its id."""
    found = {}
    for key in {key: None for one in answers for key in one}:
        given = [one[key] for one in answers if key in one]
        spread = _spread(given, find_kind(kinds[key]).apart)
        if spread is not None:
            found[key] = spread
    return found


def _spread(values: Sequence[Value], apart: Callable[[Value, Value], float]) -> float | None:
    """Average over all pairs; None where there is no pair."""
    pairs = list(combinations(values, 2))
    return mean(apart(a, b) for a, b in pairs) if pairs else None


def _apart(one: Recommendation, other: Recommendation) -> float:
    return 50.0 * abs(FAR[one] - FAR[other])
