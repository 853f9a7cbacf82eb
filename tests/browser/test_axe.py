"""
What is wrong with our pages, in each look that they have: nothing.

axe-core looks by the rules of WCAG 2.2, levels A and AA. Besides, a page has one heading, nothing
that sticks out at its side, at most one blue button, and few things to press before one scrolls.
"""

from collections.abc import Iterable
from itertools import cycle, product

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from phybench.people.models import User
from tests.addresses import EXPECTED, PEOPLE, WALKED, address_of, client_of, read
from tests.browser.conftest import wait_until
from tests.browser.test_every_page_fits import (
    OVERFLOWING,
    WIDTHS,
    addresses,  # noqa: F401
)

RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    # One that axe leaves out as it may be wrong on others' pages, and one beyond WCAG.
    "rules": {
        "label-content-name-mismatch": {"enabled": True},
        "heading-order": {"enabled": True},
    },
}
LOOKS = tuple(product(("light", "dark"), WIDTHS))
"""Colour schemes, and widths in pixels: a desk's screen and a phone's."""
CROWDED = """most => {
  const seen = [...document.querySelectorAll('h1, a[href], button, summary')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }));
  const count = selector => seen.filter(one => one.matches(selector)).length;
  const above = seen.filter(one => {
    const { top, bottom, width } = one.getBoundingClientRect();
    const isOne = !one.matches('h1, table.data *, footer *') && width > 1;
    return isOne && bottom > 0 && top < innerHeight;
  }).length;
  return Object.entries({
    'headings': [count('h1'), 1, 1],
    'blue buttons': [count('.primary'), 0, 1],
    'rooms': [count('.site-nav > a'), 0, 7],
    'tabs of the room': [count('.room-tabs > a'), 0, 3],
    'links and buttons above the fold': [above, 0, most],
  }).filter(([, [n, least, at_most]]) => n < least || n > at_most)
    .map(([what, [n]]) => `${n} ${what}`);
}"""
MOST_ABOVE_THE_FOLD = 25
"""Besides the footer and what a list repeats: rows that lead to something, and how to sort them."""
SETTLED = """() => !document.querySelector('.htmx-request')
  && [...document.querySelectorAll('.math.inline, .math.block, [data-tex]')]
    .every(one => one.dataset.drawn)"""
UNSTUCK = """() => {
  for (const one of document.querySelectorAll('body *'))
    if (getComputedStyle(one).position === 'sticky')
      Object.assign(one.style, {position: 'relative', inset: 'auto'});
}"""
"""
What sticks covers another thing until one scrolls: of what is fixed axe knows that, of this not.

Whether half of a field was under the editor's bar hung on the height of the screen.
"""
DOCUMENT = b"<!doctype html>"
ONE_OF_EACH_KIND = {
    "visitor": ["board", "account_login", "how_grading_works"],
    "contributor": ["home", "profile", "curation:problem", "curation:edit"],
    "reviewer": ["curation:queue", "curation:review"],
    "evaluator": ["grading:judge_run", "grading:label_file"],
}
"""A picture, forms, texts, lists, the editor, a review, figures and files."""


def find_faults(page: Page, path: str, looks: Iterable[tuple[str, int]] = LOOKS) -> list[str]:
    """Open a page in some looks, and list what is wrong in which."""
    found = []
    page.goto(path)
    for scheme, width in looks:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        wait_until(page, SETTLED)
        wrong = page.evaluate(CROWDED, MOST_ABOVE_THE_FOLD) + page.evaluate(OVERFLOWING)
        found += [f"{path}, {scheme}, {width} px: {one}" for one in wrong]
        page.evaluate(UNSTUCK)
        for violation in Axe().run(page, options=RULES).response["violations"]:
            where = [node["html"][:120] for node in violation["nodes"]]
            found.append(f"{path}, {scheme}, {width} px: {violation['id']} {where}")
    return found


def test_nothing_is_wrong_with_one_page_of_each_kind(visits, world):
    # All in all looks take four times as long.
    looks = cycle(LOOKS)
    for person, names in ONE_OF_EACH_KIND.items():
        page = visits.open(world.people[person])
        for name in names:
            assert find_faults(page, address_of(name, world), [next(looks)]) == []


@pytest.mark.slow
@pytest.mark.parametrize("person", PEOPLE)
def test_nothing_is_wrong_with_any_page_of_anybody(visits, world, person):
    client = client_of(world.people[person])
    allowed = (address_of(name, world) for name in WALKED if EXPECTED[name].of(person) == 200)
    # The others are files, which a browser downloads, and what htmx puts into a page.
    pages = [one for one in allowed if read(client.get(one)).lstrip().startswith(DOCUMENT)]
    page = visits.open(world.people[person])
    assert [one for path in pages for one in find_faults(page, path)] == []


@pytest.mark.slow
def test_nothing_is_wrong_with_the_demo(visits, addresses):  # noqa: F811
    for email, paths in addresses.items():
        page = visits.open(User.objects.get(email=email) if email else None)
        assert [one for path in paths for one in find_faults(page, path)] == []
