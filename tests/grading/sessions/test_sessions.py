"""A session: who gets one, what is saved, and what its end hands in."""

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.db import Error, transaction
from django.utils import timezone

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.exposures.models import Exposure
from curation.texts.workflow import NotAllowedNow
from grading.answers.actions import answer
from grading.answers.models import Attempt
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import GRACE, Save, Session, Trace
from grading.studies.sessions.sync import Event, take
from grading.studies.sessions.tasks import ENDING
from tests.grading.sessions.conftest import join, pass_deadline, practise, write
from tests.work import do

pytestmark = pytest.mark.django_db


def outcomes(session) -> list[tuple[str, str | None]]:
    return [
        (one.outcome, one.attempt and one.attempt.response)
        for one in session.items.select_related("attempt")
    ]


# --- Joining and starting -------------------------------------------------------------------


def test_nobody_takes_part_without_consent_or_twice(study, participant):
    with pytest.raises(NotAllowedNow, match="consent"):
        actions.join(study=study, person=participant, consents=False, answers={})
    assert join(study, participant) == join(study, participant)


def test_an_admin_an_author_or_who_is_not_on_the_list_does_not_join(study, admin, contributor):
    for person in (admin, contributor):
        with pytest.raises(PermissionDenied):
            join(study, person)


def test_who_is_on_the_list_joins_and_others_do_not(study, participant, other, admin):
    Study.objects.filter(pk=study.pk).update(joining="LIST")
    study.refresh_from_db()
    study.invitations.create(person=participant, invited_by=admin)
    join(study, participant)
    with pytest.raises(PermissionDenied):
        join(study, other)


def test_a_full_study_takes_nobody_else(study, participant, other):
    Study.objects.filter(pk=study.pk).update(most_people=1)
    join(study, participant)
    with pytest.raises(NotAllowedNow, match="as many people"):
        join(study, other)


@pytest.mark.parametrize(
    "fields",
    [
        {"opens_at": timezone.now() + timedelta(days=1)},
        {"closes_at": timezone.now() - timedelta(days=1)},
    ],
)
def test_outside_of_its_days_nobody_joins_or_starts(study, participant, other, fields):
    joined = join(study, participant)
    Study.objects.filter(pk=study.pk).update(**fields)
    with pytest.raises(NotAllowedNow, match="not open"):
        join(study, other)
    with pytest.raises(NotAllowedNow, match="not open"):
        actions.start(participation=joined)


def test_to_start_twice_is_one_session(session):
    again = actions.start(participation=session.participation)
    assert again == session
    assert session.items.count() == 3


def test_a_problem_that_somebody_was_shown_or_has_answered_is_not_given(study, participant, pool):
    ledger.record(participant, Reason.READ, pool[0].accepted_revision)
    answer(revision=pool[1].accepted_revision, person=participant, response="m")
    left = actions.list_candidates(study, participant)
    items = study.items.filter(pk__in=[one.pk for one in left])
    assert set(items.values_list("item__problem", flat=True)) == {one.pk for one in pool[2:]}


def test_who_knows_too_many_problems_is_told_so(study, participant, pool):
    for problem in pool[:4]:
        ledger.record(participant, Reason.READ, problem.accepted_revision)
    with pytest.raises(NotAllowedNow, match=r"Left: 2\. A session needs 3"):
        actions.start(participation=practise(study, participant))


# --- Saving ---------------------------------------------------------------------------------


def test_the_last_that_was_typed_counts_though_it_arrived_first(session):
    write(session, 1, "m g h", number=3)
    write(session, 1, "m g", number=2)
    write(session, 1, "m", number=1)
    actions.hand_in(session=session, person=session.participation.person)
    assert outcomes(session)[0] == ("ANSWERED", "m g h")


def test_a_save_that_is_sent_again_changes_nothing(session):
    write(session, 1, "m g h", number=1)
    written = write(session, 1, "m g h", number=1)
    assert (written.newest[1], written.not_kept) == (1, [])
    assert [one.text for one in Save.objects.all()] == ["m g h"]


@pytest.mark.parametrize(("kind", "text"), [("ANSWER", "another text"), ("NOTES", "m g h")])
def test_a_save_whose_number_is_taken_is_named_as_not_kept(session, participant, kind, text):
    write(session, 1, "m g h", number=1)
    events = [Event(1, "OPENED"), Event(2, "ANSWER", 1, "m"), Event(1, kind, 1, text)]
    told = take(session=session, person=participant, tab="one", events=events)
    assert told.not_kept == [(2, 1, kind, 1)]
    assert [one.text for one in Save.objects.all()] == ["m g h", "m"]


