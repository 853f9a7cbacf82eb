"""Two clicks, two tabs and a worker at the same moment: one session, and nothing lost."""

import pytest

from grading.answers.models import Attempt
from grading.answers.tasks import GRADING
from grading.studies import actions as studying
from grading.studies.models import Deviation, Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.late import count_late
from grading.studies.sessions.models import Save, Session
from grading.studies.sessions.tasks import ENDING
from phybench.people.models import User
from phybench.work.leases import carry_out
from tests.curation.at_once import at_once
from tests.grading.sessions.conftest import join, pass_deadline, practise, write
from tests.work import do

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("turn", range(3))
def test_two_clicks_on_start_are_one_session(study, participant, turn):
    joined = practise(study, participant)
    start = lambda: actions.start(participation=joined)  # noqa: E731
    assert at_once(start, start) == ["done", "done"]
    assert Session.objects.get().items.count() == 3


@pytest.mark.parametrize("turn", range(3))
def test_the_last_place_is_given_once(study, participant, other, turn):
    Study.objects.filter(pk=study.pk).update(most_people=1)
    results = at_once(lambda: join(study, participant), lambda: join(study, other))
    assert sorted(results) == ["done", "refused"]
    assert Participation.objects.count() == 1


@pytest.mark.parametrize("turn", range(3))
def test_a_save_in_the_grace_is_handed_in_or_is_late_and_never_lost(session, participant, turn):
    item = session.items.get(place=1)
    pass_deadline(session)
    claimed = ENDING.claim(session.pk)
    assert claimed is not None

    def save() -> None:
        write(session, 1, "m g h")

    assert at_once(save, lambda: ENDING.do(claimed)) == ["done", "done"]
    session.refresh_from_db()
    item.refresh_from_db()
    assert session.ending == Session.Ending.TIME_UP
    # It came after the grace: it is kept, and not handed in.
    assert Save.objects.get().is_late
    assert item.outcome == "EMPTY"


@pytest.mark.parametrize("turn", range(3))
def test_one_save_sent_twice_at_once_is_one(session, participant, turn):

    def save() -> None:
        write(session, 1, "m g h")

    assert at_once(save, save) == ["done", "done"]
    assert [one.text for one in Save.objects.all()] == ["m g h"]


def test_a_worker_that_is_lost_leaves_the_session_to_another(session, participant):
    write(session, 1, "m g h")
    pass_deadline(session)
    lost = ENDING.claim(session.pk)
    assert lost is not None
    Session.objects.filter(pk=session.pk).update(lease_until=session.ends_at)
    again = ENDING.claim(session.pk)
    assert again is not None
    ENDING.do(again)
    session.refresh_from_db()
    assert session.ended_at
    # The first comes back late, and changes nothing.
    ended = session.ended_at
    ENDING.do(lost)
    session.refresh_from_db()
    assert session.ended_at == ended
    assert session.items.get(place=1).attempt.response == "m g h"


@pytest.mark.parametrize("turn", range(3))
def test_a_late_answer_that_two_admins_count_at_once_counts_once(session, admin, turn):
    pass_deadline(session)
    do(ENDING, session.pk)
    write(session, 1, "m g h")
    late = Save.objects.get()

    def count() -> None:
        count_late(save=late, by=admin, why="The network failed.")

    assert sorted(at_once(count, count)) == ["done", "refused"]
    assert Attempt.objects.count() == 1
    assert Deviation.objects.count() == 1


def test_what_a_worker_grades_while_another_answer_takes_its_place_counts_no_more(session, admin):
    write(session, 1, "m")
    pass_deadline(session)
    do(ENDING, session.pk)
    write(session, 1, "m g h", number=2)
    graded = GRADING.claim(session.items.get(place=1).attempt_id)
    assert graded is not None
    count_late(save=Save.objects.get(is_late=True), by=admin, why="The network failed.")
    carry_out(GRADING, [graded])
    graded.refresh_from_db()
    assert graded.status == Attempt.Status.CANCELLED
    assert session.items.get(place=1).attempt.response == "m g h"


@pytest.mark.parametrize("turn", range(3))
def test_when_the_last_two_sessions_end_at_once_the_results_are_told(
    study, participant, other, admin, turn
):
    Study.objects.update(shows_results=True)
    sessions = [actions.start(participation=practise(study, one)) for one in (participant, other)]
    for one in sessions:
        write(one, 1, "m g h")
    studying.end_study(study=study, by=admin)
    first, second = sessions
    end = lambda one: actions.hand_in(session=one, person=one.participation.person)  # noqa: E731
    assert at_once(lambda: end(first), lambda: end(second)) == ["done", "done"]
    assert Attempt.objects.filter(told_at__isnull=False).count() == 2


@pytest.mark.parametrize("turn", range(3))
def test_who_ends_one_session_as_they_start_another_sits(study, participant, admin, turn):
    again = studying.make(
        version=study.version, title="Again", by=admin, problems=2, minutes=30,
        joining=Study.Joining.OPEN, consent="I take part.",
    )  # fmt: skip
    studying.open_study(study=again, by=admin)
    session = actions.start(participation=practise(study, participant))
    joined = practise(again, participant)
    end = lambda: actions.hand_in(session=session, person=participant)  # noqa: E731
    start = lambda: actions.start(participation=joined)  # noqa: E731
    assert at_once(end, start) == ["done", "done"]
    sits_until = User.objects.get(pk=participant.pk).sits_until
    assert sits_until == Session.objects.going_on().get().ends_at
