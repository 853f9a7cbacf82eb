"""What the design calls frozen or consistent is refused by PostgreSQL itself, whoever asks."""

import json
from dataclasses import dataclass

import pytest
from django.db import DatabaseError, connection, transaction

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Revision
from curation.reports.models import ErrorReport
from curation.reviewing.discussion.models import Thread
from curation.reviewing.pipelines.shipped import find_pipeline
from curation.reviewing.rounds.models import ReviewRound
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.judging.models import JudgeItem
from grading.judging.runs.actions import begin
from grading.solvers.actions import describe
from phybench.people.models import User
from tests.conftest import accept, make_benchmark, make_draft, submit
from tests.grading.judging.judging import make_plan
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered
from tests.organisations import organisation_of
from tests.versions import hand_in
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Ours:
    """Keys of rows to try it on: of two problems, and of two models that answered the first."""

    problem: int
    other_problem: int
    revision: int
    other_revision: int
    draft: int
    round: int
    other_round: int
    open_round: int
    report: int
    thread: int
    version: int
    person: int
    elsewhere: int
    judge_run: int
    attempt: int
    other_attempt: int
    submission: int
    other_submission: int
    solver: int
    other_solver: int


@pytest.fixture
@remembered
def ours(contributor: User, reviewer: User, evaluator: User, benchmark: Benchmark) -> Ours:
    pipeline = find_pipeline(benchmark)
    stage = pipeline.stages.get()
    stage.questions.create(place=1, text="Is it clear?", is_required=False)
    problems = [
        accept(make_draft(contributor, benchmark), contributor, reviewer) for _number in range(2)
    ]
    revisions = [one.accepted_revision for one in problems]
    rounds = [ReviewRound.objects.get(revision=one) for one in revisions]
    open_round = submit(make_draft(contributor, benchmark), contributor)
    draft: Revision = Revision.objects.create(problem=problems[0], number=2)
    report = ErrorReport.objects.create(
        revision=revisions[0], reporter=reviewer, kind=ErrorReport.Kind.values[0], text="No."
    )
    thread = Thread.objects.create(round=rounds[0], opened_by=reviewer)
    rows = [
        {"id": problems[0].identifier, "model": model, "model_answer": "m g h"}
        for model in ("One", "Other")
    ]
    submissions: list[Submission] = hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    describe(solver=submissions[0].solver, by=evaluator, read=0, parameters=8_000_000_000)
    attempt, other_attempt = Attempt.objects.order_by("submission_id")
    grade_attempt(attempt.pk)
    attempt.refresh_from_db()
    assert attempt.status == Attempt.Status.GRADED
    endpoint = make_endpoint()
    plan = make_plan(endpoint, {"kind": "semantic", "mode": "rule_only"})
    judge_run = begin(submission=submissions[0], started_by=evaluator, plan=plan)
    judge_run.judges.create(name="one", endpoint=endpoint, model="one")
    judge_run.items.update(state=JudgeItem.State.SCORED)
    other_benchmark = make_benchmark("Other", pipeline=pipeline)
    elsewhere = make_draft(contributor, other_benchmark).revisions.get()
    return Ours(
        *(one.pk for one in (*problems, *revisions, draft, *rounds, open_round, report, thread)),
        *(one.pk for one in (open_round.version, reviewer, elsewhere, judge_run)),
        *(one.pk for one in (attempt, other_attempt, *submissions)),
        *(one.solver_id for one in submissions),
    )


