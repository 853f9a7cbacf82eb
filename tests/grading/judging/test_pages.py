"""The pages about judges: who sees what, a run from its beginning to its end."""

import pytest
from django.urls import reverse
from django.utils import translation

from grading.judging.prompts.configurations import Chosen
from grading.judging.runs.setup_words import say_setup
from grading.judging.runs.tasks import JUDGING
from grading.judging.runs.work import judge
from grading.runs.actions import resume
from phybench.people.models import Role
from phybench_grader.numbers.sentences import Sentence
from tests.conftest import make_person
from tests.grading.endpoints import steps
from tests.grading.judging.judging import (
    JUDGE,
    KEY,
    begin,
    grade_all,
    judge_answers,
    judge_well,
    make_document,
    read_id,
    reply,
    say_right,
    skip_canaries,
    work_off,
)
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.usefixtures("commits")


def test_a_runs_page_says_what_came_of_it(client, evaluator, run):
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    text = page.content.decode()
    assert "2 of 2 answers done, 2 with a verdict." in text
    assert page.context["canaries"] == {"passed": 5, "failed": 0, "missing": 0}
    assert page.context["doubtful"] == 1
    assert page.context["cost"].calls == 7
    assert page.context["summary"].mean == 1.0
    assert "hx-trigger" not in text.split('id="judging"')[1].split(">")[0]
    assert "the grader disagrees" in text
    assert ">GRADER_DISAGREES" not in text
    rows = client.get(reverse("grading:judge_run_csv", args=[run.pk])).content.decode()
    assert len(rows.splitlines()) == 8
    assert KEY not in text + rows


def test_a_runs_page_says_how_its_judge_is_set_up_in_words_and_shows_no_code(
    client, evaluator, run
):
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    said = dict(page.context["setup"])
    assert said["Judge"] == "semantic matcher"
    assert said["Mode"] == "the model only"
    assert "Where the rules find an answer wrong" not in said
    assert said["Reference answer"] == "shown to the judge"
    assert said["Models"].startswith(f"{JUDGE} at http")
    assert said["Tokens of the longest reply"].isdigit()
    text = page.content.decode()
    for code in ("max_tokens", "rule_negative", "model_only", "&quot;", "null"):
        assert code not in text.split("<main")[1].split("</main")[0], code


@pytest.mark.parametrize("mode", ["cascade", "model_only", "model_with_rule_check"])
def test_only_of_a_cascade_it_is_said_what_rules_that_find_an_answer_wrong_come_to(run, mode):
    configuration = run.configuration
    configuration.described |= {"mode": mode, "rule_negative": "ask_model"}
    said = dict(say_setup(configuration))
    is_cascade = mode == "cascade"
    assert ("Where the rules find an answer wrong" in said) == is_cascade
    assert ("asked again where the rules say wrong" in configuration.title) == is_cascade


def test_a_panels_page_says_how_steady_and_how_agreed_its_judges_are(
    client, evaluator, submission, serve
):
    one = make_endpoint(serve(judge_well), name="One")
    other = make_endpoint(serve(say_right), name="Other")
    judges = [Chosen(one, JUDGE), Chosen(other, JUDGE)]
    document = make_document(
        one, judges=[judge.write(is_alone=False) for judge in judges], repeats=2
    )
    hosts = frozenset({one.host, other.host})
    run = begin(submission, one, document=document, judges=judges, hosts=hosts)
    skip_canaries(run)
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url(), headers={"HX-Request": "true"})
    assert "panel" not in page.context, "what is asked for again and again does without"
    work_off(run)
    page = client.get(run.get_absolute_url(), headers={"HX-Request": "true"})
    assert "Asked the same again" in page.content.decode(), "who followed it sees it at its end"
    page = client.get(run.get_absolute_url())
    panel = page.context["panel"]
    assert [(found.judge, found.flips.value, found.flips.items) for found in panel.steadiness] == [
        (f"{JUDGE} · One", 0.0, 2),
        (f"{JUDGE} · Other", 0.0, 2),
    ]
    [pair] = panel.pairs
    assert (pair.percent.value, pair.percent.count, pair.prevalence) == (0.0, 2, (0.0, 100.0))
    assert "0 of 2" in page.content.decode()


