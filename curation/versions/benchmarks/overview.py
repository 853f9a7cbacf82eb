"""Where the people of a benchmark begin: what comes next, what waits for them, what happened."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from curation.problems.benchmarks.models import Benchmark
from curation.problems.benchmarks.places import COOKIE, JOINING, find_place
from curation.problems.models import Event
from curation.problems.permissions import list_visible
from curation.problems.wording import name_in
from curation.texts.workflow import Step
from curation.versions.benchmarks import progress
from curation.versions.benchmarks.actions import put_off
from phybench.news.desks.desks import read_inbox
from phybench.news.desks.registry import (
    find_next_step,
    list_benchmark_lines,
    list_steps,
)
from phybench.people.http import MemberRequest, require_role
from phybench.people.models import Role, User
from phybench.people.permissions import begins_to_write, looks_after_benchmarks

A_WEEK = timedelta(days=7)
A_YEAR = 365 * 24 * 60 * 60
MOST = 6
"""What happened last week is a glance, not a history."""


@dataclass(frozen=True, slots=True)
class Button:
    label: str
    url: str


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the overview of the benchmark that somebody was last at, or back to their link."""
    joining = request.COOKIES.get(JOINING, "")
    if joining and url_has_allowed_host_and_scheme(joining, allowed_hosts=None):
        return redirect(joining)
    place = find_place(request)
    return redirect("curation:overview", place.slug) if place else redirect("inbox")


@require_http_methods(["GET", "POST"])
def overview(request: MemberRequest, slug: str) -> HttpResponse:
    benchmark = get_object_or_404(Benchmark.objects.prefetch_related("domain_goals"), slug=slug)
    if request.method == "POST":
        require_role(request.user)
        put_off(benchmark=benchmark, by=request.user, step=request.POST.get("step", ""))
        return redirect("curation:overview", slug)
    is_admin = looks_after_benchmarks(request.user)
    now = find_next_step(slug, benchmark.put_off) if is_admin else None
    context = {
        "benchmark": benchmark,
        "as_of": timezone.now().isoformat(),
        "inbox": read_inbox(request.user),
        "steps": list_steps(slug) if now else [],
        "now": now,
        "idle": find_idle_button(request.user, slug),
        "progress": progress.measure([benchmark])[benchmark.pk],
        "days": progress.count_days(benchmark, timezone.now().date()),
        "week": list(list_last_week(request.user, benchmark)),
        "staffing": list_benchmark_lines(slug) if is_admin else [],
        "workers": progress.list_workers(benchmark) if is_admin else [],
    }
    page = render(request, "curation/overview.html", context)
    page.set_cookie(COOKIE, slug, max_age=A_YEAR, httponly=True, samesite="Lax")
    return page


def find_idle_button(user: User, slug: str) -> Button | None:
    """Find what somebody does for whom nothing waits, in the first of their roles that has it."""
    ways = {
        Role.CONTRIBUTOR: (_("Write a problem"), reverse("curation:new", args=[slug])),
        Role.REVIEWER: (_("See the queue"), reverse("curation:queue", args=[slug])),
        Role.PARTICIPANT: (_("Solve a problem"), reverse("grading:to_answer")),
        Role.EVALUATOR: (_("Add a model"), reverse("grading:upload")),
    }
    begins = {Role.CONTRIBUTOR} if begins_to_write(user) else set()
    held = (ways[role] for role in ways if role in begins or user.has_role(role))
    label, address = next(held, ("", ""))
    return Button(label, address) if address else None


def list_last_week(user: User, benchmark: Benchmark) -> Iterator[tuple[str, datetime]]:
    """Tell which problems were submitted, or accepted since, as far as somebody may read them."""
    sentences = {
        Step.SUBMIT: _("“%(title)s” was submitted."),
        Step.ACCEPT: _("“%(title)s” was accepted."),
    }
    visible = list_visible(user).filter(benchmark=benchmark)
    events = Event.objects.filter(
        problem__in=visible, kind__in=sentences, at__gt=timezone.now() - A_WEEK
    )
    last = events.order_by("problem_id", "-at", "-pk").distinct("problem_id")
    latest = Event.objects.filter(pk__in=last.values("pk")).select_related("problem")
    for event in latest.order_by("-at", "-pk")[:MOST]:
        yield name_in(sentences[Step(event.kind)], event.problem), event.at
