"""What pages show of comments: beside which words they stand, who wrote them, what may be done."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import count
from string import ascii_uppercase
from typing import Any

from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_see_key, is_writer
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion import permissions
from curation.reviewing.discussion.actions import Readable
from curation.reviewing.discussion.models import (
    KEY_PARTS,
    PASSAGES,
    Comment,
    Thread,
    ThreadPart,
    ThreadStep,
)
from curation.reviewing.discussion.permissions import can_talk, list_notes
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.permissions import can_see_stages, choose_readable
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.blocks import Block, list_blocks
from curation.texts.passages import find
from phybench.people.models import User
from phybench.people.permissions import can_see_names, is_admin


def find_letters(problems: Collection[int]) -> dict[tuple[int, int], str]:
    """
    Return, by problem and person, the letter of each who has said something in its review.

    Where a reviewer is not named, this is what they are called, on every page and in every file.
    Each problem has an alphabet of its own, shuffled by a key, and who speaks takes the next letter
    of it: a letter never changes, and neither it nor one that is left out tells who came when.
    """
    of = "round__revision__problem"
    said = [
        BlindSolve.objects.filter(**{f"{of}__in": problems}).values_list(
            "solved_at", of, "reviewer"
        ),
        Review.objects.filter(**{f"{of}__in": problems}).values_list(
            "submitted_at", of, "reviewer"
        ),
        Comment.objects.filter(**{f"{of}__in": problems}).values_list("at", of, "writer"),
        ThreadStep.objects.filter(**{f"thread__{of}__in": problems}).values_list(
            "at", f"thread__{of}", "by"
        ),
    ]
    first, *others = (one.order_by() for one in said)
    spoke: dict[int, dict[int, None]] = {}
    for _at, problem, person in sorted(first.union(*others)):
        spoke.setdefault(problem, {})[person] = None
    return {
        (problem, person): letter
        for problem, people in spoke.items()
        for person, letter in zip(people, _deal(problem), strict=False)
    }


def _deal(problem: int) -> Iterator[str]:
    def place(letter: str) -> str:
        return salted_hmac("curation.letters", f"{problem} {letter}").hexdigest()

    alphabet = sorted(ascii_uppercase, key=place)
    return (letter * times for times in count(1) for letter in alphabet)


class Pseudonyms:
    """Names of reviewers for admins; for others their letters."""

    def __init__(self, user: User, problem: Problem) -> None:
        self.reader = user
        self.problem = problem
        self.shows_names = can_see_names(user)
        self.letters = {} if self.shows_names else find_letters([problem.pk])

    def say(self, person: User) -> str:
        if person == self.reader:
            return _("you")
        if self.shows_names or is_writer(person, self.problem):
            return str(person)
        letter = self.letters.get((self.problem.pk, person.pk))
        # An admin who reviewed is a reviewer in all of it.
        if letter and (not is_admin(person) or person.pk in self.reviewed):
            return _("reviewer %(letter)s") % {"letter": letter}
        return _("an admin") if is_admin(person) else _("a reviewer")

    @cached_property
    def reviewed(self) -> set[int]:
        """Return who reviewed or solved in what the reader may read."""
        rounds = ReviewRound.objects.filter(revision__problem=self.problem)
        readable = choose_readable(self.reader, self.problem, rounds)
        solves = BlindSolve.objects.filter(round__in=readable).order_by()
        reviews = Review.objects.filter(round__in=readable).order_by()
        return {*solves.values_list("reviewer", flat=True).union(reviews.values_list("reviewer"))}


@dataclass(slots=True)
class ThreadShown:
    """A thread with what a page says of it."""

    readable: Readable
    comments: list[tuple[Comment, str]]
    """Each with who wrote it."""
    settled_by: str
    place: tuple[int, int] | None
    """Where its passage stands in the text that is shown; None where it is gone, or has none."""
    can_reply: bool
    can_resolve: bool
    is_new: bool = False

    @property
    def thread(self) -> Thread:
        return self.readable.thread

    @property
    def is_gone(self) -> bool:
        return self.thread.part in PASSAGES and self.place is None


@dataclass(slots=True)
class BlockShown:
    """A block of a text, with the passages marked that comments are about."""

    block: Block
    threads: list[ThreadShown] = field(default_factory=list)
    """Those whose passage begins here."""


@dataclass(frozen=True, slots=True)
class PartShown:
    part: ThreadPart
    blocks: list[BlockShown]
    others: list[ThreadShown]
    """About it as a whole, or about a passage that is no longer there."""


@dataclass(frozen=True, slots=True)
class CommentsShown:
    parts: list[PartShown]
    number: int
    unresolved: int
    review_round: ReviewRound | None
    """Where a matter can be raised now."""

    @property
    def by_part(self) -> dict[str, PartShown]:
        return {part.part.value: part for part in self.parts}


def show_comments(
    user: User, revision: Revision, *, review_round: ReviewRound | None = None, new: int = 0
) -> CommentsShown:
    """
    Return the threads that `user` may read, beside the text of this revision.

    Args:
        review_round: the round in which they may raise another.
        new: the number of a thread that was just begun.
    """
    problem = revision.problem
    shown = list_shown(user, problem, revision)
    for one in shown:
        one.is_new = one.thread.pk == new
    shows_key = can_see_key(user, problem)
    parts = [
        _show_part(ThreadPart(part), revision, [one for one in shown if one.thread.part == part])
        for part in (
            ThreadPart.STATEMENT,
            ThreadPart.ANSWER,
            ThreadPart.SOLUTION,
            ThreadPart.PROBLEM,
        )
        if shows_key or part not in KEY_PARTS
    ]
    unresolved = sum(not one.readable.is_resolved for one in shown)
    return CommentsShown(parts, len(shown), unresolved, review_round)


def list_shown(user: User, problem: Problem, revision: Revision | None = None) -> list[ThreadShown]:
    """Return the threads that `user` may read, placed in the text of a revision, or in none."""
    readable = commenting.list_threads(user, problem)
    listed = [
        one
        for one in readable
        if revision is None or one.thread.round.revision.number <= revision.number
    ]
    names = Pseudonyms(user, problem)
    return [_show(user, problem, revision, one, names) for one in listed]


def describe_talk(user: User, revision: Revision) -> dict[str, Any]:
    """Return what a problem's own page shows of comments and notes; whom they are for is few."""
    if not can_see_stages(user, revision.problem):
        return {}
    return {
        "comments": show_comments(user, revision),
        "notes": list_notes(user, revision.problem),
    }


