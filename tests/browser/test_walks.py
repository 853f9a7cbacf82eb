"""
How many clicks a way takes: a press on a link, button, radio or menu; typing is none.

Each fails where a way has grown longer.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from curation.problems.models import Problem
from curation.reviewing.pipelines.shipped import make_pipeline
from curation.texts.stage_texts import ONE_REVIEWER, TWO_REVIEWERS
from curation.texts.workflow import Recommendation, Status
from development import web
from phybench.people.accounts import make_set_up_code
from phybench.people.models import Role
from tests.conftest import PASSWORD, make_draft, make_person, set_review, submit
from tests.curation.reviewing.rounds.opened import review, solve
from tests.grading.answer_files.test_archives import MADE
from tests.processes import Processes
from tests.versions import publish_version

SECRET = "correct horse battery"
REVIEW = re.compile("^Review")
SOLVED = "Submit my answer"
ALL_HOLD = "All of these hold"
GIVE_REVIEW = re.compile("^Submit (the review|and next)")
DECIDE = re.compile("^Decide")
"""What is pressed to review and to decide, as the pages call it."""


class Counter:
    """Presses, and knows how many it did."""

    def __init__(self) -> None:
        self.clicks = 0

    def press(self, target: Locator) -> None:
        self.clicks += 1
        target.click()


@pytest.fixture(autouse=True)
def empty_install(settings):
    settings.WITH_DEMO = False


def test_from_an_empty_install_to_an_own_accepted_problem(visits, processes: Processes):
    processes.start(web.worker)
    counted = Counter()
    head, ann = visits.open(), visits.open()

    set_up(head, counted)

    counted.press(head.get_by_role("link", name="Write a problem").first)
    counted.press(head.get_by_role("link", name="Start from a worked example"))
    statement = head.get_by_label("Statement")
    statement.fill(statement.input_value().replace("off a cliff", "from a tower"))
    fill(head, {"Title": "A ball thrown from a tower"})
    counted.press(head.get_by_role("button", name="Submit for review"))
    head.wait_for_url(re.compile(r"/p(roblems)?/\d+/$"), timeout=120_000)

    # What comes next stands above each page.
    counted.press(head.get_by_role("link", name="Invite members"))
    head.get_by_label("E-mail addresses").fill("ann@new.example")
    expect(head.get_by_role("checkbox", name="reviewer")).to_be_checked()
    counted.press(head.get_by_role("button", name="Invite"))
    link = head.get_by_label("Link for ann@new.example").input_value()

    ann.goto(link[link.index("/join/") :])
    fill(ann, {"Display name": "Ann"})
    ann.get_by_label("Password", exact=True).fill(SECRET)
    counted.press(ann.get_by_role("button", name="Join"))
    review_blind(ann, counted.press, r"v_0 \sqrt{2 h / g}")
    expect(ann.get_by_text("accepted").first).to_be_visible()
    assert Problem.objects.get().status == Status.ACCEPTED
    assert counted.clicks <= 12


def test_from_an_empty_install_to_a_graded_model_on_ones_own_board(
    visits, processes: Processes, tmp_path
):
    processes.start(web.worker)
    counted = Counter()
    page = visits.open()
    set_up(page, counted)

    counted.press(page.get_by_role("link", name="Import problems").first)
    statement = "A box of mass $m$ is lifted by $h$, where gravity is $g$. Find the work $W$ done."
    problems = [
        {
            "id": str(number),
            "tag": "MECHANICS",
            "content": f"{number}. {statement}",
            "answer": "mgh",
        }
        for number in (901, 902)
    ]
    page.get_by_label("File").set_input_files(write(tmp_path / "problems.json", problems))
    counted.press(page.get_by_label("published problems, accepted elsewhere"))
    counted.press(page.get_by_role("button", name="Check the file"))
    counted.press(page.get_by_role("button", name="Import 2 problems"))
    expect(page.get_by_text("2 problems are imported.")).to_be_visible(timeout=120_000)

    counted.press(page.get_by_role("link", name="Choose what is in the next version"))
    counted.press(page.get_by_role("button", name="Make version 1"))
    expect(page.get_by_text("A box of mass m is lifted").first).to_be_visible()
    counted.press(page.get_by_role("button", name="Publish…"))
    counted.press(page.get_by_role("button", name="Publish permanently"))

    counted.press(page.get_by_role("link", name="Add a model").first)
    answers = [
        {"id": str(number), "model": "Nova", "response": said}
        for number, said in ((901, r"\boxed{m g h}"), (902, r"\boxed{2 m g h}"))
    ]
    page.get_by_label("Files with answers").set_input_files(write(tmp_path / "run.json", answers))
    counted.press(page.get_by_role("button", name="Read the file"))
    counted.press(page.get_by_role("button", name="Grade"))
    expect(page.get_by_text("All 2 answers are done.")).to_be_visible(timeout=60_000)
    counted.press(page.get_by_role("link", name="Publish its score"))
    counted.press(page.get_by_role("button", name=re.compile("^Publish")))
    counted.press(page.get_by_role("link", name="See it on the board"))
    expect(page.get_by_role("row").filter(has_text="Nova")).to_contain_text("50")
    assert counted.clicks <= 15


def test_from_signing_in_to_a_review_that_is_given(visits, benchmark, contributor, reviewer):
    set_review(benchmark, pipeline=make_pipeline(ONE_REVIEWER))
    waiting = submit(make_draft(contributor, benchmark), contributor)
    counted = Counter()
    page = visits.open()
    page.goto("/accounts/login/")
    fill(page, {"E-mail address": reviewer.email, "Password": PASSWORD})
    counted.press(page.get_by_role("main").get_by_role("button", name="Sign in"))
    review_blind(page, counted.press, "m g h")
    expect(page.get_by_text("accepted").first).to_be_visible()
    assert [one.recommendation for one in waiting.reviews.all()] == [Recommendation.ACCEPT]
    assert counted.clicks <= 6


def test_the_right_problem_of_a_wrong_reviewer_survives_and_is_accepted(
    visits, benchmark, contributor, reviewer, admin
):
    set_review(benchmark, pipeline=make_pipeline(TWO_REVIEWERS))
    waiting = submit(make_draft(contributor, benchmark), contributor)
    wrong = make_person(Role.REVIEWER, "wrong")
    for person, answer, said in (
        (reviewer, "m g h", Recommendation.ACCEPT),
        (wrong, r"\sqrt{2} m g h", Recommendation.REJECT),
    ):
        solve(waiting, person, answer)
        review(waiting, person, said)
    problem = waiting.revision.problem
    problem.refresh_from_db()
    assert problem.status == Status.IN_REVIEW

    author = visits.open(contributor)
    author.goto(problem.get_absolute_url())
    expect(author.get_by_text("reviews do not settle it").first).to_be_visible()

    counted = Counter()
    page = visits.open(admin)
    page.goto("/inbox/")
    counted.press(page.get_by_role("main").get_by_role("link", name=DECIDE).first)
    counted.press(page.get_by_role("radio", name="Accept"))
    page.get_by_label("Why").fill("The second reviewer lost a factor.")
    counted.press(page.get_by_role("button", name=DECIDE))
    expect(page.get_by_text("accepted").first).to_be_visible()
    problem.refresh_from_db()
    assert problem.status == Status.ACCEPTED
    assert counted.clicks <= 3


def test_a_log_of_a_harness_becomes_a_private_score_in_three_clicks(
    visits, processes: Processes, evaluator, benchmark, accepted_problem
):
    Problem.objects.filter(pk=accepted_problem.pk).update(published_id="C1")
    publish_version(benchmark)
    processes.start(web.worker)
    counted = Counter()
    page = visits.open(evaluator)
    page.goto("/submissions/")
    counted.press(page.get_by_role("main").get_by_role("link", name="Add a model").first)
    page.get_by_label("Files with answers").set_input_files(MADE / "our-task-inspect-0.3.285.eval")
    counted.press(page.get_by_role("button", name="Read the file"))
    counted.press(page.get_by_role("button", name="Grade"))
    expect(page.get_by_text("All 2 answers are done.")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("pass@k")).to_be_visible()
    assert counted.clicks == 3


def set_up(page: Page, counted: Counter) -> None:
    page.goto(f"/setup/?code={make_set_up_code()}")
    fill(page, {"Name of your benchmark": "Noether Group", "Your name": "Emmy"})
    fill(page, {"E-mail address": "emmy@new.example"})
    page.get_by_label("Password", exact=True).fill(SECRET)
    page.get_by_label("Password (again)").fill(SECRET)
    counted.press(page.get_by_role("button", name="Set up"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Next: invite")


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_text(json.dumps(rows))
    return path


def fill(page: Page, values: dict[str, str]) -> None:
    for label, value in values.items():
        page.get_by_label(label).fill(value)


def review_blind(page: Page, press: Callable[[Locator], None], answer: str) -> None:
    """Take the one review that waits, solve it, and accept what one got as well."""
    main = page.get_by_role("main")
    press(main.get_by_role("link", name=REVIEW).or_(main.get_by_role("button", name=REVIEW)).first)
    page.get_by_label("Your answer").fill(answer)
    press(page.get_by_role("button", name=SOLVED))
    press(page.get_by_role("button", name=ALL_HOLD))
    press(page.get_by_label("Accept"))
    press(page.get_by_role("button", name=GIVE_REVIEW))
