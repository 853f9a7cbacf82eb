"""Withdrawing deletes what somebody wrote and forgets them; the page says what remains."""

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.answers.models import Attempt, Grade
from grading.disputes.contests.actions import contest
from grading.solvers.models import Solver
from grading.studies.actions import tell_results
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.late import count_late
from grading.studies.sessions.models import Exclusion, Save, Session, SessionItem, Trace
from grading.studies.sessions.sync import Event, take
from grading.studies.withdrawals.actions import list_work, withdraw
from tests.grading.sessions.conftest import practise, write
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(session, participant, admin):
    """A session with an answer that is graded, one that is not yet, notes, times and more time."""
    write(session, 1, "m g h")
    write(session, 2, "2 m g h")
    write(session, 2, "my notes", number=2, kind="NOTES")
    take(session=session, person=participant, tab="one", events=[Event(1, "SHOWN", 900, "", 1)])
    actions.extend(session=session, by=admin, minutes=5, why="The bus was late.")
    actions.hand_in(session=session, person=participant)
    grade_attempt(Attempt.objects.get(sat__place=1).pk)
    actions.leave_out(participation=session.participation, by=admin, why="Asked a friend.")
    # What is asked at a commit is asked here: a withdrawal comes in a transaction of its own.
    connection.check_constraints()
    return session


def test_who_withdraws_leaves_nothing_but_that_there_was_somebody(ended, participant):
    done = withdraw(participation=ended.participation, person=participant)
    assert (done.deleted, done.unnamed) == (2, 0)
    for rows in (Session, SessionItem, Save, Trace, Attempt, Grade, Exclusion):
        assert not rows.objects.exists(), rows
    left = Participation.objects.get()
    assert left.person is None
    assert left.answers == {}
    assert left.withdrawn_at
    assert left.consent_sha256


def test_an_answer_that_a_late_one_took_the_place_of_goes_too(ended, participant, admin):
    write(ended, 1, "3 m g h", number=7)
    count_late(save=Save.objects.get(number=7), by=admin, why="The network was down.")
    assert Attempt.objects.count() == 3
    assert withdraw(participation=ended.participation, person=participant).deleted == 3
    assert not Attempt.objects.exists()


def test_problems_stay_known_to_who_withdrew_and_are_not_answered_elsewhere(client, ended):
    client.force_login(ended.participation.person)
    client.get(reverse("grading:own_data", args=[ended.pk]))
    problem = ended.items.first().study_item.item.problem
    withdraw(participation=ended.participation, person=ended.participation.person)
    Study.objects.update(joining=Study.Joining.LIST)
    assert Exposure.objects.filter(reason="SIT", revision__problem=problem).exists()
    page = client.get(reverse("grading:answer", args=[problem.pk])).content.decode()
    assert 'name="response"' not in page


def test_an_answer_on_which_others_have_worked_stays_without_a_name(ended, participant):
    Study.objects.update(shows_results=True, shows_at_once=True)
    tell_results(ended.participation.study)
    connection.check_constraints()
    attempt = Attempt.objects.get(sat__place=2)
    grade_attempt(attempt.pk)
    contest(attempt=attempt, by=participant, reason="KEY_WRONG", text="It is right.")
    done = withdraw(participation=ended.participation, person=participant)
    assert (done.deleted, done.unnamed) == (1, 1)
    attempt.refresh_from_db()
    assert attempt.solver.user is None
    assert Solver.objects.get(user=participant) != attempt.solver


def test_nobody_withdraws_for_somebody_else(ended, other, admin):
    for person in (other, admin):
        with pytest.raises(PermissionDenied):
            withdraw(participation=ended.participation, person=person)
    assert Session.objects.exists()


def test_withdrawing_in_the_middle_of_a_session_ends_it(client, session, participant):
    write(session, 1, "m g h")
    client.force_login(participant)
    page = client.get(reverse("grading:withdraw_from_study", args=[session.participation.study_id]))
    assert "Your session is going on" in page.content.decode()
    assert Session.objects.exists()
    client.post(reverse("grading:withdraw_from_study", args=[session.participation.study_id]))
    assert not Session.objects.exists()
    body = json.dumps({"tab": "one", "events": [{"place": 1, "kind": "ANSWER", "number": 2}]})
    answer = client.post(
        reverse("grading:sync_session", args=[session.pk]), body, content_type="application/json"
    )
    assert answer.status_code == 404


def test_the_place_of_who_withdrew_is_free_again(ended, participant, other):
    Study.objects.update(most_people=1)
    withdraw(participation=ended.participation, person=participant)
    assert practise(Study.objects.get(), other).person == other


def test_a_worker_that_grades_an_answer_meanwhile_leaves_nothing_behind(ended, participant):
    from grading.answers.grader import grade_all
    from grading.answers.tasks import GRADING

    waiting = Attempt.objects.get(sat__place=2)
    claimed = GRADING.claim(waiting.pk)
    withdraw(participation=ended.participation, person=participant)
    grade_all([claimed])
    assert not Attempt.objects.exists()
    assert not Grade.objects.exists()


def test_what_keeps_an_answer_without_its_name_is_what_others_made_of_it():
    assert {(one.related_model.__name__, one.field.name) for one in list_work()} == {
        ("AuditItem", "attempt"),
        ("Contest", "attempt"),
        ("FirstErrorItem", "attempt"),
        ("JudgeItem", "attempt"),
        ("JudgeItem", "other"),
        ("Judgement", "attempt"),
        ("Ruling", "attempt"),
    }
