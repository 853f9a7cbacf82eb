"""
How long an author waits for a certificate's first case, idle and under an upload of 5,000 answers.

    python3 dev.py test tests/benchmarks/waiting.py -s

The processes are those of `dev.py run`. The ratio is to the wait with nothing else to do, in the
same run; asked for is under a second. WAITING_ANSWERS makes another load.
"""

import json
import os
from statistics import median

import pytest

from curation.authoring.drafts import actions as drafts
from curation.problems.benchmarks.models import Benchmark
from curation.problems.certificates.models import Certificate
from development import web
from grading.answers.models import Attempt
from phybench.people.models import User
from phybench.work import sandbox
from tests.conftest import STATEMENT, make_draft
from tests.development.checkout import wait_until
from tests.grading.conftest import problems as _problems
from tests.organisations import organisation_of
from tests.processes import Processes
from tests.versions import hand_in

problems = _problems
ANSWERS = int(os.environ.get("WAITING_ANSWERS", "5000"))
TIMES = 7
ASKED_SECONDS = 1.0


def measure(author: User, benchmark: Benchmark, factor: int) -> float:
    """Have an answer certified that nobody has seen yet, and return the wait for its first case."""
    draft = make_draft(author, benchmark, answer=" ", statement=f"{STATEMENT} ({factor})")
    revision = draft.revisions.get()
    drafts.save_draft(
        problem=draft, author=author, saved_at=revision.saved_at.isoformat(), answer=f"{factor}mgh"
    )
    certificate = drafts.certify_draft(problem=draft, author=author)
    finished = Certificate.objects.filter(pk=certificate.pk, finished_at__isnull=False)
    assert wait_until(finished.exists)
    made = finished.get()
    assert made.started_at
    return (made.started_at - made.queued_at).total_seconds()


@pytest.mark.django_db(transaction=True)
def test_how_long_an_author_waits_under_load(
    processes: Processes, problems, contributor, evaluator, benchmark
) -> None:
    for make in (web.worker, web.reserved, web.beat):
        processes.start(make)
    # What a process does for the first time is no part of it.
    for factor in range(2, 6):
        measure(contributor, benchmark, factor)
    idle = [measure(contributor, benchmark, 10 + number) for number in range(TIMES)]
    rows = [
        {
            "id": problems[number % len(problems)].identifier,
            "model": "A model",
            "repeat_index": number // len(problems),
            "model_answer": rf"\frac{{a}}{{b}} + {number} m g h",
        }
        for number in range(ANSWERS)
    ]
    hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    held = Attempt.objects.filter(status=Attempt.Status.GRADING)
    assert wait_until(lambda: held.count() == sandbox.CHILDREN)
    loaded = [measure(contributor, benchmark, 30 + number) for number in range(TIMES)]
    left = Attempt.objects.waiting().count()
    assert left > 0, "the load was over too soon: make it larger"
    print(f"\n{'until the first case':<32}{'median s':>10}{'worst s':>10}{'ratio':>8}")
    for title, waits in (("idle", idle), (f"with {ANSWERS} answers uploaded", loaded)):
        ratio = median(waits) / median(idle)
        print(f"{title:<32}{median(waits):>10.2f}{max(waits):>10.2f}{ratio:>8.1f}")
    print(f"asked for: {ASKED_SECONDS:.0f} s; {left} answers were still to be graded")
    Attempt.objects.waiting().update(status="FAILED", lease_until=None, failure_reason="over")
