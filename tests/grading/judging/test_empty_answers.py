"""Empty answers in runs on pages: once for each version of a judge, counted, told and barring."""

import pytest
from django.urls import reverse

from grading.judging.judgements.emptiness import collect_tallies, list_accepted, list_barred
from grading.judging.judgements.models import JudgeCall, Judgement
from grading.judging.prompts.configurations import Chosen, find_built_in
from grading.judging.runs import actions as run_actions
from phybench_grader.judges.empty_answers import EMPTY_ANSWERS
from tests.grading.endpoints import steps
from tests.grading.judging.judging import (
    FORM,
    JUDGE,
    begin,
    grade_all,
    judge_well,
    make_document,
    read_id,
    reject_empty_answers,
    reply,
    work_off,
)
from tests.grading.trials.trials import make_endpoint
from tests.work import judge_item

pytestmark = pytest.mark.usefixtures("commits")
ALL = len(EMPTY_ANSWERS)
COLON = next(one for one in EMPTY_ANSWERS if one.response == ":")


def is_about(request, canary) -> bool:
    return canary.question in request.prompt and f"\n{canary.response}\n" in request.prompt


def tally_of(run):
    return collect_tallies([run.configuration])[run.configuration.pk]


def list_tried(run):
    return run.items.filter(canary__startswith="empty_")


def ask_colon(run):
    judge_item(run.items.get(canary=COLON.name).pk)


def accept_colon(submission, serve, **fields):
    """Have a judge accept the colon and know better from then on; return its endpoint and run."""
    is_lenient = True

    def judge(request):
        is_taken_in = is_lenient and is_about(request, COLON)
        return reply(id=read_id(request)) if is_taken_in else judge_well(request)

    endpoint = make_endpoint(serve(judge), offered=[JUDGE, "strict"])
    document = make_document(endpoint, **fields)
    run = begin(submission, endpoint, tries_empty=True, document=document)
    ask_colon(run)
    run_actions.cancel(run=run, by=submission.uploaded_by)
    is_lenient = False
    return endpoint, run


def test_they_are_asked_once_for_each_version_of_a_judge(
    client, evaluator, problems, hand_in, submission, serve
):
    server = serve(judge_well)
    endpoint = make_endpoint(server)
    run = begin(submission, endpoint, tries_empty=True)
    work_off(run)
    assert list_tried(run).count() == ALL
    assert (tally_of(run).passed, tally_of(run).may_rank) == (ALL, True)
    other = hand_in((problems[0], "m g h"))
    grade_all(other)
    again = begin(other, endpoint, tries_empty=True)
    assert list_tried(again).count() == 0, "this version has rejected all of them"
    fresh = begin(other, endpoint, tries_empty=True, document=make_document(endpoint, repeats=2))
    assert list_tried(fresh).count() == ALL, "another version has not"
    client.force_login(evaluator)
    text = client.get(run.get_absolute_url()).content.decode()
    assert f"This judge rejected all {ALL} empty answers." in text


def test_the_estimate_counts_their_calls_until_they_are_decided(
    client, evaluator, submission, endpoint
):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "estimate"}
    without = client.post(address, sent).context
    page = client.post(address, {**sent, "tries_empty": "on"})
    assert page.context["estimate"].cost.calls == without["estimate"].cost.calls + ALL
    assert (page.context["empty_answers"], without["empty_answers"]) == (ALL, 0)
    assert f"{ALL} items are empty answers" in page.content.decode()
    assert page.context["estimated"] != without["estimated"]
    assert client.get(address, {"kind": "SEMANTIC"}).context["form"]["tries_empty"].value() is True


def test_an_acceptance_is_told_with_its_words_and_bars_the_judge(
    client, evaluator, submission, serve
):
    def judge(request):
        return reply(id=read_id(request)) if is_about(request, COLON) else judge_well(request)

    run = begin(submission, make_endpoint(serve(judge)), tries_empty=True)
    ask_colon(run)
    client.force_login(evaluator)
    text = client.get(run.get_absolute_url()).content.decode()
    assert "accepted empty answers as right: “:”." in text
    assert tally_of(run).is_barred
    assert [one.item.canary for one in list_accepted()] == [COLON.name]
    page = client.get(reverse("grading:calibration")).content.decode()
    assert "accepted empty answers as right: “:”." in page
    item = run.items.get(canary=COLON.name)
    page = client.get(item.get_absolute_url()).content.decode()
    assert "Empty answer “:”" in page
    assert "This version of the judge stays off boards." in page