def test_of_two_saves_with_one_number_in_one_request_the_second_is_named(session, participant):
    events = [Event(1, "ANSWER", 1, "m"), Event(1, "ANSWER", 1, "m g")]
    told = take(session=session, person=participant, tab="one", events=events)
    assert [one.event for one in told.not_kept] == [1]


def test_saves_are_never_overwritten(session):
    write(session, 1, "m g h")
    with pytest.raises(Error, match="save_stays"), transaction.atomic():
        Save.objects.update(text="m")


def test_a_second_tab_saves_only_once_it_has_taken_over(session, participant):
    actions.take_over(session=session, person=participant, tab="one")
    write(session, 1, "m g h", tab="one")
    with pytest.raises(actions.OtherTab):
        write(session, 1, "m", number=2, tab="two")
    actions.take_over(session=session, person=participant, tab="two")
    write(session, 1, "m g", number=2, tab="two")
    with pytest.raises(actions.OtherTab):
        write(session, 1, "m", number=3, tab="one")


def test_nobody_saves_in_anothers_session(session, other):
    with pytest.raises(PermissionDenied):
        take(session=session, person=other, tab="", events=[Event(1, "ANSWER", 1, "m")])


# --- The end --------------------------------------------------------------------------------


def test_at_the_deadline_a_worker_hands_in_what_is_saved(session):
    write(session, 1, "m g h")
    write(session, 2, "   ")
    pass_deadline(session)
    do(ENDING, session.pk)
    session.refresh_from_db()
    assert session.ending == Session.Ending.TIME_UP
    assert outcomes(session) == [("ANSWERED", "m g h"), ("EMPTY", None), ("EMPTY", None)]
    assert Attempt.objects.get().status == "QUEUED"


def test_a_save_within_the_grace_counts_and_a_later_one_is_kept_as_late(session):
    pass_deadline(session, by=timedelta(seconds=1))
    assert not write(session, 1, "m g h").late
    pass_deadline(session)
    assert write(session, 1, "m g", number=2).late
    do(ENDING, session.pk)
    assert outcomes(session)[0] == ("ANSWERED", "m g h")
    assert write(session, 1, "m", number=3).late
    assert Save.objects.filter(is_late=True).count() == 2


def test_after_the_end_nothing_else_is_taken(session, participant):
    actions.hand_in(session=session, person=participant)
    item = session.items.first()
    for late in (
        lambda: actions.mark(item=item, person=participant, is_marked=True),
        lambda: actions.say_seen(item=item, person=participant),
        lambda: actions.give_up(item=item, person=participant, why="Too long."),
    ):
        with pytest.raises(actions.SessionOver):
            late()


def test_to_hand_in_twice_ends_it_once(session, participant):
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    session.refresh_from_db()
    ended = session.ended_at
    actions.hand_in(session=session, person=participant)
    session.refresh_from_db()
    assert (session.ended_at, session.ending) == (ended, Session.Ending.STOPPED)
    assert Attempt.objects.count() == 1


def test_a_session_that_got_more_time_goes_on(session, admin):
    pass_deadline(session)
    actions.extend(session=session, by=admin, minutes=10, why="The net was down.")
    session.refresh_from_db()
    assert session.is_open(timezone.now())
    assert ENDING.claim(session.pk) is None
    assert session.extensions.get().why == "The net was down."


def test_a_session_that_got_more_time_has_its_grace_too(session, admin):
    ended = session.ends_at
    actions.extend(session=session, by=admin, minutes=10, why="The net was down.")
    session.refresh_from_db()
    assert session.ends_at == ended + timedelta(minutes=10)
    assert session.next_at == session.ends_at + GRACE


def test_more_time_needs_a_reason_and_an_admin(session, admin, participant):
    with pytest.raises(NotAllowedNow, match="Say why"):
        actions.extend(session=session, by=admin, minutes=10, why=" ")
    with pytest.raises(PermissionDenied):
        actions.extend(session=session, by=participant, minutes=10, why="Please.")


# --- Given up, seen before, empty ------------------------------------------------------------


def test_given_up_seen_before_and_empty_are_told_apart(session, participant):
    first, second, _third = session.items.all()
    actions.say_seen(item=first, person=participant)
    write(session, 2, "m g")
    actions.give_up(item=second, person=participant, why="I lack the theory.")
    actions.hand_in(session=session, person=participant)
    assert [outcome for outcome, _response in outcomes(session)] == ["SEEN", "GAVE_UP", "EMPTY"]
    assert not Attempt.objects.exists()