def test_failed_canaries_are_a_warning(client, evaluator, submission, serve):
    lenient = serve(lambda request: reply(id=read_id(request)))
    run = begin(submission, make_endpoint(lenient))
    work_off(run)
    client.force_login(evaluator)
    assert "wrong about 4 trap items" in client.get(run.get_absolute_url()).content.decode()


def test_a_canary_that_one_of_a_panel_falls_for_is_a_warning_too(
    client, evaluator, submission, serve
):
    def answer(request):
        is_strict = request.json["model"] == "strict"
        return judge_well(request) if is_strict else reply(id=read_id(request))

    endpoint = make_endpoint(serve(answer), offered=["strict", "mild"])
    judges = [Chosen(endpoint, "strict"), Chosen(endpoint, "mild")]
    document = make_document(endpoint, judges=[one.write(is_alone=False) for one in judges])
    run = begin(submission, endpoint, document=document)
    work_off(run)
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    assert page.context["canaries"] == {"passed": 1, "failed": 4, "missing": 0}
    assert "wrong about 4 trap items" in page.content.decode()


def test_missing_is_bounds_and_reasons_and_no_score(client, evaluator, submission, serve):
    def judge(request):
        return steps.refusal() if request.prompt.count("x\n") else judge_well(request)

    run = judge_answers(submission, make_endpoint(serve(judge)))
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    summary = page.context["summary"]
    assert (summary.total, summary.scored) == (2, 1)
    assert (summary.low, summary.high) == (0.0, 0.5)
    assert page.context["reasons"] == [("refusal", 1)]
    assert page.context["missing"] == 1
    answer = client.post(reverse("grading:judge_again", args=[run.pk]), follow=True)
    assert "1 item is being judged." in answer.content.decode()


def test_while_a_run_goes_on_all_that_is_planned_is_missing(
    client, evaluator, submission, endpoint
):
    run = begin(submission, endpoint)
    client.force_login(evaluator)
    item = run.items.filter(canary="").first()
    judge(JUDGING.claim(item.pk))
    summary = client.get(run.get_absolute_url()).context["summary"]
    assert (summary.total, summary.scored, summary.mean) == (2, 1, 1.0)
    assert (summary.low, summary.high) == (0.5, 1.0), "the other one may be wrong"
    text = client.get(run.get_absolute_url()).content.decode()
    assert "(0.50–1.00 with what is missing)" in text


def test_a_run_with_nothing_in_says_what_is_asked_and_no_verdict(
    client, evaluator, submission, endpoint
):
    run = begin(submission, endpoint)
    client.force_login(evaluator)
    text = client.get(run.get_absolute_url()).content.decode()
    assert "0 of 2 answers done, 0 with a verdict." in text
    assert "0 of 5 asked" in text
    assert "0 of 0" not in text
    assert "0 passed" not in text
    judge(JUDGING.claim(run.items.exclude(canary="").first().pk))
    assert "1 of 5 asked" in client.get(run.get_absolute_url()).content.decode()


def test_what_was_sent_and_said_is_shown_to_who_may_see_the_key(client, evaluator, admin, run):
    item = run.items.filter(canary="").last()
    client.force_login(admin)
    text = client.get(item.get_absolute_url()).content.decode()
    assert KEY in text
    assert "GROUND_TRUTH" in text
    assert run.configuration.prompt.sha256[:12] in text
    client.force_login(evaluator)
    text = client.get(item.get_absolute_url()).content.decode()
    assert KEY not in text
    assert "GROUND_TRUTH" not in text
    assert "judged right" in text


def test_others_find_neither_run_nor_judgement(client, run):
    other = make_person(Role.EVALUATOR, "other")
    client.force_login(other)
    item = run.items.first()
    for name, pk in (
        ("judge_run", run.pk),
        ("judge_run_csv", run.pk),
        ("judgement", item.pk),
        ("new_judge_run", run.submission_id),
    ):
        assert client.get(reverse(f"grading:{name}", args=[pk])).status_code == 404
    for name in ("pause_judge_run", "resume_judge_run", "cancel_judge_run", "judge_again"):
        assert client.post(reverse(f"grading:{name}", args=[run.pk])).status_code == 404
    assert client.get(reverse("grading:judge_runs")).context["page"].paginator.count == 0


