"""From a right answer that was rejected to a board that says so, with a receipt that holds."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from development import web
from grading.answers.submissions.models import Submission
from phybench.people.models import Role, User
from tests.browser.conftest import Visits
from tests.conftest import make_person
from tests.grading.conftest import hand_in as _hand_in
from tests.grading.conftest import make_file
from tests.grading.conftest import problems as _problems
from tests.organisations import publish
from tests.processes import Processes
from tests.work import grade_attempt

problems, hand_in = _problems, _hand_in


# Each of its steps CI holds without a browser, and in others that a page asks until all is done.
@pytest.mark.slow
def test_a_contested_grade_is_ruled_on_regraded_adopted_and_its_receipt_verified(
    visits: Visits,
    processes: Processes,
    benchmark: Benchmark,
    problems: list[Problem],
    hand_in: Callable[..., Submission],
    evaluator: User,
    admin: User,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given = [(problems[0], "x"), (problems[1], r"\frac{a}{b}")]
    ours = hand_in(*given, model="Ours")
    theirs = hand_in((problems[0], "m g h"), (problems[1], r"\frac{2 a}{b}"), model="Theirs")
    for attempt in (*ours.attempts.all(), *theirs.attempts.all()):
        grade_attempt(attempt.pk)
    publish(ours, theirs)
    other = make_person(Role.ADMIN, "other-admin")
    processes.start(web.worker)

    visitor = visits.open()
    assert list_rows(visitor) == ["Theirs", "Ours"]

    # Who handed it in contests the grade.
    page = visits.open(evaluator)
    answer = ours.attempts.earliest("pk").get_absolute_url()
    page.goto(answer)
    page.get_by_role("link", name="Contest this grade").click()
    page.get_by_label("the answer was misread").check()
    page.get_by_label("Why", exact=True).fill("Here x stands for m g h, as it says above.")
    page.get_by_role("button", name="Contest this grade").click()
    expect(page.get_by_text("This grade is contested and awaits a ruling.")).to_be_visible()

    # Who rules does not learn whose answer it is.
    ruler = visits.open(other)
    ruler.goto("/contests/to-rule/")
    ruler.get_by_role("link", name="Rule on the first").click()
    expect(ruler.get_by_role("heading", name="Values at a few points")).to_be_visible()
    for name in ("Ours", "Theirs", str(evaluator), str(ours.solver.organisation)):
        expect(ruler.get_by_role("main")).not_to_contain_text(name)
    ruler.get_by_label("the grader", exact=True).check()
    ruler.get_by_label("right", exact=True).check()
    ruler.get_by_label("Why", exact=True).fill("It says so.")
    ruler.get_by_role("button", name="Submit this ruling").click()
    expect(ruler.get_by_text("It counts once an admin adopts")).to_be_visible()
    page.goto(answer)
    expect(page.get_by_text("It says so.")).to_be_visible()
    expect(page.locator(".outcome")).to_contain_text("incorrect")

    # An admin has the answers graded anew, and looks at what that changes.
    desk = visits.open(admin)
    desk.goto("/regrades/")
    expect(desk.get_by_text("One ruling on a contested grade does not count yet.")).to_be_visible()
    desk.get_by_label("Reason for grading anew").fill("A ruling.")
    desk.get_by_role("button", name="Grade anew").click()
    expect(desk.get_by_role("heading", name="Changes on the boards")).to_be_visible()
    moved = desk.locator("tr", has_text="Ours").first
    expect(moved).to_contain_text(re.compile(r"\d → \d"))
    assert list_rows(visitor) == ["Theirs", "Ours"]

    # A second admin decides on a page that has become old.
    ruler.goto(desk.url)
    expect(ruler.get_by_role("button", name="Discard this run")).to_be_visible()
    desk.get_by_label("Reason for adopting it").fill("The ruling is right.")
    desk.get_by_role("button", name="Adopt this run").click()
    expect(desk.get_by_text("Adopted: the boards now use run")).to_be_visible()
    ruler.get_by_label("Reason for discarding it").fill("I am not sure.")
    ruler.get_by_role("button", name="Discard this run").click()
    expect(ruler.get_by_text(f"This run was already adopted by {admin}.")).to_be_visible()

    # The board says so to everybody, and the row's receipt holds.
    assert list_rows(visitor) == ["Ours", "Theirs"]
    page.goto(answer)
    expect(page.get_by_text("A person ruled")).to_be_visible()
    visitor.locator("tr", has_text="Ours").get_by_role("link", name="Receipt").click()
    with visitor.expect_download() as downloading:
        visitor.get_by_role("link", name="Download").first.click()
    receipt, file = tmp_path / "receipt.json", tmp_path / "answers.json"
    downloading.value.save_as(receipt)
    file.write_bytes(make_file(*given, model="Ours"))
    call_command("verify_receipt", str(receipt), str(file), "--processes=1")
    assert "2 of 2 match." in capsys.readouterr().out


def list_rows(page: Page) -> list[str]:
    """Return the names on the board in their order."""
    page.goto("/")
    rows = page.locator("table.board tbody tr:not(.group)").all()
    return [row.locator("th").inner_text().splitlines()[0] for row in rows]
