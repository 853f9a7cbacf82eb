"""Comments beside a problem's text: what they are about, who may read them, answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation import commenting, permissions
from curation.comment_forms import CommentForm, ReplyForm, Target
from curation.commenting import Readable
from curation.models import (
    KEY_PARTS,
    PASSAGES,
    BlindSolve,
    Comment,
    Part,
    Problem,
    Review,
    ReviewRound,
    Revision,
    Thread,
)
from curation.passages import Block, find, list_blocks
from curation.workflow import NotAllowedNow
from phybench.http import MemberRequest, role_required
from phybench.models import Role, User


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
    part: Part
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
    listed = [
        one
        for one in commenting.list_threads(user, problem)
        if one.thread.round.revision.number <= revision.number
    ]
    names = _name_writers(user, problem, listed)
    shown = [_show(user, problem, revision, one, names) for one in listed]
    for one in shown:
        one.is_new = one.thread.pk == new
    shows_key = permissions.can_see_key(user, problem)
    parts = [
        _show_part(Part(part), revision, [one for one in shown if one.thread.part == part])
        for part in (Part.STATEMENT, Part.ANSWER, Part.SOLUTION, Part.PROBLEM)
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
        "notes": commenting.list_notes(user, revision.problem),
    }


def _show(
    user: User,
    problem: Problem,
    revision: Revision,
    readable: Readable,
    names: Mapping[tuple[int, int], str],
) -> ThreadShown:
    thread = readable.thread
    place = None
    if thread.part in PASSAGES:
        place = find(commenting.text_of(revision, thread.part), thread.passage)
    step = readable.step
    return ThreadShown(
        readable,
        [(one, names[thread.pk, one.writer_id]) for one in readable.comments],
        names[thread.pk, step.by_id] if step else "",
        place,
        can_reply=permissions.can_talk(user, problem),
        can_resolve=permissions.can_resolve(user, problem, thread),
    )


def _name_writers(
    user: User, problem: Problem, listed: list[Readable]
) -> dict[tuple[int, int], str]:
    """
    Say who wrote in each thread and who settled it, by thread and person.

    Reviewers' names are for admins; others read the numbers that the reviews of a round have.
    """
    order = _number_reviewers({one.thread.round_id for one in listed})
    names: dict[tuple[int, int], str] = {}
    for one in listed:
        # Whoever wrote what can't be read is not counted either: a gap would tell of them.
        people = [comment.writer for comment in one.comments]
        people += [step.by for step in one.thread.steps.all()]
        numbers = order.setdefault(one.thread.round_id, [])
        for person in people:
            names[one.thread.pk, person.pk] = _name(user, problem, person, numbers)
    return names


def _name(user: User, problem: Problem, person: User, numbers: list[int]) -> str:
    if person == user:
        return _("you")
    if user.has_role(Role.ADMIN) or permissions.is_writer(person, problem):
        return str(person)
    if person.has_role(Role.ADMIN):
        return _("an admin")
    if person.pk not in numbers:
        numbers.append(person.pk)
    return _("reviewer %(number)d") % {"number": numbers.index(person.pk) + 1}


def _number_reviewers(rounds: set[int]) -> dict[int, list[int]]:
    """List the people of each round in the order in which its reviews are shown."""
    order: dict[int, list[int]] = {}
    solves = BlindSolve.objects.filter(round__in=rounds).order_by("solved_at", "pk")
    reviews = Review.objects.newest().filter(round__in=rounds).order_by("submitted_at", "pk")
    for rows in (solves, reviews):
        for round_pk, person in rows.values_list("round", "reviewer"):
            people = order.setdefault(round_pk, [])
            if person not in people:
                people.append(person)
    return order


def _show_part(part: Part, revision: Revision, threads: list[ThreadShown]) -> PartShown:
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


def _get_round(user: User, pk: int) -> ReviewRound:
    rounds = ReviewRound.objects.select_related(
        "revision__problem__author", "stage"
    ).prefetch_related("revision__problem__credits")
    review_round = get_object_or_404(rounds, pk=pk)
    if not user.has_role(Role.REVIEWER) or not permissions.can_review(user, review_round):
        raise Http404
    return review_round


@never_cache
@role_required(Role.REVIEWER)
@require_http_methods(["GET", "POST"])
def new_comment(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask what there is to say of a passage, or of the whole; begin a thread with it."""
    review_round = _get_round(request.user, pk)
    revision = review_round.revision
    target = Target.read(request.POST if request.method == "POST" else request.GET, revision)
    if target is None or not permissions.can_comment(request.user, review_round, target.part):
        raise Http404
    form = CommentForm(target, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            thread = commenting.open_thread(
                review_round=review_round, writer=request.user, **form.read()
            )
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
        else:
            return _answer_with_all(request, review_round, thread)
    context = {"form": form, "review_round": review_round, "problem": revision.problem}
    template = "curation/_comment_form.html" if request.htmx else "curation/comment.html"
    return render(request, template, context)


def _answer_with_all(
    request: MemberRequest, review_round: ReviewRound, thread: Thread
) -> HttpResponse:
    if not request.htmx:
        address = reverse("curation:review", args=[review_round.pk])
        return redirect(f"{address}#thread-{thread.pk}")
    shown = show_comments(
        request.user, review_round.revision, review_round=review_round, new=thread.pk
    )
    revision = review_round.revision
    context = {"comments": shown, "problem": revision.problem, "revision": revision}
    response = render(request, "curation/_comments.html", context)
    response["HX-Retarget"] = "#comments"
    response["HX-Reswap"] = "outerHTML"
    return response


def _find_thread(user: User, pk: int) -> tuple[Thread, Problem]:
    threads = Thread.objects.select_related("round__revision__problem__author")
    thread = get_object_or_404(threads, pk=pk)
    problem = Problem.objects.with_people().get(pk=thread.round.revision.problem_id)
    readable = {one.thread.pk for one in commenting.list_threads(user, problem)}
    if pk not in readable:
        raise Http404
    return thread, problem


@never_cache
@require_POST
def reply(request: MemberRequest, pk: int) -> HttpResponse:
    thread, problem = _find_thread(request.user, pk)
    form = ReplyForm(request.POST)
    if form.is_valid():
        try:
            commenting.reply(thread=thread, writer=request.user, **form.cleaned_data)
        except NotAllowedNow as refusal:
            form.add_error(None, str(refusal))
    return _answer_with_one(request, thread, problem, form)


@never_cache
@require_POST
def settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Resolve a thread, or open it again."""
    thread, problem = _find_thread(request.user, pk)
    form = ReplyForm()
    refused = ""
    try:
        is_resolved = request.POST.get("resolved") == "yes"
        commenting.settle(thread=thread, by=request.user, is_resolved=is_resolved)
    except NotAllowedNow as refusal:
        refused = str(refusal)
    return _answer_with_one(request, thread, problem, form, refused)


def _answer_with_one(
    request: MemberRequest, thread: Thread, problem: Problem, form: ReplyForm, refused: str = ""
) -> HttpResponse:
    """Show the thread as it stands now, with what was refused and why."""
    refused = refused or " ".join(str(one) for errors in form.errors.values() for one in errors)
    if not request.htmx:
        if refused:
            messages.error(request, refused)
        return redirect(f"{_find_page(request.user, problem)}#thread-{thread.pk}")
    revision = _find_shown(request, problem)
    shown = show_comments(request.user, revision)
    [found] = [
        one
        for part in shown.parts
        for one in (*part.others, *(inner for block in part.blocks for inner in block.threads))
        if one.thread.pk == thread.pk
    ]
    context = {
        "one": found,
        "problem": problem,
        "revision": revision,
        "refused": refused,
        "typed": form.data.get("text", "") if refused else "",
        "answered": not refused,
    }
    return render(request, "curation/_thread.html", context)


def _find_page(user: User, problem: Problem) -> str:
    """Return where this person talks about this problem: its review, or its own page."""
    for one in ReviewRound.objects.open().filter(revision__problem=problem):
        if permissions.can_review(user, one):
            return reverse("curation:review", args=[one.pk])
    return problem.get_absolute_url()


def _find_shown(request: MemberRequest, problem: Problem) -> Revision:
    """Return the revision beside which the page shows the thread; the newest where it can't say."""
    number = request.POST.get("revision", "")
    revisions = problem.revisions.all()
    if not request.user.has_role(Role.ADMIN) and not permissions.is_writer(request.user, problem):
        # What the writers have not submitted is theirs.
        revisions = revisions.submitted()
    found = revisions.filter(number=int(number)) if number.isdecimal() and len(number) < 6 else None
    revision = (found.first() if found is not None else None) or revisions.latest("number")
    revision.problem = problem
    return revision
