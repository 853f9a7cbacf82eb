"""What sessions write down with people, so that rooms below need not look up at them."""

import random
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, Max, OuterRef, Q

from curation.problems.people.models import Contribution, ContributionKind
from curation.texts.workflow import NotAllowedNow
from curation.versions.permissions import list_to_answer
from grading.answers.actions import CannotAnswer, answer
from grading.answers.models import Attempt, AttemptQuerySet
from grading.answers.permissions import list_own_answers, list_told_answers
from grading.studies import actions as studying
from grading.studies.models import Participation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.late import count_late
from grading.studies.sessions.models import Save, Session, SessionItem
from grading.studies.sessions.permissions import list_problems_of_studies
from grading.studies.sessions.tasks import ENDING
from grading.studies.withdrawals.actions import withdraw
from phybench.people.models import User
from phybench.people.permissions import is_sitting
from tests.grading.sessions.conftest import pass_deadline, practise, write
from tests.work import do, grade_attempt

pytestmark = pytest.mark.django_db


def find_told(person: User) -> AttemptQuerySet:
    """Find from studies and sessions which of their own answers somebody reads the grades of."""
    study = "sat__session__participation__study"
    sits = Session.objects.going_on().filter(participation__study=OuterRef(study))
    has_ended = Q(**{f"{study}__ended_at__isnull": False}) & ~Exists(sits)
    is_told = Q(**{f"{study}__shows_at_once": True}) | has_ended
    is_shown = Q(**{f"{study}__shows_results": True}) & is_told
    # Also that which a late answer took the place of was given in a session.
    own = Session.objects.filter(participation__person=person)
    of_session = own.values("items__study_item__item__revision")
    without = Q(sat=None) & ~Q(revision__in=of_session)
    return list_own_answers(person).filter(without | is_shown)


def assert_written() -> None:
    """Find from the sessions what is to be written down, and that it is."""
    for attempt in Attempt.objects.select_related("solver"):
        of_session = SessionItem.objects.filter(
            session__participation__person=attempt.solver.user,
            study_item__item__revision=attempt.revision_id,
        )
        # Kept without a name, its session is there no more.
        if attempt.solver.user:
            expected = "FILE" if attempt.submission else "OUTSIDE"
            assert attempt.origin == ("STUDY" if of_session.exists() else expected)
    for person in User.objects.all():
        going_on = Session.objects.filter(participation__person=person, ended_at=None)
        assert person.sits_until == going_on.aggregate(last=Max("ends_at"))["last"]
        assert is_sitting(person) == going_on.exists()
        told = set(find_told(person).values_list("pk", flat=True))
        assert set(list_told_answers(person).values_list("pk", flat=True)) == told
        of_studies = list_own_answers(person).filter(origin="STUDY", told_at__isnull=False)
        assert set(of_studies.values_list("pk", flat=True)) <= told


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


# --- What is told of an answer --------------------------------------------------------------


@pytest.fixture
def handed_in(session, participant) -> Attempt:
    """Of a study that shows results; another person has one answer outside studies."""
    Study.objects.update(shows_results=True)
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    return Attempt.objects.get()


def is_told_of(attempt: Attempt) -> bool:
    attempt.refresh_from_db()
    assert_written()
    return attempt.told_at is not None


def test_what_is_answered_outside_studies_is_told(participant, pool):
    attempt = answer(revision=pool[0].accepted_revision, person=participant, response="m")
    assert (attempt.origin, attempt.told_at) == ("OUTSIDE", None)
    assert list_told_answers(participant).get() == attempt
    assert_written()


def test_what_is_answered_in_a_study_is_told_once_it_has_ended(handed_in, study, admin):
    assert handed_in.origin == "STUDY"
    assert not is_told_of(handed_in)
    studying.end_study(study=study, by=admin)
    assert is_told_of(handed_in)


def test_it_is_told_once_the_last_session_has_ended(handed_in, study, other, admin):
    last = actions.start(participation=practise(study, other))
    studying.end_study(study=study, by=admin)
    assert not is_told_of(handed_in)
    actions.hand_in(session=last, person=other)
    assert is_told_of(handed_in)


def test_it_is_told_once_the_last_who_sits_has_withdrawn(handed_in, study, other, admin):
    last = actions.start(participation=practise(study, other))
    studying.end_study(study=study, by=admin)
    assert not is_told_of(handed_in)
    withdraw(participation=last.participation, person=other)
    assert is_told_of(handed_in)


def test_it_is_told_at_once_where_a_study_is_changed_so_and_not_once_it_is_changed_back(
    handed_in, study, admin
):
    for shows in (True, False):
        studying.change(study=study, by=admin, fields={"shows_at_once": shows}, why="It is fair.")
        assert is_told_of(handed_in) is shows


