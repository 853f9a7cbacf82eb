"""What of a review under way a credit or an institution would undo, and undo it."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.problems.interests import say_who_decides
from curation.problems.models import Problem
from curation.problems.people.models import (
    Conflict,
    Credit,
    list_colleagues,
    list_people_of,
    list_written,
)
from curation.reviewing.rounds.lifecycle import weigh
from curation.reviewing.rounds.models import (
    Assignment,
    Review,
    ReviewRound,
    ReviewRoundQuerySet,
    SetAside,
)
from curation.reviewing.rounds.solves.models import BlindSolve
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Undone:
    """What would end, or count no more, in rounds that are open."""

    assignments: tuple[Assignment, ...] = ()
    given: tuple[Review | BlindSolve, ...] = ()
    """The newest review of each person, and each blind solve."""

    def __bool__(self) -> bool:
        return bool(self.assignments or self.given)

    @property
    def rounds(self) -> dict[int, ReviewRound]:
        return {one.round_id: one.round for one in (*self.assignments, *self.given)}

    @property
    def problems(self) -> dict[int, Problem]:
        return {one.revision.problem_id: one.revision.problem for one in self.rounds.values()}

    @property
    def parties(self) -> set[tuple[int, int]]:
        """Each round with who has given something in it."""
        return {(one.round_id, one.reviewer_id) for one in self.given}

    @property
    def known(self) -> str:
        """Tells what somebody was shown from what has come since."""
        return " ".join(
            [
                *(f"a{one.pk}" for one in self.assignments),
                *(f"{type(one).__name__[0].lower()}{one.pk}" for one in self.given),
            ]
        )


def find_by_credit(credit: Credit) -> Undone:
    """Find what ends if this credit counts: its person's part, and who is in conflict with them."""
    people = Q(pk=credit.person_id)
    problem = Problem.objects.filter(pk=credit.problem_id)
    if credit.role == Credit.Role.CO_AUTHOR:
        marked = Conflict.objects.current().filter(author=credit.person_id)
        people |= Q(pk__in=marked.values("person"))
        if problem.minding_institutions().exists():
            people |= Q(pk__in=list_colleagues(credit.person).values("pk"))
    return _find((_list_open(problem), User.objects.filter(people)))


def list_touched_by_credit(credit: Credit) -> ReviewRoundQuerySet:
    """
    Return the open rounds of which this credit would change who may review.

    A co-author brings conflicts of others. Who only translates it, or had the idea, bars no one
    else: it touches what they hold or have said themselves.
    """
    rounds = _list_open(Problem.objects.filter(pk=credit.problem_id))
    if credit.role == Credit.Role.CO_AUTHOR:
        return rounds
    return _list_of_party(rounds, credit.person)


def find_by_institution(person: User, name: str) -> Undone:
    """Find what ends if somebody is of this institution: of theirs, and of theirs at it."""
    colleagues = list_people_of(name).exclude(pk=person.pk)
    themselves = User.objects.filter(pk=person.pk)
    return _find(
        (_list_open(list_written(colleagues).minding_institutions()), themselves),
        (_list_open(list_written(themselves).minding_institutions()), colleagues),
    )


def list_touched_by_institution(person: User) -> ReviewRoundQuerySet:
    """Return the open rounds of somebody's problems, and those in which they are a reviewer."""
    minded = _list_open(Problem.objects.minding_institutions())
    own = list_written(User.objects.filter(pk=person.pk))
    return minded.filter(
        Q(revision__problem__in=own.values("pk"))
        | Q(pk__in=_list_of_party(minded, person).values("pk"))
    )


def _list_open(problems: QuerySet[Problem]) -> ReviewRoundQuerySet:
    return ReviewRound.objects.open().filter(revision__problem__in=problems.values("pk"))


def _list_of_party(rounds: ReviewRoundQuerySet, person: User) -> ReviewRoundQuerySet:
    return rounds.filter(
        Q(pk__in=Assignment.objects.open().filter(reviewer=person).values("round"))
        | Q(pk__in=person.reviews.values("round"))
        | Q(pk__in=person.blind_solves.values("round"))
    )


def _find(*sides: tuple[ReviewRoundQuerySet, QuerySet[User]]) -> Undone:
    """Find all that these people hold, or have said, in these rounds; three queries."""
    theirs = Q(pk__in=[])
    for rounds, people in sides:
        theirs |= Q(round__in=rounds.values("pk"), reviewer__in=people.values("pk"))
    counting = ~Exists(
        SetAside.objects.filter(round=OuterRef("round"), person=OuterRef("reviewer"))
    )
    shown = ("reviewer", "round__revision__problem", "round__version")
    held = Assignment.objects.open().filter(theirs).select_related(*shown)
    reviews = Review.objects.newest().filter(theirs).filter(counting).select_related(*shown)
    solves = BlindSolve.objects.filter(theirs).filter(counting).select_related(*shown)
    return Undone(tuple(held.order_by("pk")), (*reviews.order_by("pk"), *solves.order_by("pk")))


def say_who_agrees(admin: User, rounds: ReviewRoundQuerySet) -> str:
    """Say why an admin must not agree to what touches these rounds, and who can; "" if they may."""
    problems = Problem.objects.filter(revisions__round__in=rounds).distinct()
    said = (say_who_decides(admin, one) for one in problems.order_by("pk"))
    return next((one for one in said if one), "")


def undo(undone: Undone, *, by: User, message: Sentence) -> None:
    """
    Take back what is assigned, and set aside what was said; the caller holds the problems.

    A round that was only kept open, or kept from its decision, by what is set aside is decided.
    """
    held = Assignment.objects.filter(pk__in=[one.pk for one in undone.assignments])
    held.end(Assignment.State.REVOKED, by=by, message=message)
    parties = sorted(undone.parties)
    SetAside.objects.bulk_create(
        [
            SetAside(round_id=one, person_id=person, by=by, message=message)
            for one, person in parties
        ]
    )
    for pk in sorted({one for one, _person in parties}):
        weigh(undone.rounds[pk])
