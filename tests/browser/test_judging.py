"""Having a submission judged by the fake endpoint: agreed to, followed to its end, ruled on."""

import pytest
from playwright.sync_api import expect

from grading.endpoints.made_up import MODELS, make_script
from grading.models import JudgeRun, Ruling
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.grading.conftest import HandIn
from tests.grading.conftest import hand_in as _hand_in
from tests.grading.conftest import problems as _problems
from tests.grading.judging import grade_all, work_off
from tests.grading.trials import make_endpoint

problems, hand_in = _problems, _hand_in


@pytest.fixture
def submission(problems, hand_in: HandIn):
    # The grader knows that the second is right too; one that compares letters and digits does not.
    made = hand_in((problems[0], r"\boxed{m g h}"), (problems[1], r"\boxed{a / b + 0}"))
    grade_all(made)
    return made


def test_a_run_is_begun_and_seen_to_its_end_and_a_person_rules(
    visits, evaluator, admin, submission, serve
):
    endpoint = make_endpoint(serve(make_script()), offered=list(MODELS))
    page = visits.open(evaluator)
    page.goto(submission.get_absolute_url())
    page.get_by_role("link", name="Have it judged").click()
    page.get_by_label("Mode of the semantic matcher").select_option("MODEL_ONLY")
    page.get_by_label("fake-steady").check()
    page.get_by_label("Why this judge").fill("To see.")
    page.get_by_role("button", name="Estimate what it takes").click()
    expect(page.locator("#estimate")).to_contain_text("at most 7")
    page.get_by_label(f"Send them to {endpoint.host}").check()
    page.get_by_role("button", name="Start the run").click()
    section = page.locator("#judging")
    expect(section).to_contain_text("0 of 2 answers done")

    work_off(JudgeRun.objects.get())
    expect(section).to_contain_text("2 of 2 answers done, 2 with a verdict.")
    expect(section).to_contain_text("5 passed, 0 failed")
    expect(section).to_contain_text("GRADER_DISAGREES")
    expect(page.locator("#judging[hx-trigger]")).to_have_count(0)

    other = visits.open(admin)
    other.goto("/judges/rulings/")
    other.get_by_role("link", name="Problem 2").click()
    other.get_by_label("right").check()
    other.get_by_label("Why", exact=True).fill("The same, with nothing added.")
    other.get_by_role("button", name="Give this ruling").click()
    expect(other.get_by_text("GRADER_DISAGREES")).to_be_visible()
    assert Ruling.objects.get().choice == "RIGHT"


@pytest.mark.parametrize("is_dark", [False, True])
def test_its_pages_fit(visits, evaluator, admin, submission, serve, is_dark):
    endpoint = make_endpoint(serve(make_script()), offered=list(MODELS))
    scheme = {"color_scheme": "dark"} if is_dark else {}
    page = visits.open(admin, **scheme)
    page.goto(f"/submissions/{submission.pk}/judge/")
    for model in MODELS:
        page.get_by_label(model).check()
    page.get_by_label("Why this judge").fill("To see.")
    page.get_by_role("button", name="Estimate what it takes").click()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert look_for_faults(page) == {}, f"the estimate at {width} pixels"
    page.get_by_label(f"Send them to {endpoint.host}").check()
    page.get_by_role("button", name="Start the run").click()
    expect(page.locator("#judging")).to_be_visible()
    run = JudgeRun.objects.get()
    work_off(run, times=3)
    item = run.items.filter(canary="").last()
    for path in (
        "/judges/",
        run.get_absolute_url(),
        item.get_absolute_url(),
        "/judges/prompts/",
        f"/judges/prompts/{run.configuration.prompt_id}/",
        "/judges/rulings/",
        f"/judges/rulings/{item.attempt_id}/",
        "/judges/calibration/",
        f"/boards/test/?judge={run.configuration_id}",
    ):
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert look_for_faults(page) == {}, f"{path} at {width} pixels"
