"""Translating side by side at the keyboard, having it checked, and reading it."""

import re

from playwright.sync_api import expect

from curation.problems.translations.models import Translation
from phybench.people.models import Role
from tests.conftest import accept, ask_to_translate, make_person

CHINESE = "质量为 $m$ 的小球静止于高度 $h$ 处。下落过程中它失去多少能量？"


def test_a_translation_is_written_checked_and_read(
    visits, draft, contributor, reviewer, participant
):
    accept(draft, contributor, reviewer)
    translator = make_person(Role.CONTRIBUTOR, "translator")
    ask_to_translate(draft, contributor, translator)

    page = visits.open(translator)
    page.goto("/home/")
    page.get_by_role("link", name="Translate “A falling ball”").click()
    statement = page.get_by_label("Statement (Chinese)")
    expect(statement).to_have_value(re.compile("A ball of mass"))
    statement.fill("质量为 $m$ 的小球。")
    expect(page.get_by_text("1 formula of the original is missing:")).to_be_visible()
    statement.fill(CHINESE)
    preview = page.locator("#preview-statement")
    expect(preview.get_by_text("All formulas match.")).to_be_visible()
    expect(preview.locator(".statement .katex")).to_have_count(2)
    page.get_by_label("Solution (Chinese)").fill("它的能量为 $m g h$。")
    expect(page.locator("#saved")).to_contain_text(re.compile(r"saved \d\d:\d\d:\d\d"))
    page.reload()
    expect(page.get_by_label("Statement (Chinese)")).to_have_value(CHINESE)

    page = visits.open(contributor)
    page.goto(draft.get_absolute_url())
    page.get_by_role("link", name="Translations").click()
    page.get_by_role("link", name="Chinese").click()
    page.get_by_role("button", name="Mark as checked").click()
    expect(page.get_by_text("readers can choose it now")).to_be_visible()
    assert Translation.objects.get().checked_by == contributor

    page = visits.open(participant)
    page.goto(f"/answer/{draft.pk}/")
    page.get_by_role("link", name="中文").click()
    expect(page.get_by_text("下落过程中它失去多少能量")).to_be_visible()
    page.get_by_role("button", name="Show me all problems in this language").click()
    expect(page.get_by_text("You see problems in Chinese now")).to_be_visible()
    page.goto(draft.get_absolute_url())
    expect(page.get_by_text("下落过程中它失去多少能量")).to_be_visible()


def test_the_older_of_two_windows_is_told_and_shows_both(visits, draft, contributor, reviewer):
    accept(draft, contributor, reviewer)
    ask_to_translate(draft, contributor, contributor)
    first, second = visits.open(contributor), visits.open(contributor)
    for page in (first, second):
        page.goto(f"/p/{draft.pk}/translate/zh/")
    first.get_by_label("Solution (Chinese)").fill("第一个窗口。")
    expect(first.locator("#saved [data-saved]")).to_be_visible()
    second.get_by_label("Solution (Chinese)").fill("第二个窗口。")
    expect(second.locator("#saved")).to_contain_text("changed elsewhere")
    second.get_by_role("button", name="Save the translation").click()
    expect(second.get_by_text("第一个窗口。").first).to_be_visible()
    expect(second.get_by_label("Solution (Chinese)")).to_have_value("第二个窗口。")
    second.get_by_role("button", name="Save the translation").click()
    expect(second.get_by_text("The translation is saved.")).to_be_visible()


def test_the_language_is_chosen_without_a_script(visits, browser):
    context = browser.new_context(base_url=visits.address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Language").select_option("zh-hans")
    page.get_by_role("button", name="Use it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("登录")
