"""What people might try for more time, more tries, or an early word of how they did."""

import json
from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from curation.problems.exposures import ledger
from curation.problems.exposures.models import Exposure
from curation.texts.workflow import NotAllowedNow
from grading.answers.models import Attempt
from grading.answers.permissions import list_told_answers
from grading.studies import actions as studying
from grading.studies.models import Participation, Study
from grading.studies.permissions import is_told
from grading.studies.sessions import actions
from grading.studies.sessions.late import count_late
from grading.studies.sessions.models import Exclusion, Save, SessionItem
from grading.studies.sessions.permissions import list_problems_of_studies
from grading.studies.sessions.rules import find_left_out
from grading.studies.sessions.sync import Event, take
from grading.studies.sessions.tasks import ENDING
from grading.studies.withdrawals.actions import withdraw
from grading.submissions.drafts.actions import CannotChange
from phybench.people.models import Role
from tests.grading.sessions.conftest import join, pass_deadline, practise, write
from tests.work import do, grade_attempt

pytestmark = pytest.mark.django_db


def sync(client, session, *events, tab="one"):
    address = reverse("grading:sync_session", args=[session.pk])
    sent = json.dumps({"tab": tab, "events": list(events)})
    return client.post(address, sent, content_type="application/json")


# --- More tries -----------------------------------------------------------------------------


def test_who_withdraws_after_the_problems_were_shown_does_not_start_over(
    client, study, participant
):
    session = actions.start(participation=practise(study, participant), seed=1)
    client.force_login(participant)
    client.get(session.get_absolute_url())
    withdraw(participation=session.participation, person=participant)
    with pytest.raises(NotAllowedNow, match="withdrew"):
        join(study, participant)
    page = client.get(reverse("grading:sittings")).content.decode()
    assert reverse("grading:join", args=[study.pk]) not in page


def test_who_withdraws_before_a_problem_was_shown_may_join_again(study, participant):
    withdraw(participation=practise(study, participant), person=participant)
    assert join(study, participant).person == participant


def test_what_is_void_is_not_made_to_count_once_it_is_solved(session, participant):
    """Else one calls all problems seen, works on them, and takes back those that went well."""
    item = session.items.get(place=1)
    actions.say_seen(item=item, person=participant)
    write(session, 1, "m g h")
    with pytest.raises(NotAllowedNow, match="does not count"):
        actions.go_on(item=item, person=participant)
    # Nor by paper, with nothing typed.
    other = session.items.get(place=2)
    actions.say_seen(item=other, person=participant)
    later = timezone.now() + timedelta(minutes=2)
    with pytest.raises(NotAllowedNow, match="does not count"):
        actions.go_on(item=other, person=participant, at=later)


def test_a_slip_of_the_hand_is_taken_back_at_once(session, participant):
    item = session.items.get(place=1)
    actions.say_seen(item=item, person=participant)
    actions.go_on(item=item, person=participant)
    item.refresh_from_db()
    assert item.seen_before_at is None


# --- An early word of how they did ----------------------------------------------------------


def test_an_answer_that_a_late_one_took_the_place_of_tells_no_grade(
    client, session, participant, admin
):
    write(session, 1, "m")
    pass_deadline(session)
    do(ENDING, session.pk)
    before = Attempt.objects.get()
    grade_attempt(before.pk)
    write(session, 1, "m g h", number=2)
    count_late(save=Save.objects.get(is_late=True), by=admin, why="The network failed.")
    assert not list_told_answers(participant).exists()
    client.force_login(participant)
    assert client.get(reverse("grading:attempt", args=[before.pk])).status_code == 404


