"""Answers that are graded, answering, trying again: who may, when, and at once."""

import hashlib
from collections.abc import Callable

import pytest

from curation.problems import actions as curating
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem, Revision
from curation.reviewing.pipelines.shipped import find_pipeline
from grading.answers import actions
from grading.answers.actions import CannotAnswer
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.solvers.models import Organisation, Solver
from grading.submissions.drafts.actions import CannotChange
from phybench.people.models import Role, User
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import accept, make_benchmark, make_draft, make_person
from tests.grading.concurrency import hold, meanwhile
from tests.grading.conftest import HandIn, make_file
from tests.memory import remembered
from tests.organisations import join, organisation_of
from tests.versions import hand_in
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


def hand_in_file(
    content: bytes, benchmark: Benchmark, by: User, organisation: Organisation | None = None
) -> list[Submission]:
    return hand_in(
        organisation=organisation or organisation_of(by),
        benchmark=benchmark,
        uploaded_by=by,
        file_name="answers.json",
        content=content,
    )


def answers(submission: Submission) -> list[tuple[int, int, str]]:
    """List problem, sample and response of each attempt."""
    attempts = submission.attempts.order_by("pk")
    return list(attempts.values_list("revision__problem_id", "sample", "response"))


def nothing_is_stored() -> bool:
    return not (Submission.objects.exists() or Attempt.objects.exists() or Solver.objects.exists())


# --- Handing in -----------------------------------------------------------------------------


