"""A member asks for a role by a button; an admin gives it or declines with a reason, once."""

from datetime import timedelta

import pgtrigger
import pytest
from django.contrib.messages import get_messages
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.members import actions, requests
from curation.members.models import Request
from curation.texts.workflow import NotAllowedNow
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.curation.at_once import at_once, list_refusals

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer(db) -> User:
    return make_person(None, "newcomer")


@pytest.fixture
def asked(newcomer) -> Request:
    return requests.ask(person=newcomer, role="REVIEWER", note=" I teach optics. ")


def test_what_is_asked_for_waits_for_an_admin_with_its_note(asked, newcomer):
    assert asked.note == "I teach optics."
    assert list(Request.objects.waiting()) == [asked]
    newcomer.refresh_from_db()
    assert newcomer.roles == []


def test_asked_twice_it_is_asked_once(asked, newcomer):
    assert requests.ask(person=newcomer, role="REVIEWER") == asked


@pytest.mark.django_db(transaction=True)
def test_asked_twice_at_once_it_is_asked_once(newcomer):
    ask = lambda: requests.ask(person=newcomer, role="REVIEWER")  # noqa: E731
    assert at_once(ask, ask) == ["done", "done"]
    assert Request.objects.count() == 1


@pytest.mark.parametrize("role", ["ADMIN", "KING", ""])
def test_nobody_asks_to_be_an_admin(newcomer, role):
    with pytest.raises(NotAllowedNow):
        requests.ask(person=newcomer, role=role)


def test_nobody_asks_for_what_they_have(reviewer):
    with pytest.raises(NotAllowedNow):
        requests.ask(person=reviewer, role="REVIEWER")


def test_granted_they_have_the_role_beside_the_others_and_it_is_written_down(asked, admin):
    asked.person.roles = ["PARTICIPANT"]
    asked.person.save()
    requests.grant(request=asked, by=admin)
    asked.refresh_from_db()
    person = asked.person
    assert person.roles == ["REVIEWER", "PARTICIPANT"]
    assert (asked.outcome, asked.decided_by) == ("GRANTED", admin)
    change = person.changes.get()
    assert (change.how, change.by) == ("ON_REQUEST", admin)


def test_declined_they_have_no_role_and_read_why(asked, admin, client):
    requests.decline(request=asked, by=admin, reason="Write a problem first.")
    asked.person.refresh_from_db()
    assert asked.person.roles == []
    client.force_login(asked.person)
    assert "Write a problem first." in client.get(reverse("inbox")).content.decode()


def test_declining_takes_a_reason(asked, admin):
    with pytest.raises(NotAllowedNow, match="Say why"):
        requests.decline(request=asked, by=admin, reason="  ")
    assert Request.objects.waiting().exists()


def test_who_was_declined_asks_again_after_a_week(asked, admin):
    requests.decline(request=asked, by=admin, reason="Not yet.")
    with pytest.raises(NotAllowedNow, match="You can ask again from"):
        requests.ask(person=asked.person, role="REVIEWER")
    with pgtrigger.ignore("curation.Request:decided_request_is_frozen"):
        asked.refresh_from_db()
        asked.decided_at -= timedelta(days=8)
        asked.save()
    assert requests.ask(person=asked.person, role="REVIEWER") != asked


def test_taken_back_it_waits_for_nobody_and_can_be_asked_again(asked):
    requests.take_back(request=asked, person=asked.person)
    assert not Request.objects.waiting().exists()
    assert requests.ask(person=asked.person, role="REVIEWER") != asked


def test_nobody_takes_back_anothers(asked, participant, client):
    with pytest.raises(NotAllowedNow):
        requests.take_back(request=asked, person=participant)
    client.force_login(participant)
    answer = client.post(reverse("profile") + "?do=take_back", {"request": asked.pk})
    assert answer.status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", range(3))
def test_of_two_admins_who_decide_at_once_one_does_and_the_other_is_told(asked, admin, turn):
    second = make_person(Role.ADMIN, "second")
    told = list_refusals(
        lambda: requests.grant(request=asked, by=admin),
        lambda: requests.decline(request=asked, by=second, reason="No."),
    )
    asked.refresh_from_db()
    asked.person.refresh_from_db()
    if asked.outcome == "GRANTED":
        assert told == ["", "Admin has granted this already."]
        assert asked.person.roles == ["REVIEWER"]
    else:
        assert told == ["Second has declined this already.", ""]
        assert asked.person.roles == []


