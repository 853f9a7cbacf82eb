"""Roles are given and taken on a person's page, each change is written down, one admin stays."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.messages import get_messages
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.members import actions, requests
from curation.members.invitations import actions as invitations
from curation.members.invitations.addresses import Entry
from curation.members.models import PersonChange, Request
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.at_once import at_once, list_refusals

pytestmark = pytest.mark.django_db


def set_roles(person: User, roles: list[str], by: User, **more: object) -> PersonChange | None:
    known = more.pop("known", person.roles)
    return actions.set_roles(person=person, roles=roles, by=by, known=known, **more)


def test_a_change_of_roles_says_what_was_before_who_did_it_and_why(participant, admin):
    set_roles(participant, ["REVIEWER", "CONTRIBUTOR"], admin, reason=" Reviews optics. ")
    participant.refresh_from_db()
    assert participant.roles == ["CONTRIBUTOR", "REVIEWER"]
    change = participant.changes.get()
    assert (change.kind, change.how, change.by) == ("ROLES", "BY_ADMIN", admin)
    assert (change.before, change.after) == (["PARTICIPANT"], ["CONTRIBUTOR", "REVIEWER"])
    assert (change.gained, change.lost) == (["contributor", "reviewer"], ["participant"])
    assert change.reason == "Reviews optics."


def test_what_is_written_down_is_never_changed_or_deleted(participant, admin):
    change = set_roles(participant, [], admin)
    for spoil in (
        lambda: PersonChange.objects.filter(pk=change.pk).update(after=["ADMIN"]),
        lambda: PersonChange.objects.filter(pk=change.pk).delete(),
    ):
        with pytest.raises(DatabaseError, match="append_only"), transaction.atomic():
            spoil()


def test_the_same_roles_are_no_change(participant, admin):
    assert set_roles(participant, ["PARTICIPANT"], admin) is None
    assert not participant.changes.exists()


def test_of_two_admins_the_second_is_told_that_the_roles_are_others_now(participant, admin):
    shown = participant.roles
    set_roles(participant, ["REVIEWER"], admin)
    with pytest.raises(NotAllowedNow, match="changed meanwhile"):
        set_roles(participant, ["PARTICIPANT", "EVALUATOR"], admin, known=shown)
    participant.refresh_from_db()
    assert participant.roles == ["REVIEWER"]


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.ADMIN)])
def test_only_an_admin_changes_roles(participant, role):
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        set_roles(participant, ["ADMIN"], make_person(role, "other"))


def test_no_admin_takes_their_own_role_of_an_admin(admin):
    make_person(Role.ADMIN, "second")
    with pytest.raises(NotAllowedNow, match="another admin"):
        set_roles(admin, ["REVIEWER"], admin)


def test_an_admin_takes_it_from_another(admin):
    second = make_person(Role.ADMIN, "second")
    set_roles(second, [], admin)
    second.refresh_from_db()
    assert second.roles == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
@pytest.mark.parametrize("how", ["role", "sign-in"])
def test_of_two_admins_who_put_each_other_out_at_once_one_stays(admin, turn, how):
    second = make_person(Role.ADMIN, "second")

    def put_out(person: User, by: User) -> None:
        if how == "role":
            set_roles(person, [], by)
        else:
            actions.deactivate(person=person, by=by, reason="Not needed.")

    told = list_refusals(lambda: put_out(second, admin), lambda: put_out(admin, second))
    assert sorted(told) == ["", "Only an admin does this."]
    assert User.objects.get_queryset().with_role(Role.ADMIN).count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_give_one_role_at_once_give_it_once(participant, admin):
    second = make_person(Role.ADMIN, "second")
    people = [participant]
    told = at_once(
        *(
            lambda by=by: actions.give_role(people=people, role="REVIEWER", by=by)
            for by in (admin, second)
        )
    )
    assert told == ["done", "done"]
    participant.refresh_from_db()
    assert participant.roles == ["REVIEWER", "PARTICIPANT"]
    assert participant.changes.count() == 1


# --- Pages ----------------------------------------------------------------------------------


@pytest.fixture
def page(client, admin):
    client.force_login(admin)
    return client


def test_roles_are_ticked_on_the_persons_page_and_the_change_is_shown_there(page, participant):
    address = reverse("curation:member", args=[participant.pk])
    assert b'type="checkbox"' in page.get(address).content
    sent = {"roles": ["REVIEWER"], "known": "PARTICIPANT", "reason": "Asked for by mail."}
    page.post(reverse("curation:member", args=[participant.pk]) + "?do=roles", sent)
    shown = page.get(address).content.decode()
    assert "Asked for by mail." in shown
    assert "+ reviewer" in shown
    everything = page.get(reverse("curation:members") + "?show=changes").content.decode()
    assert "Asked for by mail." in everything
    file = page.get(reverse("curation:members") + "?show=changes&as=csv").content.decode()
    assert "ROLES,PARTICIPANT,REVIEWER,BY_ADMIN,Admin,Asked for by mail." in file


def test_an_unknown_role_is_refused(page, participant):
    answer = page.post(
        reverse("curation:member", args=[participant.pk]) + "?do=roles", {"roles": ["KING"]}
    )
    assert answer.status_code == 400
    assert "roles" in answer.context["roles_form"].errors


def test_a_role_is_given_to_all_that_are_chosen_in_the_list(page, participant, evaluator):
    sent = {"role": "REVIEWER", "person": [participant.pk, evaluator.pk]}
    answer = page.post(reverse("curation:members") + "?do=give_role", sent)
    assert [str(one) for one in get_messages(answer.wsgi_request)] == [
        "2 people were given the role reviewer."
    ]
    assert set(User.objects.filter(roles__contains=["REVIEWER"])) == {participant, evaluator}


@pytest.mark.parametrize("sent", [{}, {"role": "REVIEWER"}, {"role": "ADMIN", "person": ["1"]}])
def test_without_people_or_for_the_role_of_an_admin_nothing_is_given(page, participant, sent):
    page.post(reverse("curation:members") + "?do=give_role", sent)
    assert not PersonChange.objects.exists()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"q": "parti"}, "Participant"),
        ({"q": "PARTICIPANT@test"}, "Participant"),
        ({"q": "peking"}, "Evaluator"),
        ({"role": "PARTICIPANT"}, "Participant"),
        ({"role": "none"}, "Nobody"),
        ({"state": "unconfirmed"}, "Nobody"),
        ({"state": "inactive"}, "Evaluator"),
        ({"role": "nonsense"}, "Admin Evaluator Nobody Participant"),
    ],
    ids=str,
)
def test_people_are_found_by_name_address_institution_role_and_sign_in(
    page, participant, evaluator, asked, found
):
    nobody = make_person(None)
    EmailAddress.objects.create(user=nobody, email=nobody.email, primary=True)
    User.objects.filter(pk=evaluator.pk).update(institution="Peking", is_active=False)
    shown = page.get(reverse("curation:members"), asked).context["page"]
    assert {str(one) for one in shown} == set(found.split())


def test_the_list_says_what_waits_first_where_one_sorts_by_it_and_who_is_invited(
    page, participant, admin, benchmark
):
    nobody = make_person(None)
    EmailAddress.objects.create(user=nobody, email=nobody.email, primary=True)
    requests.ask(person=participant, role="REVIEWER")
    invitations.invite(
        entries=[Entry(1, "ivy@new.example")], roles=["REVIEWER"], days=7, language="en", by=admin
    )
    shown = page.get(reverse("curation:members"), {"sort": "-waits"})
    assert [str(one) for one in shown.context["page"]][:2] == ["Participant", "Nobody"]
    text = shown.content.decode()
    assert text.index("Invited, not joined yet") < text.index("ivy@new.example")
    rows = dict(zip(map(str, shown.context["page"]), text.split("<tr>")[2:], strict=True))
    assert "role reviewer" in rows["Participant"]
    assert "address not confirmed" in rows["Nobody"]
    assert "address not confirmed" not in rows["Admin"]


def test_the_list_takes_as_many_queries_for_three_people_as_for_one(page, participant):
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            page.get(reverse("curation:members"))
        return len(captured)

    count()
    few = count()
    for name in ("one", "two"):
        make_person(Role.REVIEWER, name)
    assert count() == few


def test_the_page_of_a_person_says_on_which_day_they_were_here(client, participant, admin):
    User.objects.update(last_seen_on=None)
    client.force_login(participant)
    client.get(reverse("inbox"))
    participant.refresh_from_db()
    assert participant.last_seen_on is not None
    client.force_login(admin)
    shown = client.get(reverse("curation:member", args=[participant.pk])).content.decode()
    assert "last seen" in shown


def test_what_somebody_asked_for_is_settled_when_an_admin_gives_it_anyway(participant, admin):
    asked = Request.objects.create(person=participant, role="REVIEWER")
    set_roles(participant, ["PARTICIPANT", "REVIEWER"], admin)
    asked.refresh_from_db()
    assert (asked.outcome, asked.decided_by) == ("GRANTED", admin)
