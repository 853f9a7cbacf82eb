"""Saves that came too late: they can be read, and one counts once an admin says why."""

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.texts.workflow import NotAllowedNow
from grading.answers.models import Attempt
from grading.board.scores.peoples import collect_peoples
from grading.board.scores.scope import Scope
from grading.studies import actions as studying
from grading.studies.baselines.results import collect
from grading.studies.models import Deviation
from grading.studies.sessions import actions
from grading.studies.sessions.late import LATE_ANSWER, count_late, list_late
from grading.studies.sessions.models import Save, SessionItem
from grading.studies.sessions.tasks import ENDING
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.sessions.conftest import pass_deadline, practise, write
from tests.work import do, grade_attempt

pytestmark = pytest.mark.django_db

RIGHT, WRONG = "m g h", "2 m g h"


def end_late(session, *texts, place=1):
    """Let the time be up, and then texts come for a problem."""
    pass_deadline(session)
    do(ENDING, session.pk)
    for number, text in enumerate(texts, 11):
        write(session, place, text, number=number)
    session.refresh_from_db()


def find_late():
    return Save.objects.filter(is_late=True).order_by("-number").first()


def test_a_late_answer_to_an_empty_problem_counts_once_an_admin_says_why(session, study, admin):
    end_late(session, "m", RIGHT)
    deviation = count_late(save=find_late(), by=admin, why="The network of the room failed.")
    item = SessionItem.objects.get(session=session, place=1)
    assert (item.outcome, item.attempt.response) == ("ANSWERED", RIGHT)
    assert (deviation.field, deviation.why, deviation.by) == (
        LATE_ANSWER,
        "The network of the room failed.",
        admin,
    )
    assert deviation.before["outcome"] == "EMPTY"
    assert deviation.after["save"] == 12
    assert deviation.after["late_by_seconds"] > 5
    grade_attempt(item.attempt_id)
    assert [row.accuracy for row in collect(study).rows] == [100, 0, 0]


def test_the_answer_that_counted_before_stays_with_its_grade_and_counts_no_more(
    session, study, admin
):
    write(session, 1, WRONG)
    end_late(session, RIGHT)
    before = SessionItem.objects.get(session=session, place=1).attempt
    grade_attempt(before.pk)
    deviation = count_late(save=find_late(), by=admin, why="The network failed.")
    item = SessionItem.objects.get(session=session, place=1)
    grade_attempt(item.attempt_id)
    before.refresh_from_db()
    assert before.grades.get().accuracy == 0
    assert before.status == Attempt.Status.CANCELLED
    assert before.response == WRONG
    # The page of an answer says whose it is, and a deviation names a pseudonym.
    assert "attempt" not in deviation.before | deviation.after
    assert (deviation.before["save"], deviation.after["save"]) == (1, 11)
    assert collect(study).rows[0].accuracy == 100
    scope = Scope.of(study.version)
    studying.end_study(study=study, by=admin)
    of_study, without = collect_peoples(scope)
    assert sorted(of_study.scores.accuracy) == [0, 0, 100]
    assert not without.scores.count


def test_no_deviation_repeats_what_people_wrote(session, admin):
    write(session, 1, WRONG)
    end_late(session, RIGHT)
    deviation = count_late(save=find_late(), by=admin, why="The network failed.")
    assert RIGHT not in str(deviation.before) + str(deviation.after)


def test_only_an_admin_counts_a_late_answer_and_says_why(session, admin, participant):
    end_late(session, RIGHT)
    with pytest.raises(PermissionDenied):
        count_late(save=find_late(), by=participant, why="Mine.")
    with pytest.raises(NotAllowedNow, match="Say why"):
        count_late(save=find_late(), by=admin, why="  ")
    assert not Deviation.objects.exists()


def test_to_count_twice_is_refused_and_changes_nothing(session, admin):
    end_late(session, RIGHT)
    count_late(save=find_late(), by=admin, why="The network failed.")
    with pytest.raises(NotAllowedNow, match="counts already"):
        count_late(save=find_late(), by=admin, why="Again.")
    assert Attempt.objects.count() == 1
    assert Deviation.objects.count() == 1


def test_only_the_last_save_of_a_problem_can_count(session, admin):
    end_late(session, "m", RIGHT)
    first = Save.objects.get(number=11)
    with pytest.raises(NotAllowedNow, match="later save"):
        count_late(save=first, by=admin, why="The network failed.")


def test_what_came_late_but_was_typed_before_what_counts_does_not_count(session, admin):
    write(session, 1, RIGHT, number=20)
    end_late(session, WRONG)
    with pytest.raises(NotAllowedNow, match="later save"):
        count_late(save=find_late(), by=admin, why="The network failed.")


def test_an_empty_save_or_notes_can_not_count(session, admin):
    end_late(session, "  ")
    with pytest.raises(NotAllowedNow, match="empty"):
        count_late(save=find_late(), by=admin, why="The network failed.")
    write(session, 1, "See above.", number=30, kind="NOTES")
    with pytest.raises(NotAllowedNow, match="Notes"):
        count_late(save=find_late(), by=admin, why="The network failed.")


def test_a_problem_that_was_given_up_or_seen_before_stays_so(session, participant, admin):
    actions.say_seen(item=session.items.get(place=1), person=participant)
    actions.give_up(item=session.items.get(place=2), person=participant, why="Too long.")
    end_late(session, RIGHT)
    write(session, 2, RIGHT, number=11)
    for place, why in ((1, "seen this problem"), (2, "gave this problem up")):
        save = Save.objects.get(item__place=place, is_late=True)
        with pytest.raises(NotAllowedNow, match=why):
            count_late(save=save, by=admin, why="The network failed.")


def test_late_is_counted_from_when_the_session_was_handed_in(session, study, participant):
    actions.hand_in(session=session, person=participant)
    write(session, 1, RIGHT)
    [late] = list_late(study)
    session.refresh_from_db()
    assert late.late_by == late.arrived_at - session.ended_at


def test_the_page_says_what_counts_and_an_admin_counts_an_answer_there(
    client, session, study, admin
):
    client.force_login(admin)
    address = reverse("grading:study_late", args=[study.pk])
    assert "Nothing was saved too late" in client.get(address).content.decode()
    write(session, 1, WRONG)
    end_late(session, RIGHT)
    page = client.get(address).content.decode()
    assert session.participation.pseudonym in page
    assert WRONG in page
    assert str(session.participation.person) not in page
    count = reverse("grading:count_late", args=[find_late().pk])
    assert "Say why" in client.post(count, {"why": ""}, follow=True).content.decode()
    done = client.post(count, {"why": "The network failed."}, follow=True).content.decode()
    assert "counts. It is graded now" in done
    assert "This text counts already" in done
    study_page = client.get(study.get_absolute_url()).content.decode()
    assert "The network failed." in study_page
    file = client.get(reverse("grading:study_late_csv", args=[study.pk])).content.decode()
    assert len(file.splitlines()) == 2


def test_the_page_of_late_saves_asks_as_often_for_three_as_for_one(client, study, admin):
    client.force_login(admin)
    address = reverse("grading:study_late", args=[study.pk])
    counts = []
    for name in ("a", "b", "c"):
        person = make_person(Role.PARTICIPANT, name)
        end_late(actions.start(participation=practise(study, person), seed=1), RIGHT)
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        counts.append(len(asked))
    assert counts[0] == counts[2]
