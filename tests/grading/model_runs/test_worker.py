"""
A real worker on a run, killed midway: each answer comes once, and stands in the draft.

The endpoint is a real server that holds its answer back until the test lets it go, so "midway" is
the same moment each time.
"""

from collections import Counter

import pytest

from development import web
from grading.model_runs.models import ModelRun
from grading.runs.models import CallUnderWay, ModelCall, Spending
from grading.submissions.drafts.models import DraftAnswer
from tests.development.checkout import wait_until
from tests.grading.model_runs.running import begin, read_states
from tests.grading.trials.test_worker import LOOPBACK, QUICK_SWEEP, SHORT_LEASE, Gate
from tests.grading.trials.trials import make_endpoint
from tests.processes import Processes, kill

pytestmark = pytest.mark.django_db(transaction=True)


def has_ended(run: ModelRun) -> bool:
    run.refresh_from_db()
    return run.handed_over_at is not None


@pytest.mark.slow
def test_a_killed_worker_costs_its_calls_and_nothing_that_was_there(
    serve, version, evaluator, processes: Processes
) -> None:
    gate = Gate(at_once=3)
    server = serve(gate)
    endpoint = make_endpoint(server, calls_at_once=2)
    run = begin(version, endpoint, evaluator, samples=2)
    first = processes.start(web.caller, **SHORT_LEASE)
    answered = run.answers.filter(state="ANSWERED")
    assert wait_until(lambda: answered.count() == 3 and len(server.requests) == 5)
    kill(first)
    there = set(answered.values_list("pk", flat=True))
    # What is set aside for a call is no longer reserved for the run: each is counted once.
    assert CallUnderWay.objects.count() >= 2
    assert run.reservations.get().calls + CallUnderWay.objects.count() == 10 - 3

    # What the limiter and the budget hold for the dead runs out as its calls would have.
    CallUnderWay.objects.update(until="2000-01-01T00:00Z")
    type(endpoint).objects.update(limiter={})
    gate.opened.set()
    processes.start(web.caller, **LOOPBACK)
    processes.start(web.worker)
    processes.start(web.beat, **QUICK_SWEEP)
    assert wait_until(lambda: has_ended(run))
    assert read_states(run) == [("ANSWERED", "")] * 10
    assert run.state == ModelRun.State.ENDED

    # Two were under way: nobody knows of their calls but the server, and the budget.
    assert len(server.requests) == 10 + 2
    calls = Counter(ModelCall.objects.values_list("item", flat=True))
    assert set(calls.values()) == {1}
    assert len(calls) == 10
    again = run.answers.filter(pk__in=there).values_list("lost", flat=True)
    assert set(again) == {0}, "what was there is not asked for again"
    assert Spending.objects.get().calls >= 10 + 2
    assert not run.reservations.exists()
    assert DraftAnswer.objects.filter(file=run.file).count() == 10
