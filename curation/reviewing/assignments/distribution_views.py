"""Assign many rounds by a rule: choose it, look at what it would do, confirm exactly that."""

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments import distribution
from curation.reviewing.assignments.filters import AdminRoundFilter
from curation.reviewing.assignments.forms import RuleForm
from curation.reviewing.assignments.models import AssignmentPlan
from curation.reviewing.assignments.views import choose_rounds
from curation.reviewing.rounds.models import ReviewRound, ReviewRoundQuerySet
from curation.texts.workflow import NotAllowedNow
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role

MOST_ROUNDS = 100
"""As many a plan looks at, the longest waiting first: it is carried out while somebody waits."""


def _list_rounds(data: QueryDict) -> ReviewRoundQuerySet:
    """Return the rounds that were ticked, or else all that the filters leave."""
    if ticked := data.getlist("round"):
        return choose_rounds(ticked, MOST_ROUNDS)
    rounds: ReviewRoundQuerySet = AdminRoundFilter(
        data, ReviewRound.objects.open().with_places()
    ).qs
    return rounds.order_by("opened_at", "pk")[:MOST_ROUNDS]


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def distribute(request: MemberRequest) -> HttpResponse:
    """Ask by which rule, and write down what it would do."""
    if request.method == "POST":
        # What is sent names its rounds: the filters may leave others meanwhile.
        form = RuleForm(request.POST)
        rounds = [one.pk for one in choose_rounds(request.POST.getlist("round"), MOST_ROUNDS)]
    else:
        form = RuleForm()
        rounds = [one.pk for one in _list_rounds(request.GET)]
    if not rounds:
        messages.info(request, _("No open round is selected, or none matches the filters."))
        return redirect("curation:assignments")
    if form.is_valid():
        chosen = ReviewRound.objects.filter(pk__in=rounds)
        plan = distribution.make_plan(rounds=chosen, admin=request.user, rule=form.read())
        return redirect("curation:assignment_plan", plan.pk)
    context = {
        "form": form,
        "rounds": rounds,
        "most": MOST_ROUNDS if len(rounds) == MOST_ROUNDS else 0,
        "cap": assigning.say_cap(),
    }
    return render(request, "curation/distribute.html", context)


@role_required(Role.ADMIN)
@require_http_methods(["GET", "POST"])
def assignment_plan(request: MemberRequest, pk: int) -> HttpResponse:
    """Show what a plan would do, carry it out, and show what was done."""
    plan = get_object_or_404(AssignmentPlan.objects.select_related("made_by"), pk=pk)
    if request.method == "POST":
        try:
            distribution.carry_out(plan=plan, admin=request.user)
        except NotAllowedNow as refusal:
            messages.error(request, str(refusal))
        return redirect("curation:assignment_plan", pk)
    rows = list(
        plan.rows.select_related(
            "round__revision__problem", "round__version", "reviewer", "assignment"
        )
    )
    weights = dict(distribution.Weight.choices)
    context = {
        "plan": plan,
        "planned": [row for row in rows if row.reviewer],
        "nobody": [row for row in rows if not row.reviewer],
        "done": sum(row.assignment is not None for row in rows),
        "refused": sum(bool(row.why_refused) for row in rows),
        "domain": weights.get(plan.rule.get("domain"), ""),
        "language": weights.get(plan.rule.get("language"), ""),
    }
    return render(request, "curation/assignment_plan.html", context)
