"""Trials within an endpoint's rate and budget: what waits, what is not called, what is paid for."""

import pytest
from django.utils import timezone

from grading.endpoints.limiter import LimiterState as LimiterState
from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials.models import TrialAnswer
from grading.runs.models import CallUnderWay, Endpoint, ModelCall, Spending
from tests.grading.endpoints import steps
from tests.grading.trials.trials import box, make_endpoint, read_states, try_on, work_off
from tests.work import ask_model

pytestmark = pytest.mark.usefixtures("commits")


def test_what_is_asked_to_wait_waits_and_is_not_asked_before(serve, draft):
    server = serve(steps.rate_limited(retry_after="50"), box("m g h"))
    [pk] = try_on(make_endpoint(server), draft).answers.values_list("pk", flat=True)
    ask_model(pk)
    answer = TrialAnswer.objects.get()
    assert answer.state == "QUEUED"
    assert answer.next_at is not None
    assert 45 < (answer.next_at - timezone.now()).total_seconds() <= 50
    ask_model(pk)
    assert len(server.requests) == 1
    # Everybody keeps away, not this answer alone.
    state = LimiterState.from_json(Endpoint.objects.get().limiter)
    assert state.closed_until > timezone.now().timestamp() + 45


def test_over_the_rate_nothing_is_called_and_nothing_is_spent(serve, draft, settings):
    settings.CALLING_PATIENCE_SECONDS = 0.0
    server = serve(box("m g h"), box("m g h"))
    trial = try_on(make_endpoint(server, requests_a_minute=1), draft, times=2)
    work_off(trial)
    assert read_states(trial) == [("GRADED", ""), ("QUEUED", "")]
    assert len(server.requests) == 1
    assert not CallUnderWay.objects.exists()
    assert Spending.objects.get().calls == 1


def test_a_days_budget_ends_the_calls_and_what_is_missing_can_be_asked_for_later(serve, draft):
    server = serve(*[box("m g h")] * 4)
    endpoint = make_endpoint(server, daily_calls=2)
    trial = try_on(endpoint, draft, times=4)
    work_off(trial)
    assert read_states(trial) == [("GRADED", "")] * 2 + [("FAILED", "budget_calls")] * 2
    assert len(server.requests) == 2

    Endpoint.objects.update(daily_calls=4)
    assert trial_actions.ask_again(trial=trial, by=draft.author) == 2
    work_off(trial)
    assert read_states(trial) == [("GRADED", "")] * 4
    assert len(server.requests) == 4, "what was there was not asked for again"


@pytest.mark.parametrize(
    ("limit", "reason"),
    [({"daily_tokens": 500}, "budget_tokens"), ({"daily_money": "0.000001"}, "budget_money")],
)
def test_a_call_that_might_cost_more_than_is_left_is_not_made(serve, draft, limit, reason):
    server = serve(box("m g h"))
    trial = try_on(make_endpoint(server, price_completion=10, **limit), draft)
    work_off(trial)
    assert read_states(trial) == [("FAILED", reason)]
    assert server.requests == []


def test_what_was_used_is_paid_for_at_the_endpoints_prices(serve, draft):
    # 120 tokens sent and 30 received.
    endpoint = make_endpoint(serve(box("m g h")), price_prompt=10, price_completion=100)
    trial = try_on(endpoint, draft)
    work_off(trial)
    call = ModelCall.objects.get()
    assert (call.prompt_tokens, call.completion_tokens, call.tokens) == (120, 30, 150)
    assert float(call.money) == 0.0042
    assert (Spending.objects.get().money, Spending.objects.get().tokens) == (call.money, 150)


def test_a_call_that_was_lost_counts_as_spent(serve, draft):
    endpoint = make_endpoint(serve(box("m g h")), daily_calls=1)
    CallUnderWay.objects.create(
        endpoint=endpoint, model="lost", tokens=70, money=1, until=timezone.now()
    )
    trial = try_on(endpoint, draft)
    work_off(trial)
    assert read_states(trial) == [("FAILED", "budget_calls")]
    # Refused with the rest of that transaction; counted by the next call that is allowed.
    Endpoint.objects.update(daily_calls=2)
    trial_actions.ask_again(trial=trial, by=draft.author)
    work_off(trial)
    lost = Spending.objects.get(model="lost")
    assert (lost.calls, lost.tokens, lost.estimated, float(lost.money)) == (1, 70, 1, 1.0)
    assert read_states(trial) == [("GRADED", "")]
