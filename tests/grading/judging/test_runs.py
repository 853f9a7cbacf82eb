"""Runs of judges, item by item: what is said is kept, what fails says why and is no score."""

import contextlib

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from grading.endpoints import Cause
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.models import JudgeItem, JudgeRun
from grading.judging.prompts.models import JudgeConfiguration, JudgePrompt
from grading.judging.runs import actions as run_actions
from grading.judging.runs.actions import CannotRun
from grading.runs.models import Endpoint, ModelCall, Spending
from phybench.work.kinds import Pool, claim_next
from tests.grading.endpoints import steps
from tests.grading.judging.judging import (
    MARKED_RIGHT,
    begin,
    find_canary,
    grade_all,
    judge_answers,
    judge_well,
    make_document,
    mark_graded,
    read_id,
    read_items,
    reply,
    work_off,
)
from tests.grading.trials.trials import make_endpoint
from tests.memory import remembered
from tests.work import judge_item

pytestmark = pytest.mark.usefixtures("commits")
CANARIES = 5


@pytest.fixture
@remembered
def submission(problems, hand_in):
    """Two answers of a model: to the first problem rightly, to the second wrongly."""
    made = hand_in((problems[0], f"m g h, {MARKED_RIGHT}"), (problems[1], "b"))
    mark_graded(made)
    return made


def skip_canaries(run):
    """Leave the canaries out, where they are not what is tested."""
    run.items.exclude(canary="").update(state="CANCELLED")


def test_each_item_is_judged_and_what_was_said_is_kept(serve, problems, hand_in):
    submission = hand_in((problems[0], "m g h"), (problems[1], "b"))
    grade_all(submission)

    def judge(request):
        canary = find_canary(request)
        is_correct = canary.is_correct if canary else "m g h" in request.prompt
        return reply(is_correct=is_correct, id=read_id(request))

    server = serve(judge)
    run = begin(submission, make_endpoint(server))
    work_off(run)
    assert read_items(run) == [("SCORED", ""), ("SCORED", "")]
    first, second = Judgement.objects.filter(item__canary="")
    assert (first.is_right, second.is_right) == (True, False)
    assert (first.symbolic_verdict, second.doubts) == ("CORRECT", [])
    assert (first.stage, first.verdict["extracted_answer"], first.path) == (
        "MODEL",
        "m g h",
        "json",
    )
    assert len(server.requests) == 2 + CANARIES
    assert set(Judgement.objects.exclude(item__canary="").values_list("has_passed", flat=True)) == {
        True
    }
    call = JudgeCall.objects.get(item=first.item)
    assert (call.judge, call.purpose, call.reason, call.tokens) == ("fake-solver", "first", "", 150)
    assert call.template_sha256 == run.configuration.prompt.sha256
    [exchange] = ModelCall.objects.for_item(run.pk, call.pk)
    assert "m g h" in exchange.request
    assert Spending.objects.get().calls == 2 + CANARIES


def test_a_judge_and_the_grader_who_disagree_are_for_a_person(serve, problems, hand_in):
    submission = hand_in((problems[0], "m g h"), (problems[1], "b"))
    grade_all(submission)
    run = begin(submission, make_endpoint(serve(lambda request: reply(id=read_id(request)))))
    work_off(run)
    doubts = Judgement.objects.filter(item__canary="").values_list("doubts", flat=True)
    assert list(doubts) == [[], ["GRADER_DISAGREES"]]
    assert Judgement.objects.filter(has_passed=False).count() == CANARIES - 1


FAILURES = [
    ([steps.html_200()] * 2, 2, Cause.NOT_JSON),
    ([steps.server_error()] * 3, 3, Cause.PROVIDER_REJECTS_INPUT),
    ([steps.rate_limited()] * 5, 5, Cause.RATE_LIMITED),
    ([steps.refusal()], 1, Cause.REFUSAL),
    ([steps.drip(0.2)] * 3, 3, Cause.DEADLINE),
    ([steps.reset()] * 5, 5, Cause.DISCONNECTED),
    ([steps.ok("I like it."), steps.ok("So do I.")], 2, "no_verdict"),
    ([steps.cut_off("{"), steps.cut_off("{")], 2, Cause.TRUNCATED),
    ([steps.null_content(), steps.null_content()], 2, Cause.EMPTY),
]


@pytest.mark.parametrize(("answered", "calls", "reason"), FAILURES, ids=lambda x: "")
def test_a_failed_judgement_is_missing_with_its_reason_and_is_no_score(
    serve, submission, answered, calls, reason
):
    server = serve(*answered)
    run = begin(submission, make_endpoint(server, seconds_a_call=1))
    skip_canaries(run)
    run.items.filter(canary="").last().delete()
    for _time in range(8):
        work_off(run)
        # That it is paused meanwhile is another rule's.
        Endpoint.objects.update(open_for="", failing_streak=0)
    assert read_items(run) == [("UNSCORED", reason)]
    judgement = Judgement.objects.get()
    assert (judgement.verdict, judgement.is_right, judgement.value) == (None, None, None)
    assert judgement.message != ""
    assert (JudgeCall.objects.count(), len(server.requests), judgement.calls) == (calls,) * 3
    assert list(JudgeCall.objects.values_list("attempt", flat=True)) == [*range(1, calls + 1)]
    assert ModelCall.objects.count() == calls


