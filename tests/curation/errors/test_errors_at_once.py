"""Two people at once about one problem: each waits for its row, on a connection of their own."""

import pytest

from curation.problems import actions as problems_actions
from curation.problems.models import Problem
from curation.reports import actions as reporting
from curation.reports.models import Erratum, ErrorReport
from curation.reviewing.rounds.lifecycle import submit_review
from curation.texts.workflow import NotAllowedNow, Status, Step
from phybench.people.models import Role
from tests.conftest import make_person
from tests.curation.at_once import at_once
from tests.curation.errors.reports import decide, report_error, submit_correction
from tests.grading.concurrency import hold, meanwhile
from tests.organisations import organisation_of
from tests.versions import hand_in

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def report(accepted_problem, participant) -> ErrorReport:
    return report_error(accepted_problem, participant)


@pytest.mark.parametrize("turn", range(3))
def test_of_two_admins_who_decide_at_once_one_does(report, admin, turn):
    other = make_person(Role.ADMIN, "other-admin")
    results = at_once(
        lambda: decide(report, admin, "NO_ERROR"), lambda: decide(report, other, "WITHDRAWN")
    )
    assert sorted(results) == ["done", "refused"]
    report.refresh_from_db()
    status = Problem.objects.get().status
    expected = Status.ACCEPTED if report.outcome == "NO_ERROR" else Status.RETIRED
    assert (status, report.is_open) == (expected, False)


@pytest.mark.parametrize("turn", range(3))
def test_two_reports_decided_at_once_reopen_the_problem_once(report, admin, evaluator, turn):
    other = report_error(report.revision.problem, evaluator)
    second = make_person(Role.ADMIN, "other-admin")
    results = at_once(
        lambda: decide(report, admin, "KEY_FIXED"), lambda: decide(other, second, "KEY_FIXED")
    )
    assert results == ["done", "done"]
    problem = Problem.objects.get()
    assert problem.status == Status.RETURNED
    assert problem.events.filter(kind=Step.REOPEN).count() == 1
    assert ErrorReport.objects.awaiting_correction().count() == 2


@pytest.mark.parametrize("turn", range(3))
def test_a_report_decided_while_the_correction_is_accepted_gets_its_erratum(
    report, admin, evaluator, contributor, reviewer, turn
):
    """Before the acceptance it waits for it; after it, it finds its revision corrected."""
    problem = report.revision.problem
    decide(report, admin, "KEY_FIXED")
    late = report_error(problem, evaluator)
    review_round = submit_correction(problem, contributor)
    results = at_once(
        lambda: decide(late, admin, "STATEMENT_FIXED"),
        lambda: submit_review(
            review_round=review_round, reviewer=reviewer, recommendation="ACCEPT", comment=""
        ),
    )
    assert results == ["done", "done"]
    assert not ErrorReport.objects.open().exists()
    assert {one.report for one in Erratum.objects.all()} == {report, late}
    assert Problem.objects.get().status == Status.ACCEPTED


@pytest.mark.parametrize("turn", range(3))
def test_one_report_sent_twice_at_once_is_one(accepted_problem, participant, turn):
    send = lambda: report_error(accepted_problem, participant)  # noqa: E731
    assert at_once(send, send) == ["done", "done"]
    assert ErrorReport.objects.count() == 1


def test_a_correction_given_up_while_its_author_submits_it_is_one_or_the_other(
    report, admin, contributor
):
    problem = report.revision.problem
    decide(report, admin, "KEY_FIXED")
    results = at_once(
        lambda: reporting.keep(problem=problem, admin=admin, reason="It was right."),
        lambda: submit_correction(Problem.objects.get(), contributor),
    )
    assert "done" in results
    problem.refresh_from_db()
    stands = (problem.status, ErrorReport.objects.awaiting_correction().count())
    assert stands in {(Status.ACCEPTED, 0), (Status.IN_REVIEW, 1)}


def test_a_report_waits_for_the_row_of_its_problem_and_is_refused_once_that_is_retired(
    accepted_problem, participant, admin
):
    lock = "select 1 from curation_problem where id = %s for update"
    with hold(lock, accepted_problem.pk) as release:
        with meanwhile(lambda: report_error(accepted_problem, participant)) as reported:
            assert not reported.done()
            release()
        assert reported.result().is_open
    problems_actions.retire(problem=accepted_problem, admin=admin, note="Old.")
    with pytest.raises(NotAllowedNow):
        report_error(accepted_problem, participant, kind="OTHER")


def test_answers_handed_in_while_it_is_corrected_are_graded_against_what_was_accepted(
    report, admin, evaluator, contributor
):
    problem = report.revision.problem
    decide(report, admin, "KEY_FIXED")
    submit_correction(problem, contributor)
    content = b'[{"id": "%s", "model": "A model", "model_answer": "m g h"}]'
    [submission] = hand_in(
        organisation=organisation_of(evaluator),
        benchmark=problem.benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=content % problem.identifier.encode(),
    )
    assert submission.attempts.get().revision == report.revision
