"""Decisions on keys in doubt: what each does, who may say which, and the way to the correction."""

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from curation.authoring.drafts import actions as writing
from curation.problems.models import Problem
from curation.problems.people.models import Conflict
from curation.reports import actions as errors
from curation.reports.models import ErrorReport
from curation.texts.workflow import NotAllowedNow, Status
from grading.disputes.keys import actions
from grading.disputes.keys.actions import DecidedMeanwhile
from grading.disputes.keys.models import KeyCheck, KeyDecision
from grading.disputes.keys.tasks import scan_keys
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


def answer(hand_in: HandIn, model: str, problem: Problem, response: str) -> None:
    for attempt in hand_in((problem, response), model=model).attempts.all():
        grade_attempt(attempt.pk)
    scan_keys()


@pytest.fixture
@remembered
def check(problems: list[Problem], hand_in: HandIn) -> KeyCheck:
    for model in ("A", "B", "C"):
        answer(hand_in, model, problems[0], "2 m g h")
    return KeyCheck.objects.get()


def decide(check: KeyCheck, by: User, choice: str, **options: object) -> KeyDecision:
    check = KeyCheck.objects.select_related("revision__problem").get(pk=check.pk)
    told = {"note": "I solved it anew.", "seen": check.last_decision_id, **options}
    return actions.decide(check=check, by=by, choice=choice, **told)  # type: ignore[arg-type]


def waits(check: KeyCheck) -> bool:
    return KeyCheck.objects.waiting().filter(pk=check.pk).exists()


@pytest.mark.parametrize(
    ("choice", "stays", "kind"),
    [
        ("KEY_RIGHT", False, None),
        ("KEY_WRONG", False, "ANSWER"),
        ("AMBIGUOUS", False, "STATEMENT"),
        ("NEEDS_WORK", True, None),
    ],
)
def test_each_decision_keeps_it_on_the_list_or_not_and_reports_what_is_wrong(
    check: KeyCheck, admin: User, choice: str, stays: bool, kind: str | None
) -> None:
    made = decide(check, admin, choice)
    assert waits(check) is stays
    assert (made.report and made.report.kind) == kind
    if made.report:
        assert (made.report.text, made.report.reporter) == ("I solved it anew.", admin)
        # What solvers agree on is reported only where it is said to be right.
        is_key = choice == "KEY_WRONG"
        assert made.report.own_answer == (check.groups[0]["latex"] if is_key else "")


def test_more_answers_bring_back_what_was_decided_but_not_while_its_report_is_open(
    check: KeyCheck, admin: User, problems: list[Problem], hand_in: HandIn
) -> None:
    decide(check, admin, "KEY_RIGHT")
    answer(hand_in, "D", problems[0], "2 m g h")
    assert waits(check)

    report = decide(check, admin, "KEY_WRONG").report
    answer(hand_in, "E", problems[0], "2 m g h")
    assert not waits(check)
    assert report
    errors.decide(report=report, admin=admin, outcome="NO_ERROR", reason="The key is right.")
    assert waits(check)


def test_the_second_of_two_admins_is_told_what_the_first_decided(
    check: KeyCheck, admin: User
) -> None:
    other = make_person(Role.ADMIN, "other")
    first = decide(check, admin, "KEY_RIGHT", seen=None)
    assert decide(check, admin, "KEY_RIGHT", seen=None) == first, "sent twice"

    client = Client()
    client.force_login(other)
    page = client.post(
        reverse("grading:key", args=[check.pk]),
        {"choice": "KEY_WRONG", "note": "A factor 2 is missing.", "seen": ""},
    )
    assert page.status_code == 400
    assert "Admin has already decided: the reference answer is right." in page.text
    assert "A factor 2 is missing." in page.text, "what was written is kept"
    assert f'value="{first.pk}"' in page.text
    assert KeyDecision.objects.count() == 1
    with pytest.raises(DecidedMeanwhile):
        decide(check, other, "NEEDS_WORK", seen=None)
    # Once they have read it they may decide otherwise; the first stays.
    decide(check, other, "NEEDS_WORK", seen=first.pk)
    assert KeyDecision.objects.count() == 2


def test_that_a_key_is_right_is_not_for_who_wrote_it_or_is_in_conflict(
    check: KeyCheck, admin: User
) -> None:
    Conflict.objects.create(
        person=admin, problem=check.revision.problem, marked_by=admin, reason="A student's."
    )
    with pytest.raises(NotAllowedNow, match="a conflict of interest"):
        decide(check, admin, "KEY_RIGHT")
    client = Client()
    client.force_login(admin)
    page = client.get(reverse("grading:key", args=[check.pk])).text
    assert 'value="KEY_RIGHT"' not in page
    assert "Another person has to confirm" in page
    assert decide(check, admin, "KEY_WRONG").report


