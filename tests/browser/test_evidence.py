"""An admin at work on pipelines and on a disagreement, without JavaScript and with the keyboard."""

import pytest
from playwright.sync_api import expect

from curation.reviewing.agreement.models import Adjudication
from curation.reviewing.pipelines.models import Pipeline, Stage
from curation.reviewing.pipelines.shipped import make_pipeline
from curation.texts.stage_texts import THREE_STAGES
from phybench.people.models import Role
from tests.conftest import make_draft, make_person, submit
from tests.curation.reviewing.place import of_room
from tests.curation.reviewing.rounds.opened import make_benchmark, review
from tests.curation.reviewing.rounds.opened import make_pipeline as make_own


@pytest.mark.parametrize("runs_scripts", [True, False])
def test_a_pipeline_is_copied_ordered_and_asked_one_more_thing(visits, admin, runs_scripts):
    original = make_pipeline(THREE_STAGES)
    page = visits.open(admin, java_script_enabled=runs_scripts)
    make_benchmark(original)
    page.goto(of_room("review_settings"))
    page.get_by_text("Customise the stages").click()
    page.get_by_label("Name").fill("Ours")
    page.get_by_label("Start from").select_option(label=str(original))
    page.get_by_role("button", name="Make a plan of your own").click()
    page.get_by_role("button", name="Up Ambiguity").click()
    expect(page.get_by_role("heading", level=3)).to_have_text(
        ["1. Ambiguity", "2. Screening", "3. Final solving"]
    )
    page.get_by_role("link", name="Edit Screening").click()
    page.get_by_label("Reviews needed").fill("0")
    last = page.get_by_role("group", name="Question 5")
    last.get_by_label("Question").fill("Is it new?")
    last.get_by_label("Place").fill("1")
    page.get_by_role("button", name="Save the stage").click()
    # What was typed is still there beside what is to be mended.
    expect(page.get_by_role("alert")).to_contain_text("greater than or equal to 1")
    expect(page.get_by_role("group", name="Question 5").get_by_label("Question")).to_have_value(
        "Is it new?"
    )
    page.get_by_label("Reviews needed").fill("2")
    page.get_by_role("button", name="Save the stage").click()
    expect(page.get_by_text("Problems that reach this stage from now on use it")).to_be_visible()
    stage = Stage.objects.get(pipeline__name="Ours", name="Screening")
    assert stage.questions.filter(text="Is it new?").exists()
    assert (stage.reviews_needed, stage.questions.count()) == (2, 5)
    assert Pipeline.objects.get(name="Ours").stages.order_by("place")[1] == stage


def test_a_disagreement_is_read_and_decided_with_the_keyboard(visits, admin, contributor):
    benchmark = make_benchmark(make_own({"name": "Look", "reviews_needed": 3}))
    review_round = submit(make_draft(contributor, benchmark), contributor)
    people = [make_person(Role.REVIEWER, f"person-{number}") for number in range(2)]
    review(review_round, people[0], "ACCEPT")
    review(review_round, people[1], "REJECT", "It is known from books.")
    page = visits.open(admin)
    page.goto(of_room("queue"))
    page.get_by_role("link", name="Splits").click()
    page.get_by_role("link", name="A falling ball").click()
    expect(page.get_by_text("It is known from books.")).to_be_visible()
    for person in people:
        expect(page.get_by_text(str(person))).to_have_count(0)
    page.get_by_label("Reject", exact=True).focus()
    page.keyboard.press("Space")
    page.get_by_label("Why", exact=True).focus()
    page.keyboard.type("It is in every book.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Decided instead of the reviewers.")).to_be_visible()
    made = Adjudication.objects.get()
    assert (made.step, made.reason) == ("REJECT", "It is in every book.")