def test_what_is_asked_to_wait_waits_and_goes_on_where_it_was(serve, submission):
    server = serve(in_turn(steps.rate_limited(retry_after="50"), judge_well))
    run = begin(submission, make_endpoint(server))
    skip_canaries(run)
    first = run.items.filter(canary="").first()
    judge_item(first.pk)
    first.refresh_from_db()
    assert first.state == "QUEUED"
    assert 45 < (first.next_at - timezone.now()).total_seconds() <= 50
    judge_item(first.pk)
    assert len(server.requests) == 1, "not before its time"
    Endpoint.objects.update(limiter={})
    work_off(run, times=2)
    assert read_items(run) == [("SCORED", "")] * 2
    assert list(first.calls.values_list("attempt", "reason")) == [(1, "rate_limited"), (2, "")]
    assert len(server.requests) == 3


def in_turn(*answers):
    """Answer the first requests with these, and all later ones with the last."""
    left = list(answers)

    def script(request):
        answer = left.pop(0) if len(left) > 1 else left[0]
        return answer(request) if callable(answer) else answer

    return script


def test_a_reply_that_can_not_be_read_is_asked_for_once_more(serve, submission):
    server = serve(in_turn(steps.ok("Fine."), judge_well))
    run = judge_answers(submission, make_endpoint(server))
    first = run.items.filter(canary="").first()
    assert [(one.purpose, one.read_reason) for one in first.calls.all()] == [
        ("first", "no_verdict"),
        ("reminder", ""),
    ]
    assert len(server.requests[1].json["messages"]) == 4
    assert first.judgements.get().calls == 2


def test_a_model_that_is_not_there_pauses_the_run_with_one_call(serve, submission):
    server = serve(in_turn(steps.no_such_model(), judge_well))
    run = judge_answers(submission, make_endpoint(server))
    run.refresh_from_db()
    assert (run.state, run.paused_for) == ("PAUSED", "model_not_found")
    assert read_items(run) == [("QUEUED", "")] * 2
    assert len(server.requests) == 1
    assert not Judgement.objects.exists()

    run_actions.resume(run=run, by=submission.uploaded_by)
    work_off(run)
    assert read_items(run) == [("SCORED", "")] * 2
    assert len(server.requests) == 3


def test_a_runs_budget_pauses_it_and_counts_what_failed(serve, submission):
    server = serve(in_turn(steps.server_error(), judge_well))
    run = begin(submission, make_endpoint(server), most_calls=2)
    skip_canaries(run)
    work_off(run, times=3)
    run.refresh_from_db()
    assert (run.state, run.paused_for) == ("PAUSED", "budget_calls")
    assert read_items(run) == [("QUEUED", ""), ("SCORED", "")]
    assert len(server.requests) == 2

    run_actions.resume(run=run, by=submission.uploaded_by, allow={"most_calls": 3})
    work_off(run)
    assert read_items(run) == [("SCORED", "")] * 2
    assert len(server.requests) == 3


def test_what_the_same_judge_has_said_of_the_same_is_reused_and_marked(serve, submission):
    server = serve(judge_well)
    endpoint = make_endpoint(server)
    judge_answers(submission, endpoint)
    asked = len(server.requests)
    run = begin(submission, endpoint)
    work_off(run)
    assert read_items(run) == [("SCORED", "")] * 2
    assert len(server.requests) == asked + CANARIES, "canaries try it each time"
    again = Judgement.objects.filter(item__run=run, item__canary="")
    assert [(one.reused.item.run_id != run.pk, one.calls) for one in again] == [(True, 0)] * 2

    judge_answers(submission, endpoint, is_fresh=True)
    assert len(server.requests) == asked + CANARIES + 2
    other = judge_answers(submission, endpoint, document=make_document(endpoint, repeats=2))
    assert not Judgement.objects.filter(item__run=other, reused__isnull=False).exists()


def test_paused_makes_no_calls_and_resumed_asks_what_waits(serve, submission):
    server = serve(judge_well)
    run = begin(submission, make_endpoint(server))
    skip_canaries(run)
    first = run.items.filter(canary="").first()
    judge_item(first.pk)
    run_actions.pause(run=run, by=submission.uploaded_by)
    work_off(run, times=2)
    assert read_items(run) == [("SCORED", ""), ("QUEUED", "")]
    assert claim_next(Pool.JUDGING) is None
    assert run_actions.resume(run=run, by=submission.uploaded_by) == 1
    work_off(run)
    assert read_items(run) == [("SCORED", "")] * 2
    assert len(server.requests) == 2