def _show(
    user: User,
    problem: Problem,
    revision: Revision | None,
    readable: Readable,
    names: Pseudonyms,
) -> ThreadShown:
    thread = readable.thread
    place = None
    if revision is not None and thread.part in PASSAGES:
        place = find(commenting.text_of(revision, thread.part), thread.passage)
    step = readable.step
    return ThreadShown(
        readable,
        [(one, names.say(one.writer)) for one in readable.comments],
        names.say(step.by) if step else "",
        place,
        can_reply=can_talk(user, problem),
        can_resolve=permissions.can_resolve(user, problem, thread),
    )


def _show_part(part: ThreadPart, revision: Revision, threads: list[ThreadShown]) -> PartShown:
    if part not in PASSAGES:
        return PartShown(part, [], threads)
    text = commenting.text_of(revision, part)
    placed = [one for one in threads if one.place is not None]
    places = [one.place for one in placed if one.place]
    blocks = [BlockShown(block) for block in list_blocks(text, places)]
    others = [one for one in threads if one.is_gone]
    for one in placed:
        begins = [shown for shown in blocks if one.place and shown.block.start <= one.place[0]]
        # A text that the renderer finds no block in has its comments below.
        (begins[-1].threads if begins else others).append(one)
    return PartShown(part, blocks, others)
