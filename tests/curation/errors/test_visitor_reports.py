"""Errors reported from a board, with and without an account."""

import time

import pytest
from django.core.cache import cache
from django.db import IntegrityError, ProgrammingError, transaction
from django.test import Client
from django.urls import reverse

from curation.problems import actions as problems_actions
from curation.problems.people.models import Contribution
from curation.reports import actions
from curation.reports.models import ErrorReport, ReportContact
from curation.reports.permissions import list_reports
from curation.texts.workflow import NotAllowedNow
from grading.board import visitors
from grading.board.visitors import Fate, Said, say_fate
from tests.conftest import accept, make_draft
from tests.curation.errors.reports import accept_correction, decide
from tests.versions import publish_version

pytestmark = pytest.mark.django_db

A_MINUTE = 60
WRONG = "For $g = 0$ it isn’t zero.\nSee the limit."


@pytest.fixture(autouse=True)
def nobody_has_sent_any():
    cache.clear()


@pytest.fixture
def public(accepted_problem):
    """A problem of the public part."""
    publish_version(accepted_problem.benchmark)
    return accepted_problem


def address(benchmark) -> str:
    return reverse("curation:board_report", args=[benchmark.slug])


def fill_in(problem, **fields) -> dict[str, str]:
    ticket = visitors.write_ticket(at=time.time() - A_MINUTE)
    return {
        "kind": "ANSWER",
        "subject": problem.identifier,
        "text": WRONG,
        "ticket": ticket,
        **fields,
    }


def send(client, problem, **fields):
    # As browsers send lines.
    sent = {name: text.replace("\n", "\r\n") for name, text in fill_in(problem, **fields).items()}
    return client.post(address(problem.benchmark), sent)


# --- Without an account ---------------------------------------------------------------------


def test_a_visitor_reports_a_problem_and_comes_back_by_a_link(client, public):
    response = send(client, public, name="R. Hooke", email="hooke@example.org")
    report = ErrorReport.objects.get()
    assert (report.reporter, report.revision, report.kind) == (
        None,
        public.accepted_revision,
        "ANSWER",
    )
    contact = ReportContact.objects.get()
    assert (contact.report, contact.name, contact.email) == (
        report,
        "R. Hooke",
        "hooke@example.org",
    )
    shown = client.get(response.url)
    assert shown.context["fate"] == Fate.WAITING
    page = shown.content.decode()
    assert f"Your error report {report.pk}" in page
    assert response.url in page
    assert "R. Hooke" not in page
    assert "no-store" in shown["Cache-Control"]
    assert shown["X-Robots-Tag"] == "noindex"


def test_a_visitor_reports_a_row_of_the_board(client, public):
    response = send(client, public, kind="ROW", subject="A model")
    report = ErrorReport.objects.get()
    assert (report.revision, report.benchmark, report.row) == (None, public.benchmark, "A model")
    assert "The row “A model”" in client.get(response.url).content.decode()
    assert not ReportContact.objects.exists()


def test_the_board_s_link_says_what_it_is_about(client, public):
    form = client.get(address(public.benchmark), {"row": "A model"}).context["form"]
    assert (form.initial["kind"], form.initial["subject"]) == ("ROW", "A model")
    form = client.get(address(public.benchmark), {"problem": "C12"}).context["form"]
    assert (form.initial.get("kind"), form.initial["subject"]) == (None, "C12")


def test_the_link_without_its_secret_is_no_page(client, public, participant):
    response = send(client, public)
    report = ErrorReport.objects.get()
    for secret in ("x", report.secret_sha256, response.url.rsplit("/", 2)[-2][:-1]):
        tried = reverse("curation:sent_report", args=[report.pk, secret])
        assert client.get(tried).status_code == 404
    other = reverse("curation:sent_report", args=[report.pk + 1, response.url.split("/")[-2]])
    assert client.get(other).status_code == 404
    own = actions.report_error(problem=public, reporter=participant, kind="OTHER", text="It is.")
    assert client.get(reverse("curation:sent_report", args=[own.pk, "x"])).status_code == 404


