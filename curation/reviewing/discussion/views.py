"""Comment on a passage, answer, settle a matter."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from curation.problems.exposures import ledger
from curation.problems.models import Problem, Revision
from curation.problems.permissions import can_see_key, is_in_charge
from curation.reviewing.discussion import actions as commenting
from curation.reviewing.discussion.forms import CommentForm, ReplyForm, Target
from curation.reviewing.discussion.models import Thread
from curation.reviewing.discussion.permissions import can_comment
from curation.reviewing.discussion.threads import show_comments
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import can_review, get_round
from curation.texts.workflow import NotAllowedNow
from phybench.people.forms import form_says_why_not
from phybench.people.http import MemberRequest, read_numbers, role_required
from phybench.people.models import Role, User


@never_cache
@role_required(Role.REVIEWER)
@require_http_methods(["GET", "POST"])
def talk(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask what there is to say of a passage, or of the whole; begin a thread with it."""
    review_round = get_round(request, pk)
    revision = review_round.revision
    target = Target.read(request.POST if request.method == "POST" else request.GET, revision)
    if target is None or not can_comment(request.user, review_round, target.part):
        raise Http404
    form = CommentForm(target, request.POST if request.method == "POST" else None)
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            thread = commenting.open_thread(
                review_round=review_round, writer=request.user, **form.read()
            )
            return _answer_with_all(request, review_round, thread)
    _record(request.user, revision)
    context = {
        "form": form,
        "review_round": review_round,
        "problem": revision.problem,
        "is_apart": _is_apart(request),
    }
    template = "curation/comment.html#form" if request.htmx else "curation/comment.html"
    return render(request, template, context)


def _is_apart(request: MemberRequest) -> bool:
    """Whether the page shows a translation, with the original's paragraphs below it."""
    return "apart" in (request.POST if request.method == "POST" else request.GET)


def _record(user: User, revision: Revision) -> None:
    """Write down that somebody is shown what a comment is about, and the texts beside it."""
    shows_key = can_see_key(user, revision.problem)
    parts = ledger.ALL if shows_key else ledger.STATEMENT
    ledger.record(user, ledger.Reason.REVIEW, revision, parts=parts)


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
    _record(request.user, revision)
    context = {
        "comments": shown,
        "problem": revision.problem,
        "revision": revision,
        "is_apart": _is_apart(request),
    }
    response = render(request, "curation/_all_comments.html", context)
    response["HX-Retarget"] = "#comments"
    response["HX-Reswap"] = "outerHTML"
    return response


def _find_thread(request: MemberRequest, pk: int) -> tuple[Thread, Problem]:
    """Return the thread of a round that is named in what is sent, and the problem."""
    numbers = read_numbers(request.POST.getlist("thread"))
    threads = Thread.objects.select_related("round__revision__problem__author", "round__version")
    thread = get_object_or_404(threads, pk__in=numbers, round=pk)
    problem = Problem.objects.with_people().get(pk=thread.round.revision.problem_id)
    readable = {one.thread.pk for one in commenting.list_threads(request.user, problem)}
    if thread.pk not in readable:
        raise Http404
    return thread, problem


@never_cache
@require_POST
def reply(request: MemberRequest, pk: int) -> HttpResponse:
    thread, problem = _find_thread(request, pk)
    form = ReplyForm(request.POST)
    if form.is_valid():
        with form_says_why_not(form, NotAllowedNow):
            commenting.reply(thread=thread, writer=request.user, **form.cleaned_data)
    return _answer_with_one(request, thread, problem, form)


@never_cache
@require_POST
def settle(request: MemberRequest, pk: int) -> HttpResponse:
    """Resolve a thread, or open it again."""
    thread, problem = _find_thread(request, pk)
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
    _record(request.user, revision)
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
        if can_review(user, one):
            return reverse("curation:review", args=[one.pk])
    return problem.get_absolute_url()


def _find_shown(request: MemberRequest, problem: Problem) -> Revision:
    """Return the revision beside which the page shows the thread; the newest where it can't say."""
    number = request.POST.get("revision", "")
    revisions = problem.revisions.all()
    if not is_in_charge(request.user, problem):
        # What the writers have not submitted is theirs.
        revisions = revisions.submitted()
    found = revisions.filter(number=int(number)) if number.isdecimal() and len(number) < 6 else None
    revision = (found.first() if found is not None else None) or revisions.latest("number")
    revision.problem = problem
    return revision