@pytest.mark.django_db(transaction=True)
def test_taken_back_while_it_is_granted_it_is_one_of_both(asked, admin):
    at_once(
        lambda: requests.grant(request=asked, by=admin),
        lambda: requests.take_back(request=asked, person=asked.person),
    )
    asked.refresh_from_db()
    asked.person.refresh_from_db()
    assert (asked.outcome == "GRANTED") is (asked.person.roles == ["REVIEWER"])


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.ADMIN)])
def test_only_an_admin_decides(asked, role):
    other = make_person(role, "other")
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        requests.grant(request=asked, by=other)
    with pytest.raises(NotAllowedNow, match="Only an admin"):
        requests.decline(request=asked, by=other, reason="No.")


def test_who_is_deactivated_waits_for_nothing_and_is_given_nothing(asked, admin):
    actions.deactivate(person=asked.person, by=admin, reason="Left.")
    assert not Request.objects.waiting().exists()
    with pytest.raises(NotAllowedNow, match="deactivated"):
        requests.grant(request=asked, by=admin)


def test_what_was_asked_and_decided_stays(asked, admin):
    def refused(change) -> bool:
        try:
            with transaction.atomic():
                change()
        except DatabaseError:
            return True
        return False

    rows = Request.objects.filter(pk=asked.pk)
    assert refused(lambda: rows.update(role="EVALUATOR"))
    assert refused(lambda: rows.update(outcome="GRANTED"))
    assert refused(rows.delete)
    requests.decline(request=asked, by=admin, reason="No.")
    assert refused(lambda: rows.update(outcome="GRANTED", reason=""))


# --- Pages ----------------------------------------------------------------------------------


def test_a_member_without_a_role_asks_by_a_button_on_home(client, newcomer):
    client.force_login(newcomer)
    assert "Ask for the role reviewer" in client.get(reverse("inbox")).content.decode()
    sent = {"role": "REVIEWER", "note": "Me."}
    answer = client.post(reverse("profile") + "?do=ask", sent, follow=True)
    assert "An admin decides." in answer.content.decode()
    home = client.get(reverse("inbox")).content.decode()
    assert "You asked for this role" in home
    assert "Ask for the role reviewer" not in home


@pytest.mark.parametrize("sent", [{}, {"role": "ADMIN"}, {"role": "REVIEWER", "note": "x" * 501}])
def test_what_can_not_be_asked_for_is_refused_with_a_sentence(client, newcomer, sent):
    client.force_login(newcomer)
    answer = client.post(reverse("profile") + "?do=ask", sent)
    assert len(list(get_messages(answer.wsgi_request))) == 1
    assert not Request.objects.exists()


def test_an_admin_decides_on_the_page_of_requests(client, asked, admin, newcomer):
    requests.ask(person=newcomer, role="CONTRIBUTOR")
    client.force_login(admin)
    shown = client.get(reverse("curation:members") + "?show=requests").content.decode()
    assert "I teach optics." in shown
    second = Request.objects.get(role="CONTRIBUTOR")
    client.post(reverse("curation:request", args=[asked.pk]) + "?do=grant")
    client.post(reverse("curation:request", args=[second.pk]) + "?do=decline", {"reason": "Later."})
    again = client.post(reverse("curation:request", args=[second.pk]) + "?do=grant")
    told = [str(one) for one in get_messages(again.wsgi_request)]
    assert told[-1] == "Admin has declined this already."
    newcomer.refresh_from_db()
    assert newcomer.roles == ["REVIEWER"]
    assert (
        "Later."
        in client.get(
            reverse("curation:members"), {"show": "requests", "all": "1"}
        ).content.decode()
    )


@pytest.mark.parametrize("reason", ["", " ", "a\0b", "x" * 501])
def test_a_reason_that_can_not_be_kept_is_refused_and_nothing_is_decided(
    client, asked, admin, reason
):
    client.force_login(admin)
    address = reverse("curation:request", args=[asked.pk]) + "?do=decline"
    answer = client.post(address, {"reason": reason})
    [told] = get_messages(answer.wsgi_request)
    assert told.level_tag == "error"
    asked.refresh_from_db()
    assert asked.outcome == ""


def test_the_list_takes_as_many_queries_for_three_requests_as_for_one(client, asked, admin):
    client.force_login(admin)

    def count() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse("curation:members") + "?show=requests")
        return len(captured)

    count()
    few = count()
    for name in ("one", "two"):
        requests.ask(person=make_person(None, name), role="REVIEWER")
    assert count() == few


@pytest.mark.parametrize(
    "tab", ["", "?tab=roles", "?tab=institution", "?tab=credits", "?tab=e-mails"]
)
def test_each_page_about_oneself_leads_to_the_others_and_names_itself(newcomer, client, tab):
    client.force_login(newcomer)
    page = client.get(reverse("profile") + tab).text
    tabs = page.partition('<ul class="tabs">')[2].partition("</ul>")[0]
    assert tabs.count("<a ") == 5
    assert f'href="{reverse("profile")}{tab}" aria-current="page"' in tabs
    assert tabs.count("aria-current") == 1
