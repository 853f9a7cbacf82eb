"""The pages of runs of models: set up, estimate, start, follow, read."""

import csv
import io

import pytest
from django.urls import reverse

from grading.model_runs import actions
from grading.model_runs.models import ModelRun, ModelRunAnswer
from grading.runs.models import Spending
from phybench.people.models import Role
from tests.conftest import make_person
from tests.grading.endpoints.steps import complain, cut_off
from tests.grading.model_runs.running import begin, hand_over, work_off
from tests.grading.trials.trials import MODEL, box, make_endpoint
from tests.organisations import organisation_of

pytestmark = pytest.mark.usefixtures("commits")

NEW = "grading:new_model_run"


@pytest.fixture
def visit(client, version, evaluator):
    """Sign in after the version is there: what is signed in before it would have it made anew."""
    client.force_login(evaluator)
    return client


def fill(endpoint, version, evaluator, **fields):
    return {
        "organisation": organisation_of(evaluator).pk,
        "benchmark": version.benchmark_id,
        "includes_hidden": "on",
        "model": f"{endpoint.pk}|{MODEL}",
        "samples": "2",
        "max_tokens": "800",
        **fields,
    }


def start(client, sent, **fields):
    """Estimate, agree, and start as it was estimated."""
    shown = client.post(reverse(NEW), {**sent, "step": "estimate"}).context
    agreed = {"step": "begin", "agree": "1", "host": shown["host"]}
    return client.post(reverse(NEW), {**sent, **agreed, "estimated": shown["estimated"], **fields})


def test_before_it_is_started_the_page_says_what_it_takes(visit, version, evaluator):
    endpoint = make_endpoint(daily_calls=50, price_completion=100)
    page = visit.post(reverse(NEW), {**fill(endpoint, version, evaluator), "step": "estimate"})
    text = page.content.decode()
    assert "5 of Test, version 1, 2 × each" in text
    assert "10 without retries." in text
    assert "about 0.80 USD at most" in text
    assert "50 of 50 calls" in text
    assert "this model has not been called yet" in text
    assert "This includes the hidden part." in text
    assert "{problem}" in text
    assert not ModelRun.objects.exists()


def test_it_is_started_as_it_was_estimated(visit, version, evaluator):
    endpoint = make_endpoint()
    answer = start(visit, fill(endpoint, version, evaluator, temperature="0.5", name="Mine"))
    run = ModelRun.objects.get()
    assert answer["Location"] == run.get_absolute_url()
    assert (run.name, run.model, run.samples, run.temperature, run.max_tokens) == (
        "Mine", MODEL, 2, 0.5, 800,
    )  # fmt: skip
    assert run.answers.count() == 10


def test_what_was_changed_since_is_estimated_first(visit, version, evaluator):
    sent = fill(make_endpoint(), version, evaluator)
    page = start(visit, sent, samples="3")
    assert "The estimate has changed" in page.content.decode()
    page = start(visit, sent, agree="")
    assert "Confirm that the statements may be sent there." in page.content.decode()
    assert not ModelRun.objects.exists()


def test_more_than_is_left_is_started_only_by_who_wants_it_so(visit, version, evaluator):
    endpoint = make_endpoint(daily_calls=8)
    sent = fill(endpoint, version, evaluator)
    page = start(visit, sent)
    assert "What is left today does not cover the whole run." in page.content.decode()
    assert "covers 8 of 10 calls today." in page.content.decode()
    assert start(visit, sent, fall_short="1").status_code == 302


def test_many_calls_are_confirmed(visit, version, evaluator, settings):
    settings.JUDGE_CONFIRM_CALLS = 10
    sent = fill(make_endpoint(), version, evaluator)
    assert "Confirm the number of calls" in start(visit, sent).content.decode()
    assert start(visit, sent, confirm="1").status_code == 302


def test_no_longer_reply_is_asked_for_than_the_endpoint_allows(visit, version, evaluator):
    sent = fill(make_endpoint(longest_reply=500), version, evaluator)
    page = visit.post(reverse(NEW), {**sent, "step": "estimate"})
    assert page.status_code == 400
    assert "allows at most 500." in page.content.decode()


def test_without_an_organisation_or_an_endpoint_the_page_says_what_to_do(client, version):
    client.force_login(make_person(Role.EVALUATOR, "alone"))
    assert "Create a team" in client.get(reverse(NEW)).content.decode()
    assert "Create a team" not in client.get(reverse("grading:model_runs")).content.decode()


def test_its_page_says_how_far_it_is_and_leads_to_its_draft(visit, serve, version, evaluator):
    server = serve(cut_off(), complain(400, "No."), *[box("m g h")] * 3)
    run = begin(version, make_endpoint(server, price_completion=100), evaluator)
    going = visit.get(run.get_absolute_url()).content.decode()
    assert "0 of 5 done." in going
    assert 'hx-trigger="load delay:2s"' in going
    assert "no longer in a draft" not in going
    work_off(run)
    page = visit.get(run.get_absolute_url())
    text = page.content.decode()
    assert 'hx-trigger="load delay:2s"' not in text
    assert "1 call failed on our side or the endpoint’s." in text
    assert "Retry the failed answer" in text
    assert "of these cut off" in text
    assert run.file.draft.get_absolute_url() in text
    draft = visit.get(run.file.draft.get_absolute_url()).content.decode()
    assert "1 call failed on our side. Retry it on the page of the run." in draft
    assert run.get_absolute_url() in draft

    shown = visit.get(run.get_absolute_url(), {"show": "truncated"}).context["page"]
    assert [one.remark for one in shown] == ["truncated"]
    shown = visit.get(run.get_absolute_url(), {"show": "FAILED"}).context["page"]
    assert [one.failure_reason for one in shown] == ["bad_request"]
    again = visit.post(reverse("grading:ask_model_again", args=[run.pk]), follow=True)
    assert "1 answer is requested." in again.content.decode()


