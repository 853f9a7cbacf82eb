"""Answers of a model, with a grade each, and people who contest and rule."""

from typing import Any

import pytest

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.disputes.contests import actions
from grading.disputes.contests.models import Contest
from grading.disputes.contests.ruling import Decision, rule
from phybench.people.models import Role, User
from tests.conftest import accept, make_draft, make_person
from tests.grading.answers.test_views import grade_all
from tests.grading.conftest import HandIn
from tests.memory import remembered

TELLTALE = "7351935"
REFERENCE = rf"\frac{{{TELLTALE} m g h}}{{\sin l}}"
ANSWER = r"So it is \boxed{\frac{2 m g h}{\cos l}}, I think."
TEXT = "The cosine is meant as a sine."
WHY = "It is as the statement has it."


@pytest.fixture
@remembered
def problem(contributor: User, reviewer: User, benchmark: Benchmark) -> Problem:
    draft = make_draft(
        contributor,
        benchmark,
        statement="Given are $m$, $g$, $h$ and $l$. What comes of them?",
        answer=REFERENCE,
    )
    return accept(draft, contributor, reviewer)


@pytest.fixture
@remembered
def attempt(problem: Problem, hand_in: HandIn) -> Attempt:
    attempt = hand_in((problem, ANSWER), model="Secretive-7B").attempts.get()
    grade_all()
    attempt.refresh_from_db()
    return attempt


@pytest.fixture
def right(problem: Problem, hand_in: HandIn) -> Attempt:
    """An answer that is graded right."""
    attempt = hand_in((problem, REFERENCE), model="Right").attempts.get()
    grade_all()
    attempt.refresh_from_db()
    return attempt


@pytest.fixture
def unread(problem: Problem, hand_in: HandIn) -> Attempt:
    """An answer that could not be graded, for a reason of ours."""
    attempt = hand_in((problem, "m g h"), model="Unread").attempts.get()
    Attempt.objects.filter(pk=attempt.pk).update(status="FAILED", failure_reason="timeout")
    attempt.refresh_from_db()
    return attempt


@pytest.fixture
@remembered
def contested(attempt: Attempt, evaluator: User) -> Contest:
    return contest(attempt, evaluator)


@pytest.fixture
@remembered
def other_admin(db: None) -> User:
    return make_person(Role.ADMIN, "other-admin")


def contest(attempt: Attempt, by: User, reason: str = "MISREAD", text: str = TEXT) -> Contest:
    return actions.contest(attempt=attempt, by=by, reason=reason, text=text)


def decide(contest: Contest, by: User, fault: str = "MODEL", **said: Any) -> Contest:
    return rule(contest=contest, by=by, decision=Decision(fault, **{"why": WHY, **said}))