def test_what_is_handed_in_is_queued_with_where_it_came_from(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    content = make_file((problems[0], "m g h"), (problems[2], "x"))
    [submission] = hand_in_file(content, benchmark, evaluator)
    assert answers(submission) == [(problems[0].pk, 1, "m g h"), (problems[2].pk, 1, "x")]
    assert set(submission.attempts.values_list("status", "tries")) == {(Attempt.Status.QUEUED, 0)}
    assert submission.expected == len(problems)
    assert submission.uploaded_by == evaluator
    assert submission.file_sha256 == hashlib.sha256(content).hexdigest()
    assert (submission.solver.kind, submission.solver.user) == (Solver.Kind.MODEL, None)


def test_unknown_ids_and_repeated_ones_are_left_out_and_said(
    problems: list[Problem], hand_in: HandIn
) -> None:
    submission = hand_in((problems[0], "m g h"), ("C999999", "x"), (problems[0], "y"))
    assert answers(submission) == [(problems[0].pk, 1, "m g h")]
    assert [(row["row"], row["id"]) for row in submission.left_out] == [
        (2, "C999999"),
        (3, problems[0].identifier),
    ]
    assert submission.left_out[0]["message"] == "problem not in this version"
    assert "the same id again (first in row 1)" in submission.left_out[1]["message"]


def test_only_what_is_accepted_in_this_benchmark_can_be_answered(
    problems: list[Problem],
    draft: Problem,
    hand_in: HandIn,
    contributor: User,
    reviewer: User,
    benchmark: Benchmark,
    admin: User,
) -> None:
    elsewhere = make_benchmark("Elsewhere", pipeline=find_pipeline(benchmark))
    foreign = accept(make_draft(contributor, elsewhere), contributor, reviewer)
    curating.retire(problem=problems[2], admin=admin, note="It has two answers.")
    submission = hand_in(*((problem, "m g h") for problem in [foreign, *problems[1:3], draft]))
    assert answers(submission) == [(problems[1].pk, 1, "m g h")]
    assert submission.expected == len(problems) - 1


def test_a_file_without_any_answer_to_the_benchmark_leaves_nothing(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    known = make_file((problems[0], "x"), model="Known")
    unknown = make_file((999_999, "x"), model="Unknown")
    both = known[:-1] + b"," + unknown[1:]
    with pytest.raises(CannotChange, match=r"No id of Unknown matches\. Ids of Test, .* look like"):
        hand_in_file(both, benchmark, evaluator)
    assert nothing_is_stored()


def test_a_file_handed_in_twice_makes_two_submissions_of_one_model(
    problems: list[Problem], hand_in: HandIn
) -> None:
    first, second = (hand_in((problems[0], "m g h")) for _ in range(2))
    assert first.pk != second.pk
    assert first.solver == second.solver == Solver.objects.get()


@pytest.mark.django_db(transaction=True)
def test_two_members_who_hand_in_a_new_model_at_once_share_it_and_are_numbered_in_turn(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    other = make_person(Role.EVALUATOR, "other")
    organisation = organisation_of(evaluator)
    join(organisation, other)
    content = make_file((problems[0], "m g h"))
    table = "lock table grading_solver in share mode"

    def hand_in(person: User) -> list[Submission]:
        return hand_in_file(content, benchmark, person, organisation)

    with (
        hold(table) as release,
        meanwhile(lambda: hand_in(evaluator)) as first,
        meanwhile(lambda: hand_in(other)) as second,
    ):
        # Neither found the model; both are about to make it.
        release()
        made = [*first.result(), *second.result()]
    assert {submission.solver_id for submission in made} == {Solver.objects.get().pk}
    assert [answers(submission) for submission in made] == [[(problems[0].pk, 1, "m g h")]] * 2
    assert sorted(submission.number for submission in made) == [1, 2]


# --- Answering ------------------------------------------------------------------------------


def test_an_answer_is_queued_for_the_person_who_gave_it(
    revision: Revision, participant: User
) -> None:
    attempt = actions.answer(revision=revision, person=participant, response="m g h")
    assert (attempt.status, attempt.submission, attempt.response) == ("QUEUED", None, "m g h")
    assert (attempt.solver.kind, attempt.solver.user) == (Solver.Kind.HUMAN, participant)


def test_a_second_answer_is_refused_and_the_first_stays(
    revision: Revision, participant: User
) -> None:
    actions.answer(revision=revision, person=participant, response="m g h")
    with pytest.raises(CannotAnswer, match="You have answered this problem already"):
        actions.answer(revision=revision, person=participant, response="0")
    assert Attempt.objects.get().response == "m g h"


@pytest.mark.django_db(transaction=True)
def test_of_two_answers_at_once_one_is_taken(revision: Revision, participant: User) -> None:
    actions.answer(revision=revision, person=make_person(Role.PARTICIPANT, "other"), response="0")
    Solver.objects.create(name="Participant", kind=Solver.Kind.HUMAN, user=participant)
    table = "lock table grading_attempt in share mode"

    def answer(response: str) -> Callable[[], Attempt]:
        return lambda: actions.answer(revision=revision, person=participant, response=response)

    with (
        hold(table) as release,
        meanwhile(answer("m g h")) as first,
        meanwhile(answer("2 m g h")) as second,
    ):
        release()
        errors = [future.exception() for future in (first, second)]
    refused = [error for error in errors if error is not None]
    assert [str(error) for error in refused] == ["You have answered this problem already."]
    assert Attempt.objects.filter(solver__user=participant).count() == 1


@pytest.mark.parametrize("role", [None, *(role for role in Role if role != Role.PARTICIPANT)])
def test_only_participants_answer(revision: Revision, role: Role | None) -> None:
    with pytest.raises(CannotAnswer, match="You can’t answer this problem"):
        actions.answer(revision=revision, person=make_person(role, "somebody"), response="x")
    assert nothing_is_stored()


@pytest.mark.parametrize("who", ["contributor", "reviewer"])
def test_who_knows_the_key_does_not_answer(
    request: pytest.FixtureRequest, revision: Revision, who: str
) -> None:
    person: User = request.getfixturevalue(who)
    person.roles = [*person.roles, Role.PARTICIPANT]
    person.save()
    with pytest.raises(CannotAnswer, match="have seen its reference answer"):
        actions.answer(revision=revision, person=person, response="x")
    assert nothing_is_stored()


def test_a_problem_that_is_not_open_takes_no_answer(
    problems: list[Problem], participant: User, admin: User
) -> None:
    curating.retire(problem=problems[0], admin=admin, note="It has two answers.")
    revision = Revision.objects.get(problem=problems[0])
    with pytest.raises(CannotAnswer, match="or it is not open"):
        actions.answer(revision=revision, person=participant, response="x")
    assert nothing_is_stored()


# --- Trying again ---------------------------------------------------------------------------


@pytest.fixture
@remembered
def mixed(problems: list[Problem], hand_in: HandIn) -> list[Attempt]:
    """An attempt of each status: queued, being graded, graded, failed."""
    submission = hand_in(*((problem, "m g h") for problem in problems[:4]))
    queued, grading, graded, failed = submission.attempts.order_by("pk")
    submission.attempts.filter(pk=grading.pk).update(
        status="GRADING", lease_until="2999-01-01T00:00Z", tries=1
    )
    grade_attempt(graded.pk)
    submission.attempts.filter(pk=failed.pk).update(
        status="FAILED",
        failure_reason="worker_lost",
        failure_message=Sentence("grading_lost"),
        lost=3,
    )
    return [queued, grading, graded, failed]


def test_only_what_failed_is_queued_again_with_all_its_tries(mixed: list[Attempt]) -> None:
    assert actions.try_again(attempts=mixed) == 1
    for attempt in mixed:
        attempt.refresh_from_db()
    assert [attempt.status for attempt in mixed] == ["QUEUED", "GRADING", "GRADED", "QUEUED"]
    assert (mixed[3].lost, mixed[3].failure_reason, mixed[3].failure_message) == (0, "", None)
    assert actions.try_again(attempts=mixed) == 0


def test_what_is_tried_again_is_graded(mixed: list[Attempt]) -> None:
    actions.try_again(attempts=mixed[3:])
    grade_attempt(mixed[3].pk)
    assert mixed[3].grades.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_who_try_again_at_once_one_does(mixed: list[Attempt]) -> None:
    row = "select 1 from grading_attempt where id = %s for update"
    with (
        hold(row, mixed[3].pk) as release,
        meanwhile(lambda: actions.try_again(attempts=mixed)) as first,
        meanwhile(lambda: actions.try_again(attempts=mixed)) as second,
    ):
        release()
        assert sorted([first.result(), second.result()]) == [0, 1]