def test_one_answer_is_shown_as_it_came_with_its_calls(visit, serve, version, evaluator):
    server = serve(lambda _request: cut_off("It <b>begins</b> w"))
    run = work_off(begin(version, make_endpoint(server), evaluator))
    answer = run.answers.first()
    text = visit.get(answer.get_absolute_url()).content.decode()
    assert "It &lt;b&gt;begins&lt;/b&gt; w" in text
    assert "answered (cut off)" in text
    assert "120 sent, 30 received" in text


def test_the_files_have_each_run_with_its_cost_and_each_answer(visit, serve, version, evaluator):
    server = serve(lambda _request: box("m g h"))
    run = work_off(begin(version, make_endpoint(server, price_completion=100), evaluator))

    def read(address):
        return list(csv.DictReader(io.StringIO(visit.get(address).content.decode("utf-8-sig"))))

    [row] = read(reverse("grading:model_runs_csv"))
    assert (row["answered"], row["calls"], row["tokens"], row["state"]) == (
        "5", "5", "750", "ENDED",
    )  # fmt: skip
    assert float(row["spent"]) == pytest.approx(5 * 30 * 100 / 1e6)
    rows = read(reverse("grading:model_run_csv", args=[run.pk]))
    assert [one["response"] for one in rows] == [r"So it is \boxed{m g h}."] * 5


def test_others_find_no_run_and_admins_find_all(client, version, evaluator, admin):
    run = begin(version, make_endpoint(), evaluator)
    answer = run.answers.first()
    pages = [
        run.get_absolute_url(),
        answer.get_absolute_url(),
        reverse("grading:model_run_csv", args=[run.pk]),
    ]
    client.force_login(make_person(Role.EVALUATOR, "another"))
    assert [client.get(page).status_code for page in pages] == [404] * 3
    assert client.post(reverse("grading:pause_model_run", args=[run.pk])).status_code == 404
    client.force_login(admin)
    assert [client.get(page).status_code for page in pages] == [200] * 3
    client.post(reverse("grading:cancel_model_run", args=[run.pk]))
    hand_over(run.pk)
    run.refresh_from_db()
    assert run.state == ModelRun.State.CANCELLED
    # A draft is its organisation's, and an admin is none of them.
    assert run.file.draft.get_absolute_url() not in client.get(pages[0]).content.decode()


def test_the_pages_ask_as_many_queries_for_one_row_as_for_three(
    visit, version, evaluator, django_assert_max_num_queries, django_assert_num_queries
):
    endpoint = make_endpoint()
    run = begin(version, endpoint, evaluator)
    ModelRunAnswer.objects.exclude(pk=run.answers.first().pk).delete()
    pages = [reverse("grading:model_runs"), reverse("grading:model_runs_csv")]
    run_page = run.get_absolute_url()

    def count(page):
        with django_assert_max_num_queries(40) as counted:
            assert visit.get(page).status_code == 200
        return len(counted)

    visit.get(run_page)
    before = [count(page) for page in pages]
    for _number in range(2):
        begin(version, endpoint, evaluator)
    assert [count(page) for page in pages] == before
    other = ModelRun.objects.first().get_absolute_url()
    assert count(other) == count(run_page)


def test_what_other_runs_have_reserved_is_not_left(visit, version, evaluator):
    endpoint = make_endpoint(daily_calls=20)
    begin(version, endpoint, evaluator)
    Spending.objects.all().delete()
    page = visit.post(reverse(NEW), {**fill(endpoint, version, evaluator), "step": "estimate"})
    assert "15 of 20 calls" in page.content.decode()


def test_an_admin_sees_at_the_endpoint_which_run_has_reserved_what(
    client, version, evaluator, admin
):
    endpoint = make_endpoint(daily_calls=20)
    run = begin(version, endpoint, evaluator)
    client.force_login(admin)
    text = client.get(endpoint.get_absolute_url()).content.decode()
    assert f"model run {run.pk}" in text
    assert "5 calls, 0.00 USD" in text


def test_the_buttons_do_what_they_say(visit, version, evaluator):
    run = begin(version, make_endpoint(), evaluator)

    def post(name):
        page = visit.post(reverse(f"grading:{name}", args=[run.pk]), follow=True)
        run.refresh_from_db()
        return page.content.decode()

    assert "Paused. No new calls are made." in post("pause_model_run")
    assert run.state == ModelRun.State.PAUSED
    assert "This run is not active." in post("pause_model_run")
    assert "5 answers are requested." in post("resume_model_run")
    assert "Cancelled." in post("cancel_model_run")
    assert "This run is already cancelled." in post("cancel_model_run")
    assert actions.ask_again(run=run, by=evaluator) == 5
