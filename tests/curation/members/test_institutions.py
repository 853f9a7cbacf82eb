"""Where a benchmark says so, people of one institution don't review each other's problems."""

from datetime import timedelta

import pgtrigger
import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.urls import reverse

from curation.members import actions
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reviewing.assignments import actions as assigning
from curation.reviewing.assignments.distribution import DistributionRule, propose
from curation.reviewing.assignments.permissions import list_queue, list_takeable
from curation.reviewing.decisions.permissions import can_override
from curation.reviewing.pipelines.models import ReviewSettings
from curation.reviewing.pipelines.shipped import find_pipeline, find_settings
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import Eligibility
from curation.texts.sentences import translate
from curation.texts.stage_texts import ONE_REVIEWER
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_draft, make_person, name_person, submit
from tests.curation.reviewing.assignments.given import assign, open_rounds
from tests.curation.reviewing.rounds.opened import make_pipeline

pytestmark = pytest.mark.django_db


def work_at(name: str, *people: User) -> None:
    for one in people:
        actions.set_institution(person=one, name=name, by=one)
        one.refresh_from_db()


@pytest.fixture
def waiting(contributor, reviewer) -> ReviewRound:
    """A round in a benchmark that minds it; author and reviewer are of one institution."""
    work_at("Peking University", contributor)
    work_at("peking  university", reviewer)
    [found] = open_rounds(contributor)
    ReviewSettings.objects.update(institutions_conflict=True)
    return ReviewRound.objects.select_related("revision__problem").get(pk=found.pk)


def why_not(waiting: ReviewRound, person: User) -> str:
    return translate(Eligibility([waiting], [person]).find_obstacle(waiting, person))


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
    name_person(problem, contributor, second, "CO_AUTHOR")
    waiting = submit(problem, contributor)
    assert why_not(waiting, reviewer) == ""
    ReviewSettings.objects.update(institutions_conflict=True)
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
        ReviewSettings.objects.update(institutions_conflict=False)
    else:
        work_at("Tsinghua" if how == "another" else "", reviewer)
    assert waiting in list_queue(reviewer)
    assert why_not(waiting, reviewer) == ""


def test_a_rule_offers_it_to_somebody_else(waiting, reviewer, admin):
    other = make_person(Role.REVIEWER, "other")
    proposed = propose(rounds=ReviewRound.objects.all(), rule=DistributionRule())
    assert [row.reviewer for row in proposed] == [other]


# --- Of the last two years ------------------------------------------------------------------


def move(person: User, days: int) -> None:
    """Have all that somebody said of where they work be said days ago."""
    ago = timedelta(days=days)
    with pgtrigger.ignore(
        "curation.PersonChange:person_change_is_append_only",
        "curation.FormerInstitution:former_institution_is_append_only",
    ):
        person.changes.update(at=F("at") - ago)
        person.former_institutions.update(left_at=F("left_at") - ago)


def test_who_leaves_an_institution_is_in_conflict_for_two_years_more(waiting, reviewer):
    move(reviewer, days=100)
    work_at("Tsinghua", reviewer)
    for days, is_barred in ((729, True), (2, False)):
        move(reviewer, days=days)
        assert (why_not(waiting, reviewer) == "is of an author’s institution") is is_barred
        assert (waiting not in list_takeable(reviewer)) is is_barred


def test_an_author_who_leaves_one_is_in_conflict_with_it_for_two_years_more(
    contributor, reviewer, waiting
):
    move(contributor, days=100)
    work_at("", contributor)
    for days, is_barred in ((729, True), (2, False)):
        move(contributor, days=days)
        assert (why_not(waiting, reviewer) == "is of an author’s institution") is is_barred
        assert (waiting not in list_takeable(reviewer)) is is_barred


def test_nobody_names_one_institution_after_another_without_an_admin(client, contributor):
    client.force_login(contributor)
    address = reverse("profile") + "?tab=institution"
    for name in ("Peking", "Tsinghua", "Fudan"):
        client.post(address, {"institution": name})
    contributor.refresh_from_db()
    # The second corrects the first, which is not kept; the third waits.
    assert contributor.institution == "Tsinghua"
    assert not contributor.former_institutions.exists()
    assert contributor.requests.get().institution == "Fudan"
    client.post(address, {"institution": "Nankai"})
    assert [one.institution for one in contributor.requests.open()] == ["Nankai"]
    move(contributor, days=100)
    client.post(address, {"institution": "Fudan"})
    contributor.refresh_from_db()
    assert contributor.institution == "Fudan"
    assert not contributor.requests.open().exists()


