import csv
import io

import pytest
from django.urls import reverse

from curation.reports import actions as reporting
from curation.reports.models import ErrorReport
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.errors.reports import accept_correction, decide, report_error
from tests.curation.errors.test_error_pages import get, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def report(accepted_problem, participant) -> ErrorReport:
    return report_error(accepted_problem, participant)


@pytest.fixture
def several(client, report, accepted_problem, contributor, evaluator, admin) -> list[ErrorReport]:
    """Three reports on one problem: open, waiting for its correction, closed."""
    closed = report_error(accepted_problem, evaluator, kind="SOLUTION", text="A sign is wrong.")
    decide(closed, admin, "NO_ERROR", "It is right.")
    waiting = report_error(accepted_problem, contributor, kind="STATEMENT", text="Which height?")
    decide(waiting, admin, "STATEMENT_FIXED")
    return [report, waiting, closed]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "120"),
        ("?show=mine", ""),
        ("?stand=new", "0"),
        ("?stand=waiting", "1"),
        ("?stand=NO_ERROR", "2"),
        ("?stand=STATEMENT_FIXED", ""),
        ("?kind=SOLUTION", "2"),
        ("?q=which", "1"),
        ("?q=falling", "120"),
        ("?q=C0&kind=nonsense", ""),
        ("?sort=reported", "021"),
        ("?show=nonsense&sort=nonsense&page=nonsense&kind=nonsense", "120"),
    ],
)
def test_admins_find_reports(client, admin, several, query, found):
    client.force_login(admin)
    page = client.get(reverse("curation:reports") + query)
    listed = [several.index(one) for one in page.context["page"]]
    assert listed == [int(one) for one in found]
    table = client.get(f"{reverse('curation:reports')}{query or '?'}&as=csv").content.decode()
    numbers = [int(row["report"]) for row in csv.DictReader(io.StringIO(table))]
    assert numbers == [several[one].pk for one in listed]


def test_everybody_lists_their_own_and_writers_those_on_their_problems(
    client, several, participant, contributor, evaluator
):
    address = reverse("curation:reports")
    for person, query, count in (
        (participant, "", 1),
        (evaluator, "", 1),
        (contributor, "", 1),
        (contributor, "?show=others", 2),
        (participant, "?show=others", 0),
        # That list is for admins.
        (participant, "?show=all", 1),
    ):
        client.force_login(person)
        page = client.get(address + query)
        assert page.context["page"].paginator.count == count, (person, query)
    client.force_login(contributor)
    table = client.get(reverse("curation:reports") + "?show=others&as=csv").content.decode()
    assert "Participant" not in table
    assert "A sign is wrong." in table


def test_the_file_is_of_the_list_as_it_is_narrowed_and_sorted(client, admin, several):
    client.force_login(admin)
    query = "?show=all&q=which&sort=reported&page=1"
    page = client.get(reverse("curation:reports") + query).content.decode()
    file = "?show=all&amp;q=which&amp;sort=reported&amp;as=csv"
    assert f'<a href="{file}">' in page
    assert 'href="?show=all&amp;as=csv"' in get(client, admin, reverse("curation:reports"))


def test_scripts_get_the_rows_alone_with_what_the_form_keeps(client, admin, several):
    client.force_login(admin)
    asked = {"HX-Request": "true", "HX-Target": "rows"}
    address = reverse("curation:reports") + "?sort=reported&q=which"
    part = client.get(address, headers=asked).content.decode()
    assert "<form" not in part
    assert "<h1" not in part
    assert f"Report {several[1].pk}" in part
    assert '<input type="hidden" name="sort" value="reported">' in part
    assert "HX-Request" in client.get(address)["Vary"]
    # What asks for another part is given the page.
    assert "<h1" in client.get(address, headers={"HX-Request": "true"}).content.decode()


def test_a_list_is_only_read(client, admin):
    client.force_login(admin)
    assert client.post(reverse("curation:reports")).status_code == 405


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_and_the_report_take_as_many_queries_for_three_rows_as_for_one(
    client, report, accepted_problem, admin, count, django_assert_num_queries
):
    for number in range(1, count):
        report_error(accepted_problem, make_person(Role.PARTICIPANT, f"reader-{number}"))
    for number in range(count):
        reporting.reply(report=report, person=admin, text=f"So {number}?")
    client.force_login(admin)
    with django_assert_num_queries(14):
        client.get(reverse("curation:reports"))
    with django_assert_num_queries(3):
        client.get(reverse("curation:reports") + "?as=csv")
    with django_assert_num_queries(19):
        client.get(report.get_absolute_url())
    with django_assert_num_queries(15):
        client.get(page_of("new_report", accepted_problem))


@pytest.mark.parametrize("count", [1, 3])
def test_a_problem_takes_as_many_queries_for_three_reports_and_errata_as_for_one(
    client, admin, contributor, reviewer, accepted_problem, count, django_assert_num_queries
):
    reports = [
        report_error(accepted_problem, make_person(Role.PARTICIPANT, f"reader-{number}"))
        for number in range(count)
    ]
    for report in reports:
        decide(report, admin, "KEY_FIXED")
    accept_correction(accepted_problem, contributor, reviewer)
    client.force_login(admin)
    with django_assert_num_queries(30):
        page = client.get(accepted_problem.get_absolute_url())
    assert len(page.context["errata"]) == count


def test_home_tells_admins_what_is_to_be_decided(client, report, admin):
    assert "1 error report to decide" in get(client, admin, reverse("inbox"))
    decide(report, admin, "NO_ERROR")
    assert "error report to decide" not in get(client, admin, reverse("inbox"))
