"""Runs reserve what they may need: two of them never count on the same calls."""

from contextlib import ExitStack
from decimal import Decimal
from functools import partial

import pytest
from django.utils import timezone

from grading.endpoints import Cost
from grading.judging.runs import actions as judging
from grading.model_runs import actions
from grading.model_runs.actions import CannotRun
from grading.model_runs.models import ModelRun
from grading.runs import reservations
from grading.runs.models import CallUnderWay, Reservation, Spending
from grading.submissions.drafts import actions as drafting
from grading.submissions.drafts import submitting
from tests.grading.concurrency import hold, meanwhile
from tests.grading.endpoints.steps import complain, ok
from tests.grading.judging import judging as judge_runs
from tests.grading.judging.judging import judge_well, mark_graded
from tests.grading.model_runs.running import ask, begin, work_off
from tests.grading.trials.trials import MODEL, box, make_endpoint

pytestmark = pytest.mark.django_db(transaction=True)

LOCK_RUN = "select 1 from grading_run where id = %s for update"
LOCK_ENDPOINT = "select 1 from grading_endpoint where id = %s for update"


def read_reserved(run) -> int:
    row = run.reservations.first()
    return row.calls if row else 0


def test_of_three_runs_begun_at_once_no_two_count_on_the_same_calls(version, evaluator):
    """Five calls each, and twelve are left: two get theirs, and the third is told."""
    endpoint = make_endpoint(daily_calls=12)

    def start() -> str:
        try:
            return str(begin(version, endpoint, evaluator).pk)
        except CannotRun as cannot:
            return str(cannot)

    # All are past whatever they look at before the endpoint, and none has reserved yet.
    with hold(LOCK_ENDPOINT, endpoint.pk) as let_go, ExitStack() as stack:
        started = [stack.enter_context(meanwhile(start)) for _number in range(3)]
        let_go()
        told = [one.result() for one in started]
    assert sorted(one.isdigit() for one in told) == [False, True, True]
    assert [one for one in told if not one.isdigit()] == [
        f"The budget of {endpoint} covers 2 of 5 calls today."
    ]
    assert [one.calls for one in Reservation.objects.all()] == [5, 5]
    assert ModelRun.objects.count() == 2, "nothing of the third is there"


def test_three_runs_worked_off_together_never_pass_what_a_day_allows(serve, version, evaluator):
    server = serve(lambda _request: box("m g h"))
    endpoint = make_endpoint(server, daily_calls=12)
    runs = [begin(version, endpoint, evaluator, may_fall_short=True) for _number in range(3)]
    assert [read_reserved(run) for run in runs] == [5, 5, 2]
    with pytest.raises(CannotRun, match="no budget left today"):
        begin(version, endpoint, evaluator, may_fall_short=True)
    # In any order: who comes first takes nothing of what the others have reserved.
    for run in reversed(runs):
        work_off(run)
    assert len(server.requests) == 12
    assert [run.state for run in runs] == ["ENDED", "ENDED", "PAUSED"]
    assert runs[2].paused_for == "budget_calls"
    assert not Reservation.objects.exists()


def test_runs_of_judges_and_of_models_count_each_other(serve, evaluator, problems, hand_in):
    submission = hand_in((problems[0], "m g h"), (problems[2], "x"))
    mark_graded(submission)
    endpoint = make_endpoint(serve(judge_well), daily_calls=10)
    judged = judge_runs.begin(submission, endpoint)
    assert read_reserved(judged) == 7
    run = begin(submission.version, endpoint, evaluator, may_fall_short=True)
    assert read_reserved(run) == 3
    [left] = reservations.list_left(endpoint, Cost(1))
    assert (left.left, left.reserved, left.is_short) == (0, 10, True)

    judging.pause(run=judged, by=evaluator)
    assert read_reserved(judged) == 0
    actions.pause(run=run, by=evaluator)
    actions.resume(run=run, by=evaluator)
    assert read_reserved(run) == run.answers.count()
    judging.resume(run=judged, by=evaluator)
    assert read_reserved(judged) == 10 - run.answers.count()


