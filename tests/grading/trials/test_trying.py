"""Trials, step by step: what a model replies is graded, what fails says why and is neither."""

import pytest
from django.db import DatabaseError, transaction

from curation.authoring.drafts import actions as curating
from grading.endpoints import Cause
from grading.model_runs.trials import actions as trial_actions
from grading.model_runs.trials.actions import CannotTry
from grading.model_runs.trials.models import Trial, TrialAnswer
from grading.model_runs.trials.prompt import PROMPT_SHA256
from grading.runs.models import CallUnderWay, Endpoint, ModelCall, Spending
from phybench.people.models import Role
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import make_person, name_person, submit
from tests.grading.endpoints import steps
from tests.grading.trials.trials import (
    KEY,
    box,
    choose,
    make_endpoint,
    read_states,
    try_on,
    work_off,
)
from tests.work import ask_model, grade_trial_answer

pytestmark = pytest.mark.usefixtures("commits")


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
    ([steps.html_200()] * 2, 2, Cause.NOT_JSON, 2),
    ([steps.wrong_key()], 1, Cause.AUTH, 0),
    ([steps.no_such_model()], 1, Cause.MODEL_NOT_FOUND, 0),
    ([steps.server_error()] * 3, 3, Cause.PROVIDER_REJECTS_INPUT, 3),
    ([steps.rate_limited()] * 5, 5, Cause.RATE_LIMITED, 0),
    ([steps.cut_off()] * 2, 2, Cause.TRUNCATED, 0),
    ([steps.refusal()], 1, Cause.REFUSAL, 0),
    ([steps.drip(0.2)] * 3, 3, Cause.DEADLINE, 3),
    ([steps.reset()] * 5, 5, Cause.DISCONNECTED, 5),
    ([steps.redirect()], 1, Cause.BAD_ENDPOINT, 0),
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
    assert answer.failure_message is not None
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
    assert endpoint.why_not == Sentence("call_auth")
    with pytest.raises(CannotTry):
        trial_actions.ask_again(trial=trial, by=draft.author)

    Endpoint.objects.update(open_for="", failing_for="", failing_streak=0)
    assert trial_actions.ask_again(trial=trial, by=draft.author) == 3
    assert [answer.verdict for answer in work_off(trial)] == ["CORRECT"] * 3


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
    name_person(draft, draft.author, other, "CO_AUTHOR")
    [trial] = trial_actions.begin(
        problem=draft, by=other, choices=[choose(make_endpoint(serve()))], times=1
    )
    assert trial.started_by == other
