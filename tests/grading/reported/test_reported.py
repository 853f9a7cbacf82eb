"""Scores from elsewhere: added with what they are, shown unranked, withdrawn and never changed."""

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading.board.reported import actions
from grading.board.reported.actions import CannotAdd, list_reported, look_at
from grading.board.reported.models import ReportedScore
from tests.grading.reported.scores import HEADER, make_reported, write_row

pytestmark = pytest.mark.django_db


def look(benchmark, *rows: str, header: str = HEADER) -> actions.Preview:
    return look_at(benchmark=benchmark, content="\n".join([header, *rows]).encode())


# --- Rows of a file -------------------------------------------------------------------------


def test_a_row_is_read_with_its_spread_and_source(benchmark, admin):
    [score] = look(benchmark, write_row()).new
    actions.add(benchmark=benchmark, scores=[score], by=admin)
    found = ReportedScore.objects.get()
    assert (found.solver, found.kind, found.n, found.eed, found.eed_pm, found.pm_is) == (
        "Gemini 2.5 pro",
        "MODEL",
        575,
        49.46,
        1.71,
        "SE",
    )
    assert (found.benchmark, found.added_by, str(found.reported_on)) == (
        benchmark,
        admin,
        "2025-05-22",
    )


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"solver": ""}, "solver: This field is required."),
        ({"eed": "101"}, "eed: Ensure this value is less than or equal to 100."),
        ({"eed": "nan"}, "eed: Enter a number."),
        (dict.fromkeys(HEADER.split(",")[3:8], ""), "accuracy: Give"),
        ({"eed": ""}, "eed_pm: There is no figure"),
        ({"pm_is": ""}, "pm_is: Say what the ± is"),
        ({"eed_pm": "", "accuracy_pm": ""}, "pm_is: There is no ±"),
        ({"pm_is": "sigma"}, "pm_is: Select a valid choice"),
        ({"n": "0"}, "n: Ensure this value is greater than or equal to 1."),
        ({"url": "http://arxiv.org/abs/2504.16074"}, "url: Write a full address"),
        ({"url": "javascript:alert(1)"}, "url: Write a full address"),
        ({"reported_on": "May 2025"}, "reported_on: Enter a valid date."),
        ({"note": "x" * 501}, "note: Ensure this value has at most 500 characters"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_row_is_said_beside_it(benchmark, fields, fault):
    preview = look(benchmark, write_row(solver="Good"), write_row(**fields))
    assert [one.is_new for one in preview.rows] == [True, False]
    assert any(one.startswith(fault) for one in preview.rows[1].faults), preview.rows[1].faults
    assert preview.rows[1].line == 3


def test_columns_that_nothing_is_taken_from_are_named(benchmark):
    assert list(look(benchmark, write_row() + ",7", header=f"{HEADER},rank").unknown) == ["rank"]


def test_what_stands_already_is_recognised(benchmark, admin):
    [score] = look(benchmark, write_row()).new
    actions.add(benchmark=benchmark, scores=[score], by=admin)
    same, new = look(benchmark, write_row(), write_row(item_set="Others")).rows
    assert same.is_there
    assert new.is_new
    [other] = look(benchmark, write_row("gemini 2.5 PRO", "50")).rows
    assert "withdraw that row first" in other.faults[0]
    actions.withdraw(score=score, why="A slip.", by=admin)
    assert look(benchmark, write_row("gemini 2.5 PRO", "50")).rows[0].is_new


def test_a_row_twice_in_one_file_is_refused(benchmark):
    first, second = look(benchmark, write_row(), write_row(eed="50")).rows
    assert first.is_new
    assert "as row 1" in second.faults[0]


def test_two_admins_who_add_the_same_add_it_once(benchmark, admin):
    both = [look(benchmark, write_row()).new for _ in range(2)]
    actions.add(benchmark=benchmark, scores=both[0], by=admin)
    with pytest.raises(CannotAdd, match="already"):
        actions.add(benchmark=benchmark, scores=both[1], by=admin)


def test_only_admins_add_and_withdraw(benchmark, admin, evaluator):
    score = make_reported(benchmark, admin)
    with pytest.raises(PermissionDenied):
        make_reported(benchmark, evaluator, solver="Another")
    with pytest.raises(PermissionDenied):
        actions.withdraw(score=score, why="Mine.", by=evaluator)


# --- What the board is given ----------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_a_board_lists_what_stands_in_one_query(benchmark, admin, count, django_assert_num_queries):
    for number in range(count):
        make_reported(benchmark, admin, solver=f"Model {number}", eed=10.0 * number)
    gone = make_reported(benchmark, admin, solver="Gone")
    make_reported(benchmark, admin, solver="Accuracy alone", eed=None, eed_pm=None)
    actions.withdraw(score=gone, why="A slip.", by=admin)
    with django_assert_num_queries(1):
        found = [one.solver for one in list_reported(benchmark)]
    assert found == [*(f"Model {one}" for one in reversed(range(count))), "Accuracy alone"]


# --- Pages ----------------------------------------------------------------------------------


@pytest.fixture
def page(client, admin):
    client.force_login(admin)
    return client


def test_rows_are_added_only_as_they_were_shown(page, benchmark):
    address = reverse("grading:import_reported")
    file = SimpleUploadedFile(
        "rows.csv", b"\xef\xbb\xbf" + f"{HEADER}\r\n{write_row()}\r\n".encode()
    )
    shown = page.post(address, {"benchmark": benchmark.pk, "file": file})
    assert shown.status_code == 200
    assert not ReportedScore.objects.exists()
    form = shown.context["form"]
    sent = {
        "benchmark": benchmark.pk,
        # As browsers send lines.
        "text": form["text"].value().replace("\n", "\r\n"),
        "looked_at": form["looked_at"].value(),
    }
    changed = {**sent, "text": sent["text"].replace("49.46", "94.46")}
    assert page.post(address, changed).status_code == 200
    assert not ReportedScore.objects.exists()
    done = page.post(address, sent, follow=True)
    assert "One row was added." in done.content.decode()
    assert ReportedScore.objects.get().eed == 49.46


def test_rows_with_errors_are_shown_and_none_is_added(page, benchmark):
    address = reverse("grading:import_reported")
    text = f"{HEADER}\n{write_row()}\n{write_row(solver='Other', eed='x')}"
    shown = page.post(address, {"benchmark": benchmark.pk, "text": text})
    assert shown.status_code == 400
    assert "eed: Enter a number." in shown.content.decode()
    form = shown.context["form"]
    again = {"benchmark": benchmark.pk, "text": text, "looked_at": form["looked_at"].value()}
    assert page.post(address, again).status_code == 400
    assert not ReportedScore.objects.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04",
        b"\xff\xfe",
        b"[1, 2",
        b'[{"solver": "a"}]',
        rb'[{"solver": "\ud800", "\udfff": "\u0000"}]',
    ],
)
def test_what_is_no_table_is_refused(page, benchmark, content):
    file = SimpleUploadedFile("rows.csv", content)
    sent = {"benchmark": benchmark.pk, "file": file, "text": ""}
    assert page.post(reverse("grading:import_reported"), sent).status_code == 400


