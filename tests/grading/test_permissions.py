"""Who may do what with submissions and their judging: by rule, by the lists of pages, by action."""

import pytest
from django.core.exceptions import PermissionDenied

from grading import permissions
from grading.answers import actions as answering
from grading.judging.runs import actions as judging
from grading.judging.runs.actions import CannotRun
from grading.judging.runs.models import JudgeRun
from phybench.models import Role, User
from tests.conftest import make_person
from tests.grading.judging.judging import grade_all, make_plan
from tests.grading.judging.pairing import hand_in_as, make_pair_plan
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.django_db
WITHOUT_MODELS = {"kind": "semantic", "mode": "rule_only"}


@pytest.fixture
def people(evaluator: User, admin: User) -> dict[str, User]:
    dropped = make_person(Role.ADMIN, "dropped")
    dropped.is_active = False
    return {
        "who handed it in": evaluator,
        "an admin": admin,
        "another evaluator": make_person(Role.EVALUATOR, "another"),
        "a participant": make_person(Role.PARTICIPANT, "participant"),
        "a contributor": make_person(Role.CONTRIBUTOR, "contributor2"),
        "an admin who may not sign in": dropped,
    }


@pytest.fixture
def submission(problems, evaluator):
    made = hand_in_as(evaluator, "Model A", [(problems[0], "m g h")])
    grade_all(made)
    return made


THEIRS = {"who handed it in", "an admin"}


def test_a_submission_is_theirs_who_handed_it_in_and_the_admins(people, submission):
    for name, person in people.items():
        is_theirs = name in THEIRS
        assert permissions.may_run(person, submission) is is_theirs, name
        assert permissions.can_withdraw(person, submission) is is_theirs, name
        assert (submission in permissions.list_submissions(person)) is is_theirs, name
        assert (submission.attempts.get() in permissions.list_attempts(person)) is is_theirs, name


def test_who_is_no_evaluator_any_more_reads_what_they_handed_in_and_has_it_judged_no_more(
    evaluator, submission
):
    evaluator.roles = []
    assert submission in permissions.list_submissions(evaluator)
    assert not permissions.may_run(evaluator, submission)


def test_nobody_else_begins_a_run_or_steers_it(people, submission):
    plan = make_plan(make_endpoint(), WITHOUT_MODELS)
    for name in people.keys() - THEIRS:
        with pytest.raises(CannotRun, match="Only who handed it in"):
            judging.begin(submission=submission, started_by=people[name], plan=plan)
    run = judging.begin(submission=submission, started_by=people["who handed it in"], plan=plan)
    for name, person in people.items():
        is_theirs = name in THEIRS
        assert permissions.may_go_on(person, run) is is_theirs, name
        assert (run in permissions.list_runs(person)) is is_theirs, name
        for act in (judging.pause, judging.resume, judging.cancel, judging.ask_again):
            if not is_theirs:
                with pytest.raises(CannotRun, match="Only who handed it in"):
                    act(run=run, by=person)
    run.refresh_from_db()
    assert run.state == JudgeRun.State.RUNNING


def test_nobody_else_withdraws_it(people, submission):
    for name in people.keys() - THEIRS:
        with pytest.raises(PermissionDenied):
            answering.withdraw(submission=submission, by=people[name])
    submission.refresh_from_db()
    assert submission.withdrawn_at is None


def test_of_a_pair_both_have_to_be_theirs(people, problems, submission, admin):
    other = hand_in_as(people["another evaluator"], "Model B", [(problems[0], "m h")])
    grade_all(other)
    plan = make_pair_plan(other, make_endpoint())
    run = judging.begin(submission=submission, started_by=admin, plan=plan)
    allowed = {name for name, person in people.items() if permissions.may_go_on(person, run)}
    assert allowed == {"an admin"}
    assert {name for name, one in people.items() if run in permissions.list_runs(one)} == allowed
