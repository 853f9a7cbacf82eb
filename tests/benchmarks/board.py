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
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from grading.board.analyses.models import Analysis
from grading.board.scores.scope import Scope
from grading.board.table import make_board, rank_board, show_board
from phybench.people.models import Role, User
from tests.boards import UNREADABLE, MadeBoard, Score, make_scored_board
from tests.work import work_out_analyses

PROBLEMS, MODELS, SAMPLES = (
    int(os.environ.get(f"BOARD_{name}", default))
    for name, default in (("PROBLEMS", "575"), ("MODELS", "60"), ("SAMPLES", "4"))
)
PEOPLE, A_PERSON_ANSWERS = 50, 12
TIMES = 5
VERDICTS: dict[Score, int] = {100.0: 4, "partial": 3, 0.0: 3, UNREADABLE: 1}
"""How common each is."""
NOT_GRADED = 0.004


def make_answers(chance: random.Random) -> MadeBoard:
    def draw() -> Score:
        if chance.random() < NOT_GRADED:
            return None
        [verdict] = chance.choices(list(VERDICTS), list(VERDICTS.values()))
        return verdict if verdict != "partial" else 60 * chance.random()

    return make_scored_board(
        {
            f"Model {number}": [[draw() for _sample in range(SAMPLES)] for _one in range(PROBLEMS)]
            for number in range(MODELS)
        },
        {
            f"person-{number}": {
                place: draw()
                for place in chance.sample(range(PROBLEMS), min(A_PERSON_ANSWERS, PROBLEMS))
            }
            for number in range(PEOPLE)
        },
        slug="size",
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


def show_anew(client: Client, benchmark: Benchmark) -> None:
    Analysis.objects.all().delete()
    client.get(reverse("board_of", args=[benchmark.slug]))


@pytest.mark.django_db(transaction=True)
def test_what_the_board_costs(client: Client) -> None:
    made = make_answers(random.Random(7))
    benchmark, scope = made.benchmark, Scope.of(made.version)
    look_at_tables()
    with connection.cursor() as cursor:
        # One process, so that its CPU time is all there is; the figures are without its help.
        cursor.execute("SET max_parallel_workers_per_gather = 0")
    client.force_login(User.objects.get(roles=[Role.EVALUATOR]))
    submission = Submission.objects.earliest("pk")
    pages = {
        "plain count": Attempt.objects.filter(submission__benchmark=benchmark).count,
        "board, without ranks": lambda: make_board(scope),
        "page, nothing kept": lambda: show_anew(client, benchmark),
        "board, with ranks": lambda: rank_board(scope),
        "page, all kept": lambda: client.get(reverse("board_of", args=[benchmark.slug])),
        "picture": lambda: client.get(reverse("board_picture", args=[benchmark.slug])),
        "list of submissions": lambda: client.get(reverse("grading:submissions")),
        "one submission": lambda: client.get(submission.get_absolute_url()),
    }
    print(f"\n{Attempt.objects.count()} answers, {Grade.objects.count()} grades")
    print(f"{'seconds':<22}{'cold':>8}{'warm':>8}{'CPU':>8}{'ratio, warm':>13}")
    reference = 0.0
    for title, work in pages.items():
        if title == "page, all kept":
            show_board(scope)
            work_out_analyses()
        work()  # what is looked up once a process
        cold = f"{measure(work)[0]:.2f}" if forget() else "–"
        warm, cpu = (
            min(times) for times in zip(*(measure(work) for _ in range(TIMES)), strict=True)
        )
        reference = reference or warm
        print(f"{title:<22}{cold:>8}{warm:>8.2f}{cpu:>8.2f}{warm / reference:>13.1f}")
    assert len(show_board(scope).rows) == MODELS
