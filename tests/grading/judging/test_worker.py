"""
Real workers on a run of judges: failures of every kind, one killed midway, and exact counts.

Which failure an answer meets is written in it, and the endpoint holds its replies back until the
test lets it go, so each run is the same.
"""

import json
import threading
from collections import Counter

import pytest
from django.utils import timezone

from development import web
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.demo.fake_endpoint import Request
from grading.demo.fake_replies import FakeReply
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.prompts.configurations import read_row
from grading.judging.runs import actions as run_actions
from grading.judging.runs.tasks import JUDGING
from grading.runs.models import ModelCall
from phybench.work.tasks import wake
from tests.development.checkout import PATIENCE_SECONDS, wait_until
from tests.grading.endpoints import steps
from tests.grading.judging.judging import MARKED_RIGHT, begin, judge_well, mark_graded
from tests.grading.judging.pairing import BEST, compare_both, prefer
from tests.grading.trials.trials import make_endpoint
from tests.organisations import organisation_of
from tests.processes import Processes, kill
from tests.versions import hand_in

pytestmark = pytest.mark.django_db(transaction=True)

LOOPBACK = {"ENDPOINT_EGRESS_ALLOW": "127.0.0.1"}
QUICK_SWEEP = {"WORK_SWEEP_SECONDS": "0.5"}
SHORT_LEASE = {**LOOPBACK, "WORK_LEASE_SECONDS": "1"}
CANARIES = 5
ANSWERS = 40
TROUBLES = {
    3: "429", 7: "500", 23: "429", 33: "429",
    27: "html", 31: "drip", 37: "malformed", 39: "refusal",
}  # fmt: skip
"""
By the answer's number: one fails each time (a refusal), the others the first time that anybody
hears the answer.
"""
MISSING = {"refusal": "refusal"}


class Endpoint:
    """Fails as each answer says, the first time; answers only so many until it is let go."""

    def __init__(self, at_once: int = 10**6) -> None:
        self.opened = threading.Event()
        self._left = threading.Semaphore(at_once)
        self._lock = threading.Lock()
        self.asked: Counter[str] = Counter()

    def __call__(self, request: Request) -> FakeReply:
        if not self._left.acquire(blocking=False) and not self.opened.is_set():
            # Whoever asks this is killed before it is answered: what nobody hears is no trouble,
            # or one whose first answer is lost would be asked once less than the others.
            self.opened.wait(PATIENCE_SECONDS)
            return judge_well(request)
        trouble = next(
            (one for one in TROUBLES.values() if f"trouble:{one}:" in request.prompt), ""
        )
        mark = request.prompt.partition("trouble:")[2].partition(" ")[0]
        with self._lock:
            self.asked[mark] += 1
            is_first = self.asked[mark] == 1
        if trouble == "refusal":
            return steps.refusal()
        if not trouble or not is_first:
            return judge_well(request)
        return {
            "429": steps.rate_limited(retry_after="1"),
            "500": steps.server_error(),
            "html": steps.html_200(),
            "drip": steps.drip(0.5),
            "malformed": steps.ok('{"is_correct": tru'),
        }[trouble]


@pytest.fixture
def submission(problems, evaluator, benchmark) -> Submission:
    rows = [
        {
            "id": problems[number % 5].identifier,
            "model": "A model",
            "repeat_index": number // 5,
            "model_answer": f"x + {number}; {MARKED_RIGHT if number % 2 else 'no'};"
            + (f" trouble:{TROUBLES[number]}:{number} " if number in TROUBLES else ""),
        }
        for number in range(ANSWERS)
    ]
    [made] = hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    mark_graded(made)
    return made


def is_done(run: JudgeRun) -> bool:
    return not run.items.waiting().exists()


def count_states(run: JudgeRun) -> Counter[tuple[str, str]]:
    return Counter(run.items.filter(canary="").values_list("state", "reason"))


