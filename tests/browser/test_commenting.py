"""Working on a review in a browser: comments on selected words, what is typed, keys."""

import pytest
from playwright.sync_api import Page, expect

from curation.problems.models import Problem
from curation.reviewing.discussion.models import Thread
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.solves.models import ReviewDraft
from phybench.people.models import Role
from tests.browser.conftest import press
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.discussion.talk import write_next
from tests.curation.reviewing.rounds.opened import make_benchmark, make_pipeline
from tests.curation.reviewing.rounds.opened import review as give_review

SELECT = """(element, words) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let text = walker.nextNode();
  while (!text.data.includes(words)) text = walker.nextNode();
  const range = document.createRange();
  range.setStart(text, text.data.indexOf(words));
  range.setEnd(text, text.data.indexOf(words) + words.length);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""
STATEMENT = (
    "Of mass 𝑚, that is $m$, a ball is at rest at the height $h$.\n\n"
    "Which energy does it lose in falling to the ground?"
)


@pytest.fixture
def problem(contributor) -> Problem:
    made = make_draft(
        contributor,
        make_benchmark(make_pipeline({"reviews_needed": 2})),
        statement=STATEMENT,
    )
    submit(made, contributor)
    return made


def waiting(problem: Problem) -> ReviewRound:
    return ReviewRound.objects.open().get(revision__problem=problem)


def comment_on(page: Page, words: str, text: str) -> None:
    page.locator("[data-passage]").first.evaluate(SELECT, words)
    page.get_by_role("link", name="Write about what you selected").click()
    expect(page.get_by_label("The passage")).to_have_value(words)
    expect(page.get_by_label("Your message")).to_be_focused()
    page.get_by_label("Your message").fill(text)
    press(page, "Control+Enter")


def test_a_selected_passage_is_commented_on_survives_a_revision_and_is_settled(
    visits, problem, contributor, reviewer
):
    page = visits.open(reviewer)
    page.goto(f"/r/{waiting(problem).pk}/")
    comment_on(page, "at rest", "Where does it rest, at $h$?")
    thread = page.locator(".thread")
    expect(thread).to_contain_text("Where does it rest")
    expect(thread).to_be_focused()
    expect(thread.locator(".katex")).to_have_count(1)
    expect(page.locator("mark")).to_have_text("at rest")
    expect(page.locator("#comment-count")).to_have_text("1 message")
    # It stands with its own paragraph, and not below all of the statement.
    paragraph = page.locator(".passage").filter(has=thread)
    expect(paragraph.locator(".statement").first).to_contain_text("a ball is at rest")
    expect(paragraph.locator("> .statement .katex").first).to_be_visible()
    expect(paragraph).not_to_contain_text("Which energy")
    # The place is that of the source, though a character before it takes two units.
    assert Thread.objects.get().start == STATEMENT.index("at rest")

    give_review(waiting(problem), reviewer, "REVISE")
    give_review(waiting(problem), make_person(Role.REVIEWER, "second"), "REVISE")
    author = visits.open(contributor)
    author.goto(problem.get_absolute_url())
    author.locator(".thread").get_by_text("Reply", exact=True).first.click()
    author.get_by_label("Your reply").fill("Above the ground.")
    author.get_by_role("button", name="Reply").click()
    expect(author.locator(".thread")).to_contain_text("Above the ground.")
    author.get_by_role("button", name="Mark as resolved").click()
    expect(author.locator(".thread")).to_contain_text("Resolved by you")

    write_next(problem, contributor, statement="Once more. " + STATEMENT)
    page.goto(f"/r/{waiting(problem).pk}/")
    expect(page.locator("mark")).to_have_text("at rest")
    expect(page.locator(".thread")).to_contain_text("Above the ground.")
    expect(page.locator(".changes-since")).to_contain_text("Once more.")
    page.get_by_role("button", name="Open it again").click()
    expect(page.locator(".thread")).to_contain_text("Opened again by you")


def test_what_is_typed_is_there_again_after_the_tab_was_closed(visits, problem, reviewer):
    page = visits.open(reviewer)
    address = f"/r/{waiting(problem).pk}/"
    page.goto(address)
    page.get_by_label("Accept").focus()
    press(page, "2")
    press(page, "m")
    page.keyboard.type("Which height is meant?")
    expect(page.locator("#saved [data-saved]")).to_be_visible()
    expect(page.locator("#saved")).to_contain_text("saved")
    again = page.context.new_page()
    page.close()
    again.goto(address)
    expect(again.get_by_label("Reasons", exact=True)).to_have_value("Which height is meant?")
    expect(again.get_by_label("Revise")).to_be_checked()
    expect(again.locator("#saved")).to_contain_text("your unsubmitted draft")
    press(again, "Control+Enter")
    expect(again.get_by_text("is recorded")).to_be_visible()
    assert not ReviewDraft.objects.exists()


def test_the_older_of_two_windows_is_told_shows_both_and_can_be_kept(visits, problem, reviewer):
    first = visits.open(reviewer)
    address = f"/r/{waiting(problem).pk}/"
    first.goto(address)
    second = first.context.new_page()
    second.goto(address)
    first.get_by_label("Reasons", exact=True).fill("From the first window.")
    expect(first.locator("#saved [data-saved]")).to_be_visible()
    second.get_by_label("Reasons", exact=True).fill("From the second window.")
    expect(second.locator("#saved")).to_contain_text("changed in another window")
    expect(second.locator("#saved")).to_contain_text("From the first window.")
    second.get_by_role("button", name="Keep this version instead").click()
    expect(second.get_by_label("Reasons", exact=True)).to_have_value("From the second window.")
    assert ReviewDraft.objects.get().fields["comment"] == "From the second window."


def test_a_blind_answer_is_read_while_it_is_typed_and_n_puts_the_problem_off(
    visits, contributor, reviewer
):
    pipeline = make_pipeline({"reviews_needed": 2, "is_blind": True})
    benchmark = make_benchmark(pipeline)
    rounds = [
        submit(make_draft(contributor, benchmark, title=title), contributor)
        for title in ("First", "Second")
    ]
    page = visits.open(reviewer)
    page.goto(f"/r/{rounds[0].pk}/")
    page.get_by_label("Your answer").press_sequentially("m g h/2")
    expect(page.locator("#read-as")).to_contain_text("Read as")
    expect(page.locator("#read-as .katex").first).to_be_visible()
    page.get_by_label("Your answer").fill(r"\frac{m")
    expect(page.locator("#read-as .notice")).to_be_visible()
    expect(page.locator("#saved [data-saved]")).to_be_visible()
    page.get_by_role("button", name="Submit my answer").focus()
    press(page, "n")
    page.wait_for_url(f"**/r/{rounds[1].pk}/")
    page.get_by_role("button", name="Submit my answer").focus()
    press(page, "n")
    page.wait_for_url(f"**/r/{rounds[0].pk}/")
    expect(page.get_by_label("Your answer")).to_have_value(r"\frac{m")


def test_with_the_keyboard_alone_a_comment_is_written_left_and_written_again(
    visits, problem, reviewer
):
    page = visits.open(reviewer)
    page.goto(f"/r/{waiting(problem).pk}/")
    page.get_by_label("Accept").focus()
    press(page, "j")
    expect(page.get_by_label("Your message")).to_be_focused()
    # Until it has settled, htmx gives the box the focus once more.
    expect(page.locator(".htmx-added, .htmx-settling")).to_have_count(0)
    page.get_by_role("link", name="Cancel").press("Enter")
    expect(page.locator(".comment-form")).to_have_count(0)
    expect(page.get_by_role("link", name="Write about the problem")).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_label("Your message")).to_be_focused()
    expect(page.locator(".htmx-added, .htmx-settling")).to_have_count(0)
    page.keyboard.type("Is it new?")
    # Another comment is begun only when this one is sent: it would be drawn over.
    page.locator("[data-passage-link]").first.press("Enter")
    expect(page.get_by_label("Your message")).to_be_focused()
    expect(page.locator(".comment-form")).to_have_count(1)
    press(page, "Control+Enter")
    expect(page.locator(".thread")).to_contain_text("Is it new?")
    expect(page.locator(".thread")).to_be_focused()


SELECT_FORMULA = """(element) => {
  const formula = element.querySelectorAll(".math")[1];
  const range = document.createRange();
  range.selectNodeContents(formula.querySelector(".katex-html"));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
}"""


def test_a_selected_formula_is_commented_on_where_it_stands(visits, problem, reviewer):
    page = visits.open(reviewer)
    page.goto(f"/r/{waiting(problem).pk}/")
    expect(page.locator("[data-passage] .katex").first).to_be_visible()
    page.locator("[data-passage]").first.evaluate(SELECT_FORMULA)
    page.get_by_role("link", name="Write about what you selected").click()
    expect(page.get_by_label("The passage")).to_have_value("$h$")
    page.get_by_label("Your message").fill("From where is it measured?")
    press(page, "Control+Enter")
    expect(page.locator(".thread")).to_contain_text("From where is it measured?")
    expect(page.locator(".passage mark .katex")).to_be_visible()


def test_what_was_asked_for_is_ticked_and_answered_beside_the_editor(
    visits, problem, contributor, reviewer
):
    second = make_person(Role.REVIEWER, "second")
    give_review(waiting(problem), reviewer, "REVISE", comment="Say which height is meant.")
    give_review(waiting(problem), second, "REVISE", comment="Name the planet.")
    page = visits.open(contributor)
    page.goto(f"/p/{problem.pk}/edit/")
    expect(page.get_by_label("What this revision changes, and why")).to_be_visible()
    first, other = page.locator(".remark").all()
    first.get_by_role("button", name="Done").click()
    expect(first.get_by_role("button", name="Done")).to_have_attribute("aria-pressed", "true")
    other.get_by_text("Answer, or say why not").click()
    other.get_by_label("Your answer").fill("It holds on each of them.")
    other.get_by_role("button", name="Send the answer").click()
    expect(other).to_contain_text("It holds on each of them.")
    page.reload()
    expect(page.locator(".remark.is-done")).to_have_count(1)
    write_next(problem, contributor, statement="Once more. " + STATEMENT)
    again = visits.open(second)
    again.goto(f"/r/{waiting(problem).pk}/")
    expect(again.locator("#decision ~ .notice")).to_contain_text("It holds on each of them.")