def test_a_run_that_has_ended_is_not_paused_resumed_or_cancelled(client, evaluator, run):
    client.force_login(evaluator)
    for act in ("pause", "resume", "cancel"):
        way = reverse(f"grading:{act}_judge_run", args=[run.pk])
        assert "This run has ended." in client.post(way, follow=True).content.decode()
    run.refresh_from_db()
    assert run.state == "RUNNING"


@pytest.mark.parametrize(
    ("asked", "state", "why"),
    [
        ("3000", "RUNNING", "The endpoint asks for fewer requests"),
        ("86400", "PAUSED", "left alone for longer than an hour"),
    ],
)
def test_while_its_endpoint_asks_to_be_left_alone_its_page_says_until_when_and_why(
    client, evaluator, submission, serve, asked, state, why
):
    server = serve(steps.rate_limited(retry_after=asked))
    endpoint = make_endpoint(server)
    run = judge_answers(submission, endpoint)
    run.refresh_from_db()
    assert run.state == state
    assert len(server.requests) == 1
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url()).content.decode()
    assert why in page
    assert "No call is made before" in page
    resume(endpoint)
    assert "No call is made before" not in client.get(run.get_absolute_url()).content.decode()


def test_paused_resumed_and_cancelled_from_the_page(client, evaluator, submission, endpoint):
    run = begin(submission, endpoint)
    client.force_login(evaluator)
    page = client.post(reverse("grading:pause_judge_run", args=[run.pk]), follow=True)
    assert "Paused by Evaluator." in page.content.decode()
    resume = reverse("grading:resume_judge_run", args=[run.pk])
    page = client.post(resume, {"most_calls": "many"}, follow=True)
    assert "as numbers" in page.content.decode()
    client.post(resume, {"most_calls": "9", "most_money": ""})
    run.refresh_from_db()
    assert (run.state, run.most_calls, run.most_money) == ("RUNNING", 9, None)
    page = client.post(resume, follow=True)
    assert "not paused" in page.content.decode()
    held = JUDGING.claim(run.items.earliest("pk").pk)
    assert held
    page = client.post(reverse("grading:cancel_judge_run", args=[run.pk]), follow=True)
    run.refresh_from_db()
    assert (run.state, run.items.waiting().count()) == ("CANCELLED", 1)
    assert "hx-get" in page.content.decode().partition("<main")[2], (
        "it is followed until what is under way has ended"
    )
    judge(held)
    page = client.get(run.get_absolute_url())
    assert run.items.waiting().count() == 0
    assert "hx-get" not in page.content.decode().partition("<main")[2]
    assert "Request missing answers" in page.content.decode()


def test_what_is_kept_of_a_run_is_in_no_readers_language(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    chinese = {"HTTP_ACCEPT_LANGUAGE": "zh-hans"}
    run = begin(submission, endpoint)
    client.post(reverse("grading:pause_judge_run", args=[run.pk]), **chinese)
    run.refresh_from_db()
    assert run.paused_message == Sentence.of("run_paused", person="Evaluator")
    assert "由 Evaluator 暂停" in client.get(run.get_absolute_url(), **chinese).content.decode()
    with translation.override("zh-hans"):
        by_rules = begin(submission, endpoint, document={"kind": "semantic", "mode": "rule_only"})
    assert by_rules.configuration.name == "semantic: rules only"


def test_the_pages_ask_as_many_queries_for_one_row_as_for_three(
    client, evaluator, problems, hand_in, serve, django_assert_num_queries
):
    endpoint = make_endpoint(serve(judge_well))
    counts = []
    client.force_login(evaluator)
    for rows in ([0], [0, 1, 2]):
        made = hand_in(*[(problems[number], f"x + {number}") for number in rows])
        grade_all(made)
        run = judge_answers(made, endpoint, document=make_document(endpoint, repeats=len(rows)))
        counts.append(run)
    for run in counts:
        with django_assert_num_queries(24):
            client.get(run.get_absolute_url())
        with django_assert_num_queries(6):
            client.get(reverse("grading:judge_run_csv", args=[run.pk]))
    with django_assert_num_queries(5):
        client.get(reverse("grading:judge_runs"))
