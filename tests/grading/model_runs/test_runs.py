"""A run of a model: what is asked, what came, what is in the way of grading."""

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from grading.answers.hidden.models import HiddenAnswer
from grading.answers.models import Attempt
from grading.endpoints import Parameters
from grading.model_runs import actions
from grading.model_runs.actions import CannotRun
from grading.model_runs.models import ModelRun
from grading.model_runs.prompt import WORDS, write_prompt
from grading.runs.actions import resume
from grading.runs.models import ModelCall
from grading.submissions.drafts import actions as drafting
from grading.submissions.drafts import preview, submitting
from grading.submissions.drafts.models import Draft, DraftAnswer
from tests.grading.endpoints.steps import (
    complain,
    cut_off,
    hang,
    html_200,
    ok,
    rate_limited,
    refusal,
    send_json,
    server_error,
    with_reasoning,
    write_completion,
)
from tests.grading.model_runs.running import ask, begin, hand_over, read_states, work_off
from tests.grading.trials.trials import MODEL, box, make_endpoint
from tests.organisations import organisation_of

pytestmark = pytest.mark.usefixtures("commits")

GIVEN = ("ANSWERED", "")


def find_obstacle(draft: Draft) -> str:
    files = list(draft.files.all())
    return preview.find_obstacle(files, preview.look(draft, files))


def draft_of(run: ModelRun) -> Draft:
    return run.file.draft


def test_each_problem_is_asked_so_often_by_our_words_and_its_own(serve, version, evaluator):
    server = serve(lambda _request: box("m g h"))
    run = begin(version, make_endpoint(server), evaluator, samples=2)
    work_off(run)
    assert read_states(run) == [GIVEN] * 10
    sent = [one.json for one in server.requests]
    assert {one["model"] for one in sent} == {MODEL}
    texts = {item.revision.statement for item in version.items.select_related("revision")}
    assert {one["messages"][0]["content"] for one in sent} == {
        write_prompt(WORDS, statement=text) for text in texts
    }
    pairs = set(run.answers.values_list("item", "sample"))
    assert pairs == {(item.pk, sample) for item in version.items.all() for sample in (1, 2)}


def test_parameters_are_sent_as_they_were_chosen(serve, version, evaluator):
    server = serve(lambda _request: box("m g h"))
    asked = Parameters(model=MODEL, max_tokens=500, temperature=0.7, reasoning_effort="low")
    work_off(begin(version, make_endpoint(server), evaluator, parameters=asked))
    sent = server.requests[0].json
    assert (sent["temperature"], sent["reasoning_effort"]) == (0.7, "low")
    assert 500 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))


def test_the_hidden_part_is_left_out_where_it_is_not_wanted(serve, version, evaluator, problems):
    run = begin(version, make_endpoint(), evaluator, includes_hidden=False)
    asked = set(run.answers.values_list("item__problem", flat=True))
    assert asked == {one.pk for one in problems[:-1]}


def test_its_answers_are_graded_from_a_draft_like_those_of_a_file(
    serve, version, evaluator, problems
):
    server = serve(lambda _request: with_reasoning(r"So \boxed{m g h}.", "Let me see."))
    run = work_off(begin(version, make_endpoint(server), evaluator, name="Mine"))
    assert run.state == ModelRun.State.ENDED
    draft = draft_of(run)
    assert find_obstacle(draft) == ""
    [submission] = submitting.grade(draft=draft, by=evaluator)
    assert (submission.solver.name, submission.file_name) == ("Mine", f"Run {run.pk}: Mine")
    attempts = Attempt.objects.filter(submission=submission)
    assert [(one.response, one.tokens, one.finish_reason) for one in attempts] == [
        (r"So \boxed{m g h}.", 30, "stop")
    ] * 4
    assert all(one.latency and one.latency > 0 for one in attempts)
    assert HiddenAnswer.objects.get().revision.problem == problems[-1]
    # It is kept with the run, and nothing grades it.
    assert set(run.answers.values_list("reasoning", flat=True)) == {"Let me see."}


def test_what_the_model_gave_is_its_answer_at_the_first_time(serve, version, evaluator):
    server = serve(
        cut_off("It begins w"),
        refusal(),
        send_json(write_completion("", finish_reason="stop")),
        send_json(write_completion("", finish_reason="length")),
        box("m g h"),
    )
    run = work_off(begin(version, make_endpoint(server), evaluator))
    assert [remark for _state, remark in read_states(run)] == [
        "truncated", "refusal", "empty", "truncated", "",
    ]  # fmt: skip
    assert len(server.requests) == 5, "none has a second throw"
    draft = draft_of(run)
    given = DraftAnswer.objects.of(draft)
    assert {(one.response, one.finish_reason) for one in given} >= {("It begins w", "length")}
    # What holds no text is no answer of the model's, and nothing is in the way of grading.
    empty = run.answers.filter(response="").count()
    assert draft.files.get().counts == {MODEL: {"EMPTY": empty}}
    assert empty >= 2
    assert find_obstacle(draft) == ""


