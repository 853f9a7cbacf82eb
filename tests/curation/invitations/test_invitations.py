"""An invitation gives the roles that it names, once, to whom it was sent, until it ends."""

import pytest
from allauth.account.models import EmailAddress
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from curation.members import actions as members
from curation.members.invitations import actions
from curation.members.invitations.models import Invitation
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.invitations.inviting import (
    PASSWORD,
    expire,
    invite,
    join,
    link,
    read,
    wait_an_hour,
)

pytestmark = pytest.mark.django_db


# --- Joining --------------------------------------------------------------------------------


def test_the_link_signs_its_person_up_with_the_roles_named(client, invited, admin):
    assert "reviewer" in read(client.get(link(invited)))
    answer = join(invited, client)
    assert (answer.status_code, answer.url) == (302, reverse("home"))
    person = User.objects.get(email="ivy@new.example")
    assert person.roles == ["REVIEWER"]
    assert client.session["_auth_user_id"] == str(person.pk)
    assert EmailAddress.objects.get(user=person).verified
    invited.refresh_from_db()
    assert (invited.accepted_by, bool(invited.accepted_at)) == (person, True)
    change = person.changes.get()
    assert (change.how, change.by, change.after) == ("BY_INVITATION", admin, ["REVIEWER"])


def test_a_link_that_was_used_says_so_and_makes_no_second_account(invited):
    join(invited)
    for answer in (Client().get(link(invited)), join(invited, display_name="Other")):
        assert answer.status_code == 410
        assert "was used already" in read(answer)
    assert User.objects.filter(email__icontains="new.example").count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_used_twice_at_once_it_makes_one_account(invited, turn):
    def sign_up() -> User:
        return actions.sign_up(invitation=invited, display_name="Ivy", password=PASSWORD)

    assert sorted(at_once(sign_up, sign_up)) == ["done", "refused"]
    assert User.objects.filter(email="ivy@new.example").count() == 1


def test_the_address_is_the_one_that_an_admin_gave_whatever_the_page_sends(invited):
    assert join(invited, email="mallory@new.example").status_code == 302
    assert User.objects.filter(email__icontains="new.example").get().email == "ivy@new.example"


def test_nothing_is_asked_twice_and_nothing_that_the_invitation_says(client, invited):
    fields = client.get(link(invited)).context["form"].fields
    assert list(fields) == ["display_name", "password1"]
    page = read(client.post(link(invited), {"display_name": "", "password1": PASSWORD}))
    assert f'value="{PASSWORD}"' in page


def test_forwarded_to_somebody_with_an_account_it_says_why_they_can_not_use_it(
    client, invited, participant
):
    client.force_login(participant)
    for answer in (client.get(link(invited)), client.post(link(invited))):
        assert answer.status_code == 403
        assert "sent to another address than yours" in read(answer)
    participant.refresh_from_db()
    assert participant.roles == ["PARTICIPANT"]


def test_an_address_that_was_not_confirmed_is_not_theirs(client, invited, participant):
    """Else whoever gets a forwarded link could add its address to an account of their own."""
    EmailAddress.objects.create(user=participant, email="ivy@new.example", verified=False)
    client.force_login(participant)
    assert client.post(link(invited)).status_code == 403


def test_who_has_an_account_by_now_accepts_and_keeps_their_roles(client, invited):
    person = make_person(Role.PARTICIPANT, "ivy")
    EmailAddress.objects.create(user=person, email="IVY@new.example", verified=True)
    client.force_login(person)
    assert "You are signed in as" in read(client.get(link(invited)))
    assert client.post(link(invited)).url == reverse("home")
    person.refresh_from_db()
    assert person.roles == ["REVIEWER", "PARTICIPANT"]


def test_without_being_signed_in_nobody_takes_over_an_account(invited):
    person = User.objects.create_user("ivy@new.example", "their own secret")
    answer = join(invited)
    assert answer.status_code == 400
    assert "have an account with this address already" in read(answer)
    person.refresh_from_db()
    assert person.check_password("their own secret")
    assert person.roles == []


