"""Somebody sits a session: nothing that they type is lost, whatever their browser goes through."""

import json
import time
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from curation.problems.benchmarks.models import Benchmark
from grading.studies import actions as studying
from grading.studies.models import Study
from grading.studies.sessions.actions import extend, note_sitting, start
from grading.studies.sessions.models import Save, Session, SessionItem
from grading.studies.sessions.sync import list_texts
from grading.studies.sessions.tasks import ENDING
from phybench.people.models import User
from tests.boards import make_problems
from tests.browser.conftest import PATIENCE_MILLISECONDS
from tests.grading.sessions.conftest import pass_deadline, practise
from tests.memory import remembered
from tests.versions import publish_version
from tests.work import do

OF_A_LOST_NET = (
    *("ERR_INTERNET_DISCONNECTED", "htmx:sendError", "htmx:sendAbort", "htmx:afterRequest"),
)


@pytest.fixture
@remembered
def study(benchmark: Benchmark, admin: User) -> Study:
    make_problems(benchmark, 6)
    made = studying.make(
        version=publish_version(benchmark),
        title="Students",
        by=admin,
        problems=4,
        minutes=60,
        joining=Study.Joining.OPEN,
        consent="I take part of my own will.",
        attestation="I use no AI.",
        completion_code="DONE-17",
        questions=[{"ask": "Do you study physics?", "kind": "YES", "needs_yes": True}],
    )
    studying.open_study(study=made, by=admin)
    return made


def answer_box(page: Page):
    return page.locator("[data-place]:visible [data-kind=ANSWER]")


def forget_readings(visits) -> None:
    """Forget what a browser says of readings under way when the page was left."""
    cut_off = (*OF_A_LOST_NET, "htmx:sendAbort", "undefined")
    visits.complaints[:] = [
        text for text in visits.complaints if not any(one in text for one in cut_off)
    ]


def is_saved(page: Page, text: str) -> None:
    expect(page.locator("#save-status")).to_have_text("Saved")
    assert Save.objects.order_by("pk").last().text == text


def test_a_session_from_consent_to_the_deadline_with_the_browser_closed(
    visits, study, participant, admin
):
    page = visits.open(participant)
    page.goto("/studies/mine/")
    page.get_by_role("link", name="Students").click()
    page.get_by_label("I have read this, and I take part").check()
    page.get_by_label("I use no AI.").check()
    page.get_by_label("Yes").check()
    page.get_by_role("button", name="Take part").click()

    # Practice: it says what is wrong, and how what is typed is read.
    page.get_by_label("Your answer").fill("sqrt 2 g h")
    page.locator("[name=choice]").first.check()
    page.get_by_role("button", name="Check my practice").click()
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Your answer").fill("√(2gh)")
    expect(page.locator("#read-as .katex").first).to_be_visible()
    page.locator("[name=choice][value=over_both]").check()
    page.get_by_role("button", name="Check my practice").click()
    page.get_by_role("button", name="Start the clock").click()

    # Plain text, then LaTeX.
    expect(page.locator("#clock")).to_contain_text("min left")
    answer_box(page).fill("2*m*g*h")
    expect(page.locator("[data-place]:visible .session-reading .katex").first).to_be_visible()
    is_saved(page, "2*m*g*h")
    page.get_by_role("button", name="Next problem").click()
    answer_box(page).fill(r"\frac{m g}{h}")
    is_saved(page, r"\frac{m g}{h}")

    # Offline: one goes on, and it is sent when the net is back.
    page.context.set_offline(True)
    answer_box(page).fill("typed offline")
    expect(page.locator("#save-status")).to_contain_text("Not saved yet")
    page.get_by_role("button", name="Next problem").click()
    answer_box(page).fill("m g h + 1")
    page.context.set_offline(False)
    expect(page.locator("#save-status")).to_have_text("Saved")
    assert {"typed offline", "m g h + 1"} <= set(Save.objects.values_list("text", flat=True))
    visits.complaints[:] = [
        text for text in visits.complaints if not any(one in text for one in OF_A_LOST_NET)
    ]

    # The browser crashes; another one goes on where it was.
    page.context.close()
    again = visits.open(participant)
    again.goto("/studies/mine/")
    again.get_by_role("link", name="Students").click()
    again.get_by_role("button", name="Go on here").click()
    expect(again.locator("#answer-2")).to_have_value("typed offline")
    again.locator(".session-map [data-show='3']").click()
    expect(again.locator("#answer-3")).to_have_value("m g h + 1")

    session = Session.objects.get()
    ends_at = session.ends_at
    extend(session=session, by=admin, minutes=30, why="The net was down.")
    session.refresh_from_db()
    assert session.ends_at == ends_at + timedelta(minutes=30)
    expect(again.locator("#clock")).to_contain_text("90 min")

    again.locator(".session-map [data-show='4']").click()
    again.locator("[data-place]:visible").get_by_text("Give up", exact=True).click()
    again.locator("#why-4").fill("I know no way to begin.")
    again.get_by_role("button", name="Give this problem up").click()
    expect(again.locator("[data-place]:visible [data-out=gave-up]")).to_be_visible()
    expect(again.locator("#save-status")).to_have_text("Saved")
    again.context.close()

    # The worker hands in at the deadline; nobody is there.
    pass_deadline(session)
    do(ENDING, session.pk)
    assert [
        (one.outcome, one.attempt and one.attempt.response)
        for one in SessionItem.objects.select_related("attempt")
    ] == [
        ("ANSWERED", "2*m*g*h"),
        ("ANSWERED", "typed offline"),
        ("ANSWERED", "m g h + 1"),
        ("GAVE_UP", None),
    ]
    visits.complaints[:] = [text for text in visits.complaints if " 409 " not in text]
    later = visits.open(participant)
    later.goto(session.get_absolute_url())
    expect(later.get_by_text("DONE-17")).to_be_visible()


