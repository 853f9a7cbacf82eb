"""Through three stages of review with several people, back once, and on by an admin's word."""

import pytest
from playwright.sync_api import Page, expect

from curation.authoring.drafts import actions
from curation.problems.models import Problem
from curation.reviewing.rounds.models import ReviewRound
from curation.texts.workflow import Status
from phybench.people.models import Role
from tests.browser.conftest import press
from tests.certificates import give_certificate
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.place import of_room, of_splits
from tests.curation.reviewing.rounds.opened import make_benchmark


def test_a_problem_goes_through_three_stages_comes_back_and_is_asked_again(
    visits, contributor, reviewer, admin
):
    problem = make_draft(contributor, make_benchmark())
    submit(problem, contributor)
    second = visits.open(make_person(Role.REVIEWER, "second"))
    blind = visits.open(make_person(Role.REVIEWER, "blind"))
    first = visits.open(reviewer)

    # Screening, by keys alone, from the statement alone.
    open_review(first, problem)
    expect(first.get_by_role("button", name="Show the answer")).to_have_count(0)
    expect(first.get_by_text("as read")).to_have_count(0)
    answer_questions(first, [0, 0, 0, 0, 0], "1")
    first.get_by_role("button", name="Submit and next").click()

    # Ambiguity: somebody else wants more said.
    open_review(second, problem)
    second.get_by_role("button", name="Show the answer").click()
    answer_questions(second, [1, 2], "2")
    second.get_by_label("Reasons").fill("Say what $g$ is.")
    second.get_by_role("button", name="Submit and next").click()
    expect(second.get_by_text("goes back to its author")).to_be_visible()

    # The author says it; what was screened stays so, what was ambiguous is asked again.
    write_next_revision(visits.open(contributor), problem)
    open_review(second, problem)
    expect(second.get_by_text("passed with revision 1, still holds")).to_be_visible()
    expect(second.get_by_text("that review does not count for it")).to_be_visible()
    second.get_by_role("link", name="What changed since your review").click()
    expect(second.get_by_role("main")).to_contain_text("gravity")
    second.go_back()
    answer_questions(second, [0, 4], "1")
    second.get_by_role("button", name="Submit and next").click()

    # Final solving: by somebody who has seen nothing, before anything is shown.
    open_review(blind, problem)
    assert "zero at the ground" not in blind.content()
    blind.get_by_label("Your answer").fill("h g m")
    blind.get_by_role("button", name="Submit my answer").click()
    expect(blind.get_by_text("agrees with the reference answer")).to_be_visible()
    expect(blind.get_by_text("zero at the ground").first).to_be_visible()
    answer_questions(blind, [0, 2], "1")
    blind.get_by_role("button", name="Submit and next").click()
    expect(blind.get_by_text("Reviewed by you, still open")).to_be_visible()

    # A second solver comes to something else, and accepts all the same: too few agree.
    other = visits.open(make_person(Role.REVIEWER, "other"))
    open_review(other, problem)
    other.get_by_label("Your answer").fill("m g h / 2")
    other.get_by_role("button", name="Submit my answer").click()
    expect(other.get_by_text("differs from the reference answer")).to_be_visible()
    answer_questions(other, [0, 2], "1")
    other.get_by_role("button", name="Submit and next").click()
    expect(other.get_by_text("Reviewed by you, still open")).to_be_visible()

    # An admin sees that they disagree, not who they are, and decides.
    page = visits.open(admin)
    page.goto(of_splits())
    page.get_by_role("link", name=problem.title).click()
    expect(page.get_by_role("main")).to_contain_text("differs from the reference answer")
    for name in ("Blind", "Other"):
        expect(page.get_by_role("main").get_by_text(name, exact=True)).to_have_count(0)
    page.get_by_label("Accept", exact=True).check()
    page.get_by_label("Why", exact=True).fill("Their working has the energy halved.")
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_text("Your reason is in the history")).to_be_visible()
    page.goto(problem.get_absolute_url())
    expect(page.get_by_text("decided by an admin").first).to_be_visible()
    # A split is an admin's to decide: no rule is overridden.
    expect(page.get_by_text("decided by a person")).to_have_count(0)
    assert Problem.objects.get().status == Status.ACCEPTED


def open_review(page: Page, problem: Problem) -> None:
    waiting = ReviewRound.objects.open().get(revision__problem=problem)
    page.goto(of_room("queue"))
    page.get_by_role("link", name=problem.title, exact=True).click()
    page.wait_for_url(f"**/r/{waiting.pk}/")


def answer_questions(page: Page, choices: list[int], recommendation: str) -> None:
    """Go through the answers to each question by arrows, and recommend by a printed key."""
    expect(page.get_by_role("button", name="Submit and next")).to_be_visible()
    for question, choice in zip(page.locator(".choice-row").all(), choices, strict=True):
        question.get_by_role("radio").first.focus()
        press(page, "Space", *["ArrowDown"] * choice)
        expect(question.get_by_role("radio").nth(choice)).to_be_checked()
    press(page, recommendation)
    expect(page.locator(f'input[data-key="{recommendation}"]')).to_be_checked()


def write_next_revision(page: Page, problem: Problem) -> None:
    page.goto(problem.get_absolute_url())
    expect(page.get_by_text("Say what")).to_be_visible()
    problem.refresh_from_db()
    author = problem.author
    assert author
    revision = problem.revisions.get()
    actions.save_draft(
        problem=problem,
        author=author,
        saved_at="",
        reason="It says what g is.",
        statement=f"{revision.statement} Here $g$ is the acceleration by gravity.",
        solution="With $m g h$ above, and zero at the ground.",
    )
    # A formula more in the statement may have the answer read otherwise.
    give_certificate(problem)
    submit(problem, author)


# CI holds it without a browser, in `tests/curation/reviewing/rounds`.
@pytest.mark.slow
def test_nobody_learns_anothers_verdict_or_the_key_before_their_own(visits, contributor, reviewer):
    problem = make_draft(contributor, make_benchmark(), solution="It is lost at the ground.")
    submit(problem, contributor)
    # Enough are left to solve it blind: else nobody is offered a stage that shows the answer.
    others = [make_person(Role.REVIEWER, name) for name in ("solver", "third", "fourth")]
    first = visits.open(reviewer)
    for choices in ([0, 0, 0, 0, 0], [0, 4]):
        open_review(first, problem)
        if len(choices) == 2:
            assert "lost at the ground" not in first.content()
            first.get_by_role("button", name="Show the answer").click()
        answer_questions(first, choices, "1")
        first.get_by_label("Reasons").fill("My own verdict.")
        first.get_by_role("button", name="Submit and next").click()
        expect(first.get_by_text("is recorded")).to_be_visible()
    solver = visits.open(others[0])
    addresses = [
        problem.get_absolute_url(),
        f"{problem.get_absolute_url()}?revision=1",
        f"{problem.get_absolute_url()}similar/",
        "/b/test/problems/?show=review&as=csv",
        f"/r/{ReviewRound.objects.open().get().pk}/",
    ]
    for address in addresses:
        answer = solver.request.get(address, headers={"HX-Request": "true"})
        for text in (answer.text(), solver.request.get(address).text()):
            assert "lost at the ground" not in text
            assert "My own verdict" not in text
    open_review(solver, problem)
    solver.get_by_label("I can’t solve it").check()
    solver.get_by_label("Why you give no answer").fill("I know no mechanics.")
    solver.get_by_role("button", name="Submit my answer").click()
    expect(solver.get_by_text("lost at the ground").first).to_be_visible()
    assert "My own verdict" not in solver.content()
