"""Text of twice the size, small targets, formulas that come late, paper: all has its room."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.addresses import address_of
from tests.browser.conftest import wait_until
from tests.browser.test_every_page_fits import OVERFLOWING, WIDTHS
from tests.conftest import make_draft

WITH_TABLES = (
    *("board", "curation:contributors", "curation:problems", "curation:imports", "curation:queue"),
    *("curation:assignments", "curation:figures", "curation:reports"),
    *("grading:submissions", "grading:submission", "grading:endpoints", "grading:judge_runs"),
    *("grading:organisation", "grading:solver"),
)
TERMS = [rf"\frac{{a_{{{n}}}}}{{b_{{{n}}}}}" for n in range(14)]
BLOCK, INLINE = " + ".join(TERMS[:9]), " + ".join(TERMS)
"""Each fits on a desk’s screen and on no phone’s."""
NOTE_SHIFTS = """
  window.shifts = [];
  new PerformanceObserver(list => shifts.push(...list.getEntries().map(one => one.value)))
    .observe({ type: 'layout-shift', buffered: true });
"""
PAINTED = "() => performance.getEntriesByType('paint').length > 0"
TWICE = "document.documentElement.style.fontSize = '200%'"


def test_text_of_twice_the_size_pushes_no_table_sideways(visits, world):
    page = visits.open(world.people["admin"])
    for name in WITH_TABLES:
        page.goto(address_of(name, world))
        page.evaluate(TWICE)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(OVERFLOWING) == [], f"{name} at {width} pixels"


def can_be_scrolled_by_keys(page: Page, selector: str) -> bool:
    formula = page.locator(selector)
    formula.focus()
    is_focused: bool = formula.evaluate("one => one === document.activeElement")
    return is_focused


@pytest.mark.parametrize("formula", [f"$${BLOCK}$$", rf"It is $\left( {INLINE} \right)$."])
def test_a_formula_that_is_scrolled_can_be_reached_with_the_keyboard_at_any_width(
    visits, contributor, benchmark, formula
):
    draft = make_draft(contributor, benchmark, statement=formula, solution="")
    page = visits.open(contributor, viewport={"width": 1600, "height": 900})
    page.goto(draft.get_absolute_url())
    drawn = ".statement .math:has(.katex)"
    expect(page.locator(drawn)).to_be_visible()
    for width, is_scrolled in ((1600, False), (390, True), (1600, False)):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator(f"{drawn}[tabindex='0']")).to_have_count(int(is_scrolled))
        assert can_be_scrolled_by_keys(page, drawn) == is_scrolled


def test_nothing_moves_when_the_formulas_of_a_page_are_drawn(visits, contributor, benchmark):
    text = "\n\n".join(rf"It is ${INLINE}$ and $$\frac{{a}}{{b_{n}}}$$ then." for n in range(4))
    draft = make_draft(contributor, benchmark, statement=text)
    page = visits.open(contributor)
    page.add_init_script(NOTE_SHIFTS)
    held: list[Route] = []
    page.route("**/katex.min.js", lambda route: held.append(route))
    # As over a slow line: something is shown after KaTeX is asked for, and before it is there.
    with page.expect_request("**/katex.min.js"):
        page.goto(draft.get_absolute_url(), wait_until="commit")
    wait_until(page, PAINTED)
    held[0].continue_()
    expect(page.locator("html[data-drawn]")).to_be_attached()
    expect(page.locator(".statement .katex").first).to_be_visible()
    assert sum(page.evaluate("shifts")) < 0.01


def test_a_page_is_shown_where_katex_never_comes(visits, contributor, draft):
    page = visits.open(contributor)
    page.route("**/katex.min.js", lambda route: None)
    page.goto(draft.get_absolute_url())
    main = page.get_by_role("main")
    expect(main).to_have_css("opacity", "1")
    expect(main).to_contain_text("A ball of mass m is at rest")


ALONE = ".crumb a, .site-footer :is(a, button), thead a, .above-table a, summary, td input"


def test_what_stands_alone_is_large_enough_for_a_finger(visits, world):
    page = visits.open(world.people["admin"])
    for name in ("curation:problems", "curation:assignments"):
        page.goto(address_of(name, world))
        small = [
            one.inner_text()
            for one in page.locator(f":is({ALONE}):visible").all()
            if (one.bounding_box() or {"height": 0})["height"] < 24
        ]
        assert small == [], name


def test_paper_shows_what_is_read_and_no_link_to_do_something(visits, contributor, draft):
    page = visits.open(contributor)
    page.goto(draft.get_absolute_url())
    page.emulate_media(media="print")
    expect(page.get_by_role("region", name="Statement")).to_contain_text("A ball of mass")
    links = page.locator("main a:visible").all_inner_texts()
    assert links == [draft.benchmark.name]
    expect(page.locator("main button:visible")).to_have_count(0)
