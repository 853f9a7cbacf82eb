"""A benchmark's goal, deadline and rules are kept on its pages, beside how far it has come."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from curation.versions.benchmarks import actions, progress
from phybench.people.models import Role
from tests.conftest import make_draft, make_person
from tests.curation.reviewing.assignments.given import assign, open_rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client, admin) -> Client:
    client.force_login(admin)
    return client


def fill(page: Client, address: str, **sent: object) -> dict[str, object]:
    """Return what the form at an address holds, with these fields filled in."""
    form = page.get(address).context["form"]
    held = {one.html_name: one.value() for one in form}
    return {name: value for name, value in {**held, **sent}.items() if value not in (None, False)}


def test_an_admin_makes_a_benchmark_in_the_app(page):
    address = reverse("curation:new_benchmark")
    sent = {"name": "Optics 2027", "goal": "500", "deadline": "2027-06-30", "goal_OPTICS": "200"}
    answer = page.post(address, fill(page, address, **sent))
    assert answer.url == reverse("curation:overview", args=["optics-2027"])
    made = Benchmark.objects.get(slug="optics-2027")
    assert (made.name, made.goal, str(made.deadline)) == ("Optics 2027", 500, "2027-06-30")
    assert list(made.domain_goals.values_list("domain", "goal")) == [("OPTICS", 200)]
    assert "0 of 500 problems are accepted." in page.get(answer.url).content.decode()


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "\u200b"}, "name"),
        ({"name": "光学"}, "slug"),
        ({"slug": "not an address"}, "slug"),
        ({"slug": "new"}, "slug"),
        ({"goal": "0"}, "goal"),
        ({"goal": "-1"}, "goal"),
        ({"goal": "9" * 30}, "goal"),
        ({"goal": "many"}, "goal"),
        ({"goal_OPTICS": "0"}, "goal_OPTICS"),
        ({"deadline": "2027-02-30"}, "deadline"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_at_its_field(page, sent, field):
    address = reverse("curation:new_benchmark")
    answer = page.post(address, fill(page, address, **{"name": "Optics", **sent}))
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]


def test_another_of_the_same_name_or_address_is_refused(page, benchmark):
    address = reverse("curation:new_benchmark")
    for sent in ({"name": benchmark.name}, {"name": "Other", "slug": benchmark.slug}):
        assert page.post(address, fill(page, address, **sent)).status_code == 400
    assert Benchmark.objects.count() == 1


def test_its_settings_are_changed_and_its_address_stays(page, benchmark):
    address = reverse("curation:edit_benchmark", args=[benchmark.slug])
    sent = fill(page, address, name="Renamed", goal="7", slug="elsewhere", goal_OPTICS="3")
    assert page.post(address, sent).status_code == 302
    changed = Benchmark.objects.get()
    assert (changed.name, changed.goal, changed.slug) == ("Renamed", 7, benchmark.slug)
    page.post(address, fill(page, address, goal="", goal_OPTICS=""))
    changed.refresh_from_db()
    assert changed.goal is None
    assert not changed.domain_goals.exists()


def test_of_two_admins_the_second_is_told_of_the_first(page, benchmark):
    address = reverse("curation:edit_benchmark", args=[benchmark.slug])
    shown = fill(page, address, goal="5")
    page.post(address, fill(page, address, goal="9"))
    answer = page.post(address, shown)
    assert answer.status_code == 400
    assert "Somebody else changed this benchmark meanwhile" in answer.content.decode()
    assert Benchmark.objects.get().goal == 9


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.ADMIN)])
def test_only_an_admin_makes_and_changes_one(benchmark, role):
    other = make_person(role, "other")
    settings = {"name": "Mine", "goal": None, "deadline": None}
    with pytest.raises(NotAllowedNow):
        actions.make(by=other, slug="mine", settings=settings, goals={})
    with pytest.raises(NotAllowedNow):
        actions.change(benchmark=benchmark, by=other, settings=settings, goals={}, known={})


def test_progress_counts_problems_by_domain_and_status(accepted_problem, contributor, benchmark):
    make_draft(contributor, benchmark, domain="OPTICS")
    benchmark.goal = 3
    found = progress.measure([benchmark])[benchmark.pk]
    total = found.total
    assert (total.accepted, total.being_written, total.in_review, total.missing) == (1, 1, 0, 2)
    by_domain = {one.label: one for one in found.domains}
    assert by_domain["optics"].being_written == 1
    assert sum(one.accepted for one in found.domains) == 1


def test_people_are_listed_with_what_they_did_and_have_open(page, contributor, reviewer, admin):
    [waiting] = open_rounds(contributor)
    assign(waiting, reviewer, admin)
    benchmark = waiting.revision.problem.benchmark
    workers = {str(one.person): one for one in progress.list_workers(benchmark)}
    assert workers["Contributor"].written == 1
    assert workers["Reviewer"].held == 1
    shown = page.get(reverse("curation:overview", args=[benchmark.slug])).content.decode()
    assert "Contributor" in shown
    assert "Reviewer" in shown


def test_the_overview_takes_as_many_queries_for_three_as_for_one(page, contributor, benchmark):
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            page.get(reverse("curation:overview", args=[benchmark.slug]))
        return len(captured)

    make_draft(contributor, benchmark)
    count()
    few = count()
    for name in ("one", "two"):
        Benchmark.objects.create(name=name, slug=name)
        make_draft(make_person(Role.CONTRIBUTOR, name), benchmark)
    assert count() == few


@pytest.mark.parametrize(("days", "is_limited"), [(2, True), (30, False), (-1, False)])
def test_a_review_is_due_no_later_than_the_deadline_that_is_still_to_come(
    contributor, reviewer, admin, days, is_limited
):
    [waiting] = open_rounds(contributor, {"due_days": 10})
    deadline = timezone.now().date() + timedelta(days=days)
    Benchmark.objects.update(deadline=deadline)
    due = assign(waiting, reviewer, admin).due_at
    assert due
    assert (due.date() == deadline) is is_limited