def test_to_have_seen_a_problem_is_said_before_the_first_keystroke_only(session, participant):
    write(session, 1, "m")
    with pytest.raises(NotAllowedNow, match="begun to answer"):
        actions.say_seen(item=session.items.get(place=1), person=participant)


def test_to_give_up_takes_a_reason_and_can_be_taken_back(session, participant):
    item = session.items.first()
    with pytest.raises(NotAllowedNow, match="why you give"):
        actions.give_up(item=item, person=participant, why="")
    actions.give_up(item=item, person=participant, why="Too long.")
    actions.go_on(item=item, person=participant)
    write(session, item.place, "m g h")
    actions.hand_in(session=session, person=participant)
    assert outcomes(session)[0] == ("ANSWERED", "m g h")


def test_what_somebody_is_shown_in_a_session_is_written_down(session, participant):
    item = session.items.first()
    actions.open_item(item=item, person=participant)
    shown = Exposure.objects.get(person=participant)
    assert shown.revision == item.study_item.item.revision
    item.refresh_from_db()
    assert item.opened_at


# --- What was fixed beforehand ----------------------------------------------------------------


def test_what_a_study_says_is_frozen_when_the_first_person_starts(study, participant, admin):
    studying.change(study=study, by=admin, fields={"hypothesis": "People are better."})
    assert not study.deviations.exists()
    study.refresh_from_db()
    actions.start(participation=practise(study, participant))
    with pytest.raises(NotAllowedNow, match="deviation"):
        studying.change(study=study, by=admin, fields={"hypothesis": "Models are."})
    studying.change(study=study, by=admin, fields={"hypothesis": "Models are."}, why="A slip.")
    made = study.deviations.get()
    assert (made.field, made.before, made.after) == (
        "hypothesis", "People are better.", "Models are.",
    )  # fmt: skip
    kept = Study.objects.get(pk=study.pk).preregistration.content
    assert kept["hypothesis"] == "People are better."
    assert len(kept["pool"]) == 6
    items = [one.item for one in study.items.all()]
    with pytest.raises(NotAllowedNow, match="fixed"):
        studying.choose_pool(study=study, items=items, by=admin)
    with pytest.raises(Error, match="frozen"), transaction.atomic():
        study.items.filter(sat=None).delete()


def test_only_an_admin_runs_studies(study, draft_study, evaluator):
    for act in (
        lambda: studying.end_study(study=study, by=evaluator),
        lambda: studying.change(study=study, by=evaluator, fields={"title": "Mine"}),
    ):
        with pytest.raises(PermissionDenied):
            act()


# --- Joining by a link, attesting, left out ---------------------------------------------------


def test_who_has_the_link_joins_and_who_guesses_does_not(study, participant, other):
    Study.objects.filter(pk=study.pk).update(joining=Study.Joining.LINK)
    study.refresh_from_db()
    joining = {"study": study, "consents": True, "answers": {}}
    for secret in ("", "guessed"):
        with pytest.raises(PermissionDenied):
            actions.join(person=other, secret=secret, **joining)
    assert actions.join(person=participant, secret=study.link_secret, **joining).person


def test_a_study_that_has_people_attest_takes_nobody_who_does_not(study, participant, admin):
    studying.change(study=study, by=admin, fields={"attestation": "I use no AI."})
    study.refresh_from_db()
    with pytest.raises(NotAllowedNow, match="attest"):
        join(study, participant)
    joined = actions.join(study=study, person=participant, consents=True, attests=True, answers={})
    assert joined.attested_at


def test_an_admin_leaves_somebody_out_with_a_reason_and_their_answers_stay(
    session, participant, admin
):
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    who = session.participation
    with pytest.raises(PermissionDenied):
        actions.leave_out(participation=who, by=participant, why="Mine is bad.")
    with pytest.raises(NotAllowedNow, match="why"):
        actions.leave_out(participation=who, by=admin, why=" ")
    for _twice in range(2):
        actions.leave_out(participation=who, by=admin, why="Sat at another's desk.")
    assert who.exclusion.why == "Sat at another's desk."
    assert Attempt.objects.count() == 1


def test_a_trace_that_is_sent_again_counts_once(session, participant):
    sent = [Event(1, "SHOWN", 5000, "", 17), Event(1, "FOCUS", 4000, "", 17)]
    for _time in range(2):
        take(session=session, person=participant, tab="one", events=sent)
    take(session=session, person=participant, tab="one", events=[Event(1, "SHOWN", 9, "", 18)])
    assert sum(Trace.objects.filter(kind="SHOWN").values_list("amount", flat=True)) == 5009