def test_nothing_is_told_of_an_ended_study_while_others_still_sit(
    client, study, participant, other, admin
):
    Study.objects.update(shows_results=True, shows_keys=True)
    first = actions.start(participation=practise(study, participant), seed=1)
    second = actions.start(participation=practise(study, other), seed=2)
    write(first, 1, "m g h")
    actions.hand_in(session=first, person=participant)
    grade_attempt(Attempt.objects.get().pk)
    studying.end_study(study=study, by=admin)
    assert not is_told(Study.objects.get())
    assert not list_told_answers(participant).exists()
    # Nor are the other problems of its pool open to who sits.
    closed = list_problems_of_studies(other)
    assert set(study.items.values_list("item__problem", flat=True)) <= set(closed)
    actions.hand_in(session=second, person=other)
    assert is_told(Study.objects.get())
    assert list_told_answers(participant).exists()


def test_who_sits_asks_the_grader_nothing_as_an_evaluator(
    client, study, pool, participant, hand_in
):
    """A file with one's own answer to a problem would say whether it is right."""
    participant.roles.append(Role.EVALUATOR)
    participant.save()
    submission = hand_in((pool[0], "m g h"), by=participant)
    addresses = [one.get_absolute_url() for one in (submission, submission.attempts.get())]
    client.force_login(participant)
    session = actions.start(participation=practise(study, participant), seed=1)
    assert [client.get(one).status_code for one in addresses] == [404, 404]
    with pytest.raises(CannotChange, match="session of a study"):
        hand_in((pool[1], "m g h"), by=participant)
    actions.hand_in(session=session, person=participant)
    assert [client.get(one).status_code for one in addresses] == [200, 200]
    assert hand_in((pool[1], "m g h"), by=participant)


def test_who_was_shown_a_key_of_their_session_while_they_sat_is_left_out(
    session, study, participant
):
    mine = session.items.get(place=1).study_item.item.revision
    ledger.record(participant, ledger.Reason.AUDIT, mine)
    actions.open_item(item=session.items.get(place=2), person=participant)
    others = study.items.exclude(sat__session=session).first().item.revision
    ledger.record(participant, ledger.Reason.AUDIT, others, parts=ledger.ALL)
    assert "SHOWN" not in find_left_out(study)
    ledger.record(participant, ledger.Reason.AUDIT, mine, parts=ledger.ALL)
    actions.hand_in(session=session, person=participant)
    assert find_left_out(study)["SHOWN"] == [session.participation_id]


def test_who_is_shown_keys_after_their_session_stays_in(client, session, study, participant):
    Study.objects.update(shows_keys=True, shows_results=True, shows_at_once=True)
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    client.force_login(participant)
    client.get(reverse("grading:debrief", args=[session.pk]))
    assert Exposure.objects.telling_key().filter(person=participant).exists()
    assert "SHOWN" not in find_left_out(study)


# --- What a browser sends -------------------------------------------------------------------


def test_half_a_sign_keeps_no_other_save_from_being_kept(client, session, participant):
    client.force_login(participant)
    half = {"place": 1, "kind": "ANSWER", "number": 1, "text": "m \ud83d g"}
    assert sync(client, session, half).status_code == 200
    assert Save.objects.get().text == "m \ufffd g"


def test_a_clock_before_1970_keeps_no_save_from_being_kept(client, session, participant):
    client.force_login(participant)
    trace = {"place": 1, "kind": "SHOWN", "number": 5000, "moment": -86_400_000}
    typed = {"place": 1, "kind": "ANSWER", "number": 1, "text": "m g h"}
    assert sync(client, session, trace, typed).status_code == 200
    assert Save.objects.get().text == "m g h"


def test_a_reason_with_half_a_sign_is_kept(client, session, participant):
    client.force_login(participant)
    told = sync(client, session, {"place": 1, "kind": "GAVE_UP", "text": "\ud83d too long"})
    assert told.json()["refused"] == []
    assert SessionItem.objects.get(session=session, place=1).gave_up_at


def test_a_tab_without_a_name_does_not_open_a_session_to_all_tabs(client, session, participant):
    client.force_login(participant)
    assert sync(client, session, tab="").status_code == 400
    assert sync(client, session, tab="a\0b").status_code == 400


