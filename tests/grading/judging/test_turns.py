"""Large runs keep nobody waiting: neither an author's trial nor a small run begun after them."""

import threading

import pytest

from development import web
from grading.demo.fake_endpoint import Request
from grading.demo.fake_replies import FakeReply
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.runs.tasks import JUDGING
from phybench.work.kinds import Pool, claim_next
from tests.development.checkout import PATIENCE_SECONDS, wait_until
from tests.grading.concurrency import hold
from tests.grading.judging.judging import begin, judge_well, mark_graded
from tests.grading.trials.trials import box, make_endpoint, try_on
from tests.processes import Processes

pytestmark = pytest.mark.django_db(transaction=True)

LOOPBACK = {"ENDPOINT_EGRESS_ALLOW": "127.0.0.1"}
JUDGES_AT_ONCE = 8
LOCK_ITEM = "select 1 from grading_judgeitem where id = %s for update"


class Gate:
    """Holds every judgement back until it is opened, and lets what authors ask through."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.held = 0

    def __call__(self, request: Request) -> FakeReply:
        if "GROUND_TRUTH" not in request.prompt:
            return box("m g h")
        self.held += 1
        self.opened.wait(PATIENCE_SECONDS)
        return judge_well(request)


@pytest.fixture
def gate():
    made = Gate()
    yield made
    made.opened.set()


def hand_in_many(hand_in, problems, count: int):
    made = hand_in(*[(problems[n % 5], f"x + {n}") for n in range(5)], model=f"Of {count}")
    mark_graded(made)
    first = list(made.attempts.all())
    made.attempts.model.objects.bulk_create(
        made.attempts.model(
            solver=made.solver,
            submission=made,
            revision=first[n % 5].revision,
            sample=n // 5 + 1,
            origin="FILE",
            response=f"x + {n}",
            status="FAILED",
            failure_reason="not_tried",
        )
        for n in range(5, count)
    )
    return made


@pytest.mark.own_server
@pytest.mark.slow
def test_a_trial_is_answered_while_hundreds_of_judgements_wait(
    serve, gate, draft, problems, hand_in, processes: Processes
) -> None:
    # What is held back is no failure of the endpoint's, for which nobody would ask it any more.
    endpoint = make_endpoint(
        serve(gate), calls_at_once=JUDGES_AT_ONCE + 1, seconds_a_call=PATIENCE_SECONDS
    )
    run = begin(hand_in_many(hand_in, problems, 300), endpoint)
    processes.start(web.judge, **LOOPBACK)
    assert wait_until(lambda: gate.held == JUDGES_AT_ONCE)
    trial = try_on(endpoint, draft)
    processes.start(web.caller, **LOOPBACK)
    processes.start(web.worker)
    assert wait_until(lambda: not trial.answers.waiting().exists())
    assert trial.answers.get().state == "GRADED"
    assert run.items.waiting().count() == 305, "none was done yet"


@pytest.mark.slow
def test_a_trial_is_answered_before_a_large_run_is_through_at_a_full_endpoint(
    serve, draft, problems, hand_in, processes: Processes
) -> None:
    def reply(request: Request) -> FakeReply:
        is_judged = "GROUND_TRUTH" in request.prompt
        return judge_well(request) if is_judged else box("m g h")

    # Fewer calls at once than the judges' worker has threads: whoever tries waits among them.
    endpoint = make_endpoint(serve(reply), calls_at_once=JUDGES_AT_ONCE // 2)
    run = begin(hand_in_many(hand_in, problems, 300), endpoint)
    processes.start(web.judge, **LOOPBACK)
    processes.start(web.caller, **LOOPBACK)
    assert wait_until(lambda: run.items.filter(state="SCORED").count() >= 10)
    trial = try_on(endpoint, draft)
    unasked = trial.answers.filter(state__in=["QUEUED", "CALLING"])
    assert wait_until(lambda: not unasked.exists())
    assert run.items.waiting().count() > 0


@pytest.mark.slow
def test_a_small_run_is_done_before_a_large_one_that_was_begun_first(
    serve, problems, hand_in, processes: Processes
) -> None:
    endpoint = make_endpoint(serve(judge_well))
    large = begin(hand_in_many(hand_in, problems, 120), endpoint)
    small = begin(hand_in_many(hand_in, problems, 5), endpoint)
    processes.start(web.judge, **LOOPBACK)
    assert wait_until(lambda: not small.items.waiting().exists())
    assert large.items.waiting().count() > 60
    assert wait_until(lambda: not large.items.waiting().exists())
    tries = JudgeItem.objects.values_list("tries", flat=True)
    assert JudgeRun.objects.filter(state="RUNNING").count() == 2
    assert min(tries) >= 1


@pytest.fixture
def runs(serve, problems, hand_in):
    endpoint = make_endpoint(serve(judge_well))
    return [begin(hand_in_many(hand_in, problems, n), endpoint) for n in (6, 5)]


def claim_turns(times: int) -> list[int]:
    """Claim so many items, and return whose they were."""
    claimed = [JUDGING.claim() for _time in range(times)]
    return [item.run_id for item in claimed if item is not None]


def test_runs_take_turns_and_each_begins_with_its_canaries(runs) -> None:
    first, second = (run.pk for run in runs)
    assert claim_turns(6) == [first, second] * 3
    held = JudgeItem.objects.filter(state="JUDGING")
    assert held.exclude(canary="").count() == 6


def test_the_run_with_the_fewest_under_way_has_the_turn(runs) -> None:
    first, second = runs
    for item in first.items.order_by("pk")[:2]:
        assert JUDGING.claim(item.pk) is not None
    assert claim_turns(3) == [second.pk, second.pk, first.pk]


@pytest.mark.parametrize(
    "put_off",
    [{"next_at": "2999-01-01T00:00Z"}, {"state": "SCORED"}],
)
def test_no_turn_is_given_to_what_can_not_be_judged_now(runs, put_off) -> None:
    first, second = runs
    second.items.update(**put_off)
    assert claim_turns(2) == [first.pk, first.pk]


def test_no_turn_is_given_to_a_paused_run(runs) -> None:
    first, second = runs
    JudgeRun.objects.filter(pk=second.pk).update(state="PAUSED", paused_for="person")
    assert claim_turns(2) == [first.pk, first.pk]


def test_who_finds_the_last_of_a_run_just_being_taken_goes_on_with_another(runs) -> None:
    """All that the run has to do whose turn it is may be in other workers' hands."""
    first, second = runs
    last = second.items.earliest("pk")
    second.items.exclude(pk=last.pk).update(state="SCORED")
    JUDGING.claim(first.items.earliest("pk").pk)
    with hold(LOCK_ITEM, last.pk):
        assert claim_turns(1) == [first.pk]
    assert claim_turns(1) == [second.pk]


@pytest.mark.parametrize("count", [1, 2])
def test_a_turn_takes_as_many_queries_however_much_waits(
    runs, count, django_assert_num_queries
) -> None:
    JudgeItem.objects.exclude(run__in=runs[:count]).update(state="SCORED")
    with django_assert_num_queries(4):  # to choose, to take, and both ends of a transaction
        assert claim_next(Pool.JUDGING) is not None
