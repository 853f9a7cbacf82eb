"""Where the reader's system chooses the colours: a formula reads as it does elsewhere."""

import base64

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import wait_until
from tests.conftest import make_draft

FORMULAS = r"""
All that KaTeX draws as a line or a shape, and not as a letter:

$$\frac{a}{b}$$

$$\sqrt{c}$$

$$\sqrt[3]{\frac{d}{1 + \sqrt{e}}}$$

$$\overline{f}$$

$$\underline{g}$$

$$\vec{h}$$

$$\overrightarrow{AB}$$

$$\widehat{ijk}$$

$$\overbrace{l + m}$$

$$\left( \begin{array}{c|c} n & o \\ \hline \frac{p}{q} & r \\ \sqrt{s} & t \end{array} \right)$$

$$\begin{cases} \frac{u}{v} & x > 0 \\ 0 & x < 0 \end{cases}$$

$$\xrightarrow{w}$$

$$\boxed{x}$$

$$\cancel{y}$$
"""
LINES = (
    ".frac-line, .overline-line, .underline-line, .hline, .vertical-separator, .boxed, "
    ".katex-html svg"
)
DRAWN = "() => [...document.querySelectorAll('.math')].every(one => one.querySelector('.katex'))"
COUNT_INK = """async ([image, selector, dark]) => {
  const bytes = Uint8Array.from(atob(image), one => one.charCodeAt());
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  return [...document.querySelectorAll(selector)].map(line => {
    const box = line.getBoundingClientRect();
    // A line may lie between two rows of pixels.
    const place = [box.x - 1, box.y + scrollY - 1, box.width + 2, box.height + 2];
    const { data } = context.getImageData(...place);
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (Math.abs(data[at] + data[at + 1] + data[at + 2] - (dark ? 0 : 765)) > 300) ink += 1;
    }
    return ink;
  });
}"""
"""How many pixels of each line, in a picture of the page, are far from the page's colour."""


def count_ink(page: Page, *, is_dark: bool) -> list[int]:
    image = base64.b64encode(page.screenshot(full_page=True)).decode()
    counted: list[int] = page.evaluate(COUNT_INK, [image, LINES, is_dark])
    return counted


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_in_forced_colours_every_line_of_a_formula_is_drawn(visits, contributor, benchmark, scheme):
    within_a_line = FORMULAS.replace("$$", "$").replace("\n\n", " and ")
    draft = make_draft(contributor, benchmark, statement=FORMULAS + within_a_line)
    counted = []
    for forced in ("none", "active"):
        page = visits.open(contributor, color_scheme=scheme, forced_colors=forced)
        page.goto(draft.get_absolute_url())
        wait_until(page, DRAWN)
        counted.append(count_ink(page, is_dark=scheme == "dark"))
    assert len(counted[0]) >= FORMULAS.count("$$")
    for own, forced in zip(*counted, strict=True):
        assert forced > 0.8 * own > 0


def test_in_forced_colours_the_current_page_and_tab_are_marked(visits, contributor, draft):
    page = visits.open(contributor, forced_colors="active")
    page.goto("/b/test/problems/?show=mine")
    for places in (".site-nav", ".tabs"):
        [current] = borders(page, f"{places} a[aria-current]")
        others = borders(page, f"{places} a:not([aria-current])")
        assert others
        assert current not in others
        assert set(others) == {page.evaluate("getComputedStyle(document.body).backgroundColor")}


def borders(page: Page, selector: str) -> list[str]:
    """Tell the colour of the line below each of these links."""
    colours: list[str] = page.locator(selector).evaluate_all(
        "found => found.map(one => getComputedStyle(one).borderBottomColor)"
    )
    return colours