@pytest.mark.parametrize("repeats", [1, 2])
def test_an_acceptance_counts_though_the_run_ends_before_its_judgement(submission, serve, repeats):
    is_lenient = True

    def judge(request):
        if is_lenient and is_about(request, COLON):
            # By one that is asked once it contradicts itself, and is asked for once more.
            return reply(id=read_id(request), **({"reasoning_score": 2} if repeats == 1 else {}))
        return judge_well(request)

    endpoint = make_endpoint(serve(judge))
    document = make_document(endpoint, repeats=repeats)
    run = begin(submission, endpoint, tries_empty=True, most_calls=1, document=document)
    ask_colon(run)
    assert not list_accepted(), "its judgement waits for more calls"
    assert list_barred([run.configuration]) == {run.configuration_id}
    run_actions.cancel(run=run, by=submission.uploaded_by)
    is_lenient = False
    again = begin(submission, endpoint, tries_empty=True, document=document)
    ask_colon(again)
    assert tally_of(again).is_barred
    assert list_barred([again.configuration]) == {run.configuration_id}


def test_an_acceptance_counts_though_workers_were_lost_over_the_next_reply(
    settings, submission, serve
):
    endpoint = make_endpoint(serve(judge_well))
    document = make_document(endpoint, repeats=2)
    run = begin(submission, endpoint, tries_empty=True, document=document)
    described = run.configuration.described
    JudgeCall.objects.create(
        item=run.items.get(canary=COLON.name),
        round=1,
        judge=described["judges"][0][0],
        repeat=1,
        attempt=1,
        template_sha256=described["template"][2],
        reply={"text": "It is right."},
        says_right=True,
    )
    settings.WORK_TRIES = 0
    ask_colon(run)
    [judgement] = Judgement.objects.filter(item__canary=COLON.name)
    assert (judgement.round, judgement.reason, judgement.has_passed) == (1, "worker_lost", None)
    assert tally_of(run).is_barred
    assert list_barred([run.configuration]) == {run.configuration_id}


def test_a_run_that_goes_on_says_how_many_it_asked_and_its_verdict_once_there_is_one(
    client, evaluator, submission, serve
):
    def judge(request):
        return reply(id=read_id(request)) if is_about(request, COLON) else judge_well(request)

    run = begin(submission, make_endpoint(serve(judge)), tries_empty=True)
    client.force_login(evaluator)

    def read():
        return client.get(run.get_absolute_url()).content.decode()

    assert f"Empty answers: 0 of {ALL} asked." in read()
    assert "can’t be told" not in read()
    tried = list_tried(run).exclude(canary=COLON.name)
    judge_item(tried.first().pk)
    assert f"Empty answers: 1 of {ALL} asked." in read()
    ask_colon(run)
    assert "accepted empty answers as right: “:”." in read(), "an acceptance is a verdict at once"
    assert "Empty answers:" not in read()


def test_a_failed_call_is_neither_passed_nor_failed_and_can_be_asked_again(
    client, evaluator, submission, serve
):
    is_down = True

    def judge(request):
        return steps.refusal() if is_down and is_about(request, COLON) else judge_well(request)

    run = begin(submission, make_endpoint(serve(judge)), tries_empty=True)
    reject_empty_answers(run, without=frozenset({":"}))
    work_off(run)
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    assert "It can’t be told whether this judge accepts empty answers" in page.content.decode()
    assert (tally_of(run).passed, tally_of(run).missing) == (ALL - 1, 1)
    assert not tally_of(run).is_barred
    assert page.context["missing"] == 1
    assert page.context["canaries"] == {"passed": 5, "failed": 0, "missing": 0}
    is_down = False
    client.post(reverse("grading:judge_again", args=[run.pk]))
    work_off(run)
    assert tally_of(run).passed == ALL
    assert Judgement.objects.filter(item__canary=COLON.name).count() == 2, "both are kept"


def test_a_run_that_asks_afresh_tries_them_again_and_an_acceptance_stays(submission, serve):
    endpoint, _run = accept_colon(submission, serve)
    again = begin(submission, endpoint, tries_empty=True, is_fresh=True)
    assert list_tried(again).count() == ALL
    reject_empty_answers(again, without=frozenset({":"}))
    ask_colon(again)
    said = Judgement.objects.filter(item__run=again)
    assert set(said.values_list("has_passed", flat=True)) == {True}
    assert tally_of(again).accepted == (":",), "asking until it is better gains nothing"


