"""Raise a matter in a review, answer, settle it; and tell something to the admins alone."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Prefetch
from django.utils.translation import gettext as _

from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_edit, is_writer
from curation.reviewing.discussion.models import (
    PASSAGES,
    AdminNote,
    Comment,
    Thread,
    ThreadPart,
    ThreadStep,
)
from curation.reviewing.discussion.permissions import (
    can_comment,
    can_resolve,
    can_talk,
    choose_comments,
)
from curation.reviewing.rounds.models import Review, ReviewRound
from curation.reviewing.rounds.permissions import can_review
from curation.texts.passages import mark
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import User


@dataclass(frozen=True, slots=True)
class Readable:
    """A thread as somebody may read it."""

    thread: Thread
    comments: list[Comment]
    step: ThreadStep | None
    """The newest."""

    @property
    def is_resolved(self) -> bool:
        return self.step is not None and self.step.is_resolved


def list_threads(user: User, problem: Problem) -> list[Readable]:
    """Return the threads of a problem with those of their comments that `user` may read."""
    threads = (
        Thread.objects.of_problem(problem)
        .select_related("round__revision", "round__version", "opened_by")
        .prefetch_related(
            Prefetch(
                "comments",
                Comment.objects.select_related("round__revision", "round__version", "writer"),
            ),
            Prefetch("steps", ThreadStep.objects.select_related("by")),
        )
    )
    found = list(threads)
    if not found:
        return []
    for thread in found:
        for comment in thread.comments.all():
            comment.thread = thread
            comment.round.revision.problem = problem
    everything = [comment for thread in found for comment in thread.comments.all()]
    may_read = {one.pk for one in choose_comments(user, problem, everything)}
    listed = []
    for thread in found:
        comments = [one for one in thread.comments.all() if one.pk in may_read]
        # Without what it began with, an answer has no sense.
        if comments and comments[0] == thread.comments.all()[0]:
            steps = list(thread.steps.all())
            listed.append(Readable(thread, comments, steps[-1] if steps else None))
    return listed


def text_of(revision: Revision, part: str) -> str:
    return revision.statement if part == ThreadPart.STATEMENT else revision.solution


@transaction.atomic
def open_thread(
    *, review_round: ReviewRound, writer: User, part: str, text: str, start: int = 0, end: int = 0
) -> Thread:
    """
    Raise a matter; sent twice, it is one.

    Args:
        part: what it is about, one of `ThreadPart`.
        start, end: of a statement or a solution, where the passage stands in its source.

    Raises:
        NotAllowedNow: the round is closed or not theirs, it is about a key that they may not see,
            or there is no such passage.
    """
    review_round = review_round.locked()
    if not can_comment(writer, review_round, part):
        raise NotAllowedNow(_("This stage is closed, or you may not review it."))
    anchor = {}
    if part in PASSAGES:
        passage = mark(text_of(review_round.revision, part), start, end)
        if not passage.quote:
            raise NotAllowedNow(_("Select a passage first: there is no text here."))
        anchor = {
            "quote": passage.quote,
            "prefix": passage.prefix,
            "suffix": passage.suffix,
            "start": passage.start,
            "end": passage.end,
        }
    same = review_round.threads.filter(opened_by=writer, part=part, **anchor).order_by("pk").last()
    if same and same.comments.earliest("pk").text == text:
        return same
    thread = review_round.threads.create(opened_by=writer, part=part, **anchor)
    thread.comments.create(round=review_round, writer=writer, text=text)
    return thread


@transaction.atomic
def reply(*, thread: Thread, writer: User, text: str) -> Comment:
    """
    Answer in a thread; sent twice, it is one answer.

    Raises:
        NotAllowedNow: the problem is decided, or they may not read the thread.
    """
    problem = thread.round.revision.problem.locked()
    _check_may_talk(writer, problem, thread)
    last = thread.comments.order_by("pk").last()
    if last and last.writer_id == writer.pk and last.text == text:
        return last
    return thread.comments.create(
        round=_find_round(writer, problem, thread), writer=writer, text=text
    )


def _find_round(writer: User, problem: Problem, thread: Thread) -> ReviewRound:
    """
    Return the round by which others may read what is written now.

    While one is open it is that: what a reviewer says in an old thread could sway those to come.
    """
    if is_writer(writer, problem):
        return thread.round
    waiting = ReviewRound.objects.open().filter(revision__problem=problem).first()
    return waiting or thread.round


@transaction.atomic
def settle(*, thread: Thread, by: User, is_resolved: bool) -> None:
    """
    Say that a matter is settled, or that it is not; where it stands so already, nothing is done.

    Raises:
        NotAllowedNow: it is not theirs to say, or the problem is decided.
    """
    problem = thread.round.revision.problem.locked()
    _check_may_talk(by, problem, thread)
    if not can_resolve(by, problem, thread):
        raise NotAllowedNow(
            _(
                "The person who wrote first, the problem’s author or an admin can mark this as "
                "resolved."
            )
        )
    newest = thread.steps.order_by("pk").last()
    if (newest is not None and newest.is_resolved) != is_resolved:
        thread.steps.create(by=by, is_resolved=is_resolved)


def _check_may_talk(user: User, problem: Problem, thread: Thread) -> None:
    readable = {one.thread.pk for one in list_threads(user, problem)}
    if thread.pk not in readable or not can_talk(user, problem):
        raise NotAllowedNow(_("This problem is decided, or you may not reply here."))


@transaction.atomic
def respond(*, review: Review, writer: User, is_done: bool, text: str = "") -> None:
    """
    Say to a review's comment that it is done, or why not; sent twice, that is kept once.

    Raises:
        NotAllowedNow: the problem is not theirs to change now.
    """
    problem = review.round.revision.problem.locked()
    if not can_edit(writer, problem):
        raise NotAllowedNow(_("This problem can't be edited now."))
    text = text.strip()
    last = review.responses.order_by("pk").last()
    stands = (last.is_done, last.text) if last else (False, "")
    if stands != (is_done, text) and (text or is_done != stands[0]):
        review.responses.create(writer=writer, is_done=is_done, text=text)


@transaction.atomic
def write_note(*, review_round: ReviewRound, writer: User, text: str) -> AdminNote | None:
    """
    Tell the admins something that nobody else reads; sent twice, it is one note.

    Raises:
        NotAllowedNow: the round is closed, or not theirs to review.
    """
    review_round = review_round.locked()
    if not can_review(writer, review_round):
        raise NotAllowedNow(_("This stage is closed, or you may not review it."))
    if not text.strip():
        return None
    last = review_round.admin_notes.filter(writer=writer).order_by("pk").last()
    if last and last.text == text:
        return last
    return review_round.admin_notes.create(writer=writer, text=text)
