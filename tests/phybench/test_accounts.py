"""Signing up, in and out, a new password, and the roles that an admin gives."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.urls import reverse

from curation.members import actions
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db

SIGN_UP = {
    "display_name": "Emmy",
    "email": "emmy@test.example",
    "password1": "noether 1918 theorem",
    "password2": "noether 1918 theorem",
}


def sign_in(client, email: str, password: str = PASSWORD):
    return client.post(reverse("account_login"), {"login": email, "password": password})


def read_link(message: EmailMessage) -> str:
    """Return where the link in an e-mail leads."""
    link = re.search(r"http://testserver(/\S+)", message.body)
    assert link
    return link[1]


def visible(answer: HttpResponse) -> str:
    return re.sub("csrf.*?>|X-CSRFToken.*?>|<time.*?>", "", answer.content.decode())


def test_who_signs_up_confirms_the_address_then_is_signed_in_and_has_no_role(client):
    client.post(reverse("account_signup"), SIGN_UP)
    assert "_auth_user_id" not in client.session
    [message] = mail.outbox
    answer = client.post(read_link(message), follow=True)
    person = User.objects.get(email="emmy@test.example")
    assert (person.display_name, person.roles) == ("Emmy", [])
    # There is no benchmark yet, so home is the inbox.
    assert answer.request["PATH_INFO"] == reverse("inbox")
    assert "no role yet" in answer.content.decode()


def test_who_has_not_confirmed_an_address_can_not_sign_in_with_it(client):
    client.post(reverse("account_signup"), SIGN_UP)
    answer = sign_in(client, SIGN_UP["email"], SIGN_UP["password1"])
    assert answer["Location"] == reverse("account_email_verification_sent")
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("page", ["account_email_verification_sent", "account_reset_password_done"])
@pytest.mark.parametrize(("sends", "printed"), [("locmem", False), ("console", True)])
def test_where_e_mails_are_printed_the_page_sends_no_one_to_a_spam_folder(
    client, settings, page, sends, printed
):
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{sends}.EmailBackend"
    text = client.get(reverse(page)).content.decode()
    assert ("This site sends no e-mails" in text) is printed
    assert ("spam folder" in text) is not printed


def send_again(client):
    return client.post(reverse("account_email_verification_sent"), follow=True).content.decode()


def test_the_e_mail_that_confirms_is_sent_again_once_in_three_minutes(client):
    client.post(reverse("account_signup"), SIGN_UP)
    assert "less than three minutes" in send_again(client)
    cache.clear()
    assert "emmy@test.example" in send_again(client)
    assert [message.to for message in mail.outbox] == [["emmy@test.example"]] * 2


def test_to_send_again_tells_nobody_whether_an_address_has_an_account(client):
    known = make_person(None, "known")
    told = []
    for email in (known.email, "fresh@test.example"):
        client.post(reverse("account_signup"), {**SIGN_UP, "email": email})
        cache.clear()
        page = client.post(reverse("account_email_verification_sent"), follow=True)
        told.append(visible(page).replace(email, ""))
    assert told[0] == told[1]
    assert len(mail.outbox) == 4


def test_who_waits_nowhere_is_led_to_sign_in(client):
    assert "If your address is not confirmed yet" in send_again(client)
    assert mail.outbox == []


def test_where_no_e_mail_comes_a_guest_is_told_whom_to_ask(client, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    text = client.get(reverse("account_email_verification_sent")).content.decode()
    assert "Ask the admin who sent you the link" in text
    assert "Send again" not in text


def test_an_admin_confirms_an_address_and_it_is_written_down(client, admin):
    client.post(reverse("account_signup"), SIGN_UP)
    person = User.objects.get(email=SIGN_UP["email"])
    client.force_login(admin)
    address = reverse("curation:member", args=[person.pk])
    assert "has not confirmed" in client.get(address).content.decode()
    told = client.post(address + "?do=confirm", follow=True).content.decode()
    assert "Emmy may sign in now" in told
    assert "has not confirmed" not in told
    change = person.changes.get()
    assert (change.kind, change.by, change.after) == ("CONFIRMED", admin, [person.email])
    client.logout()
    sign_in(client, SIGN_UP["email"], SIGN_UP["password1"])
    assert client.session["_auth_user_id"] == str(person.pk)


def test_an_admin_confirms_no_address_that_another_account_has_confirmed(client, admin):
    client.post(reverse("account_signup"), SIGN_UP)
    person = User.objects.get(email=SIGN_UP["email"])
    EmailAddress.objects.create(user=admin, email=person.email, verified=True)
    with pytest.raises(NotAllowedNow, match="Another account"):
        actions.confirm_address(person=person, by=admin)
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        actions.confirm_address(person=person, by=person)


def test_signing_up_tells_nobody_whether_an_address_has_an_account(client):
    known = make_person(None, "known")
    told = [
        visible(client.post(reverse("account_signup"), {**SIGN_UP, "email": email}, follow=True))
        for email in (known.email, "fresh@test.example")
    ]
    assert told[0].replace(known.email, "") == told[1].replace("fresh@test.example", "")
    assert "Confirm your e-mail address" in told[0]
    assert [message.to for message in mail.outbox] == [[known.email], ["fresh@test.example"]]
    assert "already" in mail.outbox[0].subject.lower() + mail.outbox[0].body


def test_a_new_password_for_an_address_that_was_not_confirmed_signs_nobody_in(client):
    client.post(reverse("account_signup"), SIGN_UP)
    [person] = User.objects.all()
    person.set_password(PASSWORD)
    person.save()
    client.post(reverse("account_reset_password"), {"email": person.email})
    sign_in(client, person.email)
    assert "_auth_user_id" not in client.session


def test_who_was_brought_in_by_others_signs_in_without_confirming(client):
    person = make_person(None, "invited")
    sign_in(client, person.email)
    assert client.session["_auth_user_id"] == str(person.pk)
    assert mail.outbox == []


def test_a_second_account_with_the_same_address_in_other_case_is_not_made(client):
    make_person(None, "emmy")
    client.post(reverse("account_signup"), {**SIGN_UP, "email": "Emmy@Test.example"})
    assert User.objects.filter(email__iexact="emmy@test.example").count() == 1


def test_a_wrong_password_signs_nobody_in(client, contributor):
    answer = sign_in(client, contributor.email, "not the password")
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session


def test_signing_out_takes_a_post(client, contributor):
    sign_in(client, contributor.email)
    client.get(reverse("account_logout"))
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_the_link_in_the_mail_sets_a_new_password(client, contributor):
    client.post(reverse("account_reset_password"), {"email": contributor.email})
    [message] = mail.outbox
    assert message.to == [contributor.email]
    assert message.body.rstrip().endswith("PHYBench curation, testserver")
    form = client.get(read_link(message), follow=True)
    new = "a new and longer secret"
    client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
    client.logout()
    sign_in(client, contributor.email, new)
    assert client.session["_auth_user_id"] == str(contributor.pk)


def test_forms_of_accounts_name_their_fields_in_sentence_case(client, contributor):
    client.post(reverse("account_reset_password"), {"email": contributor.email})
    pages = [client.get(read_link(mail.outbox[0]), follow=True)]
    pages += [client.get(reverse(f"account_{name}")) for name in ("login", "signup")]
    pages.append(client.get(reverse("account_reset_password")))
    client.force_login(contributor)
    pages += [client.get(reverse(f"account_{name}")) for name in ("change_password", "email")]
    labels = {field.label for page in pages for field in page.context["form"]}
    assert labels == {
        *("Display name", "E-mail address", "Keep me signed in"),
        *("Password", "Password (again)", "Current password"),
        *("New password", "New password (again)"),
    }


def test_who_has_no_account_is_not_told_so(client):
    known = make_person(None, "known")
    told = [
        visible(client.post(reverse("account_reset_password"), {"email": email}, follow=True))
        for email in (known.email, "unknown@test.example")
    ]
    assert told[0] == told[1]


def test_an_admin_gives_roles_and_their_holder_sees_them(client, admin):
    person = make_person(None, "newcomer")
    client.force_login(admin)
    changing = reverse("curation:member", args=[person.pk]) + "?do=roles"
    answer = client.post(changing, {"roles": [Role.CONTRIBUTOR, Role.REVIEWER], "known": ""})
    assert answer.status_code == 302, answer.context["errors"]
    client.force_login(person)
    profile = client.get(reverse("profile")).content.decode()
    assert "contributor" in profile
    assert "reviewer" in profile
    assert "evaluator" not in profile


def test_nobody_gives_a_role_to_themselves(client):
    person = make_person(None, "newcomer")
    client.force_login(person)
    client.post(reverse("profile"), {"display_name": "New", "roles": ["ADMIN"], "is_staff": "on"})
    person.refresh_from_db()
    assert (person.display_name, person.roles) == ("New", [])


@pytest.mark.parametrize("role", Role)
def test_home_says_what_to_do_in_each_role(client, role, benchmark):
    client.force_login(make_person(role))
    page = client.get(reverse("home"), follow=True).content.decode()
    assert page.count('class="button primary"') == 1


def test_an_address_is_shown_to_nobody_else(client, accepted_problem, contributor, participant):
    client.force_login(participant)
    page = client.get(accepted_problem.get_absolute_url()).content.decode()
    assert str(contributor) in page
    assert contributor.email not in page


def test_an_e_mail_address_is_no_display_name(client):
    client.post(reverse("account_signup"), {**SIGN_UP, "display_name": "emmy@test.example"})
    assert not User.objects.exists()
    person = make_person(None, "newcomer")
    client.force_login(person)
    page = client.post(reverse("profile"), {"display_name": " x@y.example ", "is_named": "on"})
    assert "the display name is shown to others" in page.content.decode()
    person.refresh_from_db()
    assert person.display_name == "Newcomer"
