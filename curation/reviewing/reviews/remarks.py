"""What reviewers asked for when a problem came back: a list that its writers tick or answer."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.db.models import Max
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.problems.exposures import ledger
from curation.problems.models import Problem
from curation.problems.permissions import can_edit, list_to_write
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.forms import LONGEST
from curation.reviewing.discussion.models import Thread
from curation.reviewing.discussion.threads import ThreadShown, list_shown
from curation.reviewing.reviews.summary import Voice, show_rounds
from curation.reviewing.rounds.models import Review
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role, User

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


@never_cache
@role_required(Role.CONTRIBUTOR)
@require_POST
def answer_remark(request: MemberRequest, pk: int, kind: str, remark_pk: int) -> HttpResponse:
    """Keep that a remark is done, that it is open again, or why it is not followed."""
    problem = get_object_or_404(list_to_write(request.user), pk=pk)
    found = _find(request, problem, kind, remark_pk)
    text = request.POST.get("text", "").replace("\r\n", "\n")
    done = request.POST.get("done", "")
    refused = ""
    if len(text) > LONGEST or "\x00" in text:
        refused = _("This is too long: at most %(most)d characters.") % {"most": LONGEST}
    elif not done and not text.strip():
        refused = _("Write something first.")
    else:
        try:
            is_done = done == "yes" if done else found.is_done
            # “Done” is a tick: what stands in the box is sent with its own button.
            answer(remark=found, writer=request.user, is_done=is_done, text="" if done else text)
        except NotAllowedNow as refusal:
            refused = str(refusal)
    if not request.htmx:
        if refused:
            messages.error(request, refused)
        return redirect(reverse("curation:edit", args=[pk]) + f"#remark-{found.key}")
    revision = problem.revisions.submitted().latest("number")
    ledger.record(request.user, ledger.Reason.EDIT, revision, parts=ledger.ALL)
    context = {
        "remark": found if refused else _find(request, problem, kind, remark_pk),
        "problem": problem,
        "refused": refused,
        "typed": text if refused else "",
        "answered": not refused,
    }
    return render(request, "curation/_remarks.html#remark", context)


def _find(request: MemberRequest, problem: Problem, kind: str, remark_pk: int) -> Remark:
    for one in list_remarks(request.user, problem):
        if (one.kind, one.pk) == (kind, remark_pk):
            return one
    raise Http404
