"""What pages show of comments: beside which words they stand, who wrote them, what may be done."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from curation import permissions
from curation.problems.models import Problem, Revision
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.actions import Readable
from curation.reviewing.discussion.models import KEY_PARTS, PASSAGES, Comment, Thread, ThreadPart
from curation.reviewing.discussion.pseudonyms import Pseudonyms
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.passages import Block, find, list_blocks
from phybench.models import User


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
    """A block of a source with the passages marked that comments are about."""

    block: Block
    pieces: list[tuple[str, int | None]] = field(default_factory=list)
    """Stretches of its text; one that is commented on has the number of its thread."""
    threads: list[ThreadShown] = field(default_factory=list)
    """Those whose passage begins here."""


@dataclass(frozen=True, slots=True)
class PartShown:
    part: ThreadPart
    blocks: list[BlockShown]
    others: list[ThreadShown]
    """About it as a whole, or about a passage that is no longer there."""

    @property
    def is_talked_of(self) -> bool:
        return bool(self.others) or any(block.threads for block in self.blocks)


@dataclass(frozen=True, slots=True)
class CommentsShown:
    parts: list[PartShown]
    number: int
    unresolved: int
    review_round: ReviewRound | None
    """Where a matter can be raised now."""


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
    readable = commenting.list_threads(user, problem)
    listed = [one for one in readable if one.thread.round.revision.number <= revision.number]
    names = Pseudonyms(user, problem, readable)
    shown = [_show(user, problem, revision, one, names) for one in listed]
    for one in shown:
        one.is_new = one.thread.pk == new
    shows_key = permissions.can_see_key(user, problem)
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


def describe_talk(user: User, revision: Revision) -> dict[str, Any]:
    """Return what a problem's own page shows of comments and notes; whom they are for is few."""
    if not permissions.can_see_stages(user, revision.problem):
        return {}
    return {
        "comments": show_comments(user, revision),
        "notes": permissions.list_notes(user, revision.problem),
    }


def _show(
    user: User,
    problem: Problem,
    revision: Revision,
    readable: Readable,
    names: Pseudonyms,
) -> ThreadShown:
    thread = readable.thread
    place = None
    if thread.part in PASSAGES:
        place = find(commenting.text_of(revision, thread.part), thread.passage)
    step = readable.step
    return ThreadShown(
        readable,
        [(one, names.say(one.writer)) for one in readable.comments],
        names.say(step.by) if step else "",
        place,
        can_reply=permissions.can_talk(user, problem),
        can_resolve=permissions.can_resolve(user, problem, thread),
    )


def _show_part(part: ThreadPart, revision: Revision, threads: list[ThreadShown]) -> PartShown:
    if part not in PASSAGES:
        return PartShown(part, [], threads)
    text = commenting.text_of(revision, part)
    placed = [one for one in threads if one.place is not None]
    places = [(*one.place, one.thread.pk) for one in placed if one.place]
    blocks = [BlockShown(block, list(_cut(block, places))) for block in list_blocks(text)]
    others = [one for one in threads if one.is_gone]
    for one in placed:
        begins = [shown for shown in blocks if one.place and shown.block.start <= one.place[0]]
        # A text that the renderer finds no block in has its comments below.
        (begins[-1].threads if begins else others).append(one)
    return PartShown(part, blocks, others)


def _cut(block: Block, places: Iterable[tuple[int, int, int]]) -> Iterable[tuple[str, int | None]]:
    """Cut a block where a passage begins or ends; of several, the one begun last is named."""
    within = sorted(place for place in places if place[0] < block.end and place[1] > block.start)
    edges = {block.start, block.end}
    for start, end, _thread in within:
        edges |= {max(start, block.start), min(end, block.end)}
    cuts = sorted(edges)
    for start, end in pairwise(cuts):
        over = [thread for first, last, thread in within if first <= start and last >= end]
        yield block.text[start - block.start : end - block.start], over[-1] if over else None
