"""Contesting a grade: who may, when, how often, and taking it back."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from curation.problems.models import Problem
from grading.answers import actions as answering
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.disputes.contests.actions import CannotContest, take_back
from grading.disputes.contests.models import Contest
from grading.disputes.contests.ruling import CannotRule
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.grading.answers.test_views import grade_all
from tests.grading.conftest import HandIn
from tests.grading.contests.conftest import TEXT, contest, decide
from tests.grading.regrades.conftest import write_grade
from tests.organisations import join, organisation_of

pytestmark = pytest.mark.django_db


def test_evaluators_of_the_organisation_and_admins_contest_and_nobody_else_does(
    attempt: Attempt, evaluator: User, admin: User, contributor: User, participant: User
) -> None:
    colleague = make_person(Role.CONTRIBUTOR, "colleague")
    join(organisation_of(evaluator), colleague)
    stranger = make_person(Role.EVALUATOR, "stranger")
    for person in (colleague, stranger, contributor, participant):
        with pytest.raises(PermissionDenied):
            contest(attempt, person)
    for person in (evaluator, admin):
        made = contest(attempt, person)
        assert made.grade == attempt.grades.get()
        assert made.organisation == organisation_of(evaluator)
        take_back(contest=made, by=person)


def test_a_participant_contests_the_grade_of_their_own_answer(
    problem: Problem, participant: User, admin: User
) -> None:
    revision = problem.revisions.get()
    own = answering.answer(revision=revision, person=participant, response="m g h")
    with pytest.raises(CannotContest, match="not graded yet"):
        contest(own, participant)
    grade_all()
    with pytest.raises(PermissionDenied):
        contest(own, admin)
    assert contest(own, participant).organisation is None


def test_sent_twice_it_is_one_and_another_has_to_wait(attempt: Attempt, evaluator: User) -> None:
    first = contest(attempt, evaluator)
    assert contest(attempt, evaluator, text=f" {TEXT}\n") == first
    with pytest.raises(CannotContest, match="already contested"):
        contest(attempt, evaluator, text="Also for this.")


def test_what_could_not_be_graded_is_contested_too(unread: Attempt, evaluator: User) -> None:
    assert contest(unread, evaluator).grade is None


def test_a_right_answer_is_not_contested_for_its_form(right: Attempt, evaluator: User) -> None:
    with pytest.raises(CannotContest, match="Choose what is wrong"):
        contest(right, evaluator, "EQUIVALENT")
    assert contest(right, evaluator, "KEY_WRONG").reason == "KEY_WRONG"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"submission__withdrawn_at": timezone.now()}, "was withdrawn"),
        ({"status": "CANCELLED"}, "cancelled"),
        ({"status": "QUEUED"}, "not graded yet"),
    ],
)
def test_without_a_grade_that_counts_there_is_nothing_to_contest(
    attempt: Attempt, evaluator: User, change: dict[str, Any], why: str
) -> None:
    if "status" in change:
        Attempt.objects.update(**change)
    else:
        Submission.objects.update(withdrawn_at=timezone.now())
    with pytest.raises(CannotContest, match=why):
        contest(attempt, evaluator)


def test_only_so_many_of_an_organisation_wait_and_it_is_told_how_many(
    problem: Problem, hand_in: HandIn, evaluator: User, settings: Any
) -> None:
    settings.CONTESTS_OPEN = 2
    attempts = [
        hand_in((problem, f"{number} m"), model=f"M{number}").attempts.get() for number in range(3)
    ]
    grade_all()
    first, second, third = (Attempt.objects.get(pk=one.pk) for one in attempts)
    made = contest(first, evaluator)
    contest(second, evaluator)
    with pytest.raises(CannotContest, match="2 contested grades of yours await a ruling"):
        contest(third, evaluator)
    take_back(contest=made, by=evaluator)
    assert contest(third, evaluator)


def test_a_ruling_stands_until_another_run_gives_a_new_grade(
    attempt: Attempt, contested: Contest, evaluator: User, admin: User
) -> None:
    decide(contested, admin)
    with pytest.raises(CannotContest, match="has ruled on this grade"):
        contest(attempt, evaluator, text="Still.")
    adopt_another_run(attempt)
    again = contest(attempt, evaluator, text="Still.")
    assert again.grade != contested.grade


def adopt_another_run(attempt: Attempt, verdict: str = "INCORRECT") -> GradingRun:
    old = GradingRun.objects.adopted().get()
    new = GradingRun.objects.create(
        benchmark=old.benchmark, grader_version="3.0", why="Better.", base=old
    )
    write_grade(new, attempt, verdict)
    with transaction.atomic():
        GradingRun.objects.filter(pk=old.pk).update(set_aside_at=timezone.now())
        GradingRun.objects.filter(pk=new.pk).update(adopted_at=timezone.now())
    return new


def test_what_nobody_could_tell_is_contested_once_more_for_new_reasons_and_by_another(
    attempt: Attempt, contested: Contest, evaluator: User, admin: User, other_admin: User
) -> None:
    decide(contested, admin, "CANT_TELL")
    with pytest.raises(CannotContest, match="Give a new reason"):
        contest(attempt, evaluator)
    again = contest(attempt, evaluator, text="Look at the limit of small angles.")
    with pytest.raises(CannotRule, match=r"could not tell.*Other-admin"):
        decide(again, admin)
    decide(again, other_admin, "CANT_TELL")
    with pytest.raises(CannotContest, match="Two people could not tell"):
        contest(attempt, evaluator, text="And now?")


def test_it_is_taken_back_while_it_waits_by_those_whose_it_is(
    contested: Contest, evaluator: User, admin: User
) -> None:
    stranger = make_person(Role.EVALUATOR, "stranger")
    with pytest.raises(PermissionDenied):
        take_back(contest=contested, by=stranger)
    taken = take_back(contest=contested, by=evaluator)
    assert take_back(contest=contested, by=evaluator).taken_back_at == taken.taken_back_at
    decide_again = contest(contested.attempt, evaluator)
    decide(decide_again, admin)
    with pytest.raises(CannotContest, match="has already ruled on it"):
        take_back(contest=decide_again, by=evaluator)


@pytest.mark.parametrize(
    "change",
    [
        {"text": "Something else."},
        {"reason": "KEY_WRONG"},
        {"fault": "GRADER"},
        {"ruled_at": None, "ruled_by": None, "fault": "", "why": ""},
        {"taken_back_at": timezone.now()},
    ],
)
def test_the_database_keeps_what_was_contested_and_ruled(
    contested: Contest, admin: User, change: dict[str, Any]
) -> None:
    decide(contested, admin)
    with pytest.raises(DatabaseError), transaction.atomic():
        Contest.objects.filter(pk=contested.pk).update(**change)


def test_the_database_holds_that_a_grade_is_ruled_on_once_and_contested_once_at_a_time(
    contested: Contest, evaluator: User, admin: User
) -> None:
    row = {
        "attempt": contested.attempt,
        "grade": contested.grade,
        "reason": "MISREAD",
        "text": "x",
        "contested_by": evaluator,
    }
    with pytest.raises(IntegrityError, match="one_open_contest"), transaction.atomic():
        Contest.objects.create(**row)
    decide(contested, admin)
    ruled = {"fault": "MODEL", "why": "x", "ruled_by": admin, "ruled_at": timezone.now()}
    with pytest.raises(IntegrityError, match="one_ruling_a_grade"), transaction.atomic():
        Contest.objects.create(**row, **ruled)
    with pytest.raises(DatabaseError, match="Cannot delete"), transaction.atomic():
        contested.delete()
