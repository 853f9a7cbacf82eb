"""The pages of a session, as a browser asks for them, and as somebody who plays with them does."""

import json
import secrets
from datetime import timedelta

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from curation.problems.exposures.models import Exposure
from curation.problems.models import Revision
from grading.studies import actions as studying
from grading.studies.models import Invitation, Study
from grading.studies.sessions import actions
from grading.studies.sessions.models import Save, Session, SessionItem, Trace
from grading.studies.sessions.sync import FARTHEST, MOST_EVENTS
from phybench.people.models import Role
from phybench.work.budgets import KEPT, LARGEST_FORM, MB, TABLE, find_wait, name_person, spend
from tests.budgets import Grown, pass_time
from tests.conftest import make_person
from tests.grading.sessions.conftest import join, pass_deadline, practise, write
from tests.work import carry_out_jobs

pytestmark = pytest.mark.django_db


def sync(client, session, *events, tab="one"):
    address = reverse("grading:sync_session", args=[session.pk])
    sent = json.dumps({"tab": tab, "events": list(events)})
    return client.post(address, sent, content_type="application/json")


def random_text(length: int) -> str:
    """Return what can't be compressed much."""
    return secrets.token_urlsafe(length)[:length]


def typed(place, text, number=1, kind="ANSWER"):
    return {"place": place, "kind": kind, "number": number, "text": text}


@pytest.fixture
def sitting(client, participant, session):
    client.force_login(participant)
    return session


# --- What the clock is ----------------------------------------------------------------------


def test_the_browsers_clock_decides_nothing(client, sitting):
    """It is told the server's time, and what it says of its own is not read."""
    pass_deadline(sitting)
    long_ago = {**typed(1, "m g h"), "at": "2020-01-01T00:00:00Z", "now": 0}
    told = sync(client, sitting, long_ago).json()
    assert (told["has_ended"], told["late"]) == (True, 1)
    assert abs(told["now"] - timezone.now().timestamp()) < 30
    assert told["ends_at"] == sitting.ends_at.timestamp()


def test_a_save_that_is_sent_again_after_the_end_is_the_one_that_was_in_time(client, sitting):
    assert sync(client, sitting, typed(1, "m g h")).json()["late"] == 0
    pass_deadline(sitting)
    sync(client, sitting, typed(1, "m g h"))
    [kept] = Save.objects.all()
    assert not kept.is_late


def test_a_request_after_the_end_is_told_so_and_changes_nothing_that_counts(client, sitting):
    write(sitting, 1, "m g h")
    actions.hand_in(session=sitting, person=sitting.participation.person)
    told = sync(client, sitting, typed(1, "m", number=2), {"place": 2, "kind": "SEEN"}).json()
    assert told["is_handed_in"]
    assert told["late"] == 1
    assert told["refused"][0][0] == 2
    item = SessionItem.objects.get(session=sitting, place=1)
    assert item.attempt.response == "m g h"


def test_a_second_tab_is_refused_and_told_what_is_saved(client, sitting):
    sync(client, sitting, typed(1, "m g h"))
    refused = sync(client, sitting, typed(1, "m", number=2), tab="two")
    assert refused.status_code == 409
    assert refused.json()["texts"]["1"]["answer"] == "m g h"
    assert Save.objects.count() == 1
    client.post(reverse("grading:take_over", args=[sitting.pk]), {"tab": "two"})
    assert sync(client, sitting, typed(1, "m", number=2), tab="two").status_code == 200