def test_a_run_of_judges_is_done_on_what_it_reserved_and_frees_the_rest(
    serve, evaluator, problems, hand_in
):
    submission = hand_in((problems[0], "m g h"), (problems[2], "x"))
    mark_graded(submission)
    endpoint = make_endpoint(serve(judge_well), daily_calls=7)
    judged = judge_runs.begin(submission, endpoint)
    judge_runs.work_off(judged)
    judged.refresh_from_db()
    assert judged.state == "RUNNING"
    assert not judged.items.waiting().exists()
    assert not judged.reservations.exists()


def test_a_run_of_judges_reserves_no_more_than_it_may_spend(serve, problems, hand_in):
    submission = hand_in((problems[0], "m g h"), (problems[2], "x"))
    mark_graded(submission)
    endpoint = make_endpoint(serve(judge_well), daily_calls=100)
    assert read_reserved(judge_runs.begin(submission, endpoint, most_calls=4)) == 4


def test_a_reservation_shrinks_with_each_call_and_goes_with_the_run(serve, version, evaluator):
    server = serve(*[box("m g h")] * 2, *[complain(400, "No.")] * 3)
    endpoint = make_endpoint(server, daily_calls=100, price_completion=100)
    run = begin(version, endpoint, evaluator)
    before = run.reservations.get()
    assert (before.calls, before.money) == (5, Decimal("0.5"))
    first = run.answers.first()
    assert first
    ask(first.pk)
    after = run.reservations.get()
    assert (after.calls, after.money) == (4, Decimal("0.4"))
    work_off(run)
    assert run.state == ModelRun.State.ENDED
    assert not Reservation.objects.exists()
    # What failed is reserved anew when it is asked for again, and cancelled it is free.
    actions.ask_again(run=run, by=evaluator)
    assert read_reserved(run) == 3
    actions.cancel(run=run, by=evaluator)
    assert not Reservation.objects.exists()


def test_a_call_that_has_to_wait_for_the_rate_leaves_what_was_reserved(serve, version, evaluator):
    endpoint = make_endpoint(serve(lambda _request: ok()), daily_calls=5, requests_a_minute=1)
    run = begin(version, endpoint, evaluator)
    first, second = run.answers.all()[:2]
    ask(first.pk)
    ask(second.pk)
    second.refresh_from_db()
    assert (second.state, second.next_at is not None) == ("QUEUED", True)
    assert read_reserved(run) == 4
    assert not CallUnderWay.objects.exists()


def test_tokens_and_money_are_reserved_as_calls_are(version, evaluator):
    endpoint = make_endpoint(daily_calls=None, daily_money=Decimal("0.25"), price_completion=100)
    with pytest.raises(CannotRun, match="covers 2 of 5 calls today"):
        begin(version, endpoint, evaluator)
    begin(version, endpoint, evaluator, may_fall_short=True)
    kept = Reservation.objects.get()
    assert (kept.calls, kept.money) == (2, Decimal("0.2"))


def test_authors_trials_get_nothing_of_what_is_reserved(serve, version, evaluator):
    endpoint = make_endpoint(serve(lambda _request: ok()), daily_calls=6)
    begin(version, endpoint, evaluator)
    Spending.objects.create(endpoint=endpoint, model=MODEL, day=timezone.now().date(), calls=1)
    [left] = reservations.list_left(endpoint, Cost(1))
    assert (left.left, left.is_short) == (0, True)


def test_who_grades_its_draft_waits_for_who_just_asks_again(serve, version, evaluator):
    server = serve(box("m g h"), *[complain(400, "No.")] * 4)
    run = work_off(begin(version, make_endpoint(server), evaluator))
    actions.cancel(run=run, by=evaluator)
    draft = work_off(run).file.draft
    with ExitStack() as stack:
        release = stack.enter_context(hold(LOCK_RUN, run.pk))
        asked = stack.enter_context(meanwhile(partial(actions.ask_again, run=run, by=evaluator)))
        grade = partial(submitting.grade, draft=draft, by=evaluator)
        graded = stack.enter_context(meanwhile(grade))
        release()
        assert asked.result() == 4
        with pytest.raises(drafting.CannotChange, match="in progress"):
            graded.result()
