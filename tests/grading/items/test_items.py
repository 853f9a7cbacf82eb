"""What is told of single problems: to whom, over how many, and how exactly."""

import csv
import doctest

import pytest
from django.test import Client
from django.urls import reverse

from curation.versions import actions as versioning
from grading.board.items import figures
from grading.board.items.figures import DECIDING, KEPT_DECIDING, ItemFigures, Told, tell
from grading.board.items.listed import list_items
from grading.board.panels.actions import freeze
from grading.board.scores.collecting import arrange
from grading.board.scores.scope import Scope
from tests.boards import NOT_GRADED, UNREADABLE, MadeBoard, add_model, make_scored_board
from tests.memory import remembered
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db
ADDRESS = "/b/test/items/"
RIGHT, WRONG = [100.0], [0.0]
PEOPLE = {f"person-{number}": {0: 100.0 if number else 0.0, 1: 100.0} for number in range(5)}
PEOPLE["person-4"].pop(1)


@pytest.fixture
@remembered
def board(db: None) -> MadeBoard:
    """
    Five models and five problems; model n has the first n right.

    The third problem was answered by one so that it can't be read, the fourth is not graded once.
    """
    rows = {f"M{right}": [RIGHT] * right + [WRONG] * (5 - right) for right in range(1, 6)}
    rows["M1"][2] = [UNREADABLE]
    rows["M1"][3] = [NOT_GRADED]
    return make_scored_board(rows, PEOPLE, slug="test")


def read(client: Client, query: str = "") -> list[dict[str, str]]:
    client.get(ADDRESS + query)
    work_out_analyses()
    answer = client.get(reverse("items_csv", args=["test"]) + query)
    return list(csv.DictReader(answer.text.splitlines()))


def as_admin(admin) -> Client:
    client = Client()
    client.force_login(admin)
    return client


def test_nothing_is_told_of_single_problems_without_a_panel(client, board):
    rows = read(client)
    assert len(rows) == 5
    assert {one["right"] for one in rows} == {""}
    page = client.get(ADDRESS).text
    assert "The first panel is frozen some minutes after the board has 5 graded models" in page


def test_admins_are_told_figures_as_they_are_others_rounded(client, board, admin):
    freeze(version=board.version, name="Five", by=admin)
    # The fourth: of four that are graded, two right.
    exact = [(one["right"], one["readable"]) for one in read(as_admin(admin))]
    assert exact == [("100", "100"), ("80", "100"), ("60", "80"), ("50", "100"), ("20", "100")]
    add_model(board, "M6", [[0.0, 0.0, 100.0]] + [RIGHT] * 4)
    # Of four that are graded, others are told nothing: of one, it would be that one's verdict.
    assert [one["right"] for one in read(client)] == ["100", "80", "60", "", "20"]
    assert {read(client)[3][name] for name in ("eed", "readable")} == {""}


def test_figures_stay_when_another_model_comes(client, board, admin):
    freeze(version=board.version, name="Five", by=admin)
    before = read(client)
    add_model(board, "M6", [WRONG] * 5)
    assert read(client) == before


def test_people_are_told_of_from_five_on(client, board, admin):
    freeze(version=board.version, name="Five", by=admin)
    told = [(one["people_answered"], one["people"]) for one in read(client)]
    assert told == [("5", "80"), ("", ""), ("", ""), ("", ""), ("", "")]
    exact = [(one["people_answered"], one["people"]) for one in read(as_admin(admin))]
    assert exact[:2] == [("5", "80"), ("4", "100")]


@pytest.mark.parametrize(
    ("models", "right", "expected"),
    [
        (20, 50.0, 3),
        # Of two that have it right a correlation tells which.
        (20, 10.0, None),
        (20, 90.0, None),
        (20, 15.0, 3),
    ],
)
def test_discrimination_is_told_in_classes_where_three_are_right_and_three_wrong(
    models, right, expected
):
    figures = ItemFigures(models, right, right, 0.47, 93.1)
    assert tell(figures, exactly=False) == Told(right, right, 95.0, None, expected)
    assert tell(figures, exactly=True).discrimination == 0.47


@pytest.mark.parametrize(
    ("correlation", "kind"), [(-0.3, 0), (0.0, 1), (0.19, 1), (0.2, 2), (0.4, 3), (1.0, 3)]
)
def test_classes_of_discrimination(correlation, kind):
    assert tell(ItemFigures(20, 50.0, 50.0, correlation, 100.0), exactly=False).kind == kind