def test_what_the_page_sends_can_not_raise_the_roles(client, invited):
    join(invited, client, roles="ADMIN", role="ADMIN", is_staff="1")
    assert User.objects.get(email="ivy@new.example").roles == ["REVIEWER"]


def test_nobody_is_invited_to_be_an_admin_and_no_invitation_becomes_another(admin, invited):
    with pytest.raises(DatabaseError), transaction.atomic():
        invite(admin, "eve@new.example", roles=("ADMIN",))
    for change in ({"roles": ["EVALUATOR"]}, {"email": "eve@new.example"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Invitation.objects.filter(pk=invited.pk).update(**change)


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"password1": "12345678"}, "password1"),
        ({"display_name": " \u200b "}, "display_name"),
        ({"display_name": "ivy@new.example"}, "display_name"),
        ({"display_name": "x" * 61}, "display_name"),
        ({"display_name": "\ufdfa" * 4}, "display_name"),
        ({"password1": ""}, "password1"),
    ],
    ids=str,
)
def test_what_is_wrong_in_the_form_is_said_at_its_field(invited, sent, field):
    answer = join(invited, **sent)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]
    assert not User.objects.filter(email="ivy@new.example").exists()


# --- Links that open nothing ----------------------------------------------------------------


def test_a_link_that_is_not_ours_is_refused_and_tells_nothing_of_others(client, invited):
    for secret in ("1", "x.y", f"{invited.pk}.AAAA", f"{invited.pk + 1}.AAAA", "é.é"):
        answer = client.get(reverse("curation:invitation", args=[secret]))
        assert answer.status_code == 404
        assert "not the link of an invitation" in read(answer)


def test_expired_it_says_so_and_sent_again_it_works_with_the_same_link(invited, admin):
    expire(invited)
    assert "has expired" in read(Client().get(link(invited)))
    assert join(invited).status_code == 410
    again = Invitation.objects.filter(pk=invited.pk)
    wait_an_hour(again)
    assert actions.send_again(invitations=again, by=admin, days=7) == 1
    assert join(invited).status_code == 302


def test_withdrawn_it_says_so_and_is_not_sent_again(invited, admin):
    actions.withdraw(invitation=invited, by=admin)
    assert "was withdrawn" in read(Client().get(link(invited)))
    assert join(invited).status_code == 410
    assert actions.send_again(invitations=Invitation.objects.all(), by=admin, days=7) == 0
    [other] = invite(admin, invited.email)
    assert link(other) != link(invited)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_withdrawn_while_it_is_used_it_is_one_of_both(invited, admin, turn):
    told = at_once(
        lambda: actions.sign_up(invitation=invited, display_name="Ivy", password=PASSWORD),
        lambda: actions.withdraw(invitation=invited, by=admin),
    )
    assert sorted(told) == ["done", "refused"]


def test_what_was_accepted_is_not_withdrawn(invited, admin):
    join(invited)
    with pytest.raises(NotAllowedNow, match="has joined already"):
        actions.withdraw(invitation=invited, by=admin)


@pytest.mark.parametrize("how", ["role", "sign-in"])
def test_what_somebody_sent_who_is_no_admin_any_more_opens_nothing(admin, how):
    second = make_person(Role.ADMIN, "second")
    [invited] = invite(second, "ivy@new.example")
    if how == "role":
        members.set_roles(person=second, roles=[], by=admin, known=["ADMIN"])
    else:
        members.deactivate(person=second, by=admin, reason="Left.")
    answer = join(invited)
    assert answer.status_code == 410
    assert "not an admin any more" in read(answer)


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.ADMIN)])
def test_only_an_admin_invites_sends_again_and_withdraws(invited, role):
    other = make_person(role, "other")
    for step in (
        lambda: invite(other, "eve@new.example"),
        lambda: actions.send_again(invitations=Invitation.objects.all(), by=other, days=7),
        lambda: actions.withdraw(invitation=invited, by=other),
    ):
        with pytest.raises(NotAllowedNow, match="Only an admin"):
            step()


def test_what_was_sent_stays_in_the_record(invited):
    with pytest.raises(DatabaseError), transaction.atomic():
        invited.delete()
    assert Invitation.objects.filter(pk=invited.pk).exists()
