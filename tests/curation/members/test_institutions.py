"""Where a benchmark says so, people of one institution don't review each other's problems."""

import pytest
from django.urls import reverse

from curation.members import actions
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.problems.people.actions import give_credit
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.distribution import DistributionRule, make_plan
from curation.reviewing.permissions import Obstacles, can_override, list_queue, list_takeable
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.sentences import translate
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds

pytestmark = pytest.mark.django_db


def work_at(name: str, *people: User) -> None:
    for one in people:
        actions.set_institution(person=one, name=name, by=one)
        one.refresh_from_db()


@pytest.fixture
def waiting(contributor, reviewer) -> ReviewRound:
    """A round in a benchmark that minds it; author and reviewer are of one institution."""
    [found] = open_rounds(contributor)
    Benchmark.objects.update(institutions_conflict=True)
    work_at("Peking University", contributor)
    work_at("peking  university", reviewer)
    return ReviewRound.objects.select_related("revision__problem").get(pk=found.pk)


def why_not(waiting: ReviewRound, person: User) -> str:
    return translate(Obstacles([waiting], [person]).find(waiting, person))


def test_it_is_a_conflict_in_any_case_and_with_any_spaces(waiting, reviewer, admin):
    assert waiting not in list_queue(reviewer)
    assert waiting not in list_takeable(reviewer)
    assert why_not(waiting, reviewer) == "is of an author’s institution"
    with pytest.raises(NotAllowedNow, match="institution"):
        assign(waiting, reviewer, admin)
    with pytest.raises(NotAllowedNow):
        assigning.take(review_round=waiting, reviewer=reviewer)


def test_with_a_co_author_as_well(contributor, reviewer, benchmark):
    second = make_person(Role.CONTRIBUTOR, "second")
    work_at("Tsinghua", second, reviewer)
    problem = make_draft(contributor, benchmark)
    give_credit(problem=problem, author=contributor, person=second, role="CO_AUTHOR")
    waiting = submit(problem, contributor)
    assert why_not(waiting, reviewer) == ""
    Benchmark.objects.update(institutions_conflict=True)
    assert why_not(waiting, reviewer) == "is of an author’s institution"
    assert waiting not in list_queue(reviewer)


def test_an_admin_of_the_same_institution_does_not_decide(waiting, admin):
    second = make_person(Role.ADMIN, "second")
    work_at("Peking University", admin)
    assert not can_override(admin, waiting)
    assert can_override(second, waiting)


@pytest.mark.parametrize("how", ["not minded", "another", "none said"])
def test_else_it_is_none(waiting, reviewer, how):
    if how == "not minded":
        Benchmark.objects.update(institutions_conflict=False)
    else:
        work_at("Tsinghua" if how == "another" else "", reviewer)
    assert waiting in list_queue(reviewer)
    assert why_not(waiting, reviewer) == ""


def test_a_rule_offers_it_to_somebody_else(waiting, reviewer, admin):
    other = make_person(Role.REVIEWER, "other")
    plan = make_plan(rounds=ReviewRound.objects.all(), admin=admin, rule=DistributionRule())
    assert [row.reviewer for row in plan.rows.all()] == [other]


def test_what_they_hold_is_given_back_when_one_of_both_says_where_they_work(
    contributor, reviewer, admin
):
    [waiting] = open_rounds(contributor)
    Benchmark.objects.update(institutions_conflict=True)
    work_at("Peking University", reviewer)
    given = assign(waiting, reviewer, admin)
    work_at("PEKING University", contributor)
    given.refresh_from_db()
    assert (given.state, given.ended_by) == ("REVOKED", contributor)
    assert translate(given.message) == "Conflict: of an author’s institution."


def test_what_they_hold_is_given_back_when_the_benchmark_begins_to_mind_it(
    client, contributor, reviewer, admin
):
    [waiting] = open_rounds(contributor)
    work_at("Peking University", contributor, reviewer)
    given = assign(waiting, reviewer, admin)
    benchmark = Problem.objects.get().benchmark
    client.force_login(admin)
    address = reverse("curation:edit_benchmark", args=[benchmark.slug])
    form = client.get(address).context["form"]
    sent = {one.html_name: one.value() or "" for one in form.list_known_fields()}
    sent |= {"name": benchmark.name, "pipeline": benchmark.pipeline_id}
    client.post(address, {**sent, "institutions_conflict": "on"})
    benchmark.refresh_from_db()
    assert benchmark.institutions_conflict
    given.refresh_from_db()
    assert given.state == "REVOKED"


def test_where_somebody_works_is_written_down_with_who_said_so(reviewer, admin):
    work_at("Peking University", reviewer)
    actions.set_institution(person=reviewer, name="Tsinghua", by=admin)
    rows = reviewer.changes.order_by("pk").values_list("before", "after", "how", "by")
    assert list(rows) == [
        ([], ["Peking University"], "BY_THEMSELVES", reviewer.pk),
        (["Peking University"], ["Tsinghua"], "BY_ADMIN", admin.pk),
    ]


def test_only_they_and_admins_say_where_somebody_works(reviewer, contributor):
    with pytest.raises(NotAllowedNow):
        actions.set_institution(person=reviewer, name="Tsinghua", by=contributor)


def test_one_says_it_on_a_page_below_ones_profile(client, reviewer):
    client.force_login(reviewer)
    address = reverse("curation:my_institution")
    # The last is one sign that stands for eighteen.
    for name in ("x" * 121, "a\0b", "\ufdfa" * 7):
        assert client.post(address, {"institution": name}).status_code == 400
    client.post(address, {"institution": " Peking\u200b  University "})
    assert "Peking University" in client.get(reverse("profile")).content.decode()