@pytest.mark.django_db(transaction=True)
def test_paused_while_a_call_is_under_way_keeps_what_comes_of_it(serve, submission):
    def judge(request):
        with contextlib.closing(connection):
            run_actions.pause(run=JudgeRun.objects.get(), by=submission.uploaded_by)
        return reply(id=read_id(request))

    server = serve(judge)
    endpoint = make_endpoint(server)
    run = judge_answers(submission, endpoint, document=make_document(endpoint, repeats=3))
    assert read_items(run) == [("QUEUED", "")] * 2
    assert JudgeCall.objects.count() == 1
    for _time in range(5):
        run_actions.resume(run=run, by=submission.uploaded_by)
        work_off(run)
    run.refresh_from_db()
    assert (run.state, len(server.requests)) == ("PAUSED", 6)
    assert read_items(run) == [("SCORED", "")] * 2


def test_cancelled_asks_no_more_and_again_asks_what_is_missing_only(serve, submission):
    server = serve(judge_well)
    run = begin(submission, make_endpoint(server))
    skip_canaries(run)
    judge_item(run.items.filter(canary="").first().pk)
    assert run_actions.cancel(run=run, by=submission.uploaded_by) == 1
    work_off(run)
    assert read_items(run) == [("SCORED", ""), ("CANCELLED", "")]
    with pytest.raises(CannotRun):
        run_actions.cancel(run=run, by=submission.uploaded_by)
    assert run_actions.ask_again(run=run, by=submission.uploaded_by) == 1 + CANARIES
    work_off(run)
    assert read_items(run) == [("SCORED", "")] * 2
    assert len(server.requests) == 2 + CANARIES


HELD = {"state": "JUDGING", "lease_until": "2000-01-01T00:00Z"}


@pytest.mark.parametrize(
    ("lost", "end", "state"),
    [
        (HELD, run_actions.pause, "QUEUED"),
        (HELD, run_actions.cancel, "CANCELLED"),
        # As after a mistake of ours, when its next try is still to come.
        ({}, run_actions.cancel, "CANCELLED"),
    ],
)
def test_a_call_that_was_lost_is_counted_though_its_run_does_not_go_on(
    serve, submission, lost, end, state
):
    run = begin(submission, make_endpoint(serve(judge_well)))
    first = run.items.earliest("pk")
    run.items.filter(pk=first.pk).update(reserved_calls=1, reserved_tokens=50, **lost)
    end(run=run, by=submission.uploaded_by)
    judge_item(first.pk)
    first.refresh_from_db()
    run.refresh_from_db()
    assert (first.state, first.reserved_calls, first.lease_until) == (state, 0, None)
    assert (run.lost_calls, run.lost_tokens) == (1, 50)


def test_what_is_evidence_can_not_be_changed(serve, submission):
    judge_answers(submission, make_endpoint(serve(judge_well)))
    for rows, change in (
        (Judgement.objects, {"message": "Better."}),
        (JudgeCall.objects, {"reason": "other"}),
        (JudgeConfiguration.objects, {"name": "Other"}),
        (JudgePrompt.objects, {"text": "Be kind."}),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.update(**change)
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.first().delete()


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_lost_its_item_writes_no_second_judgement(serve, submission):
    """Its lease runs out while its model thinks, and another worker is quicker."""
    taken: list[int] = []

    def judge(request):
        if not taken:
            [pk] = JudgeItem.objects.filter(state="JUDGING").values_list("pk", flat=True)
            taken.append(pk)
            with contextlib.closing(connection):
                JudgeItem.objects.filter(pk=pk).update(lease_until="2000-01-01T00:00Z")
                judge_item(pk)
        return reply(id=read_id(request))

    server = serve(judge)
    run = begin(submission, make_endpoint(server))
    skip_canaries(run)
    first = run.items.filter(canary="").first()
    judge_item(first.pk)
    assert (first.judgements.count(), first.calls.count()) == (1, 1)
    assert (len(server.requests), ModelCall.objects.count()) == (2, 2), "both were paid for"
    assert JudgeItem.objects.get(pk=first.pk).state == "SCORED"


def test_code_that_changed_since_pauses_the_run(serve, submission, monkeypatch):
    run = begin(submission, make_endpoint(serve(judge_well)))
    monkeypatch.setattr("grading.judging.engine.configuration.RUN_VERSION", "9.9")
    work_off(run)
    run.refresh_from_db()
    assert (run.state, run.paused_for) == ("PAUSED", "changed")
    assert not Judgement.objects.exists()


def test_a_run_is_not_begun_twice_nor_on_what_is_not_graded(serve, submission, contributor):
    endpoint = make_endpoint(serve(judge_well))
    run = begin(submission, endpoint)
    with pytest.raises(CannotRun, match="already working"):
        begin(submission, endpoint)
    skip_canaries(run)
    work_off(run)
    begin(submission, endpoint)
    with pytest.raises(CannotRun, match="The address of"):
        begin(submission, endpoint, hosts=frozenset({"elsewhere.example"}), purpose="x")
    submission.attempts.update(status="QUEUED", failure_reason="")
    with pytest.raises(CannotRun, match="graded"):
        begin(submission, endpoint)
