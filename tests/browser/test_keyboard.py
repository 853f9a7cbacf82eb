"""A problem from nothing to submitted with the keyboard alone, with every kind of mistake once."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from curation.problems.models import Problem
from curation.texts.workflow import Status
from development import web
from tests.processes import Processes

STATEMENT = (
    r"A stone of mass $m$ hits a spring of stiffness $k$ at the speed $v_0$ and at the angle "
    r"$\theta$ to its axis. How far is the spring compressed? There is no friction."
)
ANSWER = r"v_0 \cos(\theta) \sqrt{\frac{m}{k}}"


class Keyboard:
    """Somebody who never touches the mouse: goes from field to field with Tab."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def go_to(self, name: str) -> None:
        """Press Tab, or Shift+Tab, until what is named has the focus."""
        for key in ("Tab", "Shift+Tab"):
            for _ in range(160):
                if self.page.evaluate(FOCUSED) == name:
                    return
                self.page.keyboard.press(key)
        pytest.fail(f"no way with Tab to {name!r}, only to {self.page.evaluate(FOCUSED)!r}")

    def write(self, name: str, text: str) -> None:
        self.go_to(name)
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)

    def choose(self, name: str, first_letters: str) -> None:
        self.go_to(name)
        self.page.keyboard.type(first_letters)

    def press(self, name: str) -> None:
        self.go_to(name)
        self.page.keyboard.press("Enter")


FOCUSED = """() => {
  const element = document.activeElement;
  const group = element.closest('.symbol-row')?.getAttribute('aria-label');
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.firstChild?.textContent
    ?? element.textContent;
  return (group ? `${group}: ` : '') + label.trim();
}"""

Check = Callable[[Page], None]


def says(text: str) -> Check:
    return lambda page: expect(page.locator("#preview")).to_contain_text(text)


MISTAKES: list[tuple[str, str, Check, str]] = [
    # Where, what is written first, what the page says, and what is written then.
    ("Statement", STATEMENT + " ![](spring.png)", says("what the image shows"), STATEMENT),
    ("Statement", STATEMENT + " See https://a.example/s.png", says("linked figure"), STATEMENT),
    ("Statement", "As shown in the figure, " + STATEMENT, says("the figure shows"), STATEMENT),
    ("Statement", STATEMENT + " <b>Now</b>", says("HTML is not allowed"), STATEMENT),
    ("Statement", STATEMENT + " And $x", says("has no partner"), STATEMENT),
    ("Reference answer", "d = v_0 = 1", says("without an equation"), ANSWER),
    ("Reference answer", "0.5 v_0", says("1/2 instead of 0.5"), ANSWER),
    ("Reference answer", "v_0, k", says("Write one answer"), ANSWER),
    ("Reference answer", r"\frac{v_0", says("bracket"), ANSWER),
    ("Reference answer", r"v_0 \text{ m/s}", says("units"), ANSWER),
    ("Reference answer", r"\int_0^1 v_0", says("Integrals are not graded"), ANSWER),
    ("Reference answer", "9^{9^{9^9}}", says("too large"), ANSWER),
    ("Reference answer", "q v_0", says("does not introduce"), ANSWER),
    ("Reference answer", r"M v_0", says("write the one you mean"), ANSWER),
    ("Reference answer", "v_0 - v_0", says("is zero for all values"), ANSWER),
    ("Solution", "![](solution.png)", says("what the image shows"), "By conservation of energy."),
]


@pytest.mark.slow
def test_a_problem_is_written_with_the_keyboard_alone_and_every_mistake_is_mended(
    visits, benchmark, contributor, processes: Processes
):
    processes.start(web.worker)
    page = visits.open(contributor)
    page.goto("/b/test/problems/new/")
    keys = Keyboard(page)
    keys.write("Title", "A stone on a spring")
    keys.choose("Domain", "mech")
    keys.choose("Difficulty", "high")
    page.get_by_text("More: solution").focus()
    page.keyboard.press("Enter")
    for where, wrong, says_so, right in MISTAKES:
        keys.write(where, wrong)
        says_so(page)
        keys.write(where, right)
        expect(page.locator("#preview .notice.warn")).to_have_count(0)

    # Ambiguous: both readings stand side by side, and a button writes the one that was meant.
    keys.write("Reference answer", r"v_0 \cos\theta[\sqrt{m/k}]")
    keys.write("Reference answer", r"1/2 v_0")
    expect(page.locator("#preview .readings")).to_be_visible()
    keys.press("Use this form")
    expect(page.get_by_label("Reference answer")).to_have_value(r"\left(1/2\right)v_0")
    keys.write("Reference answer", ANSWER)
    expect(page.locator("#preview .is-broken")).to_have_count(0)

    # Units: one that is none, then two that do not fit together, then right.
    expect(page.get_by_role("group", name=r"Symbol k", exact=True)).to_be_visible()
    keys.write("Symbol k: Unit", "springs")
    says("is not a known unit")(page)
    for symbol, unit in (("k", "N/m"), ("m", "kg"), ("v_0", "m/s"), (r"\theta", "rad")):
        keys.write(f"Symbol {symbol}: Unit", unit)
    keys.write("Reference answer", ANSWER + " + m")
    says("different units")(page)
    keys.write("Reference answer", ANSWER)
    says("In SI units: m.")(page)

    keys.press("Submit for review")
    page.wait_for_url(re.compile(r"/p/\d+/$"), timeout=120_000)
    expect(page.get_by_text("in review").first).to_be_visible()
    assert Problem.objects.get().status == Status.IN_REVIEW
