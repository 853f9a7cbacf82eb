"""From an idea to the board, through the pages, with a real worker."""

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from curation.problems.models import Problem
from development import web
from grading.answers.models import Attempt
from phybench.people.models import User
from tests.browser.conftest import press
from tests.conftest import PASSWORD
from tests.curation.reviewing.place import of_room
from tests.processes import Processes

STATEMENT = (
    "A ball of mass $m$ falls from the height $h$ with no friction; gravity gives it the "
    "acceleration $g$. Find its speed at the ground."
)


def test_a_problem_goes_from_its_draft_to_the_board(
    visits, processes: Processes, benchmark, contributor, reviewer, participant, evaluator, admin,
    tmp_path,
):  # fmt: skip
    processes.start(web.worker)
    author = visits.open()
    sign_in(author, contributor)
    write_problem(author)
    accept_problem(visits.open(reviewer))
    answer_problem(visits.open(participant))
    back_office = visits.open(admin)
    publish_version(back_office)
    handing_in = visits.open(evaluator)
    make_organisation(handing_in)
    hand_in_answers(handing_in, tmp_path)
    confirm_organisation(back_office)
    publish_all(handing_in)
    read_board(visits.open())


def sign_in(page: Page, person: User) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/overview/")


def write_problem(page: Page) -> None:
    page.get_by_role("link", name="Write a problem").click()
    page.get_by_label("Title").fill("A falling ball")
    page.get_by_label("Domain").select_option("MECHANICS")
    page.get_by_label("Difficulty").select_option("HIGH_SCHOOL")
    page.get_by_label("Statement").fill(STATEMENT)
    preview = page.locator("#preview")
    # The mathematics is typeset while one types.
    expect(preview.locator(".statement .katex").first).to_be_visible()

    page.get_by_label("Reference answer").fill("v^2 = 2 g h")
    expect(preview).to_contain_text("equation")
    page.get_by_role("button", name="Submit for review").click()
    expect(page.locator("#id_answer_error")).to_contain_text("equation")

    page.get_by_label("Reference answer").fill(r"\sqrt{2 g h}")
    expect(preview.locator(".is-broken")).to_have_count(0)
    page.get_by_text("More: solution").click()
    page.get_by_label("Solution").fill(r"From $m g h = \frac12 m v^2$.")
    page.get_by_role("button", name="Submit for review").click()
    # One click: nobody reloads this page while the grader tries the answer.
    expect(page.locator("#submitting")).to_contain_text("The problem is submitted when")
    page.wait_for_url(re.compile(r"/p/\d+/$"))
    expect(page.get_by_text("in review").first).to_be_visible()


def accept_problem(page: Page) -> None:
    page.goto(of_room("queue"))
    page.get_by_role("link", name="A falling ball").click()
    page.wait_for_url(re.compile(r"/r/\d+/"))
    expect(page.locator(".statement .katex").first).to_be_visible()
    # The keys that are printed on the page work where the form has the focus.
    page.get_by_role("radio").last.focus()
    press(page, "1")
    expect(page.get_by_label("Accept")).to_be_checked()
    page.get_by_role("button", name="Submit and next").click()
    expect(page.get_by_text("accepted").first).to_be_visible()


def answer_problem(page: Page) -> None:
    page.goto("/answer/")
    page.get_by_role("link", name="A falling ball").click()
    page.get_by_label("Your answer").fill("sqrt(2*g*h)")
    expect(page.locator("#read-as .katex").first).to_be_visible()
    page.get_by_role("button", name="Submit my answer").click()
    expect(page.get_by_role("main")).to_contain_text(re.compile("correct", re.I))


def publish_version(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="All versions").click()
    page.get_by_role("button", name="Make version 1").click()
    page.get_by_label("Changes since the previous version").fill("It is the first.")
    page.get_by_role("button", name="Save the draft").click()
    page.get_by_role("button", name="Publish…").click()
    page.get_by_role("button", name="Publish permanently").click()
    expect(page.get_by_role("main")).to_contain_text("answers are now submitted to this version")


def make_organisation(page: Page) -> None:
    page.goto("/organisations/new/")
    page.get_by_label("Name of the team").fill("Cavendish Laboratory")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("link", name="Add a model").first.click()


def confirm_organisation(page: Page) -> None:
    page.goto("/home/")
    page.get_by_role("link", name="1 team to confirm").click()
    page.get_by_role("link", name="Cavendish Laboratory").click()
    page.get_by_role("button", name="Confirm it").click()
    expect(page.get_by_role("main")).to_contain_text("it can publish its submissions")


def publish_all(page: Page) -> None:
    for name in ("right", "wrong", "broken"):
        page.goto("/submissions/")
        page.get_by_role("link", name=f"Model {name}").click()
        page.get_by_role("link", name="Publish its score").click()
        page.get_by_role("button", name=f"Publish Model {name}").click()
        expect(page.get_by_role("main")).to_contain_text("Everyone can see its score")


def hand_in_answers(page: Page, folder: Path) -> None:
    number = Problem.objects.get().identifier
    rows = [
        {"id": number, "model": "Model right", "model_answer": r"v = (2hg)^{1/2}"},
        {"id": number, "model": "Model wrong", "model_solution": r"So \boxed{\sqrt{g h}}."},
        {"id": number, "model": "Model broken", "model_answer": r"\frac{x"},
    ]
    answers = folder / "answers.json"
    answers.write_text(json.dumps(rows))
    page.get_by_label("Files with answers").set_input_files(answers)
    page.get_by_role("button", name="Read the file").click()
    # Nobody reloads the page while a worker reads the file.
    page.get_by_role("button", name="Grade 3 answers").click()
    page.get_by_role("link", name="Model wrong").click()
    # Nobody reloads this page.
    expect(page.locator("#grading")).to_contain_text("The answer is done.")
    assert Attempt.objects.filter(status=Attempt.Status.GRADED).count() >= 2
    page.get_by_role("link", name="A falling ball").click()
    expect(page.get_by_role("main")).to_contain_text(re.compile("partial|incorrect", re.I))


def read_board(page: Page) -> None:
    page.goto("/")
    row = page.get_by_role("row")
    expect(row.filter(has_text="Model right")).to_contain_text("Cavendish Laboratory")
    expect(row.filter(has_text="Model right")).to_contain_text("100")
    expect(row.filter(has_text="Model wrong")).to_contain_text("0")
    expect(row.filter(has_text="Model broken").get_by_role("cell").nth(3)).to_have_text("1")
