"""The pages about judges: who sees what, a run from its form to its end, rulings, calibration."""

import random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from curation.models import Benchmark
from grading import ruling, run_actions
from grading.endpoints import scripted_steps as steps
from grading.judges.prompts import Family, Variant, read_text
from grading.models import Attempt, Judgement, JudgePrompt, JudgeRun, Ruling
from phybench.models import Role
from tests.conftest import make_person
from tests.grading.judging import (
    JUDGE,
    begin,
    find_canary,
    grade_all,
    judge_well,
    make_document,
    read_id,
    reply,
    work_off,
)
from tests.grading.trials import make_endpoint

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "2mg + 4m"
"""A piece of the third problem's reference."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(random, "random", lambda: 0.0)


@pytest.fixture
def submission(problems, hand_in):
    made = hand_in((problems[0], "m g h"), (problems[2], "x"))
    grade_all(made)
    return made


def say_right(request):
    """Know the canaries, and take everything else for right, in words that tell the key."""
    canary = find_canary(request)
    is_correct = canary.is_correct if canary else True
    return reply(is_correct=is_correct, id=read_id(request), comment=f"As {KEY} says.")


@pytest.fixture
def endpoint(serve):
    return make_endpoint(serve(say_right), price_prompt=10, price_completion=100)


@pytest.fixture
def run(submission, endpoint):
    made = begin(submission, endpoint)
    work_off(made)
    return made


FORM = {
    "kind": "SEMANTIC",
    "mode": "MODEL_ONLY",
    "language": "en",
    "repeats": "1",
    "max_tokens": "1000",
    "purpose": "To see.",
}


def test_a_run_is_estimated_agreed_to_and_begun(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "estimate"}
    page = client.post(address, sent)
    made = page.context["estimate"]
    assert (made.items, made.cost.calls, made.reused, made.skipped) == (7, 7, 0, 0)
    assert float(made.cost.money) > 7 * 1000 * 100 / 1e6
    assert not JudgeRun.objects.exists()

    sent |= {"step": "begin", "calls": "6"}
    page = client.post(address, {**sent, "agree": "1", "host": endpoint.host})
    assert page.context["estimate"] == made, "it was changed meanwhile: estimated, not begun"
    assert not JudgeRun.objects.exists()
    sent["calls"] = "7"
    page = client.post(address, sent)
    assert "may be sent there" in page.content.decode()
    page = client.post(address, {**sent, "agree": "1", "host": "elsewhere.example"})
    assert "another address" in page.content.decode()
    assert not JudgeRun.objects.exists()
    page = client.post(address, {**sent, "agree": "1", "host": endpoint.host})
    run = JudgeRun.objects.get()
    assert page["Location"] == run.get_absolute_url()
    assert (run.started_by, run.purpose) == (evaluator, "To see.")


def test_many_calls_are_confirmed_with_a_tick(client, evaluator, submission, endpoint, settings):
    settings.JUDGE_CONFIRM_CALLS = 5
    client.force_login(evaluator)
    address = reverse("grading:new_judge_run", args=[submission.pk])
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "step": "begin"}
    agreed = {**sent, "agree": "1", "host": endpoint.host, "calls": "7"}
    assert "so many calls" in client.post(address, agreed).content.decode()
    assert client.post(address, {**agreed, "confirm": "1"}).status_code == 302


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"models": []}, "Choose at least one model."),
        ({"mode": "RULE_ONLY"}, "The rules alone ask no model"),
        ({"language": "fi"}, "prompts are in English"),
        ({"repeats": "99"}, "less than or equal to 9"),
        ({"kind": "TAROT"}, "valid choice"),
        ({"models": ["1|nobody"]}, "valid choice"),
        ({"purpose": ""}, "required"),
        ({"purpose": "x" * 400}, "at most 300"),
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


def test_the_rules_alone_judge_without_a_model(client, evaluator, submission):
    client.force_login(evaluator)
    sent = {**FORM, "mode": "RULE_ONLY", "step": "begin", "calls": "0"}
    page = client.post(reverse("grading:new_judge_run", args=[submission.pk]), sent)
    assert page.status_code == 302
    run = JudgeRun.objects.get()
    work_off(run)
    said = Judgement.objects.order_by("pk")
    assert (said[0].stage, said[0].is_right) == ("RULE", True)
    assert run.items.count() == 2


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
    assert "GRADER_DISAGREES" in text
    rows = client.get(reverse("grading:judge_run_csv", args=[run.pk])).content.decode()
    assert len(rows.splitlines()) == 8
    assert KEY not in text + rows


def test_failed_canaries_are_a_warning(client, evaluator, submission, serve):
    lenient = serve(lambda request: reply(id=read_id(request)))
    run = begin(submission, make_endpoint(lenient))
    work_off(run)
    client.force_login(evaluator)
    assert "wrong about 4 canaries" in client.get(run.get_absolute_url()).content.decode()


def test_missing_is_bounds_and_reasons_and_no_score(client, evaluator, submission, serve):
    def judge(request):
        return steps.refusal() if request.prompt.count("x\n") else judge_well(request)

    run = begin(submission, make_endpoint(serve(judge)))
    run.items.filter(canary="").last()
    work_off(run)
    client.force_login(evaluator)
    page = client.get(run.get_absolute_url())
    summary = page.context["summary"]
    assert (summary.total, summary.scored) == (2, 1)
    assert (summary.low, summary.high) == (0.0, 0.5)
    assert page.context["reasons"] == [("refusal", 1)]
    assert page.context["missing"] == 1
    answer = client.post(reverse("grading:judge_again", args=[run.pk]), follow=True)
    assert "1 item is asked about." in answer.content.decode()


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
    assert "right, it says" in text


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
    client.post(reverse("grading:cancel_judge_run", args=[run.pk]))
    run.refresh_from_db()
    assert (run.state, run.items.waiting().count()) == ("CANCELLED", 0)


def test_the_pages_ask_as_many_queries_for_one_row_as_for_three(
    client, evaluator, problems, hand_in, serve, django_assert_num_queries
):
    endpoint = make_endpoint(serve(judge_well))
    counts = []
    client.force_login(evaluator)
    for rows in ([0], [0, 1, 2]):
        made = hand_in(*[(problems[number], f"x + {number}") for number in rows])
        grade_all(made)
        run = begin(made, endpoint, document=make_document(endpoint, repeats=len(rows)))
        work_off(run)
        counts.append(run)
    for run in counts:
        with django_assert_num_queries(17):
            client.get(run.get_absolute_url())
    with django_assert_num_queries(4):
        client.get(reverse("grading:judge_runs"))


# --- Prompts --------------------------------------------------------------------------------


def bring(client, content, name="ours.txt", kind="SEMANTIC"):
    sent = {"file": SimpleUploadedFile(name, content), "kind": kind, "language": "en"}
    return client.post(reverse("grading:judge_prompts"), sent)


OURS = read_text(Variant(Family.SEMANTIC, has_reference=True)).encode()
OWN = b"name: own\nversion: 7\n--- user\n{question} {response} {ground_truth}\n"


def test_a_brought_prompt_is_used_once_an_admin_has_released_it(
    client, evaluator, admin, submission, endpoint
):
    client.force_login(evaluator)
    assert bring(client, OWN).status_code == 302
    prompt = JudgePrompt.objects.get(name="own")
    assert (prompt.version, prompt.is_usable, prompt.brought_by) == ("7", False, evaluator)
    sent = {**FORM, "models": [f"{endpoint.pk}|{JUDGE}"], "prompt": prompt.pk, "step": "estimate"}
    address = reverse("grading:new_judge_run", args=[submission.pk])
    assert client.post(address, sent).status_code == 400
    release = reverse("grading:release_prompt", args=[prompt.pk])
    assert client.post(release).status_code == 403
    client.force_login(admin)
    client.post(release)
    prompt.refresh_from_db()
    assert (prompt.is_usable, prompt.released_by) == (True, admin)
    client.force_login(evaluator)
    assert client.post(address, sent).status_code == 200


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{question}", "lacks"),
        (b"\xff\xfe", "UTF-8"),
        (OWN + b"{secret_key}", "does not know"),
        (b"x" * 60_000, "too long"),
        (b"x" * 300_000, "too large"),
        (b"{question} {response} {ground_truth} \x00", "no text"),
    ],
)
def test_a_file_that_is_no_prompt_says_what_to_change(client, evaluator, content, says):
    client.force_login(evaluator)
    page = bring(client, content)
    assert page.status_code == 400
    assert says in page.content.decode()
    assert not JudgePrompt.objects.exists()


# --- Rulings and calibration ----------------------------------------------------------------


def test_what_is_in_doubt_is_ruled_on_blind_and_shown_after(client, admin, run):
    client.force_login(admin)
    page = client.get(reverse("grading:rulings"))
    [attempt] = page.context["page"]
    address = reverse("grading:rule", args=[attempt.pk])
    text = client.get(address).content.decode()
    assert KEY in text
    for word in ("GRADER_DISAGREES", "semantic:", "incorrect", "right, it says"):
        assert word not in text
    assert client.post(address, {"choice": "WRONG", "reason": ""}).status_code == 400
    assert client.post(address, {"choice": "MAYBE", "reason": "x"}).status_code == 400
    page = client.post(address, {"choice": "WRONG", "reason": "It is x."}, follow=True)
    text = page.content.decode()
    assert "GRADER_DISAGREES" in text
    assert "It is x." in text
    page = client.post(address, {"choice": "RIGHT", "reason": "No."}, follow=True)
    assert "already" in page.content.decode()
    assert Ruling.objects.get().choice == "WRONG"
    assert not ruling.list_waiting(admin).exists()


def test_who_handed_it_in_or_may_not_see_the_key_does_not_rule(client, evaluator, contributor, run):
    attempt = Attempt.objects.last()
    for person in (evaluator, make_person(Role.EVALUATOR, "other"), contributor):
        assert not ruling.list_waiting(person).exists()
        with pytest.raises(ruling.CannotRule):
            ruling.rule(attempt=attempt, by=person, choice="RIGHT", reason="So.")
    contributor.roles.append(Role.EVALUATOR)
    contributor.save()
    assert ruling.list_waiting(contributor).get() == attempt


def test_one_that_could_not_be_told_waits_for_somebody_else(admin, run):
    [attempt] = ruling.list_waiting(admin)
    ruling.rule(attempt=attempt, by=admin, choice="CANT_TELL", reason="No idea.")
    assert not ruling.list_waiting(admin).exists()
    assert ruling.list_waiting(make_person(Role.ADMIN, "second")).get() == attempt
    assert ruling.settled() == {}


def test_a_judge_is_calibrated_on_what_people_ruled(client, admin, run, settings):
    first, second = Attempt.objects.all()
    ruling.rule(attempt=first, by=admin, choice="RIGHT", reason="m g h.")
    ruling.rule(attempt=second, by=admin, choice="WRONG", reason="It is x.")
    client.force_login(admin)
    [(configuration, found)] = client.get(reverse("grading:calibration")).context["rows"]
    assert configuration == run.configuration
    assert (found.errors.true_accepts, found.errors.false_accepts, found.missing) == (1, 1, 0)
    assert (found.agreement.value, found.specificity.value) == (50.0, 0.0)
    assert not found.may_rank
    settings.JUDGE_LEAST_RULINGS, settings.JUDGE_LEAST_AGREEMENT = 2, 0.5
    assert found.may_rank
    rows = client.get(reverse("grading:calibration_csv")).content.decode().splitlines()
    assert rows[1].startswith(configuration.name) or configuration.name in rows[1]
    assert Benchmark.objects.count() == 1
    assert run_actions.may_run(admin, run.submission)


def test_who_brings_our_own_words_does_not_lock_ours(client, evaluator, submission, endpoint):
    client.force_login(evaluator)
    assert bring(client, OURS).status_code == 302
    assert JudgePrompt.objects.get().is_usable is False
    begin(submission, endpoint)
    assert JudgePrompt.objects.filter(is_built_in=True).count() == 1


def test_rulings_and_calibration_ask_as_many_queries_for_one_row_as_for_three(
    client, admin, problems, hand_in, endpoint, django_assert_num_queries
):
    client.force_login(admin)
    expected = {"rulings": 5, "calibration": 5}
    for rows in ([0, 1], [2, 3]):
        made = hand_in(*[(problems[number], f"x + {number}") for number in rows])
        grade_all(made)
        work_off(begin(made, endpoint, document=make_document(endpoint, repeats=len(rows))))
        if rows == [0, 1]:
            ruling.rule(attempt=made.attempts.last(), by=admin, choice="WRONG", reason="No.")
        for name, queries in expected.items():
            with django_assert_num_queries(queries):
                client.get(reverse(f"grading:{name}"))