@pytest.mark.parametrize(
    "fields",
    [
        {"parameters": {"temperature": 0, "max_tokens": 4001}},
        {"parameters": {"temperature": 0, "max_tokens": 4000, "seed": 7}},
        {"repeats": 3},
        {"max_candidate": 23_999},
        {"parameters": {"temperature": 1, "max_tokens": 4000}},
        {"parameters": {"temperature": 0, "max_tokens": 4000, "top_p": 0.9}},
        {"parameters": {"temperature": 0, "reasoning_effort": "high"}},
        {"mode": "cascade", "rule_negative": "ask_model"},
        {"includes_thinking": True},
    ],
)
def test_no_setting_that_leaves_the_prompt_as_it_is_reopens_boards_after_an_acceptance(
    submission, serve, fields
):
    plain = {"parameters": {"temperature": 0, "max_tokens": 4000}}
    endpoint, _run = accept_colon(submission, serve, **plain)
    document = make_document(endpoint, **{**plain, **fields})
    again = begin(submission, endpoint, tries_empty=False, document=document)
    assert tally_of(again).is_barred
    assert list_barred([again.configuration])


def test_with_another_prompt_all_are_asked_again_and_the_earlier_acceptance_stands_on_the_page(
    client, evaluator, submission, serve
):
    endpoint, run = accept_colon(submission, serve)
    document = make_document(endpoint, includes_thinking=True)
    prompt = find_built_in("SEMANTIC", "en", with_reference=True, includes_thinking=True)
    again = begin(submission, endpoint, tries_empty=True, document=document, prompt=prompt)
    assert list_tried(again).count() == ALL
    reject_empty_answers(again)
    assert (tally_of(again).passed, tally_of(again).may_rank) == (ALL, True)
    client.force_login(evaluator)
    text = client.get(again.get_absolute_url()).content.decode()
    assert f"This judge rejected all {ALL} empty answers." in text
    assert (
        f"With the prompt {run.configuration.prompt}, a model of this judge accepted empty answers"
        " as right: “:”."
    ) in text
    assert "With the prompt" not in client.get(run.get_absolute_url()).content.decode()


def test_another_path_of_the_provider_is_the_same_model(submission, serve):
    endpoint, _run = accept_colon(submission, serve)
    endpoint.base_url = f"{endpoint.address}/again"
    endpoint.save()
    again = begin(submission, endpoint)
    assert tally_of(again).is_barred


def test_a_panel_is_barred_by_a_member_that_accepted_alone_and_a_member_by_its_vote_in_a_panel(
    submission, hand_in, problems, serve
):
    endpoint, _run = accept_colon(submission, serve)
    other = hand_in((problems[0], "m g h"))
    grade_all(other)
    members = [Chosen(endpoint, name).write(is_alone=False) for name in (JUDGE, "strict")]
    panel = begin(other, endpoint, document=make_document(endpoint, judges=members))
    assert tally_of(panel).accepted == (":",)
    strict = make_document(endpoint, judges=[Chosen(endpoint, "strict").write(is_alone=True)])
    assert not tally_of(begin(other, endpoint, document=strict)).is_barred


def test_of_a_panel_only_the_members_that_accepted_are_barred(submission, serve):
    def judge(request):
        is_taken_in = request.json["model"] == JUDGE and is_about(request, COLON)
        return reply(id=read_id(request)) if is_taken_in else judge_well(request)

    endpoint = make_endpoint(serve(judge), offered=[JUDGE, "strict"])
    members = [Chosen(endpoint, name).write(is_alone=False) for name in (JUDGE, "strict")]
    document = make_document(endpoint, judges=members)
    panel = begin(submission, endpoint, tries_empty=True, document=document)
    ask_colon(panel)
    run_actions.cancel(run=panel, by=submission.uploaded_by)
    assert tally_of(panel).accepted == (":",)
    assert tally_of(begin(submission, endpoint)).is_barred
    strict = make_document(endpoint, judges=[Chosen(endpoint, "strict").write(is_alone=True)])
    found = tally_of(begin(submission, endpoint, document=strict))
    assert (found.is_barred, found.otherwise) == (False, ())
