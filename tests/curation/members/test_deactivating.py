"""Who is deactivated signs in no more, by no door, and holds nothing that others wait for."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from curation.members import actions
from curation.members.models import PersonChange
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from phybench.people.tokens.actions import find, make
from phybench.people.tokens.models import Scope
from tests.conftest import PASSWORD, make_person
from tests.curation.reviewing.assignments.given import assign, open_rounds

pytestmark = pytest.mark.django_db


def sign_in(person: User, password: str = PASSWORD) -> tuple[Client, str]:
    """Sign in as people do; return the browser and what the page says then."""
    EmailAddress.objects.get_or_create(
        user=person, email=person.email, defaults={"primary": True, "verified": True}
    )
    client = Client()
    sent = {"login": person.email, "password": password}
    page = client.post(reverse("account_login"), sent, follow=True)
    return client, page.content.decode()


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("profile")).status_code == 200


def test_their_sessions_end_and_do_not_come_back_with_them(reviewer, admin):
    client, _page = sign_in(reviewer)
    assert is_signed_in(client)
    actions.deactivate(person=reviewer, by=admin, reason="Left.")
    assert not is_signed_in(client)
    actions.reactivate(person=reviewer, by=admin)
    assert not is_signed_in(client)
    client, _page = sign_in(reviewer)
    assert is_signed_in(client)


def test_a_session_that_no_page_was_opened_in_meanwhile_ends_as_well(reviewer, admin):
    client, _page = sign_in(reviewer)
    actions.deactivate(person=reviewer, by=admin, reason="Left.")
    actions.reactivate(person=reviewer, by=admin)
    assert not is_signed_in(client)


def test_with_the_right_password_they_are_told_why_they_can_not_sign_in(reviewer, admin):
    actions.deactivate(person=reviewer, by=admin, reason="Left.")
    client, page = sign_in(reviewer)
    assert "An admin has closed this account." in page
    assert not is_signed_in(client)


def test_with_a_wrong_password_nobody_learns_that_the_account_is_closed(reviewer, admin):
    actions.deactivate(person=reviewer, by=admin, reason="Left.")
    _client, page = sign_in(reviewer, "not the password")
    assert "closed" not in page


def test_their_token_opens_nothing_and_does_not_come_back_with_them(evaluator, admin, client):
    token, secret = make(person=evaluator, name="Harness", scopes=[Scope.READ], days=7)
    header = {"Authorization": f"Bearer {secret}"}
    address = reverse("api:organisations")
    assert client.get(address, headers=header).status_code == 200
    actions.deactivate(person=evaluator, by=admin, reason="Left.")
    assert client.get(address, headers=header).status_code == 401
    actions.reactivate(person=evaluator, by=admin)
    assert client.get(address, headers=header).status_code == 401
    assert find(secret) is None
    token.refresh_from_db()
    assert token.revoked_at


def test_what_they_are_to_review_is_given_back_and_what_they_reviewed_stays(
    contributor, reviewer, admin
):
    first, second = open_rounds(contributor, count=2)
    given = [assign(one, reviewer, admin) for one in (first, second)]
    assert actions.deactivate(person=reviewer, by=admin, reason="Left.") == 2
    for one in given:
        one.refresh_from_db()
        assert (one.state, one.ended_by) == ("REVOKED", admin)


def test_it_is_written_down_with_the_reason_and_so_is_coming_back(reviewer, admin):
    actions.deactivate(person=reviewer, by=admin, reason=" Left. ")
    actions.deactivate(person=reviewer, by=admin, reason="Again.")
    actions.reactivate(person=reviewer, by=admin)
    rows = PersonChange.objects.order_by("pk").values_list("kind", "reason", "by")
    assert list(rows) == [("DEACTIVATED", "Left.", admin.pk), ("REACTIVATED", "", admin.pk)]


def test_no_admin_deactivates_themselves(admin, client):
    make_person(Role.ADMIN, "second")
    with pytest.raises(NotAllowedNow, match="yourself"):
        actions.deactivate(person=admin, by=admin, reason="Tired.")
    client.force_login(admin)
    page = client.post(
        reverse("curation:member", args=[admin.pk]) + "?do=deactivate", {"reason": "Tired."}
    )
    assert page.status_code == 400
    admin.refresh_from_db()
    assert admin.is_active


def test_it_takes_a_reason(reviewer, admin, client):
    client.force_login(admin)
    page = client.post(
        reverse("curation:member", args=[reviewer.pk]) + "?do=deactivate", {"reason": " "}
    )
    assert page.status_code == 400
    reviewer.refresh_from_db()
    assert reviewer.is_active


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.ADMIN)])
def test_only_an_admin_deactivates(reviewer, role):
    other = make_person(role, "other")
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        actions.deactivate(person=reviewer, by=other, reason="No.")
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        actions.reactivate(person=reviewer, by=other)


def test_no_password_is_set_by_mail_for_who_is_deactivated(reviewer, admin, client, mailoutbox):
    actions.deactivate(person=reviewer, by=admin, reason="Left.")
    client.post(reverse("account_reset_password"), {"email": reviewer.email})
    assert not any("/password/reset/key/" in one.body for one in mailoutbox)
