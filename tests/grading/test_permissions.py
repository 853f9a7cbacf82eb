"""Who may do what with submissions and their judging: by rule, by the lists of pages, by action."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from grading.answers import actions as answering
from grading.answers.models import Attempt
from grading.answers.permissions import (
    can_publish,
    list_attempts,
    list_own_answers,
    list_submissions,
    tells_key,
)
from grading.judging.models import JudgeRun
from grading.judging.permissions import list_runs, may_go_on, may_run
from grading.judging.prompts.actions import bring_prompt, release_prompt
from grading.judging.prompts.permissions import can_release
from grading.judging.runs import actions as judging
from grading.judging.runs.actions import CannotRun
from grading.samples.labels import actions as labels
from grading.samples.labels.permissions import (
    can_rule,
    can_take_labels,
    list_label_files,
    list_rulable,
    list_rulings,
)
from grading.samples.labels.rulings import rule
from grading.solvers.models import Membership
from grading.submissions import publication
from phybench.people.models import Role, User
from tests.conftest import make_person
from tests.grading.judging.judging import grade_all, make_plan
from tests.grading.judging.pairing import hand_in_as, make_pair_plan
from tests.grading.trials.trials import make_endpoint
from tests.organisations import join, organisation_of
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db
WITHOUT_MODELS = {"kind": "semantic", "mode": "rule_only"}


def make_member(of: User, name: str = "member", **state: object) -> User:
    person = make_person(Role.EVALUATOR, name)
    membership = join(organisation_of(of), person)
    if "joined_at" in state:
        state["accepted_by"] = None
    Membership.objects.filter(pk=membership.pk).update(**state)
    return person


@pytest.fixture
def people(evaluator: User, admin: User) -> dict[str, User]:
    dropped = make_person(Role.ADMIN, "dropped")
    dropped.is_active = False
    return {
        "who handed it in": evaluator,
        "an admin": admin,
        "another of its organisation": make_member(evaluator),
        "who asks to join it": make_member(evaluator, name="asking", joined_at=None),
        "who was of it": make_member(evaluator, name="left", left_at=timezone.now()),
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


THEIRS = {"who handed it in", "another of its organisation", "an admin"}


def test_a_submission_is_theirs_who_handed_it_in_and_the_admins(people, submission):
    for name, person in people.items():
        is_theirs = name in THEIRS
        assert may_run(person, submission) is is_theirs, name
        assert can_publish(person, submission) is is_theirs, name
        assert (submission in list_submissions(person)) is is_theirs, name
        assert (submission.attempts.get() in list_attempts(person)) is is_theirs, name


def test_who_is_no_evaluator_any_more_reads_what_they_handed_in_and_has_it_judged_no_more(
    evaluator, submission
):
    evaluator.roles = []
    assert submission in list_submissions(evaluator)
    assert not may_run(evaluator, submission)


def test_nobody_else_begins_a_run_or_steers_it(people, submission):
    plan = make_plan(make_endpoint(), WITHOUT_MODELS)
    for name in people.keys() - THEIRS:
        with pytest.raises(CannotRun, match="Only members of its team"):
            judging.begin(submission=submission, started_by=people[name], plan=plan)
    run = judging.begin(submission=submission, started_by=people["who handed it in"], plan=plan)
    for name, person in people.items():
        is_theirs = name in THEIRS
        assert may_go_on(person, run) is is_theirs, name
        assert (run in list_runs(person)) is is_theirs, name
        for act in (judging.pause, judging.resume, judging.cancel, judging.ask_again):
            if not is_theirs:
                with pytest.raises(CannotRun, match="Only members of its team"):
                    act(run=run, by=person)
    run.refresh_from_db()
    assert run.state == JudgeRun.State.RUNNING


def test_nobody_else_publishes_or_withdraws_it(people, submission):
    for name in people.keys() - THEIRS:
        for act in (publication.withdraw, publication.publish):
            with pytest.raises(PermissionDenied, match="Only members of its team"):
                act(submission=submission, by=people[name])
    submission.refresh_from_db()
    assert submission.withdrawn_at is submission.published_at is None


def test_of_a_pair_both_have_to_be_theirs(people, problems, submission, admin):
    other = hand_in_as(people["another evaluator"], "Model B", [(problems[0], "m h")])
    grade_all(other)
    plan = make_pair_plan(other, make_endpoint())
    run = judging.begin(submission=submission, started_by=admin, plan=plan)
    allowed = {name for name, person in people.items() if may_go_on(person, run)}
    assert allowed == {"an admin"}
    assert {name for name, one in people.items() if run in list_runs(one)} == allowed


def test_who_handed_in_both_of_a_pair_steers_their_run(evaluator, problems, submission):
    other = hand_in_as(evaluator, "Model B", [(problems[0], "m h")])
    grade_all(other)
    plan = make_pair_plan(other, make_endpoint())
    run = judging.begin(submission=submission, started_by=evaluator, plan=plan)
    assert may_go_on(evaluator, run)


def test_a_correct_answer_tells_the_key_to_all_but_who_gave_it(participant, evaluator, revision):
    for response, is_told in (("m g h", True), ("m g", False)):
        person = make_person(Role.PARTICIPANT, f"told{is_told}".lower())
        attempt = answering.answer(revision=revision, person=person, response=response)
        grade_attempt(attempt.pk)
        grades = attempt.grades.all()
        assert tells_key(evaluator, attempt, grades) is is_told
        assert tells_key(participant, attempt, grades) is is_told
        assert not tells_key(person, attempt, grades)


def test_ones_own_answers_are_those_one_gave_and_none_that_were_handed_in(
    participant, evaluator, revision, submission
):
    given = answering.answer(revision=revision, person=participant, response="m g")
    assert list(list_own_answers(participant)) == [given]
    assert not list_own_answers(evaluator).exists()


def test_only_an_admin_releases_a_prompt_and_only_once(people, evaluator, admin):
    prompt = bring_prompt(
        by=evaluator,
        content=b"name: own\nversion: 7\n--- user\n{question} {response} {ground_truth}\n",
        file_name="own.txt",
        kind="SEMANTIC",
        language="en",
        with_reference=True,
    )
    allowed = {name for name, one in people.items() if can_release(one, prompt)}
    assert allowed == {"an admin"}
    release_prompt(prompt=prompt, by=admin)
    prompt.refresh_from_db()
    assert not can_release(admin, prompt)


def test_an_evaluator_rules_on_answers_to_what_they_write_but_for_their_own(
    people, contributor, problems, submission
):
    attempt = submission.attempts.get()
    assert {name for name, one in people.items() if can_rule(one, attempt)} == {"an admin"}
    assert not can_rule(contributor, attempt)
    contributor.roles.append(Role.EVALUATOR)
    contributor.save()
    own = hand_in_as(contributor, "Model B", [(problems[0], "m h")])
    assert list(list_rulable(contributor)) == [attempt]
    assert can_rule(people["an admin"], own.attempts.get())


def test_rulings_and_files_of_labels_are_theirs_who_gave_them_and_the_admins(
    people, admin, contributor, submission
):
    contributor.roles.append(Role.EVALUATOR)
    contributor.save()
    attempt = Attempt.objects.get()
    ruling = rule(attempt=attempt, by=contributor, choice="RIGHT", reason="So it is.")
    file = labels.bring(
        by=contributor,
        file_name="labels.json",
        content=b'[{"labeller": "R. Hooke", "label": "right", "attempt": 1}]',
        origin="R. Hooke, last May.",
    )
    for name, person in {**people, "who gave them": contributor}.items():
        is_theirs = name in ("who gave them", "an admin")
        assert (ruling in list_rulings(person)) is is_theirs, name
        assert (file in list_label_files(person)) is is_theirs, name
        assert can_take_labels(person, file) is (person == contributor), name
