"""What a screen reader is told while somebody types: live regions, and nothing beside them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import STATEMENT, accept, ask_to_translate

LISTEN = """() => {
  window.spoken = [];
  const note = record => record.addedNodes.forEach(node => spoken.push(node.textContent));
  const listen = changes => changes.forEach(note);
  for (const region of document.querySelectorAll('[aria-live]')) {
    new MutationObserver(listen).observe(region, { childList: true, subtree: true });
  }
}"""


@pytest.fixture
def listen() -> Callable[[Page], Callable[[], str]]:
    """Note what is put into live regions from now on, and return how to read it."""

    def begin(page: Page) -> Callable[[], str]:
        page.wait_for_load_state()
        page.evaluate(LISTEN)
        return lambda: " ".join(page.evaluate("spoken.join(' ')").split())

    return begin


def test_the_editor_reads_out_the_checks_where_they_change_and_never_the_preview(
    visits, contributor, draft, listen
):
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/edit/")
    spoken = listen(page)
    rendered = page.locator("#rendered")
    page.get_by_label("Statement", exact=True).fill(STATEMENT + " Neglect the air.")
    expect(rendered).to_contain_text("Neglect the air.")
    assert spoken() == ""
    page.get_by_label("Reference answer").fill(r"\frac{m")
    expect(rendered).to_contain_text("bracket")
    assert "The answer can’t be read" in spoken()
    assert "Neglect" not in spoken()


def test_who_translates_hears_what_is_missing_and_not_the_text(
    visits, contributor, reviewer, draft, listen
):
    accept(draft, contributor, reviewer)
    ask_to_translate(draft, contributor, contributor)
    page = visits.open(contributor)
    page.goto(f"/p/{draft.pk}/translate/zh/")
    statement = page.get_by_label("Statement (Chinese)")
    statement.fill(STATEMENT + " Now")
    expect(page.locator("#rendered-statement")).to_contain_text("Now")
    spoken = listen(page)
    statement.fill(STATEMENT + " Neglect the air.")
    expect(page.locator("#rendered-statement")).to_contain_text("Neglect the air.")
    assert spoken() == ""
    statement.fill("质量为 $m$ 的小球。")
    expect(page.locator("#rendered-statement")).to_contain_text("小球")
    assert "1 formula of the original is missing" in spoken()
    assert "小球" not in spoken()