def test_a_form_sent_twice_is_one_report(client, public):
    sent = fill_in(public)
    first, second = (client.post(address(public.benchmark), sent) for _ in range(2))
    assert first.url == second.url
    assert ErrorReport.objects.count() == 1
    another = client.post(address(public.benchmark), {**sent, "text": "Something else."})
    assert another.status_code == 400
    assert "a different text" in another.content.decode()
    # The form that it is shown in again has a ticket of its own.
    again = another.context["form"]["ticket"].value()
    assert again != sent["ticket"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"ticket": ""}, "open for too long"),
        ({"ticket": "made up"}, "open for too long"),
        ({"website": "https://example.org"}, "has to stay empty"),
        ({"kind": "SOLUTION"}, "not one of the available choices"),
        ({"kind": ""}, "This field is required"),
        ({"subject": "C999999"}, "not the id of a problem"),
        ({"text": "x" * 5_001}, "at most 5000 characters"),
        ({"text": "a\0b"}, "Null characters are not allowed"),
        ({"name": "x" * 101}, "at most 100 characters"),
        ({"email": "hooke"}, "valid email"),
    ],
)
def test_what_is_wrong_with_a_report_is_said_and_nothing_is_lost(client, public, changes, said):
    response = send(client, public, **changes)
    assert response.status_code == 400
    assert said in response.content.decode()
    assert (
        response.context["form"]["subject"].value()
        == {"subject": public.identifier, **changes}["subject"]
    )
    assert not ErrorReport.objects.exists()


def test_a_form_that_is_sent_at_once_or_after_a_day_is_shown_again(client, public):
    now = time.time()
    for at, said in ((now, "too fast"), (now - 25 * 3600, "too long")):
        response = send(client, public, ticket=visitors.write_ticket(at=at))
        assert response.status_code == 400
        assert said in response.content.decode()


def test_a_hidden_problem_is_answered_as_one_that_is_not_there(
    client, public, contributor, reviewer, settings
):
    settings.LEAST_HIDDEN_ITEMS = 1
    hidden = make_draft(contributor, public.benchmark, title="Hidden")
    accept(hidden, contributor, reviewer)
    publish_version(public.benchmark, hidden=(hidden.identifier,))
    of_hidden, of_none = (
        send(client, public, subject=name).context["form"].errors["subject"]
        for name in (hidden.identifier, "C999999")
    )
    assert of_hidden == of_none
    assert send(client, public, subject=public.identifier.lower()).status_code == 302


def test_a_retired_problem_takes_no_report(client, public, admin):
    found = visitors.find_problem(public.benchmark, public.identifier)
    said = Said(public.benchmark, "ANSWER", WRONG, found)
    problems_actions.retire(problem=public, admin=admin, note="Old.")
    assert "not the id of a problem" in send(client, public).content.decode()
    with pytest.raises(NotAllowedNow, match="not in use"):
        visitors.report_as_visitor(said=said, secret="s")


def test_an_address_sends_a_few_an_hour_and_another_is_not_held_up(public, settings):
    settings.ACCOUNT_RATE_LIMITS = {"visitor_report": "2/h/ip"}
    here, there = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="198.51.100.7")
    assert [send(here, public).status_code for _ in range(3)] == [302, 302, 429]
    refused = send(here, public)
    assert "Send this one in an hour" in refused.content.decode()
    assert refused.context["form"]["text"].value().replace("\r", "") == WRONG
    assert send(there, public).status_code == 302


def test_when_very_many_wait_no_other_is_taken(client, public, monkeypatch, participant):
    monkeypatch.setattr(visitors, "MOST_WAITING", 1)
    assert send(client, public).status_code == 302
    assert "Sign in to report it" in send(client, public).content.decode()
    client.force_login(participant)
    assert send(client, public).status_code == 302


def test_what_a_visitor_writes_is_text_wherever_it_is_shown(client, public, admin):
    text = "<script>alert(1)</script> [a](javascript:x) [b](https://evil.example) ![c](d)"
    link = send(client, public, kind="ROW", subject="<b>row</b>", text=text, name="<i>me</i>").url
    report = ErrorReport.objects.get()
    admins = Client()
    admins.force_login(admin)
    for client_of, where in (
        (client, link),
        (admins, report.get_absolute_url()),
        (admins, reverse("curation:reports")),
    ):
        page = client_of.get(where).content.decode()
        for markup in ("<script>alert", "<b>row", "<i>me", 'href="https://evil', 'javascript:x"'):
            assert markup not in page, (where, markup)


# --- What becomes of it ---------------------------------------------------------------------


def report(on, **fields) -> ErrorReport:
    said = Said(on.benchmark, **{"kind": "ANSWER", "text": WRONG, "problem": on, **fields})
    return visitors.report_as_visitor(said=said, secret=f"secret {ErrorReport.objects.count()}")


def test_admins_decide_as_of_any_other_and_the_link_says_so(public, admin, contributor, reviewer):
    found = report(public)
    assert found in list_reports(admin)
    assert found in list_reports(contributor)
    decided = decide(found, admin, "KEY_FIXED")
    assert say_fate(decided) == Fate.FIXING
    accept_correction(public, contributor, reviewer)
    found.refresh_from_db()
    assert say_fate(found) == Fate.FIXED
    assert found.erratum.is_of_key
    assert not Contribution.objects.filter(kind="FOUND_ERROR").exists()


