"""Having a submission judged by the fake endpoint: agreed to, followed to its end, ruled on."""

import pytest
from playwright.sync_api import expect

from grading.demo.fake_answers import MODELS, make_script
from grading.judging.models import JudgeRun
from grading.judging.prompts.configurations import Chosen
from grading.samples.labels.models import Ruling
from tests.browser.conftest import press
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.grading.conftest import HandIn
from tests.grading.conftest import hand_in as _hand_in
from tests.grading.conftest import problems as _problems
from tests.grading.judging.judging import begin, judge_well, make_document, work_off
from tests.grading.submissions.samples import grade_all
from tests.grading.trials.trials import make_endpoint

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
    page.get_by_text("Compare, have it judged").click()
    page.get_by_role("link", name="Have it judged").click()
    expect(page.locator("main form")).to_have_count(0)
    page.get_by_role("link", name="Semantic matcher").click()
    # What only other kinds ask for is not there, and what is rarely changed is folded away.
    for label in ("Compared with", "Without the reference answer", "Language of the prompt"):
        expect(page.get_by_label(label)).to_have_count(0)
    expect(page.get_by_label("Tokens of the longest reply")).to_be_hidden()
    page.get_by_label("Mode of the semantic matcher").select_option("MODEL_ONLY")
    page.get_by_label("fake-steady").check()
    page.get_by_label("Why this judge").fill("To see.")
    page.get_by_role("button", name="Estimate what it takes").click()
    expect(page.locator("#estimate")).to_contain_text("at most 55")
    page.get_by_label(f"Send them to {endpoint.host}").check()
    page.get_by_role("button", name="Start the run").click()
    section = page.locator("#judging")
    expect(section).to_contain_text("0 of 2 answers done")

    work_off(JudgeRun.objects.get())
    expect(section).to_contain_text("2 of 2 answers done, 2 with a verdict.")
    expect(section).to_contain_text("5 passed, 0 failed")
    expect(section).to_contain_text("the grader disagrees")
    expect(page.locator("#judging[hx-trigger]")).to_have_count(0)

    other = visits.open(admin)
    other.goto("/judges/rulings/")
    other.get_by_role("link", name="Problem 2").click()
    expect(other.locator(".statement .katex").first).to_be_visible()
    other.get_by_label("wrong").focus()
    press(other, "1")
    expect(other.get_by_label("right")).to_be_checked()
    press(other, "w")
    other.keyboard.type("The same, with nothing added.")
    press(other, "Control+Enter")
    expect(other.get_by_text("the grader disagrees")).to_be_visible()
    assert Ruling.objects.get().choice == "RIGHT"


def test_a_judgement_that_quotes_a_long_formula_fits(visits, admin, problems, hand_in, serve):
    terms = "+".join(rf"\frac{{a_{{{n}}}}}{{b_{{{n}}}}}" for n in range(12))
    made = hand_in((problems[0], rf"\boxed{{{terms}}}"))
    grade_all(made)
    endpoint = make_endpoint(serve(make_script()))
    run = begin(made, endpoint, document=make_document(endpoint, repeats=2))
    work_off(run)
    page = visits.open(admin)
    page.goto(run.items.get(canary="").get_absolute_url())
    expect(page.get_by_role("heading", name="Votes")).to_be_visible()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert look_for_faults(page) == {}, f"at {width} pixels"


@pytest.fixture
def other(problems, hand_in: HandIn):
    made = hand_in(
        (problems[0], r"\boxed{m g}"),
        (problems[1], r"\boxed{\frac{a}{b}}"),
        (problems[2], "x"),
        model="Another model with a name that is as long as those of models are at times",
    )
    grade_all(made)
    return made


