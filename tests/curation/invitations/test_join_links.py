"""By a link as many people join as it says, never as admins, and reviewers once confirmed."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.members import actions as members
from curation.members import requests
from curation.members.invitations import actions
from curation.members.invitations.models import Invitation
from curation.members.models import Request
from curation.problems.benchmarks.models import Benchmark
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.invitations.inviting import link, read

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 1, 1, tzinfo=UTC)


def make(admin: User, role: str = "CONTRIBUTOR", most: int = 2, **more: object) -> Invitation:
    filled = {"days": 14, "benchmark": None, **more}
    return actions.make_link(role=role, most=most, by=admin, **filled)


def sign_in(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_whoever_has_it_joins_with_its_role_and_lands_at_its_benchmark(admin, benchmark):
    given = make(admin, benchmark=benchmark)
    person = make_person(None)
    client = sign_in(person)
    assert "You will have these roles: contributor" in read(client.get(link(given)))
    answer = client.post(link(given))
    assert answer.url == reverse("curation:overview", args=[benchmark.slug])
    person.refresh_from_db()
    assert person.roles == ["CONTRIBUTOR"]
    change = person.changes.get()
    assert (change.how, change.by) == ("BY_INVITATION", admin)


def test_a_visitor_signs_up_first_and_is_led_back(client, admin):
    given = make(admin)
    page = client.get(link(given))
    assert f"{reverse('account_signup')}?next={link(given)}" in read(page)
    client.force_login(make_person(None))
    assert client.get(reverse("home")).url == link(given)
    # Once: who does not join after all is not led there for ever.
    client.get(link(given))
    assert client.get(reverse("home")).url == reverse("inbox")


def test_a_cookie_leads_to_no_other_site(client):
    client.force_login(make_person(None))
    client.cookies["joining"] = "//evil.example/"
    assert client.get(reverse("home")).url == reverse("inbox")


def test_who_is_to_review_waits_for_an_admin(admin):
    given = make(admin, "REVIEWER")
    person = make_person(None)
    page = sign_in(person).post(link(given), follow=True)
    assert "An admin confirms" in read(page)
    person.refresh_from_db()
    assert person.roles == []
    waiting = Request.objects.waiting().get(person=person, role="REVIEWER")
    requests.grant(request=waiting, by=admin)
    person.refresh_from_db()
    assert person.roles == ["REVIEWER"]


def test_no_more_people_join_than_it_says_and_one_joins_once(admin):
    given = make(admin, most=2)
    people = [make_person(None, f"p{number}") for number in range(3)]
    for _again in range(2):
        assert sign_in(people[0]).post(link(given)).status_code == 302
    assert given.people.count() == 1
    sign_in(people[1]).post(link(given))
    assert sign_in(people[2]).post(link(given)).status_code == 410
    people[2].refresh_from_db()
    assert people[2].roles == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_two_at_once_the_last_place_is_one_s(admin, turn):
    given = make(admin, most=1)
    first, second = (make_person(None, f"p{number}") for number in range(2))
    told = at_once(
        lambda: actions.accept(invitation=given, person=first),
        lambda: actions.accept(invitation=given, person=second),
    )
    assert sorted(told) == ["done", "refused"]


def test_nobody_becomes_an_admin_by_a_link(admin, client, benchmark):
    with pytest.raises(DatabaseError), transaction.atomic():
        make(admin, "ADMIN")
    client.force_login(admin)
    sent = {"role": "ADMIN", "most": 5, "days": 14, "benchmark": "test"}
    assert client.post(reverse("curation:members") + "?do=make_link", sent).status_code == 400
    given = make(admin)
    with pytest.raises(DatabaseError), transaction.atomic():
        Invitation.objects.filter(pk=given.pk).update(roles=["EVALUATOR"])


@pytest.mark.parametrize("how", ["withdrawn", "expired", "its admin is none any more"])
def test_what_ended_lets_nobody_in(admin, how):
    second = make_person(Role.ADMIN, "second")
    given = make(second)
    if how == "withdrawn":
        actions.withdraw(invitation=given, by=admin)
    elif how == "expired":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    else:
        members.set_roles(person=second, roles=[], by=admin, known=["ADMIN"])
    person = make_person(None)
    client = sign_in(person)
    assert client.get(link(given)).status_code == 410
    assert client.post(link(given)).status_code == 410
    person.refresh_from_db()
    assert person.roles == []


def test_who_was_declined_is_not_let_in_by_a_link(admin):
    person = make_person(None)
    asked = requests.ask(person=person, role="REVIEWER")
    requests.decline(request=asked, by=admin, reason="Not yet.")
    page = sign_in(person).post(link(make(admin, "REVIEWER")), follow=True)
    assert "An admin declined this" in read(page)


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.ADMIN)])
def test_only_an_admin_makes_and_withdraws_links(admin, role):
    other = make_person(role, "other")
    given = make(admin)
    for step in (
        lambda: make(other),
        lambda: actions.withdraw(invitation=given, by=other),
    ):
        with pytest.raises(NotAllowedNow, match="Only an admin"):
            step()


def test_links_do_not_pile_up(admin):
    for _each in range(actions.MOST_LINKS):
        made = make(admin)
    with pytest.raises(NotAllowedNow, match="many such links"):
        make(admin)
    actions.withdraw(invitation=made, by=admin)
    make(admin)


def test_the_list_shows_what_can_be_copied_at_once(client, admin, benchmark):
    client.force_login(admin)
    sent = {"role": "REVIEWER", "most": 3, "days": 14, "benchmark": "test"}
    page = read(client.post(reverse("curation:members") + "?do=make_link", sent, follow=True))
    made = Invitation.objects.get()
    assert (made.roles, made.most, made.benchmark) == (["REVIEWER"], 3, Benchmark.objects.get())
    assert actions.write_link(made) in page
    assert "0 of 3 joined" in page


def test_a_full_link_is_used_up_as_an_invitation_is_and_each_leads_to_who_came(admin, client):
    given = make(admin, most=1)
    person = make_person(None)
    actions.accept(invitation=given, person=person)
    given.refresh_from_db()
    assert given.accepted_by == person
    assert "As many people as this link is for" in read(client.get(link(given)))
    assert person.invitations.get() == given
    with pytest.raises(DatabaseError), transaction.atomic():
        Invitation.objects.filter(pk=given.pk).update(expires_at=timezone.now())


def test_who_has_the_role_already_leaves_the_place_to_another(admin, contributor):
    given = make(admin, most=1)
    assert actions.accept(invitation=given, person=contributor) is None
    assert not given.people.exists()
    assert Invitation.objects.open().get() == given


@pytest.mark.parametrize(
    "change",
    [{"most": 101}, {"most": 0}, {"roles": ["REVIEWER", "EVALUATOR"]}, {"sent_at": DAY}],
    ids=str,
)
def test_a_link_for_several_is_for_a_few_with_one_role_and_is_never_sent(admin, change):
    filled = {"roles": ["REVIEWER"], "most": 2, "expires_at": DAY, "invited_by": admin}
    with pytest.raises(DatabaseError), transaction.atomic():
        Invitation.objects.create(**(filled | change))