def test_huge_and_strange_numbers_are_refused(client, session, participant):
    client.force_login(participant)
    for number in (-1, 2**31, 2**64, 10**400, True, 1.0, None, "1"):
        typed = {"place": 1, "kind": "ANSWER", "number": number, "text": "m"}
        assert sync(client, session, typed).status_code == 400, number
    assert not Save.objects.exists()


# --- Who is behind a pseudonym --------------------------------------------------------------


def test_the_back_office_finds_nobody_behind_a_pseudonym_by_its_address(
    client, session, participant, admin
):
    write(session, 1, "m g h")
    actions.hand_in(session=session, person=participant)
    attempt = Attempt.objects.get()
    client.force_login(admin)
    found = []
    for model, query in (
        ("grading_participation", f"person={participant.pk}"),
        ("grading_participation", f"person__id__exact={participant.pk}"),
        ("grading_participation", "answers__isnull=False"),
        ("phybench_user", f"participations={session.participation_id}"),
        ("phybench_user", "sits_until__isnull=False"),
        ("grading_sessionitem", f"attempt={attempt.pk}"),
        ("grading_attempt", f"sat={session.items.get(place=1).pk}"),
        ("grading_study", "link_secret__startswith=a"),
    ):
        answer = client.get(reverse(f"admin:{model}_changelist") + f"?{query}")
        found.append(answer.status_code)
    assert found == [400] * 8
    shown = client.get(
        reverse("admin:grading_participation_changelist") + "?withdrawn_at__isempty=1"
    )
    assert session.participation.pseudonym in shown.content.decode()


def test_a_reason_that_can_not_be_kept_is_no_reason(client, session, participant, admin):
    actions.hand_in(session=session, person=participant)
    client.force_login(admin)
    address = reverse("grading:leave_out", args=[session.participation_id])
    assert client.post(address, {"why": "a\0b"}).status_code == 302
    assert not Exclusion.objects.exists()


def test_a_save_that_comes_after_a_withdrawal_is_refused(session, participant):
    withdraw(participation=session.participation, person=participant)
    with pytest.raises(PermissionDenied):
        take(session=session, person=participant, tab="one", events=[Event(1, "ANSWER", 1, "m")])


# --- What people consented to ---------------------------------------------------------------


def test_who_joined_before_the_consent_was_changed_consents_anew_before_they_start(
    client, study, participant, admin
):
    joined = practise(study, participant)
    studying.change(study=study, by=admin, fields={"consent": "My answers are sold."})
    with pytest.raises(NotAllowedNow, match="consent text has changed"):
        actions.start(participation=joined)
    # What they had read is kept.
    assert study.deviations.get().before == "I take part of my own will."
    client.force_login(participant)
    address = reverse("grading:join", args=[study.pk])
    started = client.post(reverse("grading:start", args=[study.pk]))
    assert started.headers["Location"] == address
    page = client.get(address).content.decode()
    assert "My answers are sold." in page
    assert "has changed since you joined" in page
    client.post(address, {"consents": "on"})
    again = Participation.objects.get()
    assert (again.pk, again.pseudonym, again.consent_version) == (joined.pk, joined.pseudonym, 2)
    assert actions.start(participation=again)


def test_who_came_by_a_link_needs_none_to_consent_anew(client, study, participant, admin):
    Study.objects.update(joining=Study.Joining.LINK)
    linked = Study.objects.get()
    actions.join(
        study=linked, person=participant, consents=True, answers={}, secret=linked.link_secret
    )
    studying.change(study=linked, by=admin, fields={"consent": "Another.", "attestation": "No AI."})
    client.force_login(participant)
    address = reverse("grading:join", args=[study.pk])
    client.post(address, {"consents": "on", "attests": "on"})
    assert Participation.objects.get().attested_at


def test_who_sits_already_is_not_asked_anew(client, session, study, participant, admin):
    studying.change(study=study, by=admin, fields={"consent": "Another."}, why="A law changed.")
    client.force_login(participant)
    answer = client.get(reverse("grading:join", args=[study.pk]))
    assert answer.headers["Location"] == session.get_absolute_url()
