"""The form that sets a run of judges up: what is estimated, agreed to, refused and begun."""

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from grading.judging.judgements.models import Judgement
from grading.judging.models import JudgeRun
from grading.judging.prompts.configurations import find_built_in
from grading.judging.prompts.models import JudgePrompt
from grading.judging.runs import actions as run_actions
from grading.runs.models import Endpoint
from phybench_grader.judges.kinds import KINDS
from tests.grading.endpoints import steps
from tests.grading.judging.judging import (
    FORM,
    JUDGE,
    KEY,
    begin,
    grade_all,
    judge_well,
    make_plan,
    read_items,
    skip_canaries,
    work_off,
)
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.usefixtures("commits")


def test_a_run_is_estimated_agreed_to_and_begun(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "estimate"}
    page = client.post(address, sent)
    made = page.context["estimate"]
    assert (made.items, made.cost.calls, made.reused, made.skipped) == (7, 7, 0, 0)
    assert float(made.cost.money) > 7 * 1000 * 100 / 1e6
    assert not JudgeRun.objects.exists()

    sent |= {"step": "begin", "estimated": page.context["estimated"]}
    page = client.post(address, sent)
    assert "may be sent there" in page.content.decode()
    page = client.post(address, {**sent, "agree": "1", "host": "elsewhere.example"})
    assert "The address of" in page.content.decode()
    assert not JudgeRun.objects.exists()
    page = client.post(address, {**sent, "agree": "1", "host": endpoint.host})
    run = JudgeRun.objects.get()
    assert page["Location"] == run.get_absolute_url()
    assert (run.started_by, run.purpose) == (evaluator, "To see.")


@pytest.mark.parametrize(
    "changed",
    [
        {"repeats": "2"},
        {"max_tokens": "2000"},
        {"without_reference": ""},
        {"is_fresh": "1"},
    ],
)
def test_what_was_changed_after_the_estimate_is_estimated_again_and_not_begun(
    client, evaluator, submission, endpoint, changed
):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "kind": "RATING", "models": [f"{endpoint.pk}|{JUDGE}"]}
    sent |= {"without_reference": "1"}
    first = client.post(address, {**sent, "step": "estimate"})
    agreed = {"step": "begin", "agree": "1", "host": endpoint.host}
    agreed["estimated"] = first.context["estimated"]
    page = client.post(address, {**sent, **agreed, **changed})
    assert page.status_code == 200
    assert "Check it again" in page.content.decode()
    assert not JudgeRun.objects.exists()
    assert client.post(address, {**sent, **agreed}).status_code == 302


def test_many_calls_are_confirmed_with_a_tick(client, evaluator, submission, endpoint, settings):
    settings.JUDGE_CONFIRM_CALLS = 5
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "begin"}
    estimated = client.post(address, {**sent, "step": "estimate"}).context["estimated"]
    agreed = {**sent, "agree": "1", "host": endpoint.host, "estimated": estimated}
    assert "Confirm the number of calls" in client.post(address, agreed).content.decode()
    assert client.post(address, {**agreed, "confirm": "1"}).status_code == 302


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"models": []}, "Choose at least one model."),
        ({"mode": "RULE_ONLY"}, "The rules alone ask no model"),
        ({"language": "fi"}, "prompts of this judge are in English"),
        ({"repeats": "99"}, "less than or equal to 9"),
        ({"kind": "TAROT"}, "valid choice"),
        ({"models": ["1|nobody"]}, "valid choice"),
        ({"purpose": ""}, "required"),
        ({"purpose": "x" * 400}, "at most 300"),
        ({"without_reference": "1"}, "compares with the reference"),
        ({"kind": "RATING", "includes_thinking": "1"}, "Only the semantic matcher uses this"),
        ({"asks_on_mismatch": "1"}, "mode in which the rules come first"),
    ],
)
def test_a_form_that_does_not_fit_says_what_to_do(
    client, evaluator, submission, endpoint, changed, says
):
    client.force_login(evaluator)
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "estimate", **changed}
    page = client.post(reverse("grading:new_judge_run", args=[submission.pk]), sent)
    assert page.status_code == 400
    assert says in page.content.decode()