# --- What nobody should be able to send -----------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "[]",
        "{}",
        '{"tab": "one"}',
        '{"tab": "one", "events": 3}',
        '{"tab": "one", "events": [{"place": 99, "kind": "ANSWER", "number": 1}]}',
        '{"tab": "one", "events": [{"place": 1, "kind": "GRADE", "number": 1}]}',
        '{"tab": "one", "events": [{"place": 1, "kind": "ANSWER", "number": -1}]}',
        '{"tab": "one", "events": [{"place": 1, "kind": "ANSWER", "number": 0}]}',
        '{"tab": "one", "events": [{"place": 1, "kind": "ANSWER", "number": 1e9}]}',
        '{"tab": "one", "events": [{"place": "1", "kind": "ANSWER", "number": 1}]}',
        f'{{"tab": "one", "events": {[{"place": 1}] * (MOST_EVENTS + 1)}}}'.replace("'", '"'),
        '{"tab": "one", "events": [' + "[" * 5000,
    ],
)
def test_what_no_page_sends_is_refused_and_nothing_is_kept(client, sitting, sent):
    address = reverse("grading:sync_session", args=[sitting.pk])
    answer = client.post(address, sent, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert not Save.objects.exists()


def test_no_number_can_be_so_high_that_later_saves_do_not_count(client, sitting):
    assert sync(client, sitting, typed(1, "m", number=FARTHEST + 1)).status_code == 400
    sync(client, sitting, typed(1, "m", number=3))
    sync(client, sitting, typed(1, "m g", number=4))
    assert Save.objects.filter(item__place=1).newest("ANSWER").text == "m g"


def test_a_text_with_a_nul_or_of_a_megabyte_is_kept_as_far_as_it_goes(client, sitting):
    told = sync(client, sitting, typed(1, "m\0 g"), typed(2, "m" * 1_000_000))
    assert told.status_code == 200
    texts = sorted((one.text for one in Save.objects.all()), key=len)
    assert texts[0] == "m g"
    assert len(texts[1]) == actions.LONGEST


def test_nobody_sees_or_writes_anothers_session(client, session, other):
    client.force_login(other)
    for name in ("session", "hand_in"):
        assert client.get(reverse(f"grading:{name}", args=[session.pk])).status_code == 404
    assert sync(client, session, typed(1, "m")).status_code == 404
    [item, *_others] = session.items.all()
    read_as = reverse("grading:read_as", args=[item.pk]) + "?of=session"
    assert client.post(read_as, {"response": "m"}).status_code == 404


def test_an_answer_is_read_while_it_is_typed(client, sitting):
    item = sitting.items.get(place=1)
    address = reverse("grading:read_as", args=[item.pk]) + "?of=session"
    page = client.post(address, {"response": r"So \boxed{2 m g h}."}).content.decode()
    assert "Read as" in page
    assert r"2m\,g\,h" in page
    assert "bracket" in client.post(address, {"response": r"\frac{m"}).content.decode()
    assert not Save.objects.exists()


# --- Joining --------------------------------------------------------------------------------


def test_without_the_link_a_study_is_not_told_of(client, study, participant):
    Study.objects.update(joining=Study.Joining.LINK)
    client.force_login(participant)
    address = reverse("grading:join", args=[study.pk])
    assert client.get(address).status_code == 404
    assert client.get(address, {"link": "guessed"}).status_code == 404
    assert client.get(address, {"link": study.link_secret}).status_code == 200


def test_who_is_not_eligible_is_told_so_and_does_not_join(client, study, participant, admin):
    asked = [{"ask": "Do you study physics?", "kind": "YES", "needs_yes": True}]
    studying.change(study=study, by=admin, fields={"questions": asked})
    client.force_login(participant)
    address = reverse("grading:join", args=[study.pk])
    page = client.post(address, {"consents": "on", "question_0": "no"})
    assert "only people who can say yes" in page.content.decode()
    assert not study.participations.exists()
    client.post(address, {"consents": "on", "question_0": "yes"})
    assert study.participations.get().answers == {"Do you study physics?": "yes"}


def test_nobody_starts_without_practice(client, study, participant):
    join(study, participant)
    client.force_login(participant)
    started = client.post(reverse("grading:start", args=[study.pk]))
    assert started.url == reverse("grading:practise", args=[study.pk])
    assert not Session.objects.exists()


@pytest.mark.parametrize("response", ["sqrt(2*g*h)", "√(2gh)", r"\sqrt{2gh}", "(2 g h)^(1/2)"])
def test_practice_takes_the_answer_however_it_is_typed(client, study, participant, response):
    own = join(study, participant)
    client.force_login(participant)
    address = reverse("grading:practise", args=[study.pk])
    sent = client.post(address, {"response": response, "choice": "over_both"})
    own.refresh_from_db()
    assert sent.status_code == 302
    assert own.practised_at


@pytest.mark.parametrize("response", ["sqrt 2 g h", "2 g h", "sqrt(2*g*h", "", "9^{9^{9^9}}"])
def test_practice_teaches_until_it_is_right(client, study, participant, response):
    own = join(study, participant)
    client.force_login(participant)
    address = reverse("grading:practise", args=[study.pk])
    sent = client.post(address, {"response": response, "choice": "over_both"})
    own.refresh_from_db()
    assert sent.status_code == 200
    assert own.practised_at is None


# --- Problems of a study --------------------------------------------------------------------


def test_a_running_studys_problems_are_closed_to_its_participants(client, study, participant, pool):
    client.force_login(participant)
    page = client.get(reverse("grading:answer", args=[pool[0].pk])).content.decode()
    assert "belongs to a study" in page
    assert pool[0].revisions.get().statement[:20] not in page
    assert not Exposure.objects.filter(person=participant).exists()
    assert pool[0].title not in client.get(reverse("grading:to_answer")).content.decode()


def test_what_was_given_up_in_a_session_is_answered_nowhere_else(
    client, session, participant, admin, study
):
    item = session.items.get(place=1)
    actions.give_up(item=item, person=participant, why="Too long.")
    actions.hand_in(session=session, person=participant)
    studying.end_study(study=study, by=admin)
    client.force_login(participant)
    address = reverse("grading:answer", args=[item.study_item.item.problem_id])
    assert "belongs to a study" in client.get(address).content.decode()


# --- Handing in -----------------------------------------------------------------------------


def test_before_handing_in_what_can_not_be_read_is_named(client, sitting):
    sync(client, sitting, typed(1, "m g ("), typed(2, "m g h"))
    page = client.get(reverse("grading:hand_in", args=[sitting.pk])).content.decode()
    assert "One answer can’t be read" in page
    assert "One problem has no answer" in page
    client.post(reverse("grading:hand_in", args=[sitting.pk]))
    sitting.refresh_from_db()
    assert sitting.ending == Session.Ending.STOPPED


def test_before_handing_in_what_is_too_large_for_us_is_said_not_to_be_graded_and_to_be_no_0(
    client, sitting
):
    sync(client, sitting, typed(1, "9^{9^{9^9}}"), typed(2, "m g h"))
    page = client.get(reverse("grading:hand_in", args=[sitting.pk])).content.decode()
    assert "One answer is too large for us to grade: it would not be graded." in page
    assert "can’t be read" not in page
    assert "What can’t be read counts 0" not in page


# --- Running it -----------------------------------------------------------------------------


def test_an_admin_plans_opens_and_fills_the_list_of_a_study(client, admin, version, participant):
    client.force_login(admin)
    fields = {
        "version": version.pk, "title": "Spring", "language": "en", "problems": 3, "minutes": 60,
        "joining": "LIST", "most_people": 20, "consent": "I take part.", "authors_part": "NO",
        "expected_accuracy": 60, "person_correlation": 0.1, "problem_correlation": 0.2,
        "questions_text": "Year? [1 | 2]", "leaves_out": ["STOPPED"], "least_minutes": 10,
    }  # fmt: skip
    made = client.post(reverse("grading:new_study"), fields)
    assert made.status_code == 302, made.content.decode()
    study = Study.objects.get()
    assert study.rules == {"STOPPED": 1, "SHORT": 10}
    assert study.questions == [{"ask": "Year?", "kind": "CHOICE", "choices": ["1", "2"]}]
    assert 0 < study.detectable < 100
    client.post(reverse("grading:open_study", args=[study.pk]))
    assert [job.said for job in carry_out_jobs()] == ["Open. People can join now."]
    sent = {"addresses": f"{participant.email.upper()}, stranger@example.org"}
    job = client.post(reverse("grading:invite", args=[study.pk]), sent)["Location"]
    carry_out_jobs()
    page = client.get(job, follow=True)
    assert "stranger@example.org" in page.content.decode()
    assert Invitation.objects.get().person == participant


def test_too_many_problems_a_session_or_impossible_numbers_are_refused(client, admin, version):
    client.force_login(admin)
    page = client.post(
        reverse("grading:new_study"),
        {"version": version.pk, "problems": 99, "person_correlation": 2, "expected_accuracy": 100},
    ).content.decode()
    assert "Ask for that many at most" in page
    assert "Between 0 and 1." in page
    page = client.post(
        reverse("grading:new_study"),
        {"version": version.pk, "person_correlation": 0.6, "problem_correlation": 0.6},
    ).content.decode()
    assert "The two correlations can add up to 1 at most." in page
    assert not Study.objects.exists()


def test_a_change_after_somebody_started_takes_a_reason_and_is_shown(client, session, study, admin):
    client.force_login(admin)
    address = reverse("grading:edit_study", args=[study.pk])
    form = client.get(address).context["form"]
    fields = {
        name: value
        for name in form.fields
        if (value := form[name].value()) not in (None, "", [], False)
    }
    fields["title"] = "Summer"
    assert "it is a deviation" in client.post(address, fields).content.decode()
    page = client.post(address, {**fields, "why": "A slip."}, follow=True).content.decode()
    assert "A slip." in page
    assert [one.field for one in study.deviations.all()] == ["title"]
    # What was changed is said as people read it.
    at = "2026-12-24T18:30:00+00:00"
    fields |= {"closes_at": at[:16], "joining": "LIST", "shows_results": "on", "why": "Later."}
    page = client.post(address, fields, follow=True).content.decode()
    assert at not in page
    assert "every participant of this site → people on a list" in page
    assert "no → yes" in page


def test_the_page_of_a_study_asks_as_often_for_three_people_as_for_one(
    client, study, participant, admin, django_assert_num_queries
):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.force_login(admin)
    actions.start(participation=practise(study, participant))
    address = reverse("grading:study", args=[study.pk])
    client.get(address)
    with CaptureQueriesContext(connection) as asked:
        client.get(address)
    for name in ("b", "c"):
        person = make_person(Role.PARTICIPANT, name)
        actions.start(participation=practise(study, person))
    with django_assert_num_queries(len(asked)):
        client.get(address)


def test_the_live_page_says_who_works_and_who_was_not_seen(client, session, study, admin):
    client.force_login(admin)
    address = reverse("grading:study", args=[study.pk])
    assert "working" in client.get(address).content.decode()
    Session.objects.update(seen_at=timezone.now() - timedelta(minutes=5))
    page = client.get(address).content.decode()
    assert "not seen for a while" in page
    assert session.participation.person.email not in page


def test_more_time_is_given_from_the_page_with_a_reason(client, session, study, admin):
    client.force_login(admin)
    address = reverse("grading:extend", args=[session.participation_id])
    client.post(address, {"minutes": 10, "why": ""})
    before = session.ends_at
    session.refresh_from_db()
    assert session.ends_at == before
    client.post(address, {"minutes": 10, "why": "The net was down."})
    session.refresh_from_db()
    assert session.ends_at == before + timedelta(minutes=10)


def test_while_a_study_is_planned_the_page_says_what_it_detects(client, admin, version):
    client.force_login(admin)
    address = reverse("grading:design", args=[version.pk])
    planned = {
        "problems": 3, "most_people": 20, "expected_accuracy": 60, "person_correlation": 0.1,
        "problem_correlation": 0.2,
    }  # fmt: skip
    rows = client.post(address, planned).context["rows"]
    assert [people for people, _points in rows] == [10, 20, 40]
    assert [points for _people, points in rows] == sorted(
        (points for _people, points in rows), reverse=True
    )
    # What can't be is no error of the page.
    for broken in ({}, {**planned, "most_people": "many"}, {**planned, "problems": 99}):
        assert client.post(address, broken).status_code == 200


# --- Afterwards -----------------------------------------------------------------------------


def test_what_somebody_says_of_the_aids_is_kept_once_and_after_the_session_only(client, sitting):
    address = reverse("grading:say_aids", args=[sitting.pk])
    client.post(address, {"kept": "no"})
    sitting.refresh_from_db()
    assert sitting.kept_to_aids is None
    actions.hand_in(session=sitting, person=sitting.participation.person)
    assert "Did you keep to" in client.get(sitting.get_absolute_url()).content.decode()
    for said in ("no", "yes", "perhaps"):
        client.post(address, {"kept": said})
    sitting.refresh_from_db()
    assert sitting.kept_to_aids is False


def test_ones_own_data_is_whole_and_tells_no_verdict(client, sitting):
    sync(client, sitting, typed(1, "m g h"), typed(1, "line", kind="NOTES", number=2))
    actions.hand_in(session=sitting, person=sitting.participation.person)
    told = client.get(reverse("grading:own_data", args=[sitting.pk])).json()
    assert [one["text"] for one in told["problems"][0]["saves"]] == ["m g h", "line"]
    assert told["pseudonym"] == sitting.participation.pseudonym
    assert told["ending"] == "STOPPED"
    assert "accuracy" not in str(told)


# --- Why there is nothing to answer outside of a session ------------------------------------


def read_what_to_answer(client, person):
    client.force_login(person)
    return " ".join(client.get(reverse("grading:to_answer")).content.decode().split())


WHY_NONE = {
    "accepted": "None is accepted yet.",
    "admin": "they can read all reference answers.",
    "others": "You have answered, written or reviewed those that are accepted",
}


def list_reasons(page):
    return [name for name, sentence in WHY_NONE.items() if sentence in page]


def test_problems_of_a_running_study_are_said_to_be_closed_until_it_ends(
    client, study, session, participant, other, admin
):
    page = read_what_to_answer(client, other)
    assert "6 problems are closed until their study ends." in page
    assert list_reasons(page) == []
    # Three were asked in the session: these are never open again.
    assert "3 problems are closed until their study ends." in read_what_to_answer(
        client, participant
    )
    pass_deadline(session)
    studying.end_study(study=study, by=admin)
    page = read_what_to_answer(client, other)
    assert "until their study ends" not in page
    assert "6 problems open to you" in page


def test_that_problems_are_answered_in_a_session_is_said_while_one_is_left(
    client, study, session, participant, other
):
    only = "Until then you can answer them only in a session."
    assert only in read_what_to_answer(client, other)
    practise(study, other)
    assert only in read_what_to_answer(client, other)
    # What a session did not draw is not answered in it.
    page = read_what_to_answer(client, participant)
    assert "3 problems are closed until their study ends." in page
    assert only not in page
    actions.hand_in(session=session, person=participant)
    page = read_what_to_answer(client, participant)
    assert "3 problems are closed until their study ends." in page
    assert only not in page


def test_a_page_without_problems_says_why(client, participant, admin, draft_study):
    admin.roles.append(Role.PARTICIPANT)
    admin.save()
    assert list_reasons(read_what_to_answer(client, admin)) == ["admin"]
    for revision in Revision.objects.all():
        Exposure.objects.create(
            person=participant, revision=revision, part="ANSWER", reason="READ", slot=timezone.now()
        )
    assert list_reasons(read_what_to_answer(client, participant)) == ["others"]


def test_before_any_problem_is_accepted_nobody_is_said_to_have_answered_all(client, participant):
    assert list_reasons(read_what_to_answer(client, participant)) == ["accepted"]


# --- What a session may bring ----------------------------------------------------------------


def test_a_participant_who_sends_without_end_fills_no_disk_and_loses_nothing(client, sitting):
    """What is refused is not kept, and taken later as it was sent."""
    answers, number = [], 0
    with Grown() as size:
        while not answers or answers[-1].status_code == 200:
            number += 20
            events = [typed(1, random_text(20_000), number - n) for n in range(20)]
            answers.append(sync(client, sitting, *events))
    refused = answers[-1]
    assert (refused.status_code, int(refused["Retry-After"]) >= 1) == (429, True)
    assert "Nothing of this was saved" in refused.json()["message"]
    assert size.bytes <= 20 * MB
    assert Save.objects.count() == 20 * (len(answers) - 1)
    pass_time(int(refused["Retry-After"]))
    assert sync(client, sitting, *events).status_code == 200
    assert Save.objects.count() == 20 * len(answers)


def test_traces_are_bounded_by_what_their_rows_take(client, sitting):
    """Each is a few letters, and a row with two indexes."""
    spend(name_person(sitting.participation.person_id), size=KEPT().at_once - MB)
    moment, answer = 0, None
    with Grown() as size:
        while answer is None or answer.status_code == 200:
            moment += MOST_EVENTS
            traces = [
                {"place": 1, "kind": "AWAY", "moment": moment + n} for n in range(MOST_EVENTS)
            ]
            answer = sync(client, sitting, *traces)
    assert answer.status_code == 429
    assert Trace.objects.count() > MOST_EVENTS
    assert size.bytes <= 1.2 * MB


def test_a_session_may_send_2_mb_at_once_and_is_told_in_json_that_more_is_too_large(
    client, sitting
):
    events = [typed(1, "é" * 20_000, n + 1) for n in range(14)]
    assert 1.6 * MB < len(json.dumps(events)) < LARGEST_FORM
    assert sync(client, sitting, *events).status_code == 200
    refused = sync(client, sitting, *events, *events)
    assert (refused.status_code, "too large" in refused.json()["message"]) == (413, True)


def test_who_types_for_an_hour_without_a_pause_never_meets_a_limit(client, sitting):
    """A save a second of two pages of notes: more than anybody types."""
    text, person = random_text(2_000), name_person(sitting.participation.person_id)
    sync(client, sitting, typed(1, text))
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT max(level) FROM {TABLE}")
        [[one]] = cursor.fetchall()
    for _ in range(60):
        spend(person, size=60 * one)
        assert find_wait(person, size=60 * one) == 0
        pass_time(60)