def test_a_refusal_without_a_text_of_its_own_is_no_answer(serve, version, evaluator):
    server = serve(lambda _request: refusal())
    run = work_off(begin(version, make_endpoint(server), evaluator))
    assert read_states(run) == [("ANSWERED", "refusal")] * 5
    assert set(run.answers.values_list("response", flat=True)) == {""}


def test_what_failed_on_our_side_is_no_missing_answer_and_stops_grading(serve, version, evaluator):
    broken = complain(400, "The request is wrong.")
    server = serve(box("m g h"), broken, box("m g h"), broken, box("m g h"), box("h"), box("h"))
    run = work_off(begin(version, make_endpoint(server), evaluator))
    assert sorted(read_states(run)) == [GIVEN] * 3 + [("FAILED", "bad_request")] * 2
    draft = draft_of(run)
    assert "2 calls failed on our side" in find_obstacle(draft)
    with pytest.raises(drafting.CannotChange, match="2 calls failed"):
        submitting.grade(draft=draft, by=evaluator)

    kept = dict(run.answers.filter(state="ANSWERED").values_list("pk", "response"))
    assert actions.ask_again(run=run, by=evaluator) == 2
    assert "in progress" in find_obstacle(draft)
    work_off(run)
    assert read_states(run) == [GIVEN] * 5
    assert len(server.requests) == 7, "what came is not asked for again"
    assert dict(run.answers.filter(pk__in=kept).values_list("pk", "response")) == kept
    assert find_obstacle(draft) == ""
    assert DraftAnswer.objects.of(draft).count() == 5
    [submission] = submitting.grade(draft=draft, by=evaluator)
    assert submission.attempts.count() == 4
    with pytest.raises(CannotRun, match="graded"):
        actions.ask_again(run=run, by=evaluator)


def test_cancelled_it_can_be_graded_with_what_came(serve, version, evaluator):
    server = serve(box("m g h"), *[complain(400, "No.")] * 4)
    run = work_off(begin(version, make_endpoint(server), evaluator))
    actions.cancel(run=run, by=evaluator)
    work_off(run)
    draft = draft_of(run)
    assert find_obstacle(draft) == ""
    assert draft.files.get().counts == {MODEL: {"FAILED": 4}}
    [looked] = preview.look(draft, list(draft.files.all())).models
    assert (looked.matched, looked.missing, looked.empty) == (1, 3, 0)


def test_a_run_that_is_going_stops_grading_and_can_lose_no_answers(serve, version, evaluator):
    server = serve(box("m g h"), *[complain(400, "No.")] * 4)
    run = work_off(begin(version, make_endpoint(server), evaluator))
    actions.ask_again(run=run, by=evaluator)
    draft = draft_of(run)
    assert "in progress" in find_obstacle(draft)
    with pytest.raises(drafting.CannotChange, match="Cancel it first"):
        drafting.discard(draft=draft, by=evaluator)
    with pytest.raises(drafting.CannotChange, match="Cancel it first"):
        drafting.remove_file(file=draft.files.get(), by=evaluator)
    actions.cancel(run=run, by=evaluator)
    work_off(run)
    drafting.discard(draft=draft, by=evaluator)
    run.refresh_from_db()
    assert not hasattr(run, "file")


def test_answers_have_a_draft_once_all_came_and_a_new_one_where_it_was_discarded(
    serve, version, evaluator
):
    server = serve(box("m g h"), *[complain(400, "No.")] * 4, *[box("m g h")] * 4)
    run = begin(version, make_endpoint(server), evaluator)
    hand_over(run.pk)
    assert not Draft.objects.exists()
    work_off(run)
    drafting.discard(draft=draft_of(run), by=evaluator)
    actions.ask_again(run=ModelRun.objects.get(pk=run.pk), by=evaluator)
    run = work_off(ModelRun.objects.get(pk=run.pk))
    draft = draft_of(run)
    assert (draft.version, draft.made_by) == (version, evaluator)
    assert DraftAnswer.objects.of(draft).count() == 5
    assert find_obstacle(draft) == ""


@pytest.mark.parametrize(
    ("steps", "reasons"),
    [
        ([html_200()] * 2, {"not_json"}),
        ([server_error()] * 3, {"provider_rejects_input"}),
        # Both limits are the same second: which is first is chance.
        ([hang()] * 3, {"timeout", "deadline"}),
    ],
)
def test_an_endpoint_that_does_not_answer_is_asked_again_by_its_rules(
    serve, version, evaluator, steps, reasons
):
    server = serve(*steps)
    endpoint = make_endpoint(server, seconds_a_call=1)
    run = begin(version, endpoint, evaluator)
    first = run.answers.first()
    assert first
    run.answers.exclude(pk=first.pk).update(state="CANCELLED")
    work_off(run, times=len(steps))
    first.refresh_from_db()
    assert first.state == "FAILED"
    assert first.failure_reason in reasons
    assert len(server.requests) == len(steps)