def test_what_an_admin_said_is_kept_though_somebody_corrects_a_slip_of_their_own(reviewer, admin):
    work_at("Peking University", reviewer)
    actions.set_institution(person=reviewer, name="Tsinghua", by=admin)
    work_at("Peking University", reviewer)
    left = reviewer.former_institutions.order_by("pk").values_list("name", flat=True)
    assert [*left] == ["Peking University", "Tsinghua"]


# --- Of a benchmark -------------------------------------------------------------------------


def test_what_they_hold_is_given_back_when_the_benchmark_begins_to_mind_it(
    client, contributor, reviewer, admin
):
    [waiting] = open_rounds(contributor)
    work_at("Peking University", contributor, reviewer)
    given = assign(waiting, reviewer, admin)
    benchmark = Problem.objects.get().benchmark
    client.force_login(admin)
    address = reverse("curation:review_settings", args=[benchmark.slug])
    form = client.get(address).context["form"]
    sent = {one.html_name: one.value() or "" for one in form}
    page = client.post(address, {**sent, "institutions_conflict": "on"}, follow=True)
    assert "1 open review was given back" in page.content.decode()
    assert find_settings(benchmark).institutions_conflict
    assert str(find_pipeline(benchmark).pk) == sent["plan"]
    given.refresh_from_db()
    assert given.state == "REVOKED"


def test_of_two_admins_who_say_how_a_benchmark_is_reviewed_the_second_is_told(
    client, benchmark, admin
):
    client.force_login(admin)
    address = reverse("curation:review_settings", args=[benchmark.slug])
    known = client.get(address).context["form"]["known"].value()
    ReviewSettings.objects.update(institutions_conflict=True)
    page = client.post(address, {"known": known, "plan": ONE_REVIEWER})
    assert "Somebody else changed this benchmark meanwhile" in page.content.decode()
    assert find_settings(benchmark).pipeline is not None


def test_a_benchmark_of_which_nobody_said_so_is_reviewed_as_by_default_until_somebody_does(
    client, admin
):
    benchmark = Benchmark.objects.create(name="New", slug="new-one")
    assert find_pipeline(benchmark).name == ONE_REVIEWER
    client.force_login(admin)
    address = reverse("curation:review_settings", args=[benchmark.slug])
    sent = {"known": client.get(address).context["form"]["known"].value()}
    one = make_pipeline({})
    assert client.post(address, {**sent, "plan": "999999"}).status_code == 400
    assert client.post(address, {**sent, "plan": one.pk}).status_code == 302
    assert find_pipeline(benchmark) == one


@pytest.mark.parametrize("role", [role for role in Role if role != Role.ADMIN])
def test_only_an_admin_says_how_a_benchmark_is_reviewed(benchmark, role):
    terms = {"pipeline": None, "institutions_conflict": True, "known": ""}
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        assigning.set_review(benchmark=benchmark, by=make_person(role, "other"), **terms)


@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        (
            "INSERT INTO curation_reviewsettings (benchmark_id, institutions_conflict) "
            "SELECT benchmark_id, true FROM curation_reviewsettings",
            "curation_reviewsettings_benchmark_id_key",
        ),
        (
            "UPDATE curation_reviewsettings SET pipeline_id = -1; SET CONSTRAINTS ALL IMMEDIATE",
            "violates foreign key",
        ),
        (
            "UPDATE curation_reviewsettings SET benchmark_id = -1; SET CONSTRAINTS ALL IMMEDIATE",
            "violates foreign key",
        ),
    ],
)
def test_the_database_keeps_one_review_a_benchmark_by_a_pipeline_that_there_is(
    benchmark, statement, rule
):
    cursor = connection.cursor()
    with pytest.raises(DatabaseError, match=rule), transaction.atomic():
        cursor.execute(statement)


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
    address = reverse("profile") + "?tab=institution"
    # The last is one sign that stands for eighteen.
    for name in ("x" * 121, "a\0b", "\ufdfa" * 7):
        assert client.post(address, {"institution": name}).status_code == 400
    client.post(address, {"institution": " Peking\u200b  University "})
    assert "Peking University" in client.get(reverse("profile")).content.decode()
