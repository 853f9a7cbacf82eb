"""
How many answers are graded in a second, and what that costs beside reading and SymPy.

    python3 dev.py test tests/benchmarks/throughput.py -s

The worker is that of `dev.py run`. The ratios are to judging the same answers, each once, in one
process that has nothing else to do, in the same run: no database, no children. Once all answers
differ, once half of them are words that other models say as well. Verdicts come before distances
(`grading/answers/grader.py`): asked for is no more than 5 ms of CPU for one, with worker and
database. Asked for is no more than 15 % of
the CPU time outside the children that read and compute. THROUGHPUT_MODELS makes another load.
"""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import psutil
import pytest
from django.db import connection

from development import web
from grading.answers.models import Attempt
from grading.demo import bank
from grading.demo.bank_rows import Size
from phybench_grader import JudgeError, grade
from phybench_grader.reading.question import Question
from tests.benchmarks.children import run_each
from tests.development.checkout import wait_until
from tests.processes import Processes

PROBLEMS = 220
"""Of which about 100 are accepted."""
MODELS = int(os.environ.get("THROUGHPUT_MODELS", "20"))
PATIENCE_SECONDS = 3600
ASKED_SHARE = 0.15
Answer = tuple[str, str, Question]


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU seconds."""

    children: float
    worker: float
    database: float

    def since(self, other: "Spent") -> "Spent":
        return Spent(
            self.children - other.children,
            self.worker - other.worker,
            self.database - other.database,
        )

    @property
    def outside(self) -> float:
        return self.worker + self.database

    @property
    def total(self) -> float:
        return self.children + self.outside


def measure_spent(worker: psutil.Process) -> Spent:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [[own]] = cursor.fetchall()
    server = psutil.Process(own).parent()
    assert server
    # Of backends that have ended the server's own times tell.
    times = server.cpu_times()
    database = sum(times[:4]) + sum(map(add_up, server.children())) - add_up(psutil.Process(own))
    return Spent(sum(map(add_up, worker.children(recursive=True))), add_up(worker), database)


def add_up(process: psutil.Process) -> float:
    times = process.cpu_times()
    spent: float = times.user + times.system
    return spent


def judge_all(answers: Sequence[Answer]) -> float:
    """Judge answers one after the other; return the seconds that it took."""
    began = time.perf_counter()
    for response, reference, question in answers:
        with suppress(JudgeError):
            grade(response, reference, declared=question)
    return time.perf_counter() - began


def list_answers() -> list[Answer]:
    waiting = Attempt.objects.waiting().select_related("revision").order_by("pk")
    return [
        (one.response, one.revision.reference.answer, one.revision.reference.question)
        for one in waiting
    ]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_own_words", [1.0, 0.5])
def test_how_many_answers_are_graded_in_a_second(processes: Processes, in_own_words: float) -> None:
    bank.make(Size(PROBLEMS, PROBLEMS, models=MODELS, in_own_words=in_own_words))
    bank.tell_planner()
    answers = list_answers()
    [direct] = run_each(judge_all, [answers], limit=PATIENCE_SECONDS)
    assert direct.result
    running = processes.start(web.worker)
    worker = psutil.Process(running.pid)
    processes.start(web.beat, WORK_SWEEP_SECONDS="1")
    waiting = Attempt.objects.waiting()
    unjudged = waiting.filter(wrong_at=None)
    # What processes do for the first time is no part of it.
    assert wait_until(lambda: unjudged.count() < 0.9 * len(answers), PATIENCE_SECONDS)
    count, to_judge = waiting.count(), unjudged.count()
    before, began = measure_spent(worker), time.perf_counter()
    assert wait_until(lambda: not unjudged.exists(), PATIENCE_SECONDS)
    verdicts = measure_spent(worker).since(before)
    seconds = time.perf_counter() - began
    print(f"\n{'all verdicts':<36}{to_judge / seconds:>8.0f} a second")
    for name, each in (
        ("CPU", verdicts.total),
        ("children", verdicts.children),
        ("the worker", verdicts.worker),
        ("the database", verdicts.database),
    ):
        print(f"{name:<36}{1000 * each / to_judge:>8.2f} ms a verdict")
    assert wait_until(lambda: not waiting.exists(), PATIENCE_SECONDS)
    took, spent = time.perf_counter() - began, measure_spent(worker).since(before)
    direct_share = count / len(answers)
    words = f"{in_own_words:.0%} in words of their own"
    print(f"\n{count} answers, {words}: {count / took:.0f} a second")
    print(f"{'judged directly in one process':<36}{len(answers) / direct.result:>8.0f} a second")
    print(f"{'ratio':<36}{direct_share * direct.result / took:>8.2f}")
    ratio = spent.total / (direct_share * direct.seconds)
    print(f"{'CPU, ratio to that of judging directly':<40}{ratio:>4.2f}")
    for name, seconds in (
        ("children: reading and SymPy", spent.children),
        ("the worker", spent.worker),
        ("the database", spent.database),
    ):
        milliseconds = 1000 * seconds / count
        print(f"{name:<36}{milliseconds:>8.2f} ms an answer{seconds / spent.total:>8.1%}")
    share = spent.outside / spent.total
    print(f"{'outside of the children':<36}{share:>8.1%}, asked for: {ASKED_SHARE:.0%}")