def test_who_is_asked_to_wait_waits_and_is_answered(serve, version, evaluator):
    server = serve(*[rate_limited()] * 2, *[box("m g h")] * 5)
    run = begin(version, make_endpoint(server), evaluator)
    work_off(run, times=3)
    assert read_states(run) == [GIVEN] * 5
    assert run.answers.all().cost().calls == 7
    assert ModelCall.objects.filter(run=run).count() == 7


def test_what_is_wrong_with_all_of_it_pauses_the_run_and_loses_nothing(serve, version, evaluator):
    server = serve(complain(401, "Wrong key."), *[box("m g h")] * 5)
    endpoint = make_endpoint(server)
    run = work_off(begin(version, endpoint, evaluator))
    assert (run.state, run.paused_for) == (ModelRun.State.PAUSED, "auth")
    assert read_states(run) == [("QUEUED", "")] * 5
    assert len(server.requests) == 1
    assert not run.reservations.exists()
    type(endpoint).objects.update(open_for="", failing_for="", failing_streak=0)
    assert actions.resume(run=run, by=evaluator) == 5
    work_off(run)
    assert read_states(run) == [GIVEN] * 5


def test_while_its_endpoint_asks_to_be_left_alone_its_page_says_until_when_and_why(
    serve, version, evaluator, client
):
    endpoint = make_endpoint(serve(rate_limited(retry_after="3000")))
    run = begin(version, endpoint, evaluator)
    ask(run.answers.order_by("pk")[0].pk)
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url()).content.decode()
    assert "The endpoint asks for fewer requests" in page
    assert "No call is made before" in page
    assert run.answers.filter(next_at__gt=timezone.now()).count() == 1
    resume(endpoint)
    assert not run.answers.filter(next_at__gt=timezone.now()).exists()
    assert "No call is made before" not in client.get(run.get_absolute_url()).content.decode()


def test_a_run_whose_endpoint_asks_to_be_left_alone_for_a_day_is_paused_and_says_so(
    serve, version, evaluator, client
):
    endpoint = make_endpoint(serve(rate_limited(retry_after="86400"), *[box("m g h")] * 5))
    run = work_off(begin(version, endpoint, evaluator))
    assert (run.state, run.paused_for) == (ModelRun.State.PAUSED, "closed")
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url()).content.decode()
    assert "left alone for longer than an hour" in page
    assert "No call is made before" in page
    resume(endpoint)
    assert actions.resume(run=run, by=evaluator) == 5
    work_off(run)
    assert read_states(run) == [GIVEN] * 5


def test_paused_it_makes_no_calls_until_it_is_resumed(serve, version, evaluator):
    server = serve(lambda _request: ok())
    run = begin(version, make_endpoint(server), evaluator)
    actions.pause(run=run, by=evaluator)
    work_off(run)
    assert server.requests == []
    with pytest.raises(CannotRun, match="not active"):
        actions.pause(run=run, by=evaluator)
    assert actions.resume(run=run, by=evaluator) == 5
    work_off(run)
    assert run.state == ModelRun.State.ENDED
    with pytest.raises(CannotRun, match="not paused"):
        actions.resume(run=run, by=evaluator)
    with pytest.raises(CannotRun, match="has ended"):
        actions.cancel(run=run, by=evaluator)
    with pytest.raises(CannotRun, match="No answers are missing"):
        actions.ask_again(run=run, by=evaluator)


def test_an_endpoint_that_has_moved_gets_nothing(serve, version, evaluator):
    endpoint = make_endpoint(serve(lambda _request: ok()))
    run = begin(version, endpoint, evaluator)
    type(endpoint).objects.update(base_url="http://127.0.0.1:9/v1")
    work_off(run)
    assert (run.state, run.paused_for) == (ModelRun.State.PAUSED, "endpoint_moved")
    with pytest.raises(CannotRun, match="The address of"):
        actions.resume(run=run, by=evaluator)


def test_only_members_begin_a_run_and_only_they_and_admins_steer_it(
    version, endpoint, evaluator, admin, contributor
):
    run = begin(version, endpoint, evaluator)
    with pytest.raises(PermissionDenied):
        begin(version, endpoint, evaluator, organisation=organisation_of(contributor))
    with pytest.raises(CannotRun, match="Only members"):
        actions.pause(run=run, by=contributor)
    actions.pause(run=run, by=admin)


def test_a_model_that_is_not_offered_is_not_run(version, endpoint, evaluator):
    with pytest.raises(CannotRun, match="no longer offers"):
        begin(version, endpoint, evaluator, parameters=Parameters(model="another"))
    with pytest.raises(CannotRun, match="The address of"):
        begin(version, endpoint, evaluator, host="elsewhere.example")
    with pytest.raises(CannotRun, match="Choose 1 to 16 answers per problem"):
        begin(version, endpoint, evaluator, samples=17)
    assert not ModelRun.objects.exists()
    assert not Draft.objects.exists()