FROZEN = {
    "what was answered": "UPDATE grading_attempt SET response = 'm g' WHERE id = %(attempt)s",
    "which revision was answered": (
        "UPDATE grading_attempt SET revision_id = %(other_revision)s WHERE id = %(attempt)s"
    ),
    "who answered": (
        "UPDATE grading_attempt SET solver_id = %(other_solver)s, "
        "submission_id = %(other_submission)s WHERE id = %(attempt)s"
    ),
    "which sample it was": "UPDATE grading_attempt SET sample = 7 WHERE id = %(attempt)s",
    "a graded attempt": "DELETE FROM grading_attempt WHERE id = %(attempt)s",
    "whose submission it is": (
        "UPDATE grading_submission SET solver_id = %(other_solver)s WHERE id = %(submission)s"
    ),
    "of how many answers are missing": (
        "UPDATE grading_submission SET expected = 1 + expected WHERE id = %(submission)s"
    ),
    "what was said of a model": "UPDATE grading_description SET parameters = 1",
    "that it was said of a model": "DELETE FROM grading_description",
    "a grade": "UPDATE grading_grade SET accuracy = 0, eed = 0, verdict = 'INCORRECT'",
    "that there is a grade": "DELETE FROM grading_grade",
    "the text of a submitted revision": (
        "UPDATE curation_revision SET answer = 'm' WHERE id = %(revision)s"
    ),
    "that a revision was submitted": (
        "UPDATE curation_revision SET submitted_at = NULL WHERE id = %(revision)s"
    ),
    "who wrote a submitted revision": (
        "DELETE FROM curation_revision_writers WHERE revision_id = %(revision)s"
    ),
    "a review": "UPDATE curation_review SET recommendation = 'REJECT', comment = 'No.'",
    "that there is a review": "DELETE FROM curation_review",
    "how a round was decided": (
        "UPDATE curation_reviewround SET decision = 'REJECT' WHERE id = %(round)s"
    ),
    "that a round is closed": (
        "UPDATE curation_reviewround SET closed_at = NULL, decision = '' WHERE id = %(round)s"
    ),
    "what a round's stage asked for": "UPDATE curation_stageversion SET is_blind = NOT is_blind",
    "that a round's stage had this version": "DELETE FROM curation_stageversion",
    "what a round asked": "UPDATE curation_versionquestion SET text = 'Hm?'",
    "which questions a round asked": (
        "INSERT INTO curation_versionquestion (version_id, place, text, kind, is_required, key) "
        "VALUES (%(version)s, 9, 'More?', 'YES_NO', true, '9')"
    ),
    "an exposure": "UPDATE curation_exposure SET person_id = person_id + 1",
    "which run counts": "UPDATE grading_gradingrun SET adopted_at = NULL",
    "that a run counts": "UPDATE grading_gradingrun SET set_aside_at = clock_timestamp()",
    "which answer a judge judged": (
        "UPDATE grading_judgeitem SET attempt_id = NULL, canary = 'x' "
        "WHERE attempt_id = %(attempt)s"
    ),
    "by which terms a round is reviewed": (
        "UPDATE curation_reviewround SET number = 7 WHERE id = %(open_round)s"
    ),
    "who wrote a submitted revision, by way of a draft": (
        "UPDATE curation_revision_writers SET revision_id = %(draft)s "
        "WHERE revision_id = %(revision)s"
    ),
    "what a run of judges is about": (
        "UPDATE grading_judgerun SET submission_id = %(other_submission)s"
    ),
    "when a round was opened": (
        "UPDATE curation_reviewround SET opened_at = now() WHERE id = %(open_round)s"
    ),
    "on which benchmark a problem was submitted": (
        "UPDATE curation_problem SET benchmark_id = "
        "(SELECT benchmark_id FROM curation_revision JOIN curation_problem problem "
        "ON problem.id = problem_id WHERE curation_revision.id = %(elsewhere)s) "
        "WHERE id = %(problem)s"
    ),
    "which model a judge asks": "UPDATE grading_runjudge SET model = 'another'",
    "that a judge had a verdict": (
        "UPDATE grading_judgeitem SET state = 'UNSCORED', reason = 'x' WHERE state = 'SCORED'"
    ),
    "that an answer has a grade": (
        "UPDATE grading_attempt SET status = 'FAILED', failure_reason = 'x' WHERE id = %(attempt)s"
    ),
    "that a submitted problem was begun": (
        "DELETE FROM curation_event WHERE kind = 'CREATE' AND problem_id = %(problem)s"
    ),
    "that there was an exposure": "DELETE FROM curation_exposure",
    "an event": "UPDATE curation_event SET note = 'Not so.'",
    "that there was an event": "DELETE FROM curation_event WHERE kind = 'ACCEPT'",
}
INCONSISTENT = {
    "another problem's revision is accepted": (
        "UPDATE curation_problem SET accepted_revision_id = %(other_revision)s "
        "WHERE id = %(problem)s"
    ),
    "a draft is accepted": (
        "UPDATE curation_problem SET accepted_revision_id = %(draft)s WHERE id = %(problem)s"
    ),
    "an attempt is not by its submission's solver": (
        "INSERT INTO grading_attempt (solver_id, submission_id, revision_id, sample, response, "
        "status, queued_at, tries, failure_reason, created_at) VALUES "
        "(%(other_solver)s, %(submission)s, %(other_revision)s, 1, 'm', 'QUEUED', now(), 0, '',"
        " now())"
    ),
    "an attempt is on another benchmark than its submission": (
        "INSERT INTO grading_attempt (solver_id, submission_id, revision_id, sample, response, "
        "status, priority, queued_at, tries, lost, failure_reason, created_at) VALUES "
        "(%(solver)s, %(submission)s, %(elsewhere)s, 1, 'm', 'QUEUED', 2, now(), 0, 0, '', now())"
    ),
    "an attempt is graded without a grade": (
        "UPDATE grading_attempt SET status = 'GRADED' WHERE id <> %(attempt)s"
    ),
    "a judge's item is of another submission than its run": (
        "INSERT INTO grading_judgeitem (run_id, attempt_id, canary, state, reason, round, "
        "priority, queued_at, tries, lost, reserved_calls, reserved_tokens, reserved_money) VALUES "
        "(%(judge_run)s, %(other_attempt)s, '', 'QUEUED', '', 1, 2, now(), 0, 0, 0, 0, 0)"
    ),
    "a judge's item compares with what its run does not": (
        "UPDATE grading_judgeitem SET other_id = %(other_attempt)s WHERE attempt_id = %(attempt)s"
    ),
    "an event is of another problem's revision": (
        "INSERT INTO curation_event (problem_id, revision_id, kind, from_status, to_status, note, "
        "is_override, at) VALUES (%(problem)s, %(other_revision)s, 'RETIRE', 'ACCEPTED', "
        "'RETIRED', '', false, now())"
    ),
    "a contribution is to another problem's revision": (
        "INSERT INTO curation_contribution (problem_id, revision_id, person_id, kind, note, at) "
        "VALUES (%(problem)s, %(other_revision)s, %(person)s, 'REVISED', '', now())"
    ),
    "an erratum is mended in another problem": (
        "INSERT INTO curation_erratum (revision_id, corrected_by_id, report_id, is_of_key, text, "
        "at) VALUES (%(revision)s, %(other_revision)s, %(report)s, true, 'No.', now())"
    ),
    "an erratum follows a report of something else": (
        "INSERT INTO curation_erratum (revision_id, corrected_by_id, report_id, is_of_key, text, "
        "at) VALUES (%(draft)s, %(revision)s, %(report)s, true, 'No.', now())"
    ),
    "a translation was made for another problem": (
        "INSERT INTO curation_translation (revision_id, made_for_id, language, statement, solution,"
        " created_at, saved_at) VALUES (%(revision)s, %(other_revision)s, 'zh', '', '', now(), "
        "now())"
    ),
    "another problem's passing is carried over": (
        "UPDATE curation_reviewround SET carried_from_id = %(round)s WHERE id = %(open_round)s"
    ),
    "a review comes after its round was closed": (
        "INSERT INTO curation_review (round_id, reviewer_id, number, recommendation, answers, "
        "comment, submitted_at) VALUES "
        "(%(round)s, %(person)s, 9, 'ACCEPT', '{}', '', clock_timestamp())"
    ),
    "a blind solve comes after its round was closed": (
        "INSERT INTO curation_blindsolve (round_id, reviewer_id, kind, answer, reason, outcome, "
        "answer_read, not_told_reason, grader_version, solved_at) VALUES (%(round)s, %(person)s, "
        "'CANT_SOLVE', '', 'Hm.', 'NO_ANSWER', '', '', '1', clock_timestamp())"
    ),
    "a model answers outside of a submission": (
        "INSERT INTO grading_attempt (solver_id, revision_id, sample, response, status, priority, "
        "queued_at, tries, lost, failure_reason, created_at) VALUES (%(solver)s, %(revision)s, 1, "
        "'m', 'QUEUED', 2, now(), 0, 0, '', now())"
    ),
    "an attempt is on a draft": (
        "INSERT INTO grading_attempt (solver_id, submission_id, revision_id, sample, response, "
        "status, priority, queued_at, tries, lost, failure_reason, created_at) VALUES "
        "(%(solver)s, %(submission)s, %(draft)s, 1, 'm', 'QUEUED', 2, now(), 0, 0, '', now())"
    ),
    "a comment comes from a round over another problem": (
        "INSERT INTO curation_comment (thread_id, round_id, writer_id, text, at) VALUES "
        "(%(thread)s, %(other_round)s, %(person)s, 'Hm.', now())"
    ),
}


@pytest.mark.parametrize("statement", FROZEN.values(), ids=list(FROZEN))
def test_what_somebody_relied_on_can_not_be_changed(ours: Ours, statement: str) -> None:
    with pytest.raises(DatabaseError, match=r"pgtrigger|violates foreign key"):
        run(statement, ours)


@pytest.mark.parametrize("statement", INCONSISTENT.values(), ids=list(INCONSISTENT))
def test_rows_that_contradict_each_other_are_refused(ours: Ours, statement: str) -> None:
    with pytest.raises(DatabaseError, match="pgtrigger"):
        run(statement, ours)


def test_the_work_on_an_attempt_goes_on_and_a_submission_can_be_withdrawn(ours: Ours) -> None:
    assert run("UPDATE grading_attempt SET status = 'QUEUED', tries = 2", ours) == 2
    assert run("UPDATE grading_submission SET withdrawn_at = now()", ours) == 2


def run(statement: str, ours: Ours) -> int:
    """Return how many rows it changed; what is checked late is checked now."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, vars(ours))
        count: int = cursor.rowcount
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert count
    return count