def test_a_late_answer_is_told_in_place_of_the_one_before(handed_in, session, study, admin):
    studying.end_study(study=study, by=admin)
    assert is_told_of(handed_in)
    write(session, 1, "2 m g h", number=9)
    count_late(save=Save.objects.get(is_late=True), by=admin, why="The network failed.")
    assert not is_told_of(handed_in)
    assert is_told_of(Attempt.objects.get(sat__place=1))


def test_an_answer_given_elsewhere_meanwhile_stands_and_stays_what_it_is(
    session, participant, admin
):
    """A page that was open as the session started may still send one."""
    Study.objects.update(shows_results=True)
    revision = session.items.get(place=1).study_item.item.revision
    given = answer(revision=revision, person=participant, response="m")
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    studying.end_study(study=session.participation.study, by=admin)
    given.refresh_from_db()
    assert (given.sat.place, given.origin, given.told_at) == (1, "OUTSIDE", None)
    assert list_told_answers(participant).get() == given


def test_only_what_is_answered_outside_studies_is_credited_to_its_person(
    handed_in, study, other, pool, admin
):
    outside = answer(revision=pool[0].accepted_revision, person=other, response="m g h")
    studying.end_study(study=study, by=admin)
    for one in (handed_in, outside):
        grade_attempt(one.pk)
    solved = Contribution.objects.filter(kind=ContributionKind.SOLVED)
    assert set(solved.values_list("person", flat=True)) == {other.pk}


# --- All of it together ---------------------------------------------------------------------


STEPS = ("start", "start", "write", "hand in", "extend", "time", "withdraw", "end")
STEPS += ("change", "late", "outside")


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
        case "change":
            shown = {name: chance.random() < 0.5 for name in ("shows_results", "shows_at_once")}
            studying.change(study=study, by=admin, fields=shown, why="It is fair.")
        case "late" if late := Save.objects.filter(is_late=True).order_by("-number").first():
            count_late(save=late, by=admin, why="The network failed.")
        case "outside":
            closed = list_problems_of_studies(person)
            left = list_to_answer(person).exclude(pk__in=closed).first()
            if left and chance.random() < 0.3:
                answer(revision=left.accepted_revision, person=person, response="m")


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_it_is_written_down(study, second, participant, other, admin, seed):
    chance = random.Random(seed)
    for _turn in range(30):
        try:
            with transaction.atomic():
                step(chance, [study, second], [participant, other], admin)
        except (NotAllowedNow, CannotAnswer):
            pass
        connection.check_constraints()
        assert_written()


# --- What the database refuses --------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        (
            "UPDATE grading_session SET ends_at = ends_at + interval '1 minute' "
            "WHERE ended_at IS NULL",
            "who_sits_a_session_is_written_down",
        ),
        (
            "UPDATE grading_session SET ended_at = now(), ending = 'STOPPED' "
            "WHERE ended_at IS NULL",
            "who_sits_a_session_is_written_down",
        ),
        (
            "UPDATE grading_session SET ends_at = started_at WHERE ended_at IS NULL",
            "session_ends_after_it_starts",
        ),
        ("UPDATE grading_participation SET consent_sha256 = ''", "consent_is_to_a_text"),
        ("UPDATE grading_participation SET consented_at = NULL", "not-null"),
        ("UPDATE grading_study SET made_by_id = NULL", "not-null"),
        ("UPDATE grading_attempt SET origin = 'OUTSIDE'", "answer_is_frozen"),
        (
            "UPDATE grading_attempt SET told_at = now(), status = 'CANCELLED'",
            "a_study_tells_of_its_answers_that_count",
        ),
        (
            "INSERT INTO grading_attempt (solver_id, revision_id, origin, sample, response, status,"
            " priority, queued_at, tries, lost, finish_reason, failure_reason, created_at)"
            " SELECT solver_id, revision_id, 'FILE', 2, 'm', 'CANCELLED', 2, now(), 0, 0, '', '',"
            " now() FROM grading_attempt",
            "answer_is_of_a_file_or_a_persons",
        ),
        ("UPDATE grading_study SET minutes = 0", "study_has_problems_and_time"),
        ("UPDATE grading_study SET opened_by_id = NULL", "study_is_opened_by_somebody"),
        (
            "UPDATE grading_study SET ended_at = now()",
            "study_is_ended_by_somebody_after_it_was_opened",
        ),
    ],
)
def test_what_can_not_be_is_refused(session, second, participant, statement, name):
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    actions.start(participation=practise(second, participant))
    connection.check_constraints()
    with pytest.raises(DatabaseError, match=name):
        run(statement)


@transaction.atomic
def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
