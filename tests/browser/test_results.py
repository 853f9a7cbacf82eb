"""How a submission was graded: narrowed by a click, and beside another one."""

import re

from playwright.sync_api import expect

from grading.answers.submissions.models import Submission
from tests.browser.test_every_page_fits import WIDTHS, look_for_faults
from tests.grading.conftest import problems as _problems
from tests.grading.submissions.samples import fail, grade_all
from tests.grading.submissions.samples import hand_in_samples as _hand_in_samples

problems, hand_in_samples = _problems, _hand_in_samples
LONG = "+".join(rf"\frac{{a_{{{n}}}}}{{b_{{{n}}}}}" for n in range(30))


def fits(page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert look_for_faults(page) == {}, f"at {width} pixels, {scheme}"
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_submission_is_narrowed_by_its_chips_and_compared(
    visits, evaluator, problems, hand_in_samples
):
    made: Submission = hand_in_samples(
        {
            problems[0]: ["m g h", r"h \cdot m g", "m g"],
            problems[1]: ["a, b", "a or b", LONG],
            problems[2]: [LONG],
        },
        model="A model with a name that is as long as those of models are at times",
        is_graded=False,
    )
    fail(made.attempts.get(revision__problem=problems[2]))
    page = visits.open(evaluator)
    page.goto(made.get_absolute_url())
    expect(page.locator("#grading")).to_contain_text("1 of 7 answers graded.")
    # What is typed stays while the figures and the rows come in.
    page.get_by_label("Search in ids, titles and answers").fill("Problem 2")
    grade_all(made)
    expect(page.locator("#grading")).to_contain_text("All 7 answers are done.")
    expect(page.locator("#grading")).to_contain_text("The score is provisional")
    expect(page.get_by_label("Search in ids, titles and answers")).to_have_value("Problem 2")
    rows = page.locator("table.results tbody tr")
    expect(rows).to_have_count(5)
    expect(rows.first.locator(".katex").first).to_be_visible()
    fits(page)

    page.get_by_role("link", name=re.compile("several values")).click()
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Problem 2")
    expect(page.locator("#rows")).to_contain_text("1 of 5 problems")
    assert "reason=several" in page.url
    page.get_by_role("link", name=re.compile("several values")).click()
    expect(rows).to_have_count(5)
    page.get_by_role("link", name=re.compile("sample 3, partial")).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Problem 1")

    hand_in_samples({one: ["m g h"] for one in problems}, model="Another")
    page.goto(made.get_absolute_url())
    page.get_by_text("Compare, have it judged").click()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("against Another")
    expect(page.get_by_role("main")).to_contain_text("Compared over 5 problems")
    ungraded = "We could not grade an answer of one of the two to 1 problem."
    expect(page.get_by_role("main")).to_contain_text(ungraded)
    expect(page.locator("#problems")).to_contain_text("4 of 4 problems that are graded for both")
    expect(rows).to_have_count(4)
    fits(page)
    page.get_by_role("link", name="both right").click()
    expect(rows).to_have_count(1)