def test_a_second_tab_takes_over_and_the_first_one_keeps_what_it_typed(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    first, second = visits.open(participant), visits.open(participant)
    first.goto(session.get_absolute_url())
    answer_box(first).fill("m g")
    is_saved(first, "m g")
    second.goto(session.get_absolute_url())
    expect(second.locator("#other-tab")).to_be_visible()
    second.get_by_role("button", name="Go on here").click()
    answer_box(second).fill("m h")
    is_saved(second, "m h")
    answer_box(first).fill("m g h", force=True)
    expect(first.locator("#other-tab")).to_be_visible()
    first.get_by_role("button", name="Go on here").click()
    expect(first.locator("#save-status")).to_have_text("Saved")
    assert answer_box(first).input_value() == "m g h"
    # What the other tab saved is one click away.
    first.locator("[data-refusal]:visible").get_by_role("button", name="m h").click()
    is_saved(first, "m h")
    visits.complaints[:] = [text for text in visits.complaints if " 409 " not in text]


def test_what_was_typed_is_there_after_a_reload_without_asking(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    answer_box(page).press_sequentially("m g h")
    page.reload()
    expect(answer_box(page)).to_have_value("m g h")
    is_saved(page, "m g h")
    expect(page.locator("#other-tab")).to_be_hidden()
    forget_readings(visits)


def test_a_lost_server_is_told_until_it_answers_and_what_was_typed_is_read_then(
    visits, study, participant
):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    expect(page.locator("#save-status")).to_have_text("Saved")
    page.context.set_offline(True)
    answer_box(page).fill("m g h")
    expect(page.locator("#connection")).to_contain_text("The server does not answer")
    page.context.set_offline(False)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("[data-place]:visible .session-reading .katex").first).to_be_visible()
    is_saved(page, "m g h")
    forget_readings(visits)


def test_a_server_that_hangs_is_told_as_one_that_is_lost_and_a_late_save_changes_nothing(
    visits, study, participant
):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    expect(page.locator("#save-status")).to_have_text("Saved")
    held: list[Route] = []
    page.route("**/sync/", lambda route: held.append(route))
    limit = "limit => { document.getElementById('session').dataset.limit = limit; }"
    page.evaluate(limit, "300")
    answer_box(page).fill("m g")
    expect(page.locator("#save-status")).to_contain_text("Not saved yet")
    answer_box(page).fill("m g h")
    assert "Not saved yet" in page.locator("#save-status").text_content(), "it stays said"
    first = next(one.request for one in held if "m g" in (one.request.post_data or ""))
    page.unroute("**/sync/")
    page.evaluate(limit, "10000")
    is_saved(page, "m g h")

    # What the server had taken in before it hung comes through after all.
    saves = list(Save.objects.values_list("pk", flat=True))
    late = page.request.post(first.url, data=first.post_data, headers=first.headers)
    assert late.status == 200
    assert list(Save.objects.values_list("pk", flat=True)) == saves
    assert list_texts(session)[1]["answer"] == "m g h"
    forget_readings(visits)


def end_in(person: User, left: timedelta) -> None:
    """Let the time of somebody's session be up after so long."""
    with transaction.atomic():
        Session.objects.update(ends_at=timezone.now() + left)
        note_sitting(person)


def test_the_clock_warns_when_few_minutes_are_left_and_not_at_the_start_of_few(
    visits, study, participant
):
    session = start(participation=practise(study, participant), seed=1)
    end_in(participant, timedelta(minutes=3))
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    expect(page.locator("#clock")).to_have_text("3 min left")
    expect(page.locator("#warning")).to_be_hidden()
    end_in(participant, timedelta(seconds=58))
    expect(page.locator("#warning")).to_have_text("1 minute left")


def test_what_is_given_up_is_said_to_be_saved_only_once_it_is(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    answer_box(page).fill("m g h")
    is_saved(page, "m g h")
    held: list[Route] = []
    page.route("**/sync/", lambda route: held.append(route))
    page.locator("[data-place]:visible").get_by_text("Give up", exact=True).click()
    page.locator("#why-1").fill("I know no way to begin.")
    page.get_by_role("button", name="Give this problem up").click()
    expect(page.locator("[data-place]:visible [data-out=gave-up]")).to_be_visible()
    assert page.locator("#save-status").text_content() == "Saving …"
    for one in held:
        one.continue_()
    page.unroute("**/sync/")
    expect(page.locator("#save-status")).to_have_text("Saved")
    assert session.items.get(place=1).gave_up_at
    forget_readings(visits)


def test_at_the_deadline_the_page_says_so_and_shows_what_came(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    answer_box(page).fill("m g h")
    is_saved(page, "m g h")
    end_in(participant, timedelta(seconds=2))
    expect(page.get_by_text("The time is up")).to_be_visible()
    pass_deadline(session)
    do(ENDING, session.pk)
    # By itself: the page hears of it with its next word to the server.
    expect(page.get_by_text("The time was up")).to_be_visible()


def test_what_the_server_does_not_take_keeps_nothing_else_on_the_device(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    strange = [
        {"place": 1, "kind": "ANSWER", "number": 1, "text": "m g"},
        {"place": 99, "kind": "ANSWER", "number": 1, "text": "of no problem"},
        *(
            {"place": 2, "kind": "NOTES", "number": one, "text": "x" * 19_999}
            for one in range(1, 200)
        ),
        {"place": 1, "kind": "ANSWER", "number": 2, "text": "m g h"},
    ]
    page.evaluate(
        "([key, queue]) => { window.onpagehide = () => localStorage.setItem(key, queue); }",
        [f"session-{session.pk}", json.dumps(strange)],
    )
    page.reload()
    expect(page.locator("#save-status")).to_have_text("Saved", timeout=30_000)
    assert set(Save.objects.filter(item__place=1).values_list("text", flat=True)) == {
        "m g",
        "m g h",
    }
    kept = Save.objects.filter(kind="NOTES").values_list("number", flat=True)
    assert set(range(1, 200)) <= set(kept)
    assert "of no problem" in page.evaluate(
        "key => localStorage.getItem(key)", f"session-{session.pk}-refused"
    )
    visits.complaints[:] = [text for text in visits.complaints if " 400 " not in text]
    forget_readings(visits)


def test_a_save_whose_number_another_device_has_is_sent_again_in_the_order_of_typing(
    visits, study, participant
):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    item = session.items.get(place=1)
    Save.objects.create(item=item, number=2, kind="ANSWER", text="elsewhere", tab="another")
    typed = [
        {"place": 1, "kind": "ANSWER", "number": number, "text": text}
        for number, text in enumerate(["m", "m g", "m g h"], 1)
    ]
    page.evaluate(
        "([key, queue]) => { window.onpagehide = () => localStorage.setItem(key, queue); }",
        [f"session-{session.pk}", json.dumps(typed)],
    )
    page.reload()
    expect(page.locator("#save-status")).to_have_text("Saved")
    expect(answer_box(page)).to_have_value("m g h")
    kept = Save.objects.filter(item=item).order_by("number").values_list("text", flat=True)
    assert list(kept)[:5] == ["m", "elsewhere", "m g h", "m g", "m g h"]
    answer_box(page).fill("2 m g h")
    is_saved(page, "2 m g h")
    assert list_texts(session)[1]["answer"] == "2 m g h"
    # More previews than may be under way at once.
    visits.complaints[:] = [text for text in visits.complaints if " 429 " not in text]
    forget_readings(visits)


def test_a_problem_that_was_seen_before_stays_void_on_the_page_too(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    page.get_by_role("button", name="I have seen this problem").click()
    expect(page.locator("#save-status")).to_have_text("Saved")
    SessionItem.objects.filter(place=1).update(seen_before_at=timezone.now() - timedelta(minutes=5))
    page.locator("[data-place]:visible").get_by_role("button", name="Undo").click()
    expect(page.locator("[data-place]:visible [data-refusal]")).to_contain_text("does not count")
    expect(page.locator("[data-place]:visible [data-out=seen]")).to_be_visible()
    expect(answer_box(page)).to_be_hidden()


def test_what_was_typed_last_is_saved_though_the_page_is_left_at_once(visits, study, participant):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    expect(page.locator("#save-status")).to_have_text("Saved")
    answer_box(page).fill("m g h")
    page.goto("/studies/mine/")
    # It goes out as the page is left; the next page may be there before it has arrived.
    deadline = time.monotonic() + PATIENCE_MILLISECONDS / 1000
    while not Save.objects.exists() and time.monotonic() < deadline:
        page.reload()
    assert Save.objects.get().text == "m g h"
    cut_off = (*OF_A_LOST_NET, "undefined")
    visits.complaints[:] = [
        text for text in visits.complaints if not any(one in text for one in cut_off)
    ]


def test_what_a_device_kept_beyond_the_end_is_sent_late_and_its_person_is_told(
    visits, study, participant
):
    session = start(participation=practise(study, participant), seed=1)
    page = visits.open(participant)
    page.goto(session.get_absolute_url())
    answer_box(page).fill("m g")
    is_saved(page, "m g")
    page.context.set_offline(True)
    answer_box(page).fill("m g h")
    expect(page.locator("#save-status")).to_contain_text("Not saved yet")
    page.close()
    pass_deadline(session)
    do(ENDING, session.pk)
    page.context.set_offline(False)
    later = page.context.new_page()
    later.goto(session.get_absolute_url())
    expect(later.get_by_text("reached us only now")).to_be_visible()
    # A busy device may send the same text twice: as it was typed, and as the page was left.
    late = Save.objects.filter(is_late=True)
    assert set(late.values_list("text", "item__place")) == {("m g h", 1)}
    sent = late.count()
    assert SessionItem.objects.get(place=1).attempt.response == "m g"
    # Once: the device has nothing left to send.
    later.reload()
    expect(later.get_by_text("Thank you for taking part")).to_be_visible()
    expect(later.get_by_text("reached us only now")).to_be_hidden()
    assert late.count() == sent
    visits.complaints[:] = [
        text for text in visits.complaints if not any(one in text for one in OF_A_LOST_NET)
    ]


def test_who_gives_up_without_a_word_is_asked_for_one_and_a_second_tab_has_the_clock(
    visits, study, participant
):
    session = start(participation=practise(study, participant), seed=1)
    page, second = visits.open(participant), visits.open(participant)
    page.goto(session.get_absolute_url())
    section = page.locator("[data-place]:visible")
    section.get_by_text("Give up", exact=True).click()
    section.get_by_role("button", name="Give this problem up").click()
    expect(section.get_by_role("alert")).to_contain_text("Say in a few words")
    expect(page.locator("#save-status")).to_have_text("Saved")
    second.goto(session.get_absolute_url())
    expect(second.locator("#other-tab")).to_be_visible()
    expect(second.locator("#clock")).to_contain_text("min left")
    visits.complaints[:] = [text for text in visits.complaints if " 409 " not in text]
