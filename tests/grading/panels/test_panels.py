"""Panels: frozen, at least five models, and no two by which a single model could be told."""

import doctest

import pgtrigger
import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from curation.texts.workflow import NotAllowedNow
from curation.versions.models import BenchmarkVersion
from grading.answers.submissions.models import Submission
from grading.board.panels import actions
from grading.board.panels.actions import list_members, tells_no_single
from grading.board.panels.collecting import find_members, find_newest
from grading.board.panels.models import Panel, PanelMember
from grading.board.panels.tasks import freeze_first_panels
from grading.solvers.models import Organisation, Solver
from phybench.people.models import User
from tests.boards import MadeBoard, add_model, make_scored_board

pytestmark = pytest.mark.django_db


ROWS = [[100.0]] * 2 + [[0.0]] * 3


@pytest.fixture
def board(evaluator) -> MadeBoard:
    """One model stands on it."""
    return make_scored_board({"M0": ROWS}, slug="test", uploader=evaluator)


def put(board: MadeBoard, count: int, first: int = 1) -> list[Submission]:
    return [add_model(board, f"M{number}", ROWS) for number in range(first, first + count)]


def freeze(*, version: BenchmarkVersion, name: str, by: User) -> Panel:
    panel = actions.freeze(version=version, name=name, by=by)
    connection.check_constraints()
    return panel


def test_a_panel_is_who_stands_on_the_board_and_stays(board, admin):
    put(board, 4)
    first = set(Submission.objects.all())
    panel = freeze(version=board.version, name="Five", by=admin)
    put(board, 1, first=5)

    assert (panel.size, {*find_members(panel).submissions}) == (5, first)
    assert find_newest(board.version) == panel


def test_four_models_are_no_panel(board, admin):
    put(board, 3)
    with pytest.raises(NotAllowedNow, match="4 are on the board"):
        freeze(version=board.version, name="Four", by=admin)


def test_an_organisation_never_stands_in_a_panel_beside_fewer_than_five_models_of_others(
    board, admin
):
    """It knows what its own solved, so a mean over all would tell what the others did."""
    other = Organisation.objects.create(name="Other laboratory", made_by=admin)
    theirs = put(board, 4)
    give(other, theirs[:1])
    with pytest.raises(NotAllowedNow, match="more models from other teams"):
        freeze(version=board.version, name="Five", by=admin)
    assert freeze_first_panels() == 0
    # Five of each.
    give(other, [*theirs, *put(board, 1, first=5)])
    put(board, 4, first=6)
    assert freeze(version=board.version, name="Ten", by=admin).size == 10


def give(organisation: Organisation, submissions: list[Submission]) -> None:
    with pgtrigger.ignore():
        solvers = Solver.objects.filter(pk__in=[one.solver_id for one in submissions])
        solvers.update(organisation=organisation)


def test_only_admins_freeze(board, evaluator):
    put(board, 4)
    with pytest.raises(PermissionDenied):
        freeze(version=board.version, name="Five", by=evaluator)


def test_the_next_panel_waits_until_five_have_come(board, admin):
    put(board, 4)
    freeze(version=board.version, name="Five", by=admin)
    put(board, 4, first=5)
    with pytest.raises(NotAllowedNow, match="fewer than 5 models"):
        freeze(version=board.version, name="Nine", by=admin)
    put(board, 1, first=9)
    assert freeze(version=board.version, name="Ten", by=admin).size == 10


def test_who_has_left_stays_in_the_next_panel_while_they_are_few(board, admin):
    first = put(board, 4)
    freeze(version=board.version, name="Five", by=admin)
    Submission.objects.filter(pk=first[0].pk).update(withdrawn_at=first[0].created_at)
    put(board, 5, first=5)
    freeze(version=board.version, name="Ten", by=admin)
    newest, before = list_members(board.version)
    assert (len(newest), before < newest) == (10, True)


def test_a_name_is_given_once(board, admin):
    put(board, 4)
    freeze(version=board.version, name="Five", by=admin)
    put(board, 5, first=5)
    with pytest.raises(NotAllowedNow, match="this name"):
        freeze(version=board.version, name="Five", by=admin)


@pytest.mark.parametrize(
    ("new", "before", "tells_none"),
    [
        (range(5), [], True),
        (range(4), [], False),
        (range(10), [range(5)], True),
        (range(9), [range(5)], False),
        (range(5), [range(5)], False),
        # 0 to 4 and 5 to 9 are told; so is each, and no smaller part.
        (range(5, 10), [range(10)], True),
        # By the three of them together it is known what 9 solved.
        ([*range(9), 10], [range(5), range(10)], False),
    ],
)
def test_no_combination_of_panels_is_of_fewer_than_five(new, before, tells_none):
    assert tells_no_single(set(new), [set(one) for one in before]) is tells_none


def test_the_clock_freezes_the_first_panel_and_no_second(board, evaluator):
    put(board, 3)
    assert freeze_first_panels() == 0
    put(board, 6, first=4)
    assert freeze_first_panels() == 1
    put(board, 10, first=10)
    assert freeze_first_panels() == 0
    assert Panel.objects.get().size == 10


def test_the_database_lets_nobody_join_or_change_a_panel(board, admin):
    put(board, 4)
    panel = freeze(version=board.version, name="Five", by=admin)
    [later] = put(board, 1, first=5)
    with pytest.raises(DatabaseError, match="panel_"):
        join(panel, later)
    for rows in (Panel.objects.all(), PanelMember.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        Panel.objects.update(name="Six")


@transaction.atomic
def join(panel: Panel, submission: Submission) -> None:
    PanelMember.objects.create(panel=panel, submission=submission)
    connection.check_constraints()


def test_an_admin_freezes_at_the_page_and_is_told_why_not(board, evaluator, admin):
    address = reverse("freeze_panel", args=["test", board.version.number])
    client = Client()
    client.force_login(admin)
    page = client.post(address, {"name": "Five"}, follow=True)
    assert "1 is on the board" in page.text
    put(board, 4)
    page = client.post(address, {"name": "Five"}, follow=True)
    assert "“Five” has 5 models and can no longer change." in page.text
    client.force_login(evaluator)
    assert client.post(address, {"name": "Mine"}).status_code == 403


def test_examples_in_docstrings_hold():
    assert doctest.testmod(actions).failed == 0
