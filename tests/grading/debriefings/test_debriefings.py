"""After a session people rate the problems, and are told what the study shows."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.answers.models import Attempt
from grading.studies import actions as studying
from grading.studies.debriefings.models import Debriefing
from grading.studies.models import Study
from grading.studies.sessions import actions
from tests.grading.sessions.conftest import write
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(session, participant):
    write(session, 1, "m g h")
    write(session, 2, "2 m g h")
    actions.hand_in(session=session, person=participant)
    for attempt in Attempt.objects.all():
        grade_attempt(attempt.pk)
    session.refresh_from_db()
    return session


@pytest.fixture
def address(ended, client, participant) -> str:
    client.force_login(participant)
    return reverse("grading:debrief", args=[ended.pk])


def read(client, address: str) -> str:
    return client.get(address).content.decode().split("<main")[1]


def test_a_study_that_shows_nothing_tells_neither_grade_nor_key(client, address, participant):
    page = read(client, address)
    assert "Reference answer" not in page
    assert "Graded" not in page
    assert not Exposure.objects.filter(person=participant, part__in=["ANSWER", "VERDICT"]).exists()


def test_grades_of_a_session_are_told_on_no_other_page_either(client, address, participant):
    attempt = Attempt.objects.first()
    page = client.get(reverse("grading:to_answer")).content.decode()
    assert attempt.get_absolute_url() not in page
    assert client.get(attempt.get_absolute_url()).status_code == 404
    assert client.get(reverse("grading:contest", args=[attempt.pk])).status_code == 403
    assert not participant.credits.exists()


def test_results_are_told_when_the_study_has_ended(client, address, admin):
    Study.objects.update(shows_results=True)
    assert "when the study has ended" in read(client, address)
    studying.end_study(study=Study.objects.get(), by=admin)
    page = read(client, address)
    assert "EED" in page
    assert client.get(Attempt.objects.first().get_absolute_url()).status_code == 200


def test_results_are_told_at_once_where_the_study_says_so(client, address):
    Study.objects.update(shows_results=True, shows_at_once=True)
    assert "EED" in read(client, address)


def test_who_is_shown_the_key_is_written_down_and_asked_whether_it_is_right(
    client, address, participant
):
    Study.objects.update(shows_keys=True, shows_at_once=True)
    page = read(client, address)
    assert page.count("The reference answer is") == 3
    # Of the wrong answer alone.
    assert page.count("a slip:") == 1
    assert Exposure.objects.filter(person=participant, part="ANSWER", reason="SIT").count() == 3


def test_what_is_said_is_kept_and_can_be_said_anew(client, address, ended):
    Study.objects.update(shows_keys=True, shows_at_once=True)
    said = {
        "problem-1-clarity": "4",
        "problem-1-rigour": "2",
        "problem-2-key_opinion": "WRONG",
        "problem-2-cause": "SLIP",
        "problem-2-comment": "A factor 2.",
    }
    assert client.post(address, said).status_code == 302
    assert Debriefing.objects.count() == 2
    client.post(address, {**said, "problem-1-clarity": "5"})
    first, second = Debriefing.objects.order_by("item__place")
    assert (first.clarity, first.rigour) == (5, 2)
    assert (second.key_opinion, second.cause, second.comment) == ("WRONG", "SLIP", "A factor 2.")


def test_nothing_is_taken_that_was_not_asked(client, address):
    client.post(address, {"problem-2-cause": "SLIP", "problem-2-key_opinion": "WRONG"})
    assert not Debriefing.objects.exists()


def test_a_rating_that_is_none_is_refused_and_nothing_is_lost(client, address):
    sent = {"problem-1-clarity": "9", "problem-2-comment": "Nice."}
    answer = client.post(address, sent)
    assert answer.status_code == 200
    assert "Nice." in answer.content.decode()
    assert not Debriefing.objects.exists()


def test_of_a_session_that_goes_on_nothing_is_said(client, session, participant):
    client.force_login(participant)
    address = reverse("grading:debrief", args=[session.pk])
    assert client.get(address).status_code == 302


def test_those_who_may_read_the_key_read_what_people_said(client, address, ended, admin, other):
    Study.objects.update(shows_keys=True, shows_at_once=True)
    client.post(address, {"problem-2-clarity": "2", "problem-2-comment": "What is h?"})
    problem = ended.items.get(place=2).study_item.item.problem
    said = reverse("grading:said_of_problem", args=[problem.pk])
    assert client.get(said).status_code == 404
    client.force_login(admin)
    page = client.get(said).content.decode()
    assert "What is h?" in page
    assert "2.0 of 5" in page
    assert ended.participation.pseudonym not in page


def test_the_page_asks_as_often_for_three_answers_as_for_none(client, session, participant):
    Study.objects.update(shows_keys=True, shows_results=True, shows_at_once=True)
    actions.hand_in(session=session, person=participant)
    client.force_login(participant)
    address = reverse("grading:debrief", args=[session.pk])
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    assert len(asked) <= 20
