"""
What the board costs at 575 problems × 60 models × 4 samples, with caches cold and warm.

    python3 dev.py test tests/benchmarks/board.py -s

The ratio is to a plain count of the same answers in the same run, so that it can be read on a busy
machine; seconds are those of this one. Cold is after PostgreSQL has let go of all it had in memory
and the system of the files that it is in. BOARD_PROBLEMS, BOARD_MODELS and BOARD_SAMPLES make
another size.
"""

import os
import random
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.problems.models import Benchmark, Problem, Revision
from grading.answers.models import Attempt, Grade
from grading.board.table import make_board
from grading.runs.models import GradingRun
from grading.solvers.models import Solver
from grading.submissions.models import Submission
from phybench.models import Role, User
from tests.conftest import make_person
from tests.organisations import organisation_of
from tests.versions import publish_version

PROBLEMS, MODELS, SAMPLES = (
    int(os.environ.get(f"BOARD_{name}", default))
    for name, default in (("PROBLEMS", "575"), ("MODELS", "60"), ("SAMPLES", "4"))
)
PEOPLE, A_PERSON_ANSWERS = 50, 12
TIMES = 5
VERDICTS = {"CORRECT": 4, "PARTIAL": 3, "INCORRECT": 3, "UNREADABLE": 1}
"""How common each is."""
NOT_GRADED = 0.004
AT_ONCE = 5000


def make_answers(chance: random.Random) -> Benchmark:
    benchmark = Benchmark.objects.create(name="Size", slug="size")
    now = timezone.now()
    problems = Problem.objects.bulk_create(
        Problem(benchmark=benchmark, title=f"Problem {number}", domain="OPTICS")
        for number in range(PROBLEMS)
    )
    # As long as real ones: what a page needn't read is to be there.
    revisions = Revision.objects.bulk_create(
        Revision(
            problem=one,
            number=1,
            statement="What comes of it? " * 60,
            answer="m g h",
            solution="It follows. " * 150,
            submitted_at=now,
        )
        for one in problems
    )
    for problem, revision in zip(problems, revisions, strict=True):
        problem.accepted_revision, problem.accepted_at, problem.status = revision, now, "ACCEPTED"
    Problem.objects.bulk_update(problems, ["accepted_revision", "accepted_at", "status"])
    version = publish_version(benchmark)
    uploader, run = make_person(Role.EVALUATOR), GradingRun.objects.get_adopted(benchmark.pk)
    for number in range(MODELS):
        solver = Solver.objects.create(
            name=f"Model {number}", kind="MODEL", organisation=organisation_of(uploader)
        )
        submission = Submission.objects.create(
            solver=solver,
            benchmark=benchmark,
            version=version,
            number=1,
            uploaded_by=uploader,
            published_by=uploader,
            published_at=now,
            file_name="answers.json",
            file_sha256="0" * 64,
            expected=PROBLEMS,
        )
        asked = product(revisions, range(1, SAMPLES + 1))
        store(run, (answer(solver, one, chance, sample, submission) for one, sample in asked))
    for number in range(PEOPLE):
        person = make_person(Role.PARTICIPANT, f"person-{number}")
        solver = Solver.objects.create(name=str(person), kind="HUMAN", user=person)
        some = chance.sample(revisions, min(A_PERSON_ANSWERS, PROBLEMS))
        store(run, (answer(solver, one, chance) for one in some))
    return benchmark


def answer(
    solver: Solver,
    revision: Revision,
    chance: random.Random,
    sample: int = 1,
    submission: Submission | None = None,
) -> Attempt:
    is_graded = chance.random() > NOT_GRADED
    return Attempt(
        solver=solver,
        submission=submission,
        revision=revision,
        sample=sample,
        response="We find that it is so. " * chance.randint(10, 60) + r"\boxed{m g h}",
        status="GRADED" if is_graded else "FAILED",
        failure_reason="" if is_graded else "timeout",
    )