def test_an_admins_words_on_no_error_are_not_told(client, public, admin):
    link = send(client, public).url
    decide(ErrorReport.objects.get(), admin, "NO_ERROR", reason="It is 7 m g h.")
    page = client.get(link)
    assert page.context["fate"] == Fate.UNCHANGED
    assert "7 m g h" not in page.content.decode()


def test_a_problem_that_is_withdrawn_is_said_to_be(public, admin):
    others = report(public, text="Another.")
    decide(report(public), admin, "WITHDRAWN")
    others.refresh_from_db()
    assert say_fate(others) == Fate.WITHDRAWN


def test_a_row_is_corrected_or_right_and_nothing_else(public, admin):
    found = report(public, kind="ROW", problem=None, row="A model")
    assert found.possible_outcomes == ["NO_ERROR", "ROW_FIXED"]
    with pytest.raises(NotAllowedNow, match="Choose"):
        decide(found, admin, "KEY_FIXED")
    with pytest.raises(NotAllowedNow, match="Choose"):
        decide(report(public), admin, "ROW_FIXED")
    assert say_fate(decide(found, admin, "ROW_FIXED")) == Fate.FIXED


def test_an_admin_reads_a_row_s_report_and_how_to_reach_the_visitor(client, public, admin):
    send(client, public, kind="ROW", subject="A model", name="R. Hooke", email="hooke@example.org")
    found = ErrorReport.objects.get()
    client.force_login(admin)
    page = client.get(found.get_absolute_url()).content.decode()
    assert "Row “A model”" in client.get(reverse("curation:reports")).content.decode()
    assert "hooke@example.org" in page
    assert "row corrected" in page
    decided = client.post(
        reverse("curation:decide_report", args=[found.pk]),
        {"outcome": "ROW_FIXED", "reason": "Renamed."},
    )
    assert decided.url == found.get_absolute_url()
    found.refresh_from_db()
    assert found.closed_at is not None
    listed = client.get(reverse("curation:reports") + "?as=csv").content.decode()
    assert "A model" in listed
    assert "a visitor" in listed


def test_the_problem_s_people_read_it_without_the_visitor_s_name(client, public, contributor):
    send(client, public, name="R. Hooke", email="hooke@example.org")
    client.force_login(contributor)
    page = client.get(ErrorReport.objects.get().get_absolute_url()).content.decode()
    assert "a visitor" in page
    assert "Hooke" not in page
    assert "hooke@" not in page


def test_a_contact_can_be_deleted_and_the_report_stays(client, public, admin):
    send(client, public, name="R. Hooke")
    client.force_login(admin)
    contact = ReportContact.objects.get()
    gone = reverse("admin:curation_reportcontact_delete", args=[contact.pk])
    client.post(gone, {"post": "yes"})
    assert not ReportContact.objects.exists()
    assert ErrorReport.objects.exists()


# --- With an account ------------------------------------------------------------------------


def test_who_is_signed_in_reports_in_their_own_name(client, public, participant):
    client.force_login(participant)
    assert "ticket" not in client.get(address(public.benchmark)).context["form"].fields
    row = {"kind": "ROW", "subject": "A model", "text": WRONG}
    first, second = (client.post(address(public.benchmark), row) for _ in range(2))
    assert first.url == second.url
    problem = client.post(address(public.benchmark), fill_in(public))
    found = ErrorReport.objects.order_by("pk")
    assert [one.reporter for one in found] == [participant, participant]
    assert [one.get_absolute_url() for one in found] == [first.url, problem.url]
    for one in found:
        assert client.get(one.get_absolute_url()).status_code == 200


def test_who_may_read_it_is_led_from_the_link_to_the_report(client, public, admin, participant):
    link = send(client, public).url
    client.force_login(admin)
    assert client.get(link).context["reads_it"]
    client.force_login(participant)
    assert not client.get(link).context["reads_it"]


# --- What the database keeps ----------------------------------------------------------------


def test_a_report_is_of_a_problem_or_a_row_and_a_visitor_s_has_a_secret(public, participant):
    revision, benchmark = public.accepted_revision, public.benchmark
    for wrong in (
        {"reporter": participant, "kind": "ROW", "revision": revision},
        {"reporter": participant, "kind": "ROW", "benchmark": benchmark},
        {"reporter": participant, "kind": "OTHER", "benchmark": benchmark, "row": "A model"},
        {"kind": "OTHER", "revision": revision},
        {"reporter": participant, "kind": "OTHER", "revision": revision, "secret_sha256": "x"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            ErrorReport.objects.create(text=WRONG, **wrong)


def test_a_report_keeps_its_secret(public):
    with pytest.raises(ProgrammingError), transaction.atomic():
        ErrorReport.objects.filter(pk=report(public).pk).update(secret_sha256="x")
