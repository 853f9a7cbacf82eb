"""Two at once: two who begin a trial, two calls for the last of a budget."""

import contextlib

import pytest
from django.db import connections

from grading.endpoints import Message, Parameters
from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials import work
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.model_runs.trials.tasks import ASKING
from grading.runs import calls as calling
from grading.runs.models import CallUnderWay, ModelCall, Spending
from tests.grading.concurrency import hold, meanwhile
from tests.grading.endpoints import steps
from tests.grading.trials.trials import (
    MODEL,
    box,
    choose,
    make_endpoint,
    read_states,
    try_on,
    work_off,
)

pytestmark = pytest.mark.django_db(transaction=True)

LOCK_PROBLEM = "select 1 from curation_problem where id = %s for update"
LOCK_ENDPOINT = "select 1 from grading_endpoint where id = %s for update"


def test_two_who_begin_at_once_have_begun_one_trial(serve, draft):
    endpoint = make_endpoint(serve())

    def begin() -> list[Trial]:
        return trial_actions.begin(
            problem=draft, by=draft.author, choices=[choose(endpoint)], times=2
        )

    with (
        hold(LOCK_PROBLEM, draft.pk) as let_go,
        meanwhile(begin) as first,
        meanwhile(begin) as second,
    ):
        let_go()
    assert first.result() == second.result()
    assert TrialAnswer.objects.count() == 2


def test_of_two_calls_at_once_one_gets_what_is_left_of_the_budget(serve, draft):
    server = serve(box("1"), box("1"))
    endpoint = make_endpoint(server, daily_calls=1)

    def ask() -> str:
        try:
            calling.ask(endpoint.pk, [Message("user", "?")], Parameters(model=MODEL, max_tokens=9))
        except calling.NotNow as not_now:
            return not_now.reason
        return "asked"

    with (
        hold(LOCK_ENDPOINT, endpoint.pk) as let_go,
        meanwhile(ask) as first,
        meanwhile(ask) as second,
    ):
        let_go()
    assert sorted([first.result(), second.result()]) == ["asked", "budget_calls"]
    assert len(server.requests) == 1
    # What was asked is not written down here, so it stays set aside.
    assert CallUnderWay.objects.count() == 1
    assert not Spending.objects.exists()


def test_what_is_cancelled_while_it_fails_is_not_tried_again(serve, draft):
    trial_of: list[Trial] = []

    def answer(request):
        trial_actions.cancel(trial=trial_of[0], by=draft.author)
        connections.close_all()
        return steps.server_error()

    trial_of.append(try_on(make_endpoint(serve(answer)), draft))
    work_off(trial_of[0])
    assert read_states(trial_of[0]) == [("CANCELLED", "")]


def test_who_cancels_and_a_failure_that_ends_all_do_not_wait_for_each_other(
    serve, draft, monkeypatch
):
    trial = try_on(make_endpoint(serve(steps.no_such_model())), draft, times=3)
    answer = ASKING.claim(trial.answers.first().pk)
    taken, cancelled = work._take_failure, []
    with contextlib.ExitStack() as waiting:

        def take(*args):
            """End all answers; before that is written down, the author cancels."""
            made = taken(*args)
            assert trial.answers.filter(state="FAILED").count() == 3
            cancel = meanwhile(lambda: trial_actions.cancel(trial=trial, by=draft.author))
            cancelled.append(waiting.enter_context(cancel))
            return made

        monkeypatch.setattr(work, "_take_failure", take)
        work.ask(answer)
    assert cancelled[0].result() == 0
    assert ModelCall.objects.count() == 1
