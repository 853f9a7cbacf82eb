"""The page of an answer on a desk's and a phone's screen: its trees, and what was graded."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import Attempt
from phybench.people.models import User
from tests.browser.conftest import wait_until
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.conftest import accept, make_draft
from tests.memory import remembered
from tests.organisations import organisation_of
from tests.versions import hand_in
from tests.work import grade_attempt

REFERENCE = (
    r"-E_0 r\cos\theta + \frac{Q}{4\pi\varepsilon_0 r} + \frac{p\cos\theta}{8\pi\varepsilon_0 r^2}"
)
STATEMENT = (
    r"A sphere of charge $Q$ and dipole moment $p$ in a field $E_0$."
    r" What is the potential at $r$, $\theta$?"
)
THOUGHTS = "First one considers the field far away from the sphere, where it is uniform. " * 60
IS_IN_VIEW = """() => {
  const mark = document.querySelector('#graded-part').getBoundingClientRect();
  const box = document.querySelector('.response-box').getBoundingClientRect();
  return box.top <= mark.top && mark.bottom <= box.bottom;
}"""
LETTERS = """() => [...document.querySelectorAll('.tree-box text')]
  .map(one => [one.textContent, parseFloat(getComputedStyle(one).fontSize),
               one.getBoundingClientRect().width,
               one.parentElement.querySelector('rect, polygon').getBoundingClientRect().width])"""


Explain = Callable[..., Attempt]


@pytest.fixture
def explain(contributor: User, reviewer: User, evaluator: User, benchmark: Benchmark) -> Explain:
    """Have answers to one problem graded, and return the first of them."""

    def run(reference: str, *answers: str) -> Attempt:
        draft = make_draft(contributor, benchmark, statement=STATEMENT, answer=reference)
        problem = accept(draft, contributor, reviewer)
        rows = [
            {
                "id": problem.identifier,
                "model": "A model",
                "repeat_index": number,
                "model_answer": answer,
            }
            for number, answer in enumerate(answers)
        ]
        [submission] = hand_in(
            organisation=organisation_of(evaluator),
            benchmark=benchmark,
            uploaded_by=evaluator,
            file_name="answers.json",
            content=json.dumps(rows).encode(),
        )
        for one in submission.attempts.all():
            grade_attempt(one.pk)
        return submission.attempts.earliest("pk")

    return run


@pytest.fixture
@remembered
def attempt(explain: Explain) -> Attempt:
    answer = REFERENCE.replace("-E_0 r", "-2E_0 r^2").replace(r"8\pi", r"8p").replace("Q", "q")
    response = rf"{THOUGHTS} \boxed{{{answer}}} {THOUGHTS}"
    return explain(REFERENCE, response, rf"\boxed{{{REFERENCE}}}", "?")


def open_drawn(page: Page, attempt: Attempt) -> None:
    page.goto(attempt.get_absolute_url())
    page.locator(".katex").first.wait_for()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_graded_part_is_in_view_in_its_box_and_the_page_stays_at_its_top(
    visits, evaluator, attempt, width
):
    page = visits.open(evaluator, viewport={"width": width, "height": 900})
    open_drawn(page, attempt)

    wait_until(page, IS_IN_VIEW)
    assert page.evaluate("scrollY") == 0


def test_both_trees_are_legible_and_nothing_sticks_out(visits, admin, attempt):
    page = visits.open(admin)
    open_drawn(page, attempt)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert look_for_faults(page) == {}
        for label, size, letters, node in page.evaluate(LETTERS):
            assert size >= 12
            assert letters <= node - 4, label


BOXES = (
    "[...document.querySelectorAll('.tree-box')].map((box) => box.getBoundingClientRect().toJSON())"
)
"""Both at one time: a formula that is drawn between two questions moves what is below it."""


@pytest.mark.parametrize(
    ("reference", "are_beside"), [("2 p Q r", True), (REFERENCE + "+ Q p", False)]
)
def test_trees_stand_side_by_side_where_both_have_room(
    visits, admin, explain, reference, are_beside
):
    page = visits.open(admin)
    open_drawn(page, explain(reference, f"{reference} r"))

    first, second = page.evaluate(BOXES)
    assert (first["y"] == second["y"]) is are_beside
    page.set_viewport_size({"width": 390, "height": 900})
    first, second = page.evaluate(BOXES)
    assert first["y"] + first["height"] <= second["y"]


def test_a_wide_tree_is_scrolled_in_its_own_box_with_the_keyboard(visits, admin, attempt):
    page = visits.open(admin, viewport={"width": 390, "height": 900})
    open_drawn(page, attempt)

    box = page.locator(".tree-box").first
    assert box.evaluate("one => one.scrollWidth > one.clientWidth")
    middle = box.evaluate("one => one.scrollLeft")
    assert middle > 0
    box.focus()
    page.keyboard.press("ArrowLeft")
    wait_until(page, "middle => document.querySelector('.tree-box').scrollLeft < middle", middle)


def test_without_scripts_a_link_leads_to_the_graded_part(visits, evaluator, attempt):
    page = visits.open(evaluator, java_script_enabled=False)
    page.goto(attempt.get_absolute_url())

    page.get_by_role("link", name="Jump to the graded part").click()
    assert page.url.endswith("#graded-part")


def test_one_goes_from_answer_to_answer_with_the_keyboard(visits, evaluator, attempt):
    page = visits.open(evaluator)
    page.goto(attempt.get_absolute_url())

    page.locator("[rel=next]").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/attempts/{attempt.pk + 1}/")
    page.get_by_role("link", name="Sample 3: could not be read").click()
    page.wait_for_url(f"**/attempts/{attempt.pk + 2}/")
