"""What tests of errors in accepted problems begin with."""

from curation.authoring.drafts import actions
from curation.problems.models import Problem, Revision
from curation.reports import actions as reporting
from curation.reports.models import ErrorReport
from curation.reviewing.rounds.lifecycle import submit_review
from curation.reviewing.rounds.models import ReviewRound
from phybench.people.models import User
from tests.certificates import give_certificate
from tests.conftest import submit

WRONG = "The answer is too large by a factor of two."


def report_error(problem: Problem, reporter: User, **fields: str) -> ErrorReport:
    return reporting.report_error(
        problem=problem, reporter=reporter, **{"kind": "ANSWER", "text": WRONG, **fields}
    )


def decide(report: ErrorReport, admin: User, outcome: str, reason: str = WRONG) -> ErrorReport:
    return reporting.decide(report=report, admin=admin, outcome=outcome, reason=reason)


def write_correction(problem: Problem, writer: User, answer: str = "2 m g h") -> Revision:
    """Write the next revision of a problem that was reopened, with another answer."""
    problem.refresh_from_db()
    draft = actions.save_draft(
        problem=problem, author=writer, saved_at="", answer=answer, reason="The answer was wrong."
    )
    give_certificate(problem)
    return draft


def submit_correction(problem: Problem, writer: User, answer: str = "2 m g h") -> ReviewRound:
    write_correction(problem, writer, answer)
    return submit(problem, writer)


def accept_correction(problem: Problem, writer: User, reviewer: User) -> Revision:
    """Take a reopened problem through the one review that its benchmark asks for."""
    review_round = submit_correction(problem, writer)
    submit_review(review_round=review_round, reviewer=reviewer, recommendation="ACCEPT", comment="")
    problem.refresh_from_db()
    assert problem.accepted_revision
    return problem.accepted_revision
