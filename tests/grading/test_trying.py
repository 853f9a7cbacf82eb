"""Trials, step by step: what a model replies is graded, what fails says why and is neither."""

import random

import pytest
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from curation import actions as curating
from curation.crediting import give_credit
from grading import trial_actions, trying
from grading.endpoints import Reason
from grading.endpoints import scripted_steps as steps
from grading.endpoints.limiter import State as LimiterState
from grading.models import CallUnderWay, Endpoint, ModelCall, Spending, Trial, TrialAnswer
from grading.solving import PROMPT_SHA256
from grading.tasks import ask_model, grade_trial_answer, requeue_unattended_trials
from grading.trial_actions import CannotTry, Choice
from phybench.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.grading.trials import KEY, box, choose, make_endpoint, read_states, try_on, work_off

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Retries come as soon as the endpoint lets them: chance adds nothing."""
    monkeypatch.setattr(random, "random", lambda: 0.0)


# --- What comes of an answer ----------------------------------------------------------------


def test_each_reply_is_graded_by_the_grader_of_everybody(serve, draft):
    replies = [
        box("m g h"),
        box("2 m g h"),
        box("g h m"),
        box("m = g"),
        steps.ok("No idea, sorry."),
    ]
    trial = try_on(make_endpoint(serve(*replies)), draft, times=5)
    answers = work_off(trial)
    assert [answer.state for answer in answers] == ["GRADED"] * 5
    verdicts = [answer.verdict for answer in answers]
    assert (verdicts[0], verdicts[2], verdicts[4]) == ("CORRECT", "CORRECT", "UNREADABLE")
    assert verdicts[1] in {"PARTIAL", "INCORRECT"}
    assert (answers[0].eed, answers[0].answer_read != "") == (100, True)


def test_the_statement_and_the_symbols_are_sent_and_neither_answer_nor_solution(serve, draft):
    server = serve(box("m g h"))
    curating.save_draft(
        problem=draft,
        author=draft.author,
        saved_at=draft.revisions.get().saved_at.isoformat(),
        statement=rf"{draft.revisions.get().statement} Mind $g$.",
        answer="7351935 m g h",
        solution="It is $8462046$.",
    )
    [answer] = work_off(try_on(make_endpoint(server), draft))
    [request] = server.requests
    assert draft.revisions.get().statement in request.prompt
    assert "- $m$" in request.prompt
    assert "7351935" not in request.prompt
    assert "8462046" not in request.prompt
    assert request.json["max_tokens"] == 1000
    assert set(request.json) == {"model", "messages", "max_tokens"}
    assert answer.trial.prompt_sha256 == PROMPT_SHA256
    assert answer.trial.prompt == request.prompt


def test_what_the_model_thought_is_kept_apart_and_not_graded(serve, draft):
    reply = steps.with_reasoning(r"\boxed{m g h}", r"Or \boxed{0}?")
    [answer] = work_off(try_on(make_endpoint(serve(reply)), draft))
    assert (answer.response, answer.reasoning) == (r"\boxed{m g h}", r"Or \boxed{0}?")
    assert (answer.verdict, answer.finish_reason) == ("CORRECT", "stop")


def test_an_answer_that_we_can_not_grade_is_neither_right_nor_wrong(serve, draft):
    trial = try_on(make_endpoint(serve(box("m g h"))), draft)
    Trial.objects.update(answer=r"\frac{m")
    [answer] = work_off(trial)
    assert (answer.state, answer.failure_reason) == ("FAILED", "reference_unreadable")
    assert (answer.verdict, answer.eed) == ("", None)
    assert answer.response != ""

    Trial.objects.update(answer="m g h")
    assert trial_actions.ask_again(trial=trial, by=draft.author) == 1
    grade_trial_answer(answer.pk)
    assert TrialAnswer.objects.get().verdict == "CORRECT"
    assert ModelCall.objects.count() == 1, "its model is not asked again"


FAILURES = [
    # What the endpoint does, how often it is asked, why it failed, whether a budget counts it.
    ([steps.html_200()] * 2, 2, Reason.NOT_JSON, 2),
    ([steps.wrong_key()], 1, Reason.AUTH, 0),
    ([steps.no_such_model()], 1, Reason.MODEL_NOT_FOUND, 0),
    ([steps.server_error()] * 3, 3, Reason.PROVIDER_REJECTS_INPUT, 3),
    ([steps.rate_limited()] * 5, 5, Reason.RATE_LIMITED, 0),
    ([steps.cut_off()] * 2, 2, Reason.TRUNCATED, 0),
    ([steps.refusal()], 1, Reason.REFUSAL, 0),
    ([steps.drip(0.2)] * 3, 3, Reason.DEADLINE, 3),
    ([steps.reset()] * 5, 5, Reason.DISCONNECTED, 5),
    ([steps.redirect()], 1, Reason.BAD_ENDPOINT, 0),
]


@pytest.mark.parametrize(("answered", "calls", "reason", "estimated"), FAILURES, ids=lambda x: "")
def test_a_call_that_fails_is_tried_as_often_as_it_helps_and_is_never_a_score(
    serve, draft, answered, calls, reason, estimated
):
    endpoint = make_endpoint(serve(*answered), seconds_a_call=1)
    [pk] = try_on(endpoint, draft).answers.values_list("pk", flat=True)
    for _ in range(10):
        ask_model(pk)
        TrialAnswer.objects.update(next_at=None)
        # That it is paused meanwhile is another rule's.
        Endpoint.objects.update(open_for="", failing_streak=0)
    answer = TrialAnswer.objects.get()
    assert (answer.state, answer.failure_reason) == ("FAILED", reason)
    assert answer.failure_message != ""
    assert (answer.verdict, answer.eed, answer.replied_at) == ("", None, None)
    kept = ModelCall.objects.all()
    assert len(kept) == calls
    assert all(call.reason for call in kept)
    spent = Spending.objects.get()
    assert (spent.calls, spent.estimated) == (calls, estimated)
    assert not CallUnderWay.objects.exists()


def test_a_reply_that_was_cut_off_can_be_read_and_is_not_graded(serve, draft):
    endpoint = make_endpoint(serve(steps.cut_off("It begins w"), steps.cut_off("It begins w")))
    [pk] = try_on(endpoint, draft).answers.values_list("pk", flat=True)
    for _ in range(2):
        ask_model(pk)
        TrialAnswer.objects.update(next_at=None)
    answer = TrialAnswer.objects.get()
    assert (answer.response, answer.state, answer.verdict) == ("It begins w", "FAILED", "")


def test_what_an_endpoint_refuses_is_left_out_and_not_sent_to_that_model_again(serve, draft):
    server = serve(steps.refuse_parameter("max_tokens"), box("m g h"), box("m g h"))
    trial = try_on(make_endpoint(server), draft, times=2)
    assert [answer.verdict for answer in work_off(trial)] == ["CORRECT", "CORRECT"]
    sent = [set(request.json) - {"model", "messages"} for request in server.requests]
    assert sent == [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}]
    assert ModelCall.objects.count() == 3
    assert Spending.objects.get().calls == 3


def test_a_model_that_is_not_there_ends_all_of_a_trial_with_one_call(serve, draft):
    server = serve(*[steps.no_such_model()] * 9)
    trial = try_on(make_endpoint(server), draft, times=4)
    work_off(trial)
    assert read_states(trial) == [("FAILED", "model_not_found")] * 4
    assert len(server.requests) == 1


def test_a_key_that_is_not_taken_stops_the_endpoint_until_an_admin_resumes_it(serve, draft):
    server = serve(steps.wrong_key(KEY), box("m g h"), box("m g h"), box("m g h"))
    endpoint = make_endpoint(server)
    trial = try_on(endpoint, draft, times=3)
    work_off(trial)
    assert read_states(trial) == [("FAILED", "auth"), *[("FAILED", "endpoint_paused")] * 2]
    assert len(server.requests) == 1
    endpoint.refresh_from_db()
    assert (
        endpoint.why_not == "The endpoint does not accept the key. Enter a key that is valid there."
    )
    with pytest.raises(CannotTry):
        trial_actions.ask_again(trial=trial, by=draft.author)

    Endpoint.objects.update(open_for="", failing_for="", failing_streak=0)
    assert trial_actions.ask_again(trial=trial, by=draft.author) == 3
    assert [answer.verdict for answer in work_off(trial)] == ["CORRECT"] * 3


# --- Rate and budget ------------------------------------------------------------------------


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


# --- Beginning, cancelling, going on --------------------------------------------------------


def test_who_may_not_change_a_problem_can_not_try_it(serve, draft, reviewer):
    endpoint = make_endpoint(serve())
    begin = {"problem": draft, "choices": [choose(endpoint)], "times": 1}
    with pytest.raises(CannotTry):
        trial_actions.begin(asked_by=reviewer, **begin)
    draft.author.roles = []
    with pytest.raises(CannotTry):
        trial_actions.begin(asked_by=draft.author, **begin)
    draft.author.roles = [Role.CONTRIBUTOR]
    submit(draft, draft.author)
    with pytest.raises(CannotTry):
        trial_actions.begin(asked_by=draft.author, **begin)
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
    with pytest.raises(CannotTry, match="Mend the statement and the answer first"):
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
        trial_actions.begin(problem=draft, asked_by=draft.author, choices=[choice], times=1)
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


def test_what_is_cancelled_while_it_fails_is_not_tried_again(serve, draft):
    trial_of: list[Trial] = []

    def answer(request):
        trial_actions.cancel(trial=trial_of[0], by=draft.author)
        connections.close_all()
        return steps.server_error()

    trial_of.append(try_on(make_endpoint(serve(answer)), draft))
    work_off(trial_of[0])
    assert read_states(trial_of[0]) == [("CANCELLED", "")]


# --- Claims ---------------------------------------------------------------------------------


def test_doing_it_twice_calls_once(serve, draft):
    server = serve(box("m g h"), box("0"))
    trial = try_on(make_endpoint(server), draft)
    work_off(trial)
    before = list(TrialAnswer.objects.values())
    work_off(trial)
    assert list(TrialAnswer.objects.values()) == before
    assert len(server.requests) == 1


def test_what_another_worker_has_is_not_taken_until_its_lease_is_over(serve, draft):
    trial = try_on(make_endpoint(serve()), draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    assert trying.claim_to_ask(pk) is not None
    assert trying.claim_to_ask(pk) is None
    TrialAnswer.objects.update(lease_until=timezone.now())
    assert [requeue_unattended_trials(), requeue_unattended_trials()] == [1, 1]
    again = trying.claim_to_ask(pk)
    assert again is not None
    assert (again.tries, again.lost) == (2, 1)


def test_what_comes_from_a_worker_that_lost_its_claim_is_paid_for_and_not_kept(serve, draft):
    trial = try_on(make_endpoint(serve(box("0"), box("m g h"))), draft)
    [pk] = trial.answers.values_list("pk", flat=True)
    slow = trying.claim_to_ask(pk)
    TrialAnswer.objects.update(lease_until=timezone.now())
    quick = trying.claim_to_ask(pk)
    trying.ask(slow)
    assert TrialAnswer.objects.get().state == "CALLING"
    trying.ask(quick)
    grade_trial_answer(pk)
    assert TrialAnswer.objects.get().verdict == "CORRECT"
    assert Spending.objects.get().calls == 2


def test_an_answer_that_takes_worker_after_worker_with_it_fails(serve, draft, settings):
    server = serve(box("m g h"))
    trial = try_on(make_endpoint(server), draft)
    for _ in range(settings.GRADING_TRIES):
        trying.claim_to_ask(trial.answers.get().pk)
        TrialAnswer.objects.update(lease_until=timezone.now())
    work_off(trial)
    assert read_states(trial) == [("FAILED", "worker_lost")]
    assert server.requests == []


def test_the_sweep_finds_what_the_broker_lost_and_what_is_overdue(serve, draft, settings):
    trial = try_on(make_endpoint(serve()), draft)
    assert requeue_unattended_trials() == 0
    settings.GRADING_FORGOTTEN_SECONDS = 0
    assert requeue_unattended_trials() == 1
    settings.GRADING_FORGOTTEN_SECONDS = 600
    TrialAnswer.objects.update(next_at=timezone.now())
    assert requeue_unattended_trials() == 0
    settings.CALLING_OVERDUE_SECONDS = 0
    assert requeue_unattended_trials() == 1
    assert trial.answers.get().next_at is None


# --- What is kept ---------------------------------------------------------------------------


def test_calls_are_never_changed_and_go_only_with_a_draft_that_nobody_saw(serve, draft):
    trial = try_on(make_endpoint(serve(box("m g h"))), draft)
    work_off(trial)
    with pytest.raises(DatabaseError), transaction.atomic():
        ModelCall.objects.update(body="else")
    curating.delete_draft(problem=draft, author=draft.author)
    assert not ModelCall.objects.exists()
    assert Spending.objects.get().calls == 1, "what was spent is not forgotten"


def test_calls_of_a_submitted_problem_stay(serve, draft):
    work_off(try_on(make_endpoint(serve(box("m g h"))), draft))
    submit(draft, draft.author)
    with pytest.raises(DatabaseError), transaction.atomic():
        ModelCall.objects.all().delete()


def test_the_key_is_in_no_row_and_no_log(serve, draft, caplog):
    caplog.set_level("DEBUG")
    echo = [
        steps.complain(400, f"no {KEY}"),
        steps.ok(KEY),
        steps.respond(200, KEY.encode(), "text/html"),
    ]
    trial = try_on(make_endpoint(serve(*echo)), draft, times=3)
    work_off(trial)
    rows = [
        str(row)
        for model in (Endpoint, Trial, TrialAnswer, ModelCall, Spending, CallUnderWay)
        for row in model.objects.values()
    ]
    assert len(rows) > 5
    assert [row for row in rows if KEY in row] == []
    assert KEY not in caplog.text


def test_a_co_author_may_try_it_too(serve, draft):
    other = make_person(Role.CONTRIBUTOR, "other")
    give_credit(problem=draft, author=draft.author, person=other, role="CO_AUTHOR")
    [trial] = trial_actions.begin(
        problem=draft, asked_by=other, choices=[choose(make_endpoint(serve()))], times=1
    )
    assert trial.asked_by == other