def store(run: GradingRun, answers: Iterable[Attempt]) -> None:
    made = Attempt.objects.bulk_create(answers, batch_size=AT_ONCE)
    Grade.objects.bulk_create(list_grades(run, made), batch_size=AT_ONCE)


def list_grades(run: GradingRun, attempts: Iterable[Attempt]) -> Iterator[Grade]:
    chance = random.Random(1)
    for attempt in attempts:
        if attempt.status == "GRADED":
            [verdict] = chance.choices(list(VERDICTS), list(VERDICTS.values()))
            partly = 60 * chance.random()
            yield Grade(
                run=run,
                attempt=attempt,
                judge="symbolic",
                judge_version="1.0",
                verdict=verdict,
                accuracy=100 if verdict == "CORRECT" else 0,
                eed={"CORRECT": 100, "PARTIAL": partly}.get(verdict, 0),
                reason="brackets" if verdict == "UNREADABLE" else "",
                reference_read="m g h " * 5,
                answer_read="m g h " * 5,
                edits=[{"kind": "delete", "before": "x", "after": ""}] * 3,
                sympy_version="-",
                seconds=0.1,
            )


def look_at_tables() -> None:
    """Do what autovacuum does after a while, and a throw-away cluster does not."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def forget() -> bool:
    """Empty the caches; False where this PostgreSQL or this user can't."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_buffercache")
            cursor.execute("CHECKPOINT")
            cursor.execute("SELECT pg_buffercache_evict_all()")
            cursor.execute(
                "SELECT current_setting('data_directory'), oid FROM pg_database"
                " WHERE datname = current_database()"
            )
            folder, database = cursor.fetchone()
        for file in (Path(folder) / "base" / str(database)).iterdir():
            with file.open("rb") as opened:
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    except (DatabaseError, OSError):
        return False
    return True


def read_server_seconds() -> float | None:
    """Return the CPU time of our connection's process, where it can be looked at."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        pid = cursor.fetchone()[0]
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that it takes, and those of the CPU here and in PostgreSQL."""
    server = read_server_seconds() or 0.0
    started, here = time.perf_counter(), time.process_time()
    work()
    seconds, here = time.perf_counter() - started, time.process_time() - here
    return seconds, here + (read_server_seconds() or 0.0) - server


@pytest.mark.django_db(transaction=True)
def test_what_the_board_costs(client: Client) -> None:
    benchmark = make_answers(random.Random(7))
    look_at_tables()
    with connection.cursor() as cursor:
        # One process, so that its CPU time is all there is; the figures are without its help.
        cursor.execute("SET max_parallel_workers_per_gather = 0")
    client.force_login(User.objects.get(roles=[Role.EVALUATOR]))
    submission = Submission.objects.earliest("pk")
    pages = {
        "plain count": Attempt.objects.filter(submission__benchmark=benchmark).count,
        "board, worked out": lambda: make_board(benchmark),
        "board, as a page": lambda: client.get(reverse("board_of", args=[benchmark.slug])),
        "list of submissions": lambda: client.get(reverse("grading:submissions")),
        "one submission": lambda: client.get(submission.get_absolute_url()),
    }
    print(f"\n{Attempt.objects.count()} answers, {Grade.objects.count()} grades")
    print(f"{'seconds':<22}{'cold':>8}{'warm':>8}{'CPU':>8}{'ratio, warm':>13}")
    reference = 0.0
    for title, work in pages.items():
        work()  # what is looked up once a process
        cold = f"{measure(work)[0]:.2f}" if forget() else "–"
        warm, cpu = (
            min(times) for times in zip(*(measure(work) for _ in range(TIMES)), strict=True)
        )
        reference = reference or warm
        print(f"{title:<22}{cold:>8}{warm:>8.2f}{cpu:>8.2f}{warm / reference:>13.1f}")
    assert len(make_board(benchmark).rows) == MODELS + 1
