"""Before a run is begun: whether what its endpoints allow today will do."""

from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from grading.runs.models import CallUnderWay, Spending
from tests.grading.judging.judging import FORM, JUDGE, grade_all, judge_well
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered

pytestmark = pytest.mark.usefixtures("commits")


@pytest.fixture
@remembered
def submission(problems, hand_in):
    made = hand_in((problems[0], "m g h"), (problems[2], "x"))
    grade_all(made)
    return made


def estimate(client, evaluator, submission, *endpoints, **fields):
    client.force_login(evaluator)
    models = [f"{endpoint.pk}|{JUDGE}" for endpoint in endpoints]
    sent = {**FORM, "models": models, "step": "estimate", **fields}
    return client.post(reverse("grading:new_judge_run", args=[submission.pk]), sent)


def spend(endpoint, **cost) -> None:
    today = timezone.now().date()
    Spending.objects.create(endpoint=endpoint, model=JUDGE, day=today, **cost)


def test_a_run_that_the_day_will_not_see_through_is_warned_of(client, evaluator, submission, serve):
    endpoint = make_endpoint(serve(judge_well), daily_calls=1200)
    spend(endpoint, calls=1195)
    CallUnderWay.objects.create(
        endpoint=endpoint, model=JUDGE, tokens=5, money=0, until=timezone.now()
    )
    page = estimate(client, evaluator, submission, endpoint)
    text = page.content.decode()
    assert "4 of 1,200 calls" in text
    assert "calls left today: 4. This run may need 7." in text
    assert "after midnight" in text


def test_money_and_tokens_are_warned_of_as_well(client, evaluator, submission, serve):
    endpoint = make_endpoint(
        serve(judge_well),
        daily_calls=None,
        daily_tokens=1000,
        daily_money=Decimal("0.02"),
        price_prompt=10,
        price_completion=100,
    )
    left = estimate(client, evaluator, submission, endpoint).context["left"]
    assert [(one.what, one.limit, one.is_short) for one in left] == [
        ("tokens", 1000, True),
        ("money", Decimal("0.02"), True),
    ]


def test_what_will_do_is_said_and_not_warned_of(client, evaluator, submission, serve):
    endpoint = make_endpoint(serve(judge_well), daily_calls=500)
    text = estimate(client, evaluator, submission, endpoint).content.decode()
    assert "500 of 500 calls" in text
    assert "after midnight" not in text


def test_no_limit_is_nothing_to_run_out_of(client, evaluator, submission, serve):
    endpoint = make_endpoint(serve(judge_well), daily_calls=None)
    assert estimate(client, evaluator, submission, endpoint).context["left"] == []


def test_yesterdays_calls_are_not_todays(client, evaluator, submission, serve):
    endpoint = make_endpoint(serve(judge_well), daily_calls=7)
    Spending.objects.create(endpoint=endpoint, model=JUDGE, day="2000-01-01", calls=7)
    [left] = estimate(client, evaluator, submission, endpoint).context["left"]
    assert (left.left, left.needed, left.is_short) == (7, 7, False)


def test_each_endpoint_of_a_panel_needs_its_own_calls(client, evaluator, submission, serve):
    tight = make_endpoint(serve(judge_well), name="Tight", daily_calls=13)
    wide = make_endpoint(serve(judge_well), name="Wide", daily_calls=5000)
    page = estimate(client, evaluator, submission, tight, wide, repeats="2")
    found = {one.endpoint.name: (one.needed, one.is_short) for one in page.context["left"]}
    assert found == {"Tight": (14, True), "Wide": (14, False)}
    assert page.context["estimate"].cost.calls == 28
    assert page.context["estimate"].cost.money == sum(
        one.money for one in page.context["estimate"].by_endpoint.values()
    )


def test_large_numbers_have_separators(client, evaluator, submission, serve):
    endpoint = make_endpoint(serve(judge_well), daily_calls=None)
    page = estimate(client, evaluator, submission, endpoint, repeats="9", max_tokens="100000")
    tokens = page.context["estimate"].cost.tokens
    assert tokens > 1_000_000
    assert f"about {tokens:,} at most" in page.content.decode()
