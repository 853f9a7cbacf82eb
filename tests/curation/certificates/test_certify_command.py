import io

import pgtrigger
import pytest
from django.core.management import CommandError, call_command

from curation.exchange.published import import_published
from curation.problems.certificates import actions as certifying
from curation.problems.certificates.models import Certificate
from curation.problems.certificates.tasks import CERTIFYING
from curation.problems.models import Problem
from phybench_grader import GRADER_VERSION

pytestmark = pytest.mark.django_db
GREEN, RED = "m g h", r"\frac{m g"


def run(*arguments: str) -> list[str]:
    """Run the command; return the lines that it wrote."""
    written = io.StringIO()
    try:
        call_command("certify", *arguments, stdout=written)
    except CommandError as error:
        return [*written.getvalue().splitlines(), f"! {error}"]
    return written.getvalue().splitlines()


@pytest.fixture
def publish(benchmark):
    def take(published_id: str, answer: str) -> Problem:
        return import_published(
            benchmark=benchmark,
            published_id=published_id,
            title="A falling ball",
            domain="MECHANICS",
            statement="What is it?",
            answer=answer,
            solution="",
            broken_rules=[],
        )

    return take


def certify_by_older_grader(problem: Problem, outcome: str) -> None:
    reference = problem.revisions.get().reference
    certificate = Certificate.objects.create(
        problem=problem,
        answer=reference.answer,
        statement=reference.statement,
        reference_sha256=reference.sha256,
        grader_version="0.1",
        passed=1,
    )
    Certificate.objects.filter(pk=certificate.pk).update(
        outcome=outcome, finished_at=certificate.queued_at
    )


def test_what_is_missing_is_made_once(publish):
    problem = publish("54", GREEN)
    assert run() == [
        "54: not checked → passed",
        f"Checked by grader {GRADER_VERSION}: 1. Red: 0.",
    ]
    assert problem.certificates.get().outcome == "PASSED"
    assert run() == [f"Checked by grader {GRADER_VERSION}: 0. Red: 0."]
    assert run("--problem", "54") == [
        "54: passed",
        f"Checked by grader {GRADER_VERSION}: 1. Red: 0.",
    ]
    assert run("--all")[0] == "54: passed"


def test_what_was_green_and_is_red_comes_first_and_is_the_exit_status(publish):
    certify_by_older_grader(publish("1", GREEN), "PASSED")
    publish("2", RED)
    certify_by_older_grader(publish("3", RED), "PASSED")
    lines = run()
    assert [line for line in lines if not line.startswith(" ")] == [
        "3: passed → failed",
        "2: not checked → failed",
        "1: passed",
        f"Checked by grader {GRADER_VERSION}: 3. Red: 2.",
        "! Red: 2, not done: 0.",
    ]
    assert any("bracket" in line for line in lines if line.startswith(" "))


def test_a_draft_is_its_authors_to_certify(draft):
    assert run("--problem", draft.identifier) == [f"! There is no submitted problem C{draft.pk}."]
    assert run("--all") == [f"Checked by grader {GRADER_VERSION}: 0. Red: 0."]


def test_what_a_worker_holds_is_left_to_it_and_said(publish):
    problem = publish("54", GREEN)
    reference = problem.revisions.get().reference
    CERTIFYING.claim(certifying.begin(problem, reference).pk)
    assert run()[0] == "54: a worker is at it now"


@pytest.mark.parametrize(
    ("meant", "is_moved"), [("g h m", False), (r"\frac{g h}{m}", True), (r"\frac{g", True)]
)
def test_a_key_that_means_something_else_now_is_named(publish, meant, is_moved):
    problem = publish("54", GREEN)
    certify_by_older_grader(problem, "PASSED")
    with pgtrigger.ignore("curation.Certificate:finished_certificate_is_frozen"):
        problem.certificates.update(rows=[{"kind": "printed", "text": meant, "outcome": "PASSED"}])
    lines = run()
    assert lines[0] == "54: passed"
    assert any("its meaning changed" in line for line in lines) is is_moved
