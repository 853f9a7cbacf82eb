"""Stages that are solved before the answer is seen, and who can’t solve them any more."""

import pytest
from django.db import IntegrityError, transaction

from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.problems.permissions import can_see_key
from curation.reviewing.reviews import actions as reviewing
from curation.reviewing.reviews.actions import UnreadableSolve
from curation.reviewing.rounds.permissions import list_awaiting
from curation.reviewing.rounds.solves.models import BlindSolve
from curation.texts.workflow import NotAllowedNow, Status
from curation.versions.permissions import list_to_answer, may_answer
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.drafts.test_actions import REFUSED_BY_A_TRIGGER
from tests.curation.reviewing.rounds.opened import pass_first_stages, review, solve
from tests.phybench.runaways import SLOW_TO_SIMPLIFY

pytestmark = pytest.mark.django_db


def test_a_blind_stage_takes_no_review_before_the_solve(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(NotAllowedNow, match="Solve it first"):
        review(blind, solvers[0])
    assert not can_see_key(solvers[0], problem)
    solve(blind, solvers[0])
    assert can_see_key(solvers[0], problem)
    review(blind, solvers[0])


def test_who_has_seen_the_answer_can_not_solve_it_blind(problem, reviewer, solvers, admin):
    blind = pass_first_stages(problem, reviewer)
    looked = solvers[0]
    reviewing.show_key(blind.revision, looked)
    admin.roles = [Role.ADMIN, Role.REVIEWER]
    admin.save()
    for person in (reviewer, looked, admin):
        assert blind not in list_awaiting(person)
        with pytest.raises(NotAllowedNow, match="seen the answer"):
            solve(blind, person)
    assert blind in list_awaiting(solvers[1])


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("h g m", "AGREES"), ("2 m g h", "DISAGREES"), (r"\boxed{g h m}", "AGREES")],
)
def test_a_blind_answer_is_graded_at_once(problem, reviewer, solvers, answer, outcome):
    solve(pass_first_stages(problem, reviewer), solvers[0], answer)
    kept = BlindSolve.objects.get()
    assert (kept.outcome, kept.answer) == (outcome, answer)


def test_an_answer_that_can_not_be_read_is_not_taken_and_shows_nothing(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(UnreadableSolve):
        solve(blind, solvers[0], r"\frac{m")
    assert not BlindSolve.objects.exists()
    assert not can_see_key(solvers[0], problem)


def test_what_we_could_not_grade_counts_neither_way_and_somebody_else_is_asked(
    settings, problem, reviewer, solvers
):
    blind = pass_first_stages(problem, reviewer)
    settings.GRADING_DEADLINE_SECONDS = 0.5
    solve(blind, solvers[0], SLOW_TO_SIMPLIFY)
    settings.GRADING_DEADLINE_SECONDS = 60
    kept = BlindSolve.objects.get()
    assert (kept.outcome, kept.not_told_reason) == ("NOT_TOLD", "timeout")
    solve(blind, solvers[1])
    for person in solvers[:2]:
        review(blind, person)
    blind.refresh_from_db()
    assert blind.closed_at is None
    assert blind in list_awaiting(solvers[2])
    solve(blind, solvers[2])
    review(blind, solvers[2])
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED


def test_what_is_left_to_a_person_says_how_it_was_read(problem, reviewer, solvers):
    # The problem has no capital M, and with its own m the answer would be right.
    solve(pass_first_stages(problem, reviewer), solvers[0], "h g M")
    kept = BlindSolve.objects.get()
    assert (kept.outcome, kept.not_told_reason) == ("NOT_TOLD", "undecided")
    assert (kept.answer_read, kept.answer_typed) == ("M g h", "h\\,g\\,M")


def test_no_answer_has_a_reason_instead(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    with pytest.raises(IntegrityError), transaction.atomic():
        reviewing.solve_blind(review_round=blind, reviewer=solvers[0], kind="AMBIGUOUS")
    reviewing.solve_blind(
        review_round=blind, reviewer=solvers[0], kind="AMBIGUOUS", reason="Which $h$?"
    )
    assert BlindSolve.objects.get().outcome == "NO_ANSWER"


def test_a_solve_is_given_once_and_stays(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    solve(blind, solvers[0], "2 m g h")
    # Whoever has seen the key can't better their answer.
    with pytest.raises(NotAllowedNow):
        solve(blind, make_person(Role.CONTRIBUTOR, "no-reviewer"))
    solve(blind, solvers[0], "m g h")
    assert BlindSolve.objects.get().answer == "2 m g h"
    for rows in (BlindSolve.objects.all(), Exposure.objects.all()):
        with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
            rows._raw_delete(rows.db)
    with pytest.raises(REFUSED_BY_A_TRIGGER), transaction.atomic():
        BlindSolve.objects.update(outcome="AGREES")


def test_a_participant_who_was_shown_the_key_does_not_answer(problem, reviewer, solvers):
    blind = pass_first_stages(problem, reviewer)
    seen, unseen = solvers[0], solvers[1]
    reviewing.show_key(blind.revision, seen)
    Problem.objects.update(
        status=Status.ACCEPTED, accepted_at=blind.opened_at, accepted_revision=blind.revision
    )
    problem.refresh_from_db()
    for person in (seen, unseen):
        person.roles = [Role.REVIEWER, Role.PARTICIPANT]
    blind.revision.problem = problem
    assert not may_answer(seen, blind.revision)
    assert may_answer(unseen, blind.revision)
    assert problem not in list_to_answer(seen)
