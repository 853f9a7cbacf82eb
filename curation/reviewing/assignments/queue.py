"""The queue of a reviewer: what they are assigned, what they may take, and declining it."""

from django.contrib import messages
from django.db.models import Count, F, Q
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from curation.problems.benchmarks.models import Benchmark
from curation.problems.wording import name_in
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import loads
from curation.reviewing.assignments.forms import ReviewingProfileForm
from curation.reviewing.assignments.lists import RoundFilter
from curation.reviewing.assignments.permissions import list_to_look_after
from curation.reviewing.assignments.views import ask_why
from curation.reviewing.rounds.models import Assignment, ReviewRound, ReviewRoundQuerySet
from curation.reviewing.rounds.permissions import list_given
from curation.texts.workflow import NotAllowedNow
from phybench.pages.listing import Column, Listing, by
from phybench.people.http import MemberRequest, role_required, saying_why_not
from phybench.people.models import Role, User
from phybench.people.permissions import is_reviewer

PROBLEM = "revision__problem__"
COLUMNS: list[Column[ReviewRound]] = [
    Column("title", gettext_lazy("Title"), by(f"{PROBLEM}title")),
    Column("stage", gettext_lazy("Stage"), by("version__name")),
    Column("domain", gettext_lazy("Domain"), by(f"{PROBLEM}domain")),
    Column("difficulty", gettext_lazy("Difficulty"), by(f"{PROBLEM}difficulty")),
    Column("author", gettext_lazy("Author"), by(f"{PROBLEM}author__display_name")),
    Column("given", gettext_lazy("Reviews given"), by("given"), is_number=True),
    Column("waiting", gettext_lazy("Waiting for"), by("opened_at")),
    Column("due", gettext_lazy("Due"), by("due_at")),
]


def _with_problems(rounds: ReviewRoundQuerySet) -> ReviewRoundQuerySet:
    return rounds.select_related("revision__problem__author", "version").order_by("opened_at", "pk")


def _filter_to_take(user: User, data: QueryDict, slug: str) -> RoundFilter:
    """Narrow what may be taken; who only looks after the benchmark sees all that waits."""
    return RoundFilter(data, _with_problems(list_to_look_after(user).of_benchmark(slug)))


@role_required(Role.REVIEWER)
@require_GET
def queue(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark, slug=slug)
    user = request.user
    filters = _filter_to_take(user, request.GET, slug)
    listing = Listing(request, filters.qs, COLUMNS, default="waiting", filters=filters)
    described = listing.describe()
    assigned = {one.round_id: one for one in user.assignments.open().select_related("assigned_by")}
    rounds = ReviewRound.objects.with_places().of_benchmark(slug).filter(pk__in=assigned)
    mine = [(assigned[one.pk], one) for one in _with_problems(rounds)]
    mine.sort(key=lambda pair: (pair[0].due_at is None, pair[0].due_at, pair[0].pk))
    of_benchmark = Q(round__revision__problem__benchmark=benchmark)
    context = {
        **described,
        "benchmark": benchmark,
        "rounds": described["page"].object_list,
        "mine": mine,
        "waiting": len(mine) + described["page"].paginator.count,
        "given": _with_problems(list_given(user).with_places().of_benchmark(slug)),
        "left": user.review_drafts.newest().filter(of_benchmark),
        "may_review": is_reviewer(user),
        "is_full": loads.has_as_many_as_may(len(assigned)),
        "cap": assigning.say_cap(),
        "progress": user.assignments.filter(of_benchmark).aggregate(
            done=Count("pk", filter=Q(state=Assignment.State.DONE)),
            all=Count("pk", filter=Q(state__in=[Assignment.State.DONE, Assignment.State.OPEN])),
        ),
    }
    return render(request, "curation/queue.html", context)


@role_required(Role.REVIEWER)
@require_POST
def review_next(request: MemberRequest, slug: str) -> HttpResponse:
    """Go to what is asked of somebody first, else take the first round of the list as filtered."""
    user = request.user
    held = user.assignments.open().filter(round__revision__problem__benchmark__slug=slug)
    if not is_reviewer(user):
        return redirect("curation:queue", slug)
    if first := held.order_by(F("due_at").asc(nulls_last=True), "pk").first():
        return redirect("curation:review", first.round_id)
    waiting = _filter_to_take(user, request.POST, slug).qs
    with saying_why_not(request, NotAllowedNow):
        if taken := assigning.take_next(queue=waiting, reviewer=user):
            return redirect("curation:review", taken.round_id)
        messages.info(request, _("Nothing is left to review here now."))
    return redirect("curation:queue", slug)


@role_required(Role.REVIEWER)
@require_POST
def take(request: MemberRequest, pk: int) -> HttpResponse:
    """Take one round from the open queue, and go to it."""
    rounds = ReviewRound.objects.select_related("revision__problem__benchmark", "version")
    review_round = get_object_or_404(rounds, pk=pk)
    with saying_why_not(request, NotAllowedNow):
        assigning.take(review_round=review_round, reviewer=request.user)
        return redirect("curation:review", pk)
    return redirect(review_round.get_queue_url())


@role_required(Role.REVIEWER)
@require_POST
def decline(request: MemberRequest, pk: int) -> HttpResponse:
    """Ask why somebody declines what is asked of them, and give it back."""
    own = (
        request.user.assignments.filter(round=pk)
        .order_by("-pk")
        .select_related("round__revision__problem__benchmark", "round__version")
    )
    if (assignment := own.first()) is None:
        raise Http404
    return ask_why(
        request,
        lambda why: assigning.decline(assignment=assignment, reviewer=request.user, reason=why),
        done=_("Declined. An admin can read your reason, and another reviewer is asked."),
        back=assignment.round.get_queue_url(),
        sent={"do": "decline"},
        title=name_in(_("Decline to review “%(title)s”"), assignment.round.revision.problem),
        text=_("It returns to the queue. Admins can read your reason; the author can’t."),
        button=_("Decline it"),
        leave=_("Keep it"),
        list_name=_("Reviews"),
    )


@role_required(Role.REVIEWER)
@require_http_methods(["GET", "POST"])
def reviewing_profile(request: MemberRequest) -> HttpResponse:
    """Take what a reviewer knows well, and the languages they review in."""
    if request.method == "POST":
        form = ReviewingProfileForm(request.POST, instance=request.user)
        if form.is_valid():
            form.save()
            messages.success(request, _("Saved. This helps to find suitable reviewers."))
            return redirect(reverse("profile") + "?tab=reviewing")
        request.user.refresh_from_db()
    else:
        form = ReviewingProfileForm(instance=request.user)
    return render(request, "curation/reviewing_profile.html", {"form": form})
