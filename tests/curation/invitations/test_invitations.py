"""An invitation gives the roles that it names, once, to whom it was sent, until it ends."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.messages import get_messages
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.invitations import actions
from curation.invitations.addresses import Entry
from curation.invitations.models import UNTIL_SENT_AGAIN, Invitation, InvitationQuerySet
from curation.invitations.tasks import SENDING
from curation.members import actions as members
from curation.workflow import NotAllowedNow
from phybench.models import Role, User
from phybench.work import mailing
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.work import do

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery"


def invite(admin: User, *emails: str, roles: tuple[str, ...] = ("REVIEWER",)) -> list[Invitation]:
    return actions.invite(
        entries=[Entry(line, email) for line, email in enumerate(emails, 1)],
        roles=roles,
        days=14,
        language="en",
        by=admin,
    )


@pytest.fixture
def invited(admin) -> Invitation:
    [made] = invite(admin, "Ivy@new.example")
    return made


def link(invitation: Invitation) -> str:
    secret = actions.write_link(invitation).rstrip("/").rpartition("/")[2]
    return reverse("curation:invitation", args=[secret])


def join(invitation: Invitation, client: Client | None = None, **sent: str):
    filled = {
        "email": invitation.email,
        "display_name": "Ivy",
        "password1": PASSWORD,
        "password2": PASSWORD,
    }
    return (client or Client()).post(link(invitation), {**filled, **sent})


def read(page) -> str:
    return page.content.decode()


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
    for answer in (Client().get(link(invited)), join(invited, email="other@new.example")):
        assert answer.status_code == 410
        assert "was used already" in read(answer)
    assert User.objects.filter(email__icontains="new.example").count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_used_twice_at_once_it_makes_one_account(invited, turn):
    newcomer = actions.Newcomer("ivy@new.example", "Ivy", PASSWORD)
    sign_up = lambda: actions.sign_up(invitation=invited, newcomer=newcomer)  # noqa: E731
    assert sorted(at_once(sign_up, sign_up)) == ["done", "refused"]
    assert User.objects.filter(email="ivy@new.example").count() == 1


def test_forwarded_to_somebody_without_an_account_it_says_whose_it_is_not_and_not_whose(invited):
    answer = join(invited, email="mallory@new.example")
    assert answer.status_code == 400
    assert "was sent to another address" in read(answer)
    assert "ivy@new.example" not in read(answer).lower()
    assert not User.objects.filter(email__icontains="new.example").exists()


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
    assert "Accept the invitation" in read(client.get(link(invited)))
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
        ({"password2": "another one"}, "password2"),
        ({"password1": "12345678", "password2": "12345678"}, "password1"),
        ({"display_name": " \u200b "}, "display_name"),
        ({"display_name": "ivy@new.example"}, "display_name"),
        ({"display_name": "x" * 61}, "display_name"),
        ({"display_name": "\ufdfa" * 4}, "display_name"),
        ({"email": "ivy"}, "email"),
        ({"password1": ""}, "password1"),
    ],
    ids=str,
)
def test_what_is_wrong_in_the_form_is_said_at_its_field(invited, sent, field):
    answer = join(invited, **sent)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]
    assert not User.objects.filter(email="ivy@new.example").exists()


def test_addresses_are_not_tried_without_end(invited):
    told = [join(invited, email=f"guess{number}@new.example").status_code for number in range(22)]
    assert told[0] == 400
    assert told[-1] == 429


# --- Links that open nothing ----------------------------------------------------------------


def test_a_link_that_is_not_ours_is_refused_and_tells_nothing_of_others(client, invited):
    for secret in ("1", "x.y", f"{invited.pk}.AAAA", f"{invited.pk + 1}.AAAA", "é.é"):
        answer = client.get(reverse("curation:invitation", args=[secret]))
        assert answer.status_code == 404
        assert "not the link of an invitation" in read(answer)


def expire(invitation: Invitation) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now())


def wait_an_hour(invitations: InvitationQuerySet) -> None:
    invitations.update(queued_at=timezone.now() - UNTIL_SENT_AGAIN)


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
    newcomer = actions.Newcomer("ivy@new.example", "Ivy", PASSWORD)
    told = at_once(
        lambda: actions.sign_up(invitation=invited, newcomer=newcomer),
        lambda: actions.withdraw(invitation=invited, by=admin),
    )
    assert sorted(told) == ["done", "refused"]


def test_what_was_accepted_is_not_withdrawn(invited, admin):
    join(invited)
    with pytest.raises(NotAllowedNow, match="accepted it already"):
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


# --- Sending --------------------------------------------------------------------------------


def test_a_worker_sends_it_with_the_link_and_the_roles(invited, mailoutbox):
    do(SENDING, invited.pk)
    [mail] = mailoutbox
    assert mail.to == [invited.email]
    assert link(invited) in mail.body
    assert "- reviewer" in mail.body
    invited.refresh_from_db()
    assert invited.sent_at
    assert SENDING.claim() is None


def test_it_is_written_in_the_language_that_the_admin_chose(admin, mailoutbox):
    entries = [Entry(1, "ivy@new.example", "李安")]
    [made] = actions.invite(
        entries=entries, roles=["REVIEWER"], days=7, language="zh-hans", by=admin
    )
    do(SENDING, made.pk)
    assert "评审人" in mailoutbox[0].body


def test_withdrawn_before_it_was_sent_it_is_not_sent(invited, admin, mailoutbox):
    claimed = SENDING.claim(invited.pk)
    assert claimed
    actions.withdraw(invitation=invited, by=admin)
    SENDING.do(Invitation.objects.get(pk=invited.pk))
    assert mailoutbox == []


def test_what_can_not_be_sent_is_tried_again_and_then_listed_with_its_reason(
    invited, admin, client, settings
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    for _again in range(mailing.MOST_TRIES):
        Invitation.objects.update(next_at=None)
        do(SENDING, invited.pk)
    client.force_login(admin)
    page = client.get(reverse("curation:invitations"), {"state": "failed"})
    assert [one.pk for one in page.context["page"]] == [invited.pk]
    assert "1 invitation could not be sent." in read(page)
    client.post(reverse("curation:send_failed_again"))
    assert list(Invitation.objects.to_send()) == [invited]


# --- Inviting many --------------------------------------------------------------------------


@pytest.fixture
def page(client, admin) -> Client:
    client.force_login(admin)
    return client


def post(page: Client, addresses: str, step: str, **more: object):
    sent = {"addresses": addresses, "roles": ["REVIEWER"], "days": "14", "language": "en"}
    return page.post(reverse("curation:invite"), {**sent, "step": step, **more})


def test_addresses_are_shown_before_anything_is_sent(page):
    answer = post(page, "Ann <ann@new.example>\nnonsense", "check")
    assert "1 person would be invited" in read(answer)
    assert "There is no e-mail address in this line." in read(answer)
    assert not Invitation.objects.exists()
    answer = post(page, "Ann <ann@new.example>\nnonsense", "send")
    assert answer.url == reverse("curation:invitations")
    assert [(one.email, one.name) for one in Invitation.objects.all()] == [
        ("ann@new.example", "Ann")
    ]


def test_who_has_an_account_or_an_invitation_is_not_invited_and_the_admin_is_told(
    page, invited, participant
):
    answer = post(page, f"{participant.email.upper()}\nivy@new.example", "check")
    whys = [one.why for one in answer.context["found"].refused]
    assert whys[0] == "This address has an account: Participant."
    assert whys[1].startswith("This address is invited already, until")
    assert post(page, "ivy@new.example", "send").status_code == 200
    assert Invitation.objects.count() == 1


def test_an_invitation_that_ran_out_makes_way_for_the_next(page, invited):
    expire(invited)
    post(page, "ivy@new.example", "send")
    assert [bool(one.withdrawn_at) for one in Invitation.objects.order_by("pk")] == [True, False]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(2))
def test_invited_by_two_admins_at_once_an_address_is_invited_once(admin, turn):
    second = make_person(Role.ADMIN, "second")
    emails = [f"p{number}@new.example" for number in range(20)]
    told = at_once(lambda: invite(admin, *emails), lambda: invite(second, *emails))
    assert told == ["done", "done"]
    assert Invitation.objects.count() == 20


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(4))
def test_what_ran_out_is_invited_again_by_two_admins_at_once_without_an_error(admin, turn):
    second = make_person(Role.ADMIN, "second")
    emails = [f"p{number}@new.example" for number in range(20)]
    for one in invite(admin, *emails):
        expire(one)
    told = at_once(lambda: invite(admin, *emails), lambda: invite(second, *emails))
    assert told == ["done", "done"]
    assert Invitation.objects.open().count() == 20


def test_five_thousand_lines_are_taken_at_once_in_a_few_queries(page):
    lines = "\n".join(f"Person {number} <p{number}@new.example>" for number in range(5000))
    with CaptureQueriesContext(connection) as captured:
        answer = post(page, lines, "send")
    assert answer.status_code == 302
    assert Invitation.objects.count() == 5000
    assert len(captured) < 40


@pytest.mark.parametrize(
    "more", [{"roles": []}, {"roles": ["ADMIN"]}, {"days": "1000"}, {"language": "xx"}], ids=str
)
def test_what_is_not_offered_is_refused(page, more):
    assert post(page, "ann@new.example", "send", **more).status_code == 400
    assert not Invitation.objects.exists()


def test_the_list_says_who_has_come(page, invited, admin):
    invite(admin, "late@new.example")
    join(invited)
    shown = page.get(reverse("curation:invitations"), {"state": "accepted"})
    assert [one.email for one in shown.context["page"]] == ["Ivy@new.example"]
    assert shown.context["counts"]["open"] == 1
    file = read(page.get(reverse("curation:invitations_csv")))
    assert "Ivy@new.example,,REVIEWER,accepted" in file
    assert "late@new.example,,REVIEWER,waiting to be sent" in file


def test_one_is_sent_again_and_withdrawn_by_buttons(page, invited):
    do(SENDING, invited.pk)
    wait_an_hour(Invitation.objects.all())
    page.post(reverse("curation:send_again", args=[invited.pk]))
    assert list(Invitation.objects.to_send()) == [invited]
    answer = page.post(reverse("curation:withdraw_invitation", args=[invited.pk]))
    told = [str(one) for one in get_messages(answer.wsgi_request)]
    assert told[-1] == "Withdrawn: the link sent to Ivy@new.example no longer works."
    assert not Invitation.objects.open().exists()


def test_an_address_gets_one_e_mail_an_hour_and_the_button_says_from_when(page, invited):
    do(SENDING, invited.pk)
    shown, again = (
        reverse("curation:invitations"),
        reverse("curation:send_again", args=[invited.pk]),
    )
    answer = page.post(again)
    [told] = [str(one) for one in get_messages(answer.wsgi_request)]
    assert "less than an hour ago" in told
    assert not Invitation.objects.to_send().exists()
    from_when = f"{invited.queued_at + UNTIL_SENT_AGAIN:%H:%M} UTC"
    assert re.search(
        rf"disabled>Send again from <time [^>]+>{from_when}</time>", read(page.get(shown))
    )

    wait_an_hour(Invitation.objects.all())
    assert '<button class="link-button" type="submit">Send again<' in read(page.get(shown))
    page.post(again)
    assert list(Invitation.objects.to_send()) == [invited]


def test_the_list_takes_as_many_queries_for_three_as_for_one(page, invited, admin):
    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            page.get(reverse("curation:invitations"))
        return len(captured)

    join(invited)
    count()
    few = count()
    for one in invite(admin, "b@new.example", "c@new.example"):
        join(one)
    assert count() == few


def test_what_was_sent_stays_in_the_record(invited):
    with pytest.raises(DatabaseError), transaction.atomic():
        invited.delete()
    assert Invitation.objects.filter(pk=invited.pk).exists()