@pytest.mark.own_server
def test_every_kind_of_failure_ends_in_exact_counts_though_a_worker_is_killed(
    serve, submission, processes: Processes
) -> None:
    endpoint = Endpoint(at_once=20)
    server = serve(endpoint)
    row = make_endpoint(server, calls_at_once=4, seconds_a_call=10)
    run = begin(submission, row)
    assert Attempt.objects.count() == ANSWERS
    first = processes.start(web.judge, **SHORT_LEASE)
    assert wait_until(lambda: len(server.requests) >= 22)
    kill(first)
    unheard = len(server.requests) - JudgeCall.objects.count()
    assert unheard >= 1
    before = set(Judgement.objects.values_list("pk", flat=True))
    held = JudgeItem.objects.filter(state="JUDGING", reserved_calls=1).count()
    assert held >= 1
    # What the limiter holds for the dead runs out as its calls would have.
    type(row).objects.update(limiter={})
    endpoint.opened.set()
    # As the clock would, which would be one more process.
    assert wait_until(lambda: not run.items.filter(lease_until__gt=timezone.now()).exists())
    wake(JUDGING, run.items.waiting()[:1])
    processes.start(web.judge, **LOOPBACK)
    # Beside three other workers' tests it has taken more than one patience.
    assert wait_until(lambda: is_done(run), 3 * PATIENCE_SECONDS), count_states(run)

    assert count_states(run) == {("SCORED", ""): ANSWERS - 1, ("UNSCORED", "refusal"): 1}
    run.refresh_from_db()
    assert run.state == "RUNNING"
    right = Judgement.objects.filter(item__canary="", is_right=True).count()
    assert right == ANSWERS // 2 - 1, "the refused one says that it is right"
    assert Judgement.objects.filter(item__canary="", is_right=False).count() == ANSWERS // 2
    assert Judgement.objects.filter(has_passed=True).count() == CANARIES
    assert Judgement.objects.count() == ANSWERS + CANARIES
    assert before <= set(Judgement.objects.values_list("pk", flat=True))

    # Each call is one that was needed; what was under way when the worker died was made again.
    again = sum(1 for one in TROUBLES.values() if one not in MISSING)
    made = JudgeCall.objects.count()
    assert made == ANSWERS + CANARIES + again
    assert len(server.requests) == made + unheard
    # What was about to be called counts as well: nobody can tell whether it was.
    assert run.lost_calls == held >= unheard
    assert ModelCall.objects.count() == made

    asked = len(server.requests)
    assert run_actions.ask_again(run=run, by=submission.uploaded_by) == 1
    assert wait_until(lambda: is_done(run))
    assert len(server.requests) == asked + 1, "only what was missing"
    assert read_row(run.configuration).identity == run.configuration.sha256


class PairEndpoint:
    """Prefers as the answers say; answers only so many until it is let go."""

    def __init__(self, at_once: int) -> None:
        self.opened = threading.Event()
        self._left = threading.Semaphore(at_once)

    def __call__(self, request: Request) -> FakeReply:
        if not self._left.acquire(blocking=False):
            self.opened.wait(PATIENCE_SECONDS)
        return prefer(request)


def hand_in_samples(model: str, problems, evaluator, benchmark, best: int) -> Submission:
    """Hand in four answers to each problem; those of the sample `best` are the better ones."""
    rows = [
        {
            "id": problem.identifier,
            "model": model,
            "repeat_index": number,
            "model_answer": BEST if number == best else f"{model} {number}",
        }
        for problem in problems
        for number in range(4)
    ]
    [made] = hand_in(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        uploaded_by=evaluator,
        file_name="answers.json",
        content=json.dumps(rows).encode(),
    )
    mark_graded(made)
    return made


@pytest.mark.slow
def test_pairs_end_in_exact_counts_though_a_worker_is_killed_between_the_orders(
    serve, problems, evaluator, benchmark, processes: Processes
) -> None:
    """An odd number of replies comes before the kill, so that a pair has been asked about half."""
    first, second = (
        hand_in_samples(name, problems, evaluator, benchmark, best)
        for name, best in (("Model A", 0), ("Model B", 1))
    )
    endpoint = PairEndpoint(at_once=17)
    server = serve(endpoint)
    row = make_endpoint(server, calls_at_once=4, seconds_a_call=10)
    run = compare_both(first, second, row)
    killed = processes.start(web.judge, **SHORT_LEASE)
    assert wait_until(lambda: len(server.requests) >= 18)
    kill(killed)
    unheard = len(server.requests) - JudgeCall.objects.count()
    assert unheard >= 1
    before = set(JudgeCall.objects.values_list("pk", flat=True))
    type(row).objects.update(limiter={})
    endpoint.opened.set()
    processes.start(web.judge, **LOOPBACK)
    processes.start(web.beat, **QUICK_SWEEP)
    assert wait_until(lambda: is_done(run)), count_states(run)

    assert count_states(run) == {("SCORED", ""): 20}
    values = Counter(
        Judgement.objects.filter(item__canary="").values_list("value", "item__attempt__sample")
    )
    assert values == {(1.0, 1): 5, (0.0, 2): 5, (0.5, 3): 5, (0.5, 4): 5}
    assert Judgement.objects.filter(has_passed=True).count() == CANARIES
    # Each order of each pair is kept once; what nobody heard was asked again, and nothing else.
    assert before <= set(JudgeCall.objects.values_list("pk", flat=True))
    assert JudgeCall.objects.count() == 2 * (20 + CANARIES)
    assert len(server.requests) == 2 * (20 + CANARIES) + unheard
    run.refresh_from_db()
    assert run.lost_calls >= unheard