def test_all_that_is_to_be_mended_is_said_at_once(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    prompt = find_built_in("RATING", "en", with_reference=True)
    mine = JudgePrompt.objects.create(
        **{name: getattr(prompt, name) for name in ("name", "version", "sha256", "text", "kind")},
        language="en", brought_by=evaluator, released_by=evaluator, released_at=timezone.now(),
    )  # fmt: skip
    sent = {**FORM, "purpose": "", "language": "fi", "without_reference": "1", "prompt": mine.pk}
    page = client.post(reverse("grading:new_judge_run", args=[submission.pk]), sent)
    assert page.status_code == 400
    refused = {"purpose", "models", "language", "without_reference", "prompt"}
    assert set(page.context["form"].errors) == refused


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("SEMANTIC", {"mode", "asks_on_mismatch", "includes_thinking"}),
        ("RATING", {"without_reference", "language"}),
        ("PROCESS", set()),
        ("PAIRWISE", {"other", "without_reference"}),
    ],
)
def test_the_kind_is_asked_first_and_then_only_what_that_kind_needs(
    client, evaluator, submission, endpoint, kind, asked
):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    first = client.get(address)
    assert [one.code for one, _name, _does in first.context["kinds"]] == list(KINDS)
    assert "<textarea" not in first.content.decode()
    form = client.get(address, {"kind": kind}).context["form"]
    assert {field.name for field in form.list_asked()} == asked | {"models", "purpose"}


def test_a_run_is_estimated_from_what_the_page_of_its_kind_sends(
    client, evaluator, submission, endpoint
):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    form = client.get(address, {"kind": "PROCESS"}).context["form"]
    fields = [*form.list_hidden(), *form.list_asked(), *form.list_rarely_changed()]
    sent = {field.name: field.value() for field in fields if field.value() is not None}
    sent |= {"models": [f"{endpoint.pk}|{JUDGE}"], "purpose": "To see.", "step": "estimate"}
    page = client.post(address, sent)
    assert page.status_code == 200
    assert page.context["estimate"].items


def begin_on_page(client, submission, endpoint, **chosen):
    """Set a run up as the form is sent, and agree to it; its canaries are left out."""
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], **chosen}
    estimated = client.post(address, {**sent, "step": "estimate"})
    agreed = {"step": "begin", "agree": "1", "host": endpoint.host}
    agreed["estimated"] = estimated.context["estimated"]
    assert client.post(address, {**sent, **agreed}).status_code == 302
    run = JudgeRun.objects.latest("pk")
    skip_canaries(run)
    return run, estimated.content.decode()


def test_a_rating_without_the_reference_sends_none(client, evaluator, submission, serve):
    server = serve(lambda request: steps.ok("Rating: [[7]]"))
    client.force_login(evaluator)
    run, page = begin_on_page(
        client, submission, make_endpoint(server), kind="RATING", without_reference="1"
    )
    work_off(run)
    assert "Statements and answers are sent to" in page
    assert not any(KEY in request.prompt for request in server.requests)
    assert not run.configuration.prompt.with_reference
    assert "without reference" in run.configuration.name
    assert run.items.filter(state="SCORED", canary="").count() == 2


def test_what_a_solver_thought_is_shown_to_a_judge_that_is_to_see_it(
    client, evaluator, problems, hand_in, serve
):
    made = hand_in((problems[0], "<think>Energy falls.</think> m g h"))
    grade_all(made)
    server = serve(judge_well)
    client.force_login(evaluator)
    endpoint = make_endpoint(server)
    plain, _page = begin_on_page(client, made, endpoint)
    work_off(plain)
    assert len(server.requests) == 1
    assert not any("Energy falls" in request.prompt for request in server.requests)
    shown, _page = begin_on_page(client, made, endpoint, includes_thinking="1")
    work_off(shown)
    assert any("Energy falls" in request.prompt for request in server.requests)


