"""A run that can't go on says on its page what to change, with which button, and who can do it."""

import pytest

from grading.runs.models import Endpoint
from tests.grading.endpoints import steps
from tests.grading.judging.judging import begin, judge_well, work_off
from tests.grading.trials.trials import make_endpoint

pytestmark = pytest.mark.usefixtures("commits")


def read_page(client, person, run) -> str:
    client.force_login(person)
    run.refresh_from_db()
    assert run.state == "PAUSED"
    return client.get(run.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("limits", "says"),
    [
        ({"daily_calls": 1}, "raise “Calls a day” with “Edit” on the endpoint’s page."),
        ({"daily_tokens": 1}, "raise “Tokens a day” with “Edit” on the endpoint’s page."),
        ({"is_active": False}, "Ask an admin to resume it, or choose a model at another endpoint."),
    ],
)
def test_an_endpoint_without_anything_left_names_the_setting_and_who_has_it(
    client, evaluator, submission, serve, limits, says
):
    endpoint = make_endpoint(serve(judge_well))
    run = begin(submission, endpoint)
    Endpoint.objects.filter(pk=endpoint.pk).update(**limits)
    work_off(run)
    assert says in read_page(client, evaluator, run)


def test_a_run_that_has_spent_its_own_limit_is_given_more_on_its_page(
    client, evaluator, submission, endpoint
):
    run = begin(submission, endpoint, most_calls=1)
    work_off(run)
    page = read_page(client, evaluator, run)
    assert "Write a higher limit, or leave it empty for unlimited, then choose “Resume”." in page


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (steps.wrong_key(), "An admin enters a valid one with “Edit” on the endpoint’s page"),
        (steps.insufficient_quota(), "An admin tops it up at the provider"),
    ],
)
def test_what_an_admin_has_to_do_at_an_endpoint_is_said(
    client, evaluator, submission, serve, step, says
):
    endpoint = make_endpoint(serve(lambda request: step))
    run = begin(submission, endpoint)
    work_off(run)
    page = read_page(client, evaluator, run)
    assert says in page
    assert "until an admin chooses “Resume the endpoint” on its page" in page


def test_an_address_that_is_not_allowed_names_the_setting(
    client, evaluator, submission, serve, settings
):
    endpoint = make_endpoint(serve(judge_well))
    run = begin(submission, endpoint)
    settings.ENDPOINT_EGRESS_ALLOW = ""
    work_off(run)
    page = read_page(client, evaluator, run)
    assert "can add the address to the setting ENDPOINT_EGRESS_ALLOW and restart." in page
