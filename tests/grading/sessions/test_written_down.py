"""What sessions write down with people, so that rooms below need not look up at them."""

import random
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Max

from curation.texts.workflow import NotAllowedNow
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import Participation, Session
from grading.studies.sessions.tasks import ENDING
from grading.studies.sessions.withdrawal import withdraw
from phybench.people.models import User
from phybench.people.permissions import is_sitting
from tests.grading.sessions.conftest import pass_deadline, practise, write
from tests.work import do

pytestmark = pytest.mark.django_db


def assert_written() -> None:
    """Find from the sessions what is to be written down, and that it is."""
    for person in User.objects.all():
        going_on = Session.objects.filter(participation__person=person, ended_at=None)
        assert person.sits_until == going_on.aggregate(last=Max("ends_at"))["last"]
        assert is_sitting(person) == going_on.exists()


@pytest.fixture
def second(study: Study, admin: User) -> Study:
    made = studying.make(
        version=study.version, title="Again", by=admin, problems=2, minutes=30,
        joining=Study.Joining.OPEN, consent="I take part.",
    )  # fmt: skip
    studying.open_study(study=made, by=admin)
    return Study.objects.get(pk=made.pk)


# --- Who sits -------------------------------------------------------------------------------


def test_who_starts_sits_until_the_end_of_their_time(session, participant, other):
    assert User.objects.get(pk=participant.pk).sits_until == session.ends_at
    assert not is_sitting(other)


def test_who_gets_more_time_sits_longer(session, participant, admin):
    actions.extend(session=session, by=admin, minutes=7, why="The bus was late.")
    later = session.ends_at + timedelta(minutes=7)
    assert User.objects.get(pk=participant.pk).sits_until == later


def test_who_hands_in_sits_no_more(session, participant):
    actions.hand_in(session=session, person=participant)
    assert not is_sitting(participant)


def test_whose_time_is_up_sits_until_a_worker_has_ended_the_session(session, participant):
    pass_deadline(session)
    assert is_sitting(participant)
    do(ENDING, session.pk)
    assert not is_sitting(participant)


def test_who_withdraws_sits_no_more(session, participant):
    withdraw(participation=session.participation, person=participant)
    assert not is_sitting(participant)


def test_who_sits_a_study_that_an_admin_ends_goes_on_sitting(session, participant, admin):
    studying.end_study(study=session.participation.study, by=admin)
    assert is_sitting(participant)


def test_of_two_sessions_the_one_that_goes_on_is_written_down(session, second, participant):
    shorter = actions.start(participation=practise(second, participant), seed=1)
    assert User.objects.get(pk=participant.pk).sits_until == session.ends_at
    actions.hand_in(session=session, person=participant)
    assert User.objects.get(pk=participant.pk).sits_until == shorter.ends_at


def test_who_saves_a_person_read_before_a_session_leaves_it_written_down(session, participant):
    before = User.objects.get(pk=participant.pk)
    actions.hand_in(session=session, person=participant)
    before.display_name = "Somebody else"
    before.save()
    assert not is_sitting(participant)
    assert User.objects.get(pk=participant.pk).display_name == "Somebody else"


# --- All of it together ---------------------------------------------------------------------


STEPS = ("start", "start", "write", "hand in", "extend", "time", "withdraw", "end")


def step(chance: random.Random, studies: list[Study], people: list[User], admin: User) -> None:
    """Do one of all that changes it, where it can be done."""
    person, study = chance.choice(people), Study.objects.get(pk=chance.choice(studies).pk)
    own = Participation.objects.filter(study=study, person=person).first()
    session = Session.objects.filter(participation=own).first() if own else None
    match chance.choice(
        ["start", "start", "write", "hand in", "extend", "time", "withdraw", "end"]
    ):
        case "start":
            actions.start(participation=practise(study, person))
        case "write" if session:
            write(session, 1, "m g h", number=chance.randrange(1, 99))
        case "hand in" if session:
            actions.hand_in(session=session, person=person)
        case "extend" if session:
            actions.extend(session=session, by=admin, minutes=9, why="The bus was late.")
        case "time" if session and session.ended_at is None:
            pass_deadline(session)
            do(ENDING, session.pk)
        case "withdraw" if own and chance.random() < 0.3:
            withdraw(participation=own, person=person)
        case "end" if chance.random() < 0.3:
            studying.end_study(study=study, by=admin)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_it_is_written_down(study, second, participant, other, admin, seed):
    chance = random.Random(seed)
    for _turn in range(30):
        try:
            with transaction.atomic():
                step(chance, [study, second], [participant, other], admin)
        except NotAllowedNow:
            pass
        connection.check_constraints()
        assert_written()


# --- What the database refuses --------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (
            "UPDATE grading_session SET ends_at = ends_at + interval '1 minute'",
            "who_sits_a_session_is_written_down",
        ),
        (
            "UPDATE grading_session SET ended_at = now(), ending = 'STOPPED'",
            "who_sits_a_session_is_written_down",
        ),
        (
            "UPDATE grading_session SET ends_at = started_at",
            "session_ends_after_it_starts",
        ),
        ("UPDATE grading_participation SET consent_sha256 = ''", "consent_is_to_a_text"),
        ("UPDATE grading_participation SET consented_at = NULL", "not-null"),
        ("UPDATE grading_study SET made_by_id = NULL", "not-null"),
        ("UPDATE grading_study SET minutes = 0", "study_has_problems_and_time"),
        ("UPDATE grading_study SET opened_by_id = NULL", "study_is_opened_by_somebody"),
        (
            "UPDATE grading_study SET ended_at = now()",
            "study_is_ended_by_somebody_after_it_was_opened",
        ),
    ],
)
def test_what_can_not_be_is_refused(session, statement, name):
    connection.check_constraints()
    with pytest.raises(DatabaseError, match=name):
        run(statement)


@transaction.atomic
def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
