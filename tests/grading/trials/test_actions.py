"""Trials begun, cancelled, gone on with: by whom, of what, and once."""

import pytest

from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials.actions import CannotTry, Choice
from grading.model_runs.trials.models import Trial
from grading.runs.models import Endpoint
from phybench.people.models import Role
from tests.conftest import make_draft, submit
from tests.grading.trials.trials import box, choose, make_endpoint, read_states, try_on, work_off
from tests.work import ask_model

pytestmark = pytest.mark.usefixtures("commits")


def test_who_may_not_change_a_problem_can_not_try_it(serve, draft, reviewer):
    endpoint = make_endpoint(serve())
    begin = {"problem": draft, "choices": [choose(endpoint)], "times": 1}
    with pytest.raises(CannotTry):
        trial_actions.begin(by=reviewer, **begin)
    draft.author.roles = []
    with pytest.raises(CannotTry):
        trial_actions.begin(by=draft.author, **begin)
    draft.author.roles = [Role.CONTRIBUTOR]
    submit(draft, draft.author)
    with pytest.raises(CannotTry):
        trial_actions.begin(by=draft.author, **begin)
    assert not Trial.objects.exists()


@pytest.mark.parametrize("times", [0, 9])
def test_a_model_is_asked_one_to_eight_times(serve, draft, times):
    with pytest.raises(CannotTry):
        try_on(make_endpoint(serve()), draft, times=times)


def test_a_draft_without_an_answer_is_not_tried(serve, contributor, benchmark):
    empty = make_draft(contributor, benchmark, answer="")
    with pytest.raises(CannotTry):
        try_on(make_endpoint(serve()), empty)


@pytest.mark.parametrize(
    ("field", "value"), [("answer", r"\frac{m"), ("answer", "m g z"), ("statement", "![](a.png)")]
)
def test_a_draft_that_breaks_a_rule_is_not_tried(serve, draft, field, value):
    """It could not be graded, or a symbol that only the key has would be told."""
    draft.revisions.update(**{field: value})
    with pytest.raises(CannotTry, match="Fix the statement and the answer first"):
        try_on(make_endpoint(serve()), draft)
    assert not Trial.objects.exists()


def test_what_a_draft_mentions_is_declared_before_it_is_tried(serve, draft):
    draft.revisions.update(symbols=[])
    server = serve(box("m g h"))
    [answer] = work_off(try_on(make_endpoint(server), draft))
    assert [one["latex"] for one in answer.trial.declarations] == ["g", "h", "m"]
    assert "- $g$\n- $h$\n- $m$" in server.requests[0].prompt


@pytest.mark.parametrize(
    "change",
    [
        {"is_active": False},
        {"open_for": "auth"},
        {"offered": ["other"]},
        {"base_url": "https://else.test"},
    ],
    ids=str,
)
def test_an_endpoint_that_is_not_as_it_was_agreed_to_gets_nothing(serve, draft, change):
    endpoint = make_endpoint(serve())
    choice = choose(endpoint)
    Endpoint.objects.update(**change)
    choice = Choice(Endpoint.objects.get(), choice.model, choice.host)
    with pytest.raises(CannotTry):
        trial_actions.begin(problem=draft, by=draft.author, choices=[choice], times=1)
    assert not Trial.objects.exists()


def test_begun_twice_it_is_one_trial_and_afterwards_another(serve, draft):
    endpoint = make_endpoint(serve(*[box("m g h")] * 4))
    first, second = try_on(endpoint, draft, times=2), try_on(endpoint, draft, times=2)
    assert first == second
    work_off(first)
    assert try_on(endpoint, draft, times=2) != first


def test_what_is_cancelled_is_not_asked_for_and_what_was_there_stays(serve, draft):
    server = serve(box("m g h"))
    trial = try_on(make_endpoint(server), draft, times=3)
    first = trial.answers.earliest("pk")
    ask_model(first.pk)
    assert trial_actions.cancel(trial=trial, by=draft.author) == 2
    work_off(trial)
    assert read_states(trial) == [("GRADED", ""), ("CANCELLED", ""), ("CANCELLED", "")]
    assert len(server.requests) == 1
    with pytest.raises(CannotTry, match="This trial has ended"):
        trial_actions.cancel(trial=trial, by=draft.author)
