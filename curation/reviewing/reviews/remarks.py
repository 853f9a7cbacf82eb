"""What reviewers asked for when a problem came back: a list that its writers tick or answer."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from curation.problems.models import Problem
from curation.problems.permissions import can_edit
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.models import Thread
from curation.reviewing.discussion.threads import ThreadShown, list_shown
from curation.reviewing.reviews.summary import Voice, show_rounds
from curation.reviewing.rounds.models import Review
from phybench.people.models import User

THREAD, REVIEW = "thread", "review"
KINDS = (THREAD, REVIEW)


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that a reviewer said, and what the writers say to it."""

    kind: str
    """One of `KINDS`: a comment on a passage, or that of a whole review."""
    pk: int
    who: str
    about: str
    quote: str
    text: str
    is_done: bool
    answers: list[tuple[str, str, datetime]]
    """Who, what, when."""

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.pk}"


def list_remarks(user: User, problem: Problem) -> list[Remark]:
    """
    List what the writers of a returned problem have to deal with, as `user` may read it.

    That is what was said of the newest submitted revision, and what is still open of earlier ones.
    """
    if not can_edit(user, problem):
        return []
    newest = problem.revisions.submitted().aggregate(Max("number"))["number__max"]
    if newest is None:
        return []
    # Who wrote it is asked for each comment.
    problem = Problem.objects.with_people().get(pk=problem.pk)
    remarks = [
        _of_thread(one)
        for one in list_shown(user, problem)
        if one.thread.round.revision.number == newest or not one.readable.is_resolved
    ]
    for shown in show_rounds(user, problem):
        if shown.round.revision.number == newest:
            remarks += [
                _of_review(voice.review, voice)
                for voice in shown.voices
                if voice.review is not None and voice.review.comment.strip()
            ]
    return remarks


def _of_thread(shown: ThreadShown) -> Remark:
    thread: Thread = shown.thread
    (first, who), *rest = shown.comments
    return Remark(
        THREAD,
        thread.pk,
        who,
        str(thread.get_part_display()),
        thread.quote,
        first.text,
        shown.readable.is_resolved,
        [(name, comment.text, comment.at) for comment, name in rest],
    )


def _of_review(review: Review, voice: Voice) -> Remark:
    responses = list(review.responses.all())
    return Remark(
        REVIEW,
        review.pk,
        voice.name,
        str(review.get_recommendation_display()),
        "",
        review.comment,
        bool(responses) and responses[-1].is_done,
        [(str(one.writer), one.text, one.at) for one in responses if one.text],
    )


def answer(*, remark: Remark, writer: User, is_done: bool, text: str) -> None:
    """
    Tick a remark, or answer it.

    Raises:
        NotAllowedNow: the problem is not theirs to change now.
    """
    if remark.kind == REVIEW:
        review = Review.objects.select_related("round__revision__problem").get(pk=remark.pk)
        commenting.respond(review=review, writer=writer, is_done=is_done, text=text)
        return
    thread = Thread.objects.select_related("round__revision__problem").get(pk=remark.pk)
    if text.strip():
        commenting.reply(thread=thread, writer=writer, text=text.strip())
    if is_done != remark.is_done:
        commenting.settle(thread=thread, by=writer, is_resolved=is_done)