def test_one_row_is_added_by_a_form(page, benchmark):
    sent = {
        "benchmark": benchmark.pk, "solver": "o3", "item_set": "575 problems", "eed": "46.37",
        "citation": "arXiv", "url": "https://arxiv.org/abs/2504.16074", "reported_on": "2025-05-22",
    }  # fmt: skip
    address = reverse("grading:new_reported")
    assert page.post(address, {**sent, "eed": ""}).status_code == 400
    assert page.post(address, sent).status_code == 302
    assert page.post(address, sent).status_code == 400
    assert ReportedScore.objects.get().kind == "MODEL"


def test_a_row_is_withdrawn_with_a_reason_and_stays_in_the_list(page, benchmark, admin):
    score = make_reported(benchmark, admin)
    address = reverse("grading:withdraw_reported", args=[score.pk])
    assert page.post(address, {"why_withdrawn": ""}).status_code == 400
    assert page.post(address, {"why_withdrawn": "A slip."}).status_code == 302
    assert page.get(address).status_code == 302
    listed = reverse("grading:reported")
    assert "No score from elsewhere has been added yet" in page.get(listed).content.decode()
    withdrawn = page.get(listed, {"show": "withdrawn"}).content.decode()
    assert "Gemini 2.5 pro" in withdrawn
    assert "A slip." in withdrawn
    assert (
        "A slip."
        in page.get(reverse("grading:reported_csv"), {"show": "withdrawn"}).content.decode()
    )


def test_the_list_is_narrowed_and_asks_as_much_for_one_row_as_for_three(page, benchmark, admin):
    address = reverse("grading:reported")
    counts = []
    for names in (["o1"], ["o3", "o4"]):
        for name in names:
            make_reported(benchmark, admin, solver=name)
        page.get(address)
        with CaptureQueriesContext(connection) as asked:
            page.get(address)
        counts.append(len(asked))
    assert counts[0] == counts[1]
    assert [one.solver for one in page.get(address, {"q": "o4"}).context["page"]] == ["o4"]


# --- What the database keeps ----------------------------------------------------------------


def test_a_row_is_only_withdrawn_and_that_for_good(benchmark, admin):
    score = make_reported(benchmark, admin)
    rows = ReportedScore.objects.filter(pk=score.pk)
    for change in (lambda: rows.update(eed=1), rows.delete):
        with pytest.raises(ProgrammingError), transaction.atomic():
            change()
    actions.withdraw(score=score, why="A slip.", by=admin)
    with pytest.raises(ProgrammingError), transaction.atomic():
        rows.update(why_withdrawn="Another.")


@pytest.mark.parametrize(
    "fields",
    [
        {"url": "http://arxiv.org"},
        {"eed": 101},
        {"pm_is": ""},
        {"eed": None},
        {"eed": None, "eed_pm": None, "accuracy": None, "accuracy_pm": None, "pm_is": ""},
        {"why_withdrawn": "For no reason."},
    ],
)
def test_the_database_refuses_what_no_form_lets_through(benchmark, admin, fields):
    with pytest.raises(IntegrityError), transaction.atomic():
        make_reported(benchmark, admin, **fields)
