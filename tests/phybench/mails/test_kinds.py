"""What each kind of e-mail tells, to whom, and what it keeps to itself."""

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.urls import reverse

from curation.members import requests
from curation.problems.models import Problem
from curation.reports import actions as reporting
from curation.reviewing.discussion import actions as talking
from grading.submissions.notices.models import Notice
from phybench.news.desks.news import WAITING
from phybench.news.mails.choosing import choose
from phybench.news.mails.models import When
from phybench.people.models import Role, User
from tests.conftest import make_person, submit
from tests.curation.reviewing.rounds.opened import review
from tests.grading.answers.test_views import grade_all
from tests.grading.conftest import HandIn, hand_in, problems
from tests.work import send_mails

__all__ = ["hand_in", "problems"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def from_midnight_on(settings) -> None:
    settings.DIGEST_FROM_HOUR = 0


def read(person: User) -> str:
    """Send what is due, and return all that one person got."""
    send_mails()
    found: list[EmailMessage] = [one for one in mail.outbox if one.to == [person.email]]
    return "\n".join(one.body for one in found)


def test_an_author_is_told_of_comments_once_the_round_is_closed_and_not_what_they_say(
    draft, contributor, reviewer
):
    waiting = submit(draft, contributor)
    talking.open_thread(
        review_round=waiting, writer=reviewer, part="PROBLEM", text="Which ball is it?"
    )
    assert "comment" not in read(contributor)
    review(waiting, reviewer, "REVISE")
    said = read(contributor)
    assert "1 new message about “A falling ball”." in said
    assert "came back from review" in said
    assert "Which ball" not in said


def test_who_writes_a_problem_is_told_of_an_error_report_and_who_reported_it_is_not(
    accepted_problem, contributor, participant
):
    report = reporting.report_error(
        problem=accepted_problem, reporter=participant, kind="STATEMENT", text="Which ball?"
    )
    said = read(contributor)
    assert "An error was reported in “A falling ball”." in said
    assert report.get_absolute_url() in said
    assert "Which ball" not in said
    assert read(participant) == ""


@pytest.mark.parametrize("outcome", ["granted", "declined"])
def test_who_asked_for_a_role_is_told_what_an_admin_decided(admin, outcome):
    newcomer = make_person(None)
    asked = requests.ask(person=newcomer, role="REVIEWER")
    assert read(newcomer) == ""
    if outcome == "granted":
        requests.grant(request=asked, by=admin)
        expected = "You now have the role reviewer."
    else:
        requests.decline(request=asked, by=admin, reason="Write a problem first.")
        expected = (
            "declined your request for the role reviewer.\nThe reason: Write a problem first."
        )
    said = read(newcomer)
    assert expected in said
    assert reverse("profile") + "?tab=roles" in said
    send_mails()
    assert len([one for one in mail.outbox if one.to == [newcomer.email]]) == 1


def test_who_withdrew_a_request_is_not_told(admin):
    newcomer = make_person(None)
    asked = requests.ask(person=newcomer, role="REVIEWER")
    requests.take_back(request=asked, person=newcomer)
    assert read(newcomer) == ""


def test_who_uploaded_is_told_when_all_is_graded_unless_they_asked_for_that(
    problems: list[Problem], hand_in: HandIn, evaluator
):
    first = hand_in((problems[0], "m g h"), model="First")
    asked = hand_in((problems[0], "m g h"), model="Second")
    Notice.objects.create(draft=asked.made_from.draft, person=evaluator, way="MAIL")
    assert read(evaluator) == ""
    grade_all()
    said = read(evaluator)
    assert f"All answers of {first} are graded." in said
    assert reverse("grading:submission", args=[first.pk]) in said
    assert str(asked) not in said


def test_an_admin_is_told_once_a_day_what_waits_and_nothing_where_nothing_does(
    accepted_problem, admin, participant
):
    assert read(admin) == ""


def test_an_admin_is_told_what_waits(accepted_problem, admin, participant):
    reporting.report_error(
        problem=accepted_problem, reporter=participant, kind="STATEMENT", text="Which?"
    )
    said = read(admin)
    assert "1 error report to decide." in said
    assert read(admin) == said
    other = make_person(Role.ADMIN, "other-admin")
    choose(other, [(WAITING, When.NEVER)])
    assert read(other) == ""
