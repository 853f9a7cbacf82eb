"""How running text is set around its formulas."""

from playwright.sync_api import expect

from phybench_grader.numbers.functions import FUNCTIONS
from tests.browser.conftest import wait_until
from tests.conftest import make_draft

STATEMENT = (
    "A ball of mass $m$, charge $q$, radius $r_0$ (with $r_0\\ll h$) and density $\\varrho=m/V$; "
    "a plate at $x=-a$, another at $x=a$, both as large as $L\\times L$. It falls from $h$, "
    "rebounds to $\\frac{h}{2}$ (then to $\\frac{h}{4}$), and so on: after the $n$-th, it has "
    "$E_n=mgh/2^n$. 设质量为$m$，速度为$v$（$v<c$），高度为$h$。求能量$E$、动量$p$。"
)
BEGIN_LINES = """() => {
  const found = [];
  for (const formula of document.querySelectorAll('.statement .math.inline')) {
    const walker = document.createTreeWalker(
      formula.closest('p'), NodeFilter.SHOW_TEXT,
      (node) => node.parentElement.closest('.katex') ? NodeFilter.FILTER_REJECT : 1);
    walker.currentNode = formula;
    let text = walker.nextSibling();
    if (!text) { walker.currentNode = formula.parentElement; text = walker.nextSibling(); }
    if (!text || !/^[.,;:)，。；：）、-]/.test(text.data)) continue;
    const range = document.createRange();
    range.setStart(text, 0);
    range.setEnd(text, 1);
    const last = [...formula.querySelectorAll('.base')].at(-1).getBoundingClientRect();
    if (range.getBoundingClientRect().left < last.left) {
      found.push(formula.querySelector('annotation').textContent + text.data.slice(0, 5));
    }
  }
  return found;
}"""


def test_at_no_width_a_line_begins_with_what_belongs_to_the_formula_before(
    visits, benchmark, contributor
):
    problem = make_draft(contributor, benchmark, statement=STATEMENT)
    page = visits.open(contributor)
    page.goto(problem.get_absolute_url())
    page.wait_for_selector(".statement .katex")
    for width in range(320, 900, 7):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(BEGIN_LINES) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_part_of_a_formula_that_is_wider_than_the_screen_is_scrolled_not_the_page(
    visits, benchmark, contributor
):
    wide = r"\left[" + " + ".join(f"a_{{{number}}}" for number in range(30)) + r"\right]"
    statement = f"With ${wide}$ given, and $m$, find the force."
    problem = make_draft(contributor, benchmark, statement=statement)
    page = visits.open(contributor, viewport={"width": 390, "height": 800})
    page.goto(problem.get_absolute_url())
    page.wait_for_selector(".statement .math.inline.wide[tabindex='0']")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("section.statement .math.inline:not(.wide)").count() == 1


def test_functions_that_the_grader_reads_are_drawn(visits, benchmark, contributor):
    names = sorted(set(FUNCTIONS) - {"sqrt"})
    statement = "".join(f"$\\{name}(x)$ and " for name in names)
    problem = make_draft(contributor, benchmark, statement=statement)
    page = visits.open(contributor)
    page.goto(problem.get_absolute_url())
    page.wait_for_selector(".statement .katex")
    assert page.locator(".math-unset").all_inner_texts() == []


def test_a_formula_that_is_scrolled_fades_where_it_goes_on(visits, benchmark, contributor):
    wide = r"\left[" + " + ".join(f"a_{{{number}}}" for number in range(30)) + r"\right]"
    statement = f"Given\n\n$${wide}$$\n\nand $$m$$ find the force."
    problem = make_draft(contributor, benchmark, statement=statement)
    page = visits.open(contributor, viewport={"width": 390, "height": 844})
    page.goto(problem.get_absolute_url())
    formula = page.locator(".math.block.wide")
    expect(formula).to_have_count(1)
    fading = "name => getComputedStyle(document.querySelector('.wide')).getPropertyValue(name)"

    def faded() -> list[float]:
        names = ("--faded-start", "--faded-end")
        return [float(page.evaluate(fading, name).removesuffix("px")) for name in names]

    assert [at > 0 for at in faded()] == [False, True]
    formula.evaluate("one => { one.scrollLeft = one.scrollWidth }")
    wait_until(page, f"() => parseFloat(({fading})('--faded-end')) === 0")
    assert [at > 0 for at in faded()] == [True, False]
    # The ring of the focus is not cut off.
    formula.focus()
    page.keyboard.press("ArrowLeft")
    expect(formula).to_have_css("mask-image", "none")