def test_who_has_a_report_open_has_it_linked_and_none_beside_it(
    check: KeyCheck, admin: User
) -> None:
    before = errors.report_error(
        problem=check.revision.problem, reporter=admin, kind="ANSWER", text="Look at the 2."
    )
    assert decide(check, admin, "KEY_WRONG").report == before
    assert ErrorReport.objects.count() == 1


def test_correcting_a_key_leads_straight_to_its_next_revision(
    client: Client, check: KeyCheck, admin: User, contributor: User
) -> None:
    problem = check.revision.problem
    client.force_login(admin)
    page = client.post(
        reverse("grading:key", args=[check.pk]),
        {"choice": "KEY_WRONG", "note": "A factor 2 is missing.", "seen": ""},
        follow=True,
    )
    assert "Correct the reference answer" in page.text
    address = reverse("grading:correct_key", args=[check.pk])
    for _time in range(2):  # A second click leads there, too.
        answered = client.post(address, {"reason": "A factor was wrong."})
        assert answered["Location"] == reverse("curation:edit", args=[problem.pk])
    assert client.get(answered["Location"]).status_code == 200
    problem.refresh_from_db()
    assert problem.status == Status.RETURNED
    report = ErrorReport.objects.get()
    assert (report.outcome, report.reason) == ("KEY_FIXED", "A factor was wrong.")
    assert report.awaits_correction
    assert "is being corrected" in client.get(reverse("grading:key", args=[check.pk])).text
    # Its author is asked as well.
    client.force_login(contributor)
    assert "An error was found in" in client.get(reverse("inbox")).text


def test_who_can_not_write_it_now_is_led_to_the_problem_and_told_whose_turn_it_is(
    client: Client, check: KeyCheck, admin: User, contributor: User
) -> None:
    problem = check.revision.problem
    decide(check, admin, "KEY_WRONG")
    actions.correct(check=check, by=admin, reason="A factor was wrong.")
    writing.save_draft(
        problem=Problem.objects.get(pk=problem.pk),
        author=contributor,
        saved_at="",
        answer="2 m g h",
        reason="A factor 2.",
    )
    Problem.objects.filter(pk=problem.pk).update(status=Status.IN_REVIEW)
    client.force_login(admin)
    page = client.post(
        reverse("grading:correct_key", args=[check.pk]), {"reason": "It was wrong."}, follow=True
    )
    assert page.redirect_chain[-1][0] == problem.get_absolute_url()
    assert "Its correction is already in review." in page.text


@pytest.mark.parametrize("choice", ["KEY_RIGHT", "AMBIGUOUS"])
def test_nothing_is_corrected_that_nobody_found_wrong(
    client: Client, check: KeyCheck, admin: User, choice: str
) -> None:
    decide(check, admin, choice)
    client.force_login(admin)
    page = client.post(reverse("grading:correct_key", args=[check.pk]), {"reason": "Wrong."})
    assert page.status_code == 400
    check.revision.problem.refresh_from_db()
    assert check.revision.problem.status == Status.ACCEPTED


def test_lists_count_what_waits_and_what_is_decided_and_home_does(
    client: Client, check: KeyCheck, admin: User, problems: list[Problem], hand_in: HandIn
) -> None:
    for model in ("A", "B", "C"):
        answer(hand_in, f"{model} again", problems[1], "2 m g h")
    decide(check, admin, "KEY_RIGHT")
    client.force_login(admin)
    address = reverse("grading:keys")
    page = client.get(address).text
    assert all(tab in page for tab in ("In doubt 1", "Decided 1", "All 2"))
    assert problems[0].title not in page
    decided = client.get(address, {"show": "decided", "decision": "KEY_RIGHT"}).text
    assert problems[0].title in decided
    assert problems[1].title not in decided
    assert "1 reference answer is in doubt." in client.get(reverse("inbox")).text
    text = client.get(reverse("grading:keys_csv"), {"show": "decided"}).content.decode("utf-8-sig")
    [_head, line] = text.splitlines()
    assert ",KEY_RIGHT," in line
    assert line.endswith(",Admin,I solved it anew.,")


def test_what_is_in_use_no_more_waits_for_nothing(check: KeyCheck) -> None:
    assert waits(check)
    Problem.objects.filter(pk=check.revision.problem_id).update(status=Status.RETIRED)
    assert not waits(check)


def test_decisions_stay_and_only_the_last_is_the_last(check: KeyCheck, admin: User) -> None:
    first = decide(check, admin, "NEEDS_WORK")
    decide(check, admin, "KEY_RIGHT")
    broken = (
        lambda: KeyDecision.objects.filter(pk=first.pk).update(note="Another."),
        lambda: KeyDecision.objects.filter(pk=first.pk).delete(),
        lambda: KeyCheck.objects.filter(pk=check.pk).update(last_decision=first),
        lambda: KeyDecision.objects.create(
            key_check=check, choice="KEY_WRONG", note="Wrong.", by=admin, last_grade=1
        ),
    )
    for change in broken:
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