@pytest.mark.parametrize("is_dark", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_two_submissions_are_compared_and_the_pages_fit(
    visits, evaluator, admin, submission, other, serve, is_dark
):
    endpoint = make_endpoint(serve(make_script()), offered=list(MODELS))
    scheme = {"color_scheme": "dark"} if is_dark else {}
    page = visits.open(evaluator, **scheme)
    page.goto(f"/submissions/{submission.pk}/judge/")
    page.get_by_role("link", name="Pairwise judge").click()
    page.get_by_label("Compared with").select_option(str(other.pk))
    page.get_by_label("fake-steady").check()
    page.get_by_label("Why this judge").fill("To see.")
    page.get_by_role("button", name="Estimate what it takes").click()
    expect(page.locator("#estimate")).to_contain_text("at most 14")
    expect(page.locator("#estimate")).to_contain_text("left out: 1 ×")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert look_for_faults(page) == {}, f"the estimate at {width} pixels"
    page.get_by_label(f"Send them to {endpoint.host}").check()
    page.get_by_role("button", name="Start the run").click()
    section = page.locator("#judging")
    expect(section).to_contain_text("0 of 2 pairs done")

    run = JudgeRun.objects.get()
    work_off(run)
    expect(section).to_contain_text("2 of 2 pairs done, 2 with a verdict.")
    expect(section).to_contain_text("5 passed, 0 failed")
    expect(page.locator("#judging[hx-trigger]")).to_have_count(0)

    theirs = visits.open(admin, **scheme)
    items = [run.items.filter(canary="").last(), run.items.get(canary="the_same_twice")]
    paths = ["/judges/", run.get_absolute_url(), *(one.get_absolute_url() for one in items)]
    # An evaluator sees less of the same pages.
    for viewer in (page, theirs) if is_dark else (theirs,):
        for path in paths:
            viewer.goto(path)
            for shown in viewer.locator("main details").all():
                shown.evaluate("one => { one.open = true; }")
            for width in WIDTHS:
                viewer.set_viewport_size({"width": width, "height": 900})
                assert look_for_faults(viewer) == {}, f"{path} at {width} pixels"
    theirs.goto(items[0].get_absolute_url())
    theirs.set_viewport_size({"width": 1280, "height": 900})
    left, right = (
        one.bounding_box() for one in theirs.locator("main .panes").nth(1).locator("pre").all()
    )
    assert left["x"] + left["width"] <= right["x"], "side by side"
    theirs.set_viewport_size({"width": 390, "height": 900})
    left, right = (
        one.bounding_box() for one in theirs.locator("main .panes").nth(1).locator("pre").all()
    )
    assert left["y"] + left["height"] <= right["y"], "one below the other"


def test_one_rules_on_one_answer_after_the_other_by_keys_alone(
    visits, admin, problems, hand_in, serve
):
    # All three are correct, and the judge takes none of them for right.
    answers = ((problems[0], "m g h"), (problems[1], r"\frac{a}{b}"), (problems[3], "y + x"))
    made = hand_in(*answers)
    grade_all(made)
    work_off(begin(made, make_endpoint(serve(judge_well))), times=2)
    page = visits.open(admin)
    page.goto("/judges/rulings/")
    page.get_by_role("link", name="Rule on the first").click()
    expect(page.get_by_text("1 of 3 today")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Problem 1")
    page.get_by_label("wrong").focus()
    press(page, "n")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Problem 2")
    page.get_by_label("wrong").focus()
    for number, next_one in enumerate(("Problem 4", "Problem 1"), start=2):
        rule_by_keys(page)
        expect(page.get_by_role("heading", level=1)).to_contain_text(next_one)
        expect(page.get_by_text("is right.")).to_be_visible()
        expect(page.get_by_text(f"{number} of 3 today")).to_be_visible()
    rule_by_keys(page)
    expect(page.get_by_text("Verdicts")).to_be_visible()
    expect(page.get_by_text("No other answer awaits your ruling.")).to_be_visible()
    assert list(Ruling.objects.values_list("choice", flat=True)) == ["RIGHT"] * 3


def rule_by_keys(page) -> None:
    press(page, "1")
    press(page, "w")
    page.keyboard.type("The same.")
    press(page, "Control+Enter")


@pytest.mark.parametrize("is_dark", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_its_pages_fit(visits, evaluator, admin, submission, serve, is_dark):
    endpoint = make_endpoint(serve(make_script()), offered=list(MODELS))
    scheme = {"color_scheme": "dark"} if is_dark else {}
    page = visits.open(admin, **scheme)
    page.goto(f"/submissions/{submission.pk}/judge/?kind=SEMANTIC")
    for model in MODELS:
        page.get_by_label(model).check()
    page.get_by_label("Why this judge").fill("To see.")
    page.get_by_role("button", name="Estimate what it takes").click()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert look_for_faults(page) == {}, f"the estimate at {width} pixels"
    # Begun on the page it would try each judge on fifty empty answers.
    judges = [Chosen(endpoint, model).write(is_alone=False) for model in MODELS]
    run = begin(submission, endpoint, document=make_document(endpoint, judges=judges))
    work_off(run, times=3)
    item = run.items.filter(canary="").last()
    # The list of runs is looked at where two submissions are compared.
    for path in (
        run.get_absolute_url(),
        item.get_absolute_url(),
        "/judges/prompts/",
        f"/judges/prompts/{run.configuration.prompt_id}/",
        "/judges/rulings/",
        f"/judges/rulings/{item.attempt_id}/",
        "/judges/calibration/",
        "/judges/labels/",
        "/judges/rulings/given/",
        f"/b/test/?judge={run.configuration_id}",
    ):
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert look_for_faults(page) == {}, f"{path} at {width} pixels"