def test_mismatches_go_to_the_model_where_one_says_so(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    chosen = {"mode": "CASCADE", "asks_on_mismatch": "1"}
    run, _page = begin_on_page(client, submission, endpoint, **chosen)
    assert run.configuration.described["rule_negative"] == "ask_model"


def test_the_rules_alone_judge_without_a_model(client, evaluator, submission):
    client.force_login(evaluator)
    sent = {**FORM, "mode": "RULE_ONLY"}
    address = reverse("grading:new_judge_run", args=[submission.pk])
    estimated = client.post(address, {**sent, "step": "estimate"}).context["estimated"]
    page = client.post(address, {**sent, "step": "begin", "estimated": estimated})
    assert page.status_code == 302
    run = JudgeRun.objects.get()
    work_off(run)
    said = Judgement.objects.order_by("pk")
    assert (said[0].stage, said[0].is_right) == ("RULE", True)
    assert run.items.count() == 2


def test_the_rules_alone_cost_nothing_and_are_not_asked_again(
    client, evaluator, problems, hand_in, endpoint
):
    made = hand_in((problems[0], "It may be m g h, or not."))
    grade_all(made)
    client.force_login(evaluator)
    sent = {**FORM, "mode": "RULE_ONLY"}
    page = client.post(reverse("grading:new_judge_run", args=[made.pk]), sent).content.decode()
    assert "One answer: 1 judged, 0 left out. The rules ask no model and cost nothing." in page
    assert "at most 0" not in page
    run = run_actions.begin(
        submission=made,
        started_by=evaluator,
        plan=make_plan(endpoint, {"kind": "semantic", "mode": "rule_only"}),
    )
    work_off(run)
    assert read_items(run) == [("UNSCORED", "undecided")]
    page = client.get(run.get_absolute_url()).content.decode()
    assert "Request missing answers" not in page, "they say the same each time"
    assert "Trap items" not in page
    assert "Cost so far" not in page


def test_a_run_that_waits_for_an_endpoint_says_whose_turn_it_is(
    client, evaluator, admin, submission, endpoint
):
    run = begin(submission, endpoint)
    Endpoint.objects.update(open_for="connect", failing_for="connect")
    work_off(run)
    run.refresh_from_db()
    assert run.paused_for == "endpoint_paused"
    for person, may_see_to_it in ((evaluator, False), (admin, True)):
        client.force_login(person)
        page = client.get(run.get_absolute_url()).content.decode()
        assert "Nothing is sent to An endpoint until an admin chooses “Resume the endpoint”" in page
        assert (endpoint.get_absolute_url() in page) is may_see_to_it


def test_a_judge_is_named_by_what_sets_it_apart(client, evaluator, submission, serve):
    endpoint = make_endpoint(serve(lambda request: steps.ok("Rating: [[7]]")))
    client.force_login(evaluator)
    made = [
        begin_on_page(client, submission, endpoint, **chosen)[0].configuration
        for chosen in (
            {"kind": "RATING"},
            {"kind": "RATING", "language": "fi"},
            {"mode": "CASCADE"},
            {"mode": "CASCADE", "asks_on_mismatch": "1"},
            {"mode": "CASCADE", "includes_thinking": "1"},
        )
    ]
    assert [one.name for one in made] == [
        "rating: fake-solver",
        "rating: fake-solver, fi",
        "semantic: fake-solver, cascade",
        "semantic: fake-solver, cascade, mismatches asked",
        "semantic: fake-solver, cascade, shown the thinking",
    ]
    # On pages it is said in words, in the reader's language.
    assert [one.title for one in made] == [
        "rating judge: fake-solver",
        "rating judge: fake-solver, in Finnish",
        "semantic matcher: fake-solver, rules first",
        "semantic matcher: fake-solver, rules first, asked again where the rules say wrong",
        "semantic matcher: fake-solver, rules first, shown the solver’s thinking",
    ]
    with translation.override("zh-hans"):
        assert made[1].title == "打分评判器：fake-solver，芬兰语"


def test_without_an_endpoint_the_page_says_which_judge_works_without_a_model(
    client, evaluator, submission
):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    only_rules = "Only the semantic matcher works without a model"
    assert only_rules in client.get(address).content.decode()
    assert only_rules in client.get(address, {"kind": "SEMANTIC"}).content.decode()
    page = client.get(address, {"kind": "RATING"}).content.decode()
    assert "this judge has no model to ask" in page
    assert only_rules not in page
