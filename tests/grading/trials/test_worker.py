"""
Real workers on trials, killed midway: each answer ends with one reply, graded once.

The endpoint is a real server that holds its answer back until the test lets it go, so "midway" is
the same moment each time.
"""

import threading
from collections import Counter

import pytest

from development import web
from grading.demo.fake_endpoint import Request
from grading.demo.fake_replies import FakeReply
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.runs.models import CallUnderWay, ModelCall, Spending
from tests.development.checkout import PATIENCE_SECONDS, wait_until
from tests.grading.trials.trials import KEY, box, make_endpoint, read_states, try_on
from tests.processes import Processes, kill

pytestmark = pytest.mark.django_db(transaction=True)

LOOPBACK = {"ENDPOINT_EGRESS_ALLOW": "127.0.0.1"}
SHORT_LEASE = {**LOOPBACK, "WORK_LEASE_SECONDS": "1"}
LONG_TO_COMPARE = "+".join(rf"\frac{{a_{n}}}{{b_{n}+c}}" for n in range(10))
QUICK_SWEEP = {"WORK_SWEEP_SECONDS": "0.5"}


def count(trial: Trial, *states: str) -> int:
    return trial.answers.filter(state__in=states).count()


def is_done(trial: Trial) -> bool:
    return not trial.answers.waiting().exists()


class Gate:
    """Answers a few requests at once, and the others when it is opened."""

    def __init__(self, at_once: int) -> None:
        self.opened = threading.Event()
        self._left = threading.Semaphore(at_once)

    def __call__(self, request: Request) -> FakeReply:
        if not self._left.acquire(blocking=False):
            self.opened.wait(PATIENCE_SECONDS)
        return box("m g h")


@pytest.mark.slow
def test_workers_ask_and_grade_and_end_when_asked(serve, draft, processes: Processes) -> None:
    server = serve(*[box("m g h")] * 8)
    trial = try_on(make_endpoint(server), draft, times=8)
    workers = [processes.start(web.worker), processes.start(web.caller, **LOOPBACK)]
    assert wait_until(lambda: is_done(trial))
    assert read_states(trial) == [("GRADED", "")] * 8
    assert set(trial.answers.values_list("tries", flat=True)) == {2}, "taken to ask and to grade"
    assert len(server.requests) == 8
    assert all(KEY in request.headers["authorization"] for request in server.requests)
    logs = [log.read_text() for log in processes.folder.glob("*/log/*.log")]
    assert any("ask_model" in log for log in logs)
    assert not any(KEY in log for log in logs)
    for worker in workers:
        worker.terminate()
        assert worker.wait(PATIENCE_SECONDS) == 0


@pytest.mark.slow
def test_a_killed_worker_costs_its_calls_and_nothing_that_was_there(
    serve, draft, processes: Processes
) -> None:
    gate = Gate(at_once=3)
    server = serve(gate)
    endpoint = make_endpoint(server, calls_at_once=2)
    trial = try_on(endpoint, draft, times=8)
    first = processes.start(web.caller, **SHORT_LEASE)
    assert wait_until(lambda: count(trial, "REPLIED") == 3 and len(server.requests) == 5)
    kill(first)
    there = set(trial.answers.filter(state="REPLIED").values_list("pk", flat=True))
    assert CallUnderWay.objects.count() >= 2

    # What the limiter and the budget hold for the dead runs out as its calls would have.
    CallUnderWay.objects.update(until="2000-01-01T00:00Z")
    type(endpoint).objects.update(limiter={})
    gate.opened.set()
    processes.start(web.caller, **LOOPBACK)
    processes.start(web.worker)
    processes.start(web.beat, **QUICK_SWEEP)
    assert wait_until(lambda: is_done(trial))
    assert read_states(trial) == [("GRADED", "")] * 8

    # Two were under way: nobody knows of their calls but the server, and the budget.
    assert len(server.requests) == 8 + 2
    calls = Counter(ModelCall.objects.values_list("item", flat=True))
    assert set(calls.values()) == {1}
    assert len(calls) == 8
    again = TrialAnswer.objects.filter(pk__in=there).values_list("lost", flat=True)
    assert set(again) == {0}, "what was there is not asked for again"
    assert CallUnderWay.objects.count() == 0
    assert Spending.objects.get().calls >= 8 + 2


@pytest.mark.slow
def test_a_killed_grader_leaves_the_reply_to_the_next(serve, draft, processes: Processes) -> None:
    server = serve(box(LONG_TO_COMPARE))
    trial = try_on(make_endpoint(server), draft)
    Trial.objects.update(answer=LONG_TO_COMPARE.replace("c", "d"))
    processes.start(web.caller, **LOOPBACK)
    grader = processes.start(web.worker, WORK_LEASE_SECONDS="1")
    assert wait_until(lambda: count(trial, "GRADING") == 1)
    kill(grader)
    assert count(trial, "GRADING") == 1

    Trial.objects.update(answer=LONG_TO_COMPARE)
    processes.start(web.worker)
    processes.start(web.beat, **QUICK_SWEEP)
    assert wait_until(lambda: is_done(trial))
    assert read_states(trial) == [("GRADED", "")]
    assert trial.answers.get().verdict == "CORRECT"
    assert len(server.requests) == 1
