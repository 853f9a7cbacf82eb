"""Problems that people solve and hardly any model does: listed where no single verdict follows."""

import csv
import io

import pytest
from django.test import Client
from django.urls import reverse

from curation.versions import actions as versioning
from grading.answers.submissions.models import Submission
from grading.board.analyses.models import Analysis
from grading.board.panels.tasks import freeze_first_panels
from tests.boards import NOT_GRADED
from tests.grading.answers.test_views import count_queries, read
from tests.grading.compare.conftest import RIGHT, WRONG, Answer, Stand
from tests.memory import remembered
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db

ADDRESS = "/b/test/people-and-models/"


@pytest.fixture
@remembered
def models(stand: Stand) -> list[Submission]:
    """A panel of five: none is right on the first five, one on the sixth, all on the last two."""
    made = [
        stand(
            f"Model {number}",
            0,
            answers={5: WRONG if number else RIGHT, 14: RIGHT, 15: RIGHT},
        )
        for number in range(5)
    ]
    freeze_first_panels()
    return made


@pytest.fixture
def people(answer: Answer) -> None:
    """Five have the first six right and the last two wrong; to the others fewer answered."""
    for number in range(5):
        places = [*range(6), 14, 15] if number else range(16)
        answer(f"person-{number}", 6, places)


def list_rows(client: Client) -> list[tuple[str, str]]:
    text = read(client, reverse("contrasts_csv", args=["test"]))
    return [(row["solved_by"], row["id"]) for row in csv.DictReader(io.StringIO(text))]


def test_a_worker_looks_and_the_page_asks_again_meanwhile(
    client: Client, models, people, problems
) -> None:
    page = read(client, ADDRESS)
    assert "The figures are being calculated." in page
    assert 'hx-trigger="load delay:2s"' in page
    work_out_analyses()
    part = read(client, ADDRESS, HX_Request="true")
    assert "<h1>" not in part
    assert "hx-trigger" not in part
    assert "5 models, and 8 problems with at least 5 answers of people" in part


def test_problems_are_listed_by_who_solves_them_and_how_many_did_is_not_told(
    client: Client, models, people, problems
) -> None:
    read(client, ADDRESS)
    work_out_analyses()
    # Of the sixth one model is right: which, and of which problem, is not told.
    solved_by_people = [("people", one.identifier) for one in problems[:6]]
    solved_by_models = [("models", one.identifier) for one in problems[14:]]
    assert list_rows(client) == solved_by_people + solved_by_models


def test_who_is_signed_in_reads_titles_and_a_visitor_identifiers(
    client: Client, models, people, problems, participant
) -> None:
    read(client, ADDRESS)
    work_out_analyses()
    link = f'<a href="{problems[0].get_absolute_url()}">'
    text = read(client, ADDRESS)
    assert problems[0].identifier in text
    assert link not in text
    assert "Sign in to read the problems." in text
    client.force_login(participant)
    assert link in read(client, ADDRESS)


def test_one_more_model_changes_no_list_so_that_none_of_its_verdicts_is_told(
    client: Client, models, people, problems, stand: Stand
) -> None:
    read(client, ADDRESS)
    work_out_analyses()
    before = list_rows(client)
    # One of the five is right on the sixth problem. Two of six would be more than one in five.
    stand("Model 5", 0, answers={5: RIGHT})
    read(client, ADDRESS)
    work_out_analyses()
    assert list_rows(client) == before


def test_of_four_models_nothing_is_listed(client: Client, stand: Stand, people) -> None:
    for number in range(4):
        stand(f"Model {number}", 0)
    read(client, ADDRESS)
    work_out_analyses()
    assert "With fewer, a list would reveal what each of them solved" in read(client, ADDRESS)
    assert list_rows(client) == []


def test_of_problems_that_four_people_answered_nothing_is_listed(
    client: Client, models, answer: Answer
) -> None:
    for number in range(4):
        answer(f"person-{number}", 16)
    read(client, ADDRESS)
    work_out_analyses()
    assert "No problem has 5 graded answers of people yet." in read(client, ADDRESS)


def test_what_we_could_not_grade_is_no_wrong_answer(
    client: Client, stand: Stand, people, problems
) -> None:
    """The last answers of one model are not graded: of those problems four models are known."""
    for number in range(5):
        score = RIGHT if number else NOT_GRADED
        stand(f"Model {number}", 0, answers={14: score, 15: score})
    freeze_first_panels()
    read(client, ADDRESS)
    work_out_analyses()
    assert {name for name, _problem in list_rows(client)} == {"people"}


def test_a_problem_that_is_withdrawn_is_listed_no_more(
    client: Client, models, people, problems, admin
) -> None:
    read(client, ADDRESS)
    work_out_analyses()
    item = problems[0].version_items.get()
    versioning.withdraw_item(item=item, reason="It has two answers.", by=admin)
    # What was known before is shown until a worker has looked again, but for that one.
    text = read(client, ADDRESS)
    assert "These figures use earlier scores." in text
    assert ("people", problems[0].identifier) not in list_rows(client)


def test_filters_change_nothing_so_that_no_list_of_fewer_is_to_be_had(
    client: Client, models, people
) -> None:
    read(client, ADDRESS)
    work_out_analyses()
    narrowed = read(client, ADDRESS + "?domain=MODERN&difficulty=OLYMPIAD")
    assert "5 models, and 8 problems" in narrowed
    assert Analysis.objects.count() == 1


def test_it_takes_as_many_queries_for_many_problems_as_for_one(
    client: Client, models, people, problems, participant
) -> None:
    client.force_login(participant)
    read(client, ADDRESS)
    work_out_analyses()
    many = count_queries(client, ADDRESS)
    few = {"people": [problems[0].pk], "models": [problems[14].pk]}
    Analysis.objects.update(result={"standing": 5, "compared": 8, **few})
    assert count_queries(client, ADDRESS) == many