def test_problem_decides_ranks_if_others_are_significantly_better_without_it():
    # One is better on six of 40 and never worse: chance does that in 2 of 64 cases. On five of
    # them it does so in 2 of 32, which is no significant difference.
    first = [RIGHT] * 16 + [WRONG] * 24
    second = [WRONG] * 6 + [RIGHT] * 10 + [WRONG] * 24
    made = make_scored_board({"A": first, "B": second}, slug="close")
    deciding = KEPT_DECIDING.validate_python(DECIDING.work_out(arrange(Scope.of(made.version))))
    assert deciding.models == 2
    assert deciding.pairs == {one.pk: 1 for one in made.problems[:6]}


def test_which_problems_decide_ranks_is_told_of_ten_models_and_to_admins(client, board, admin):
    assert "Effect on ranks" not in page_after_work(client)
    assert "Effect on ranks" in page_after_work(as_admin(admin))
    for number in range(6, 11):
        add_model(board, f"M{number}", [RIGHT] * 5)
    assert "Effect on ranks" in page_after_work(client)


def test_how_many_pairs_a_problem_decides_shows_in_no_order_but_an_admins(client, admin):
    # Each of five is better than each of the other five, by the same six problems.
    wins = [[RIGHT] * 16 + [WRONG] * 24 for _model in range(5)]
    loses = [[WRONG] * 6 + [RIGHT] * 10 + [WRONG] * 24 for _model in range(5)]
    names = [f"M{number}" for number in range(10)]
    made = make_scored_board(dict(zip(names, [*wins, *loses], strict=True)), slug="pairs")
    scope = Scope.of(made.version)
    list_items(None, scope, scope)
    work_out_analyses()
    visitors, admins = (
        {one.deciding for one in list_items(reader, scope, scope).rows} for reader in (None, admin)
    )
    assert visitors == {0, 1}
    assert max(admins) == 25


def page_after_work(client: Client) -> str:
    client.get(ADDRESS)
    work_out_analyses()
    return client.get(ADDRESS).text


def test_list_is_narrowed_and_its_figures_stay_the_same(client, board, admin):
    freeze(version=board.version, name="Five", by=admin)
    whole = {one["id"]: one["right"] for one in read(client)}
    some = {one["id"]: one["right"] for one in read(client, "?domain=MECHANICS")}
    assert 0 < len(some) < len(whole)
    assert some.items() <= whole.items()


def test_list_is_sorted_by_what_is_worked_out(client, board, admin):
    freeze(version=board.version, name="Five", by=admin)
    assert [one["right"] for one in read(client, "?sort=right")] == ["20", "60", "80", "100", ""]
    assert next(one["right"] for one in read(client, "?sort=-right")) == "100"


def test_withdrawn_problems_are_left_out_unless_asked_for(client, board, admin):

    item = board.version.items.order_by("problem").first()
    versioning.withdraw_item(item=item, reason="Two answers.", by=admin)
    assert len(read(client)) == 4
    assert len(read(client, "?as=published")) == 5
    assert "was withdrawn" in client.get(reverse("item", args=["test", item.pk])).text


def test_pages_take_as_many_queries_for_any_problems(
    client, board, admin, django_assert_max_num_queries
):
    freeze(version=board.version, name="Five", by=admin)
    page_after_work(client)
    with django_assert_max_num_queries(40) as one:
        client.get(ADDRESS)
    more = make_scored_board({f"M{number}": [RIGHT] * 15 for number in range(8)}, slug="larger")
    freeze(version=more.version, name="Eight", by=admin)
    larger = ADDRESS.replace("test", "larger")
    client.get(larger)
    work_out_analyses()
    with django_assert_max_num_queries(40) as other:
        assert len(client.get(larger).context["page"].object_list) == 15
    assert len(one) == len(other)


def test_page_of_a_problem_that_is_hidden_or_of_a_draft_is_none(client, board):
    item = board.version.items.first()
    assert client.get(reverse("item", args=["test", item.pk])).status_code == 200
    assert client.get(reverse("item", args=["test", item.pk + 10_000])).status_code == 404
    assert client.get(reverse("item", args=["other", item.pk])).status_code == 404


def test_picture_counts_problems_and_says_so_in_words(client, board, admin):
    freeze(version=board.version, name="Five", by=admin)
    page_after_work(client)
    page = client.get(ADDRESS)
    assert "Problems: 4. Solved by fewer than 20 % of models: 0;" in page.text
    picture = client.get(page.context["picture"].address)
    assert picture["Content-Type"] == "image/svg+xml"
    assert client.get(page.context["picture"].narrow).status_code == 200


def test_empty_benchmark_says_what_will_be_here(client, benchmark):
    assert "No version is published yet" in client.get(ADDRESS).text


def test_examples_in_docstrings_hold():
    assert doctest.testmod(figures).failed == 0
