"""A new version has the answers that were given before to what is unchanged in it."""

import csv
import json
from collections.abc import Collection, Iterable, Sequence

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.problems.models import Problem, Revision
from curation.versions import actions as versioning
from grading.answers.hidden.models import HiddenBatch
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.board.panels.models import Panel
from grading.board.panels.tasks import freeze_first_panels
from grading.board.scores.collecting import arrange, find_field
from grading.board.scores.requests import find_scope
from grading.board.scores.scope import Scope
from grading.board.table import Board, BoardRow, Unranked, make_board, rank_board
from grading.board.trust.coverage import cover_kinds
from grading.submissions.publication import withdraw
from grading.submissions.receipts.making import make_receipt
from phybench.people.models import User
from phybench_grader.statistics.provisional import Range
from tests import boards
from tests.addresses import client_of
from tests.boards import MadeBoard, Score, add_model, make_problems, make_scored_board
from tests.work import work_out_analyses

pytestmark = pytest.mark.django_db

RIGHT, WRONG = [100.0], [0.0]
HALF: Sequence[Sequence[Score]] = [RIGHT] * 3 + [WRONG] * 3


@pytest.fixture
def made(evaluator: User) -> MadeBoard:
    """Version 1 has six problems, of which a model has the first three right."""
    return make_scored_board({"A model": HALF}, uploader=evaluator)


def publish_next(
    made: MadeBoard,
    *,
    changed: Iterable[Problem] = (),
    dropped: Collection[Problem] = (),
    added: int = 0,
    hidden: Collection[Problem] = (),
) -> MadeBoard:
    """Publish the next version, and return its board as `add_model` takes it."""
    for problem in changed:
        number = problem.revisions.count() + 1
        problem.accepted_revision = Revision.objects.create(
            problem=problem,
            number=number,
            statement="What comes of it now?",
            answer="m g h",
            solution="It follows.",
            submitted_at=timezone.now(),
        )
        problem.save()
    new = make_problems(made.benchmark, added)
    version = versioning.make_draft(benchmark=made.benchmark, by=None)
    version.items.filter(problem__in=dropped).delete()
    version.items.update(is_hidden=False)
    version.items.filter(problem__in=hidden).update(is_hidden=True)
    versioning.publish(version=version, by=None)
    version.refresh_from_db()
    problems = [one for one in [*made.problems, *new] if one not in [*dropped, *hidden]]
    return MadeBoard(made.benchmark, version, problems, made.submissions)


def show(made: MadeBoard) -> Board:
    return make_board(Scope.of(made.version))


def only_row(made: MadeBoard) -> BoardRow:
    [row] = show(made).rows
    return row


def test_answers_to_what_is_unchanged_count_without_being_sent_again(made):
    stored = Attempt.objects.count()
    second = publish_next(made, dropped=made.problems[5:])

    row = only_row(second)
    assert (row.submission, row.carried_from) == (made.submissions["A model"], 1)
    assert (row.figures.answered, row.figures.asked, row.unranked) == (5, 5, Unranked.FEW_PROBLEMS)
    assert (row.tally.accuracy.value, row.tally.scored) == (60, 5)
    assert (only_row(made).tally.accuracy.value, only_row(made).carried_from) == (50, None)
    # Nothing is copied.
    assert Attempt.objects.count() == stored


def test_a_problem_that_was_not_asked_is_no_0_and_the_row_is_provisional(made):
    row = only_row(publish_next(made, added=2))

    assert (row.unranked, row.stands_apart) == (Unranked.NEW_PROBLEMS, True)
    assert (row.figures.answered, row.figures.asked) == (6, 8)
    assert row.range("accuracy") == Range(37.5, 62.5, 0.25)
    # No mean and no interval are quoted.
    assert row.quote("accuracy").value is row.quote("accuracy").low is None


def test_what_was_left_empty_before_stays_a_0(evaluator):
    left = make_scored_board({"A model": [RIGHT, RIGHT, ["missing"]]}, uploader=evaluator)

    assert only_row(publish_next(left, added=1)).range("accuracy") == Range(50.0, 75.0, 0.25)


def test_an_answer_to_a_changed_revision_counts_no_more_and_the_few_can_not_be_worked_out(made):
    row = only_row(publish_next(made, changed=made.problems[:1]))

    assert (row.figures.answered, row.figures.asked) == (5, 6)
    assert row.unranked is Unranked.NEW_PROBLEMS
    # With the mean over all six that of five would say what the sixth was worth.
    assert row.mean("eed").value is row.range("eed") is row.range("accuracy") is None
    assert row.tally.scored == row.tally.unreadable == 0


def test_what_was_withdrawn_before_hides_nothing(made, admin):
    item = made.version.items.get(problem=made.problems[0])
    versioning.withdraw_item(item=item, reason="It has two answers.", by=admin)

    row = only_row(publish_next(made, changed=made.problems[:1]))
    assert row.range("accuracy") == Range(pytest.approx(100 / 3), 50.0, pytest.approx(1 / 6))


def test_no_answer_to_a_hidden_problem_carries_over(evaluator, settings):
    settings.LEAST_HIDDEN_ITEMS = 1
    first = make_scored_board({"A model": HALF}, uploader=evaluator)
    hidden = make_problems(first.benchmark, 2)
    second = publish_next(first, hidden=hidden)
    submission = add_model(second, "A model", HALF)
    batch = HiddenBatch.objects.create(
        submission=submission, organisation=submission.solver.organisation
    )
    batch.answers.create(revision=hidden[0].accepted_revision, response="m g h")
    HiddenBatch.objects.filter(pk=batch.pk).update(
        asked_at=timezone.now(), asked_by=evaluator, figure=50, is_better=True
    )
    assert only_row(second).hidden

    third = publish_next(second, hidden=hidden[1:])
    row = only_row(third)
    # The one that became public was not answered in public, and the figure was of that version.
    assert (row.submission, row.figures.answered, row.figures.asked) == (submission, 6, 7)
    assert row.range("accuracy") == Range(
        pytest.approx(300 / 7), pytest.approx(400 / 7), pytest.approx(1 / 7)
    )
    assert row.hidden is None


def test_what_is_withdrawn_private_or_cancelled_does_not_carry_over(made, evaluator):
    add_model(made, "A private model", HALF, is_published=False)
    cancelled = add_model(made, "A cancelled model", HALF, is_published=False)
    Submission.objects.filter(pk=cancelled.pk).update(
        cancelled_at=timezone.now(), cancelled_by=evaluator
    )
    second = publish_next(made, added=1)
    assert [row.name for row in show(second).rows] == ["A model"]

    withdraw(submission=made.submissions["A model"], by=evaluator)
    assert show(second).rows == []
    # It never stood here.
    assert list(show(second).withdrawn) == []


def test_an_own_submission_takes_the_place_of_what_carried_over(made):
    second = publish_next(made, added=1)
    own = add_model(second, "A model", [WRONG] * 7)

    row = only_row(second)
    assert (row.submission, row.carried_from, row.tally.accuracy.value) == (own, None, 0)
    assert only_row(made).submission == made.submissions["A model"]


def test_who_keeps_a_new_result_private_or_withdraws_it_keeps_no_old_row(made, evaluator):
    second = publish_next(made, added=1)
    own = add_model(second, "A model", [WRONG] * 7, is_published=False)
    Attempt.objects.filter(submission=own).update(status="QUEUED")
    assert only_row(second).carried_from == 1, "it is not graded yet"

    Attempt.objects.filter(submission=own).update(status="GRADED")
    assert show(second).rows == []
    withdraw(submission=own, by=evaluator)
    assert show(second).rows == []


def test_what_comes_after_a_version_carries_over_to_the_next_only(made):
    second = publish_next(made, added=1)
    add_model(made, "A late model", HALF)
    assert [row.name for row in show(second).rows] == ["A model"]

    third = publish_next(second, added=1)
    assert {row.name for row in show(third).rows} == {"A model", "A late model"}


def test_of_several_versions_the_newest_with_a_submission_counts(made):
    second = publish_next(made, added=1)
    newer = add_model(second, "A model", [RIGHT] * 7)
    third = publish_next(second, dropped=second.problems[:1])

    row = only_row(third)
    assert (row.submission, row.carried_from, row.tally.accuracy.value) == (newer, 2, 100)


def test_a_complete_row_is_ranked_and_a_provisional_one_is_not(evaluator):
    first = make_scored_board({"A model": [RIGHT] * 32}, uploader=evaluator)
    second = publish_next(first, dropped=first.problems[31:])
    add_model(second, "Another model", [WRONG] * 31)
    best, worst = rank_board(Scope.of(second.version)).rows
    assert (best.carried_from, str(best.rank("eed")), str(worst.rank("eed"))) == (1, "1", "2")

    third = publish_next(second, added=1)
    assert all(row.rank("eed") is None for row in rank_board(Scope.of(third.version)).rows)


def test_nothing_is_compared_with_a_provisional_row_and_no_panel_has_what_carried_over(made):
    for number in range(5):
        add_model(made, f"Model {number}", HALF)
    second = publish_next(made, dropped=made.problems[5:])
    third = publish_next(second, added=1)

    assert len(find_field(Scope.of(second.version)).standing) == 6
    assert find_field(Scope.of(third.version)).standing == []
    assert len(find_field(Scope.of(third.version)).provisional) == 6
    freeze_first_panels()
    assert {one.version for one in Panel.objects.all()} == {made.version}


def test_a_complete_row_is_compared_on_what_is_unchanged(client: Client, made):
    add_model(made, "Another model", [RIGHT] * 6)
    second = publish_next(made, dropped=made.problems[5:])
    sides = [one.solver_id for one in Submission.objects.order_by("pk")]

    page = client.get(
        reverse("compare", args=["scored"]), {"version": 2, "a": sides[0], "b": sides[1]}
    ).text
    assert "5 problems" in page
    scores = arrange(Scope.of(second.version))
    assert [one.by_problem("accuracy").tolist() for one in scores.of.values()] == [
        [100, 100, 100, 100, 100],
        [100, 100, 100, 0, 0],
    ]


def make_parts(evaluator, monkeypatch, optics: Sequence[Sequence[Score]]) -> MadeBoard:
    """Make a version of 20 problems of mechanics, and some of optics."""
    monkeypatch.setattr(boards, "DOMAINS", ("MECHANICS",))
    rows = [*[RIGHT] * 10, *[WRONG] * 9, [37.0], *optics]
    made = make_scored_board({"A model": rows}, uploader=evaluator)
    Problem.objects.filter(pk__in=[one.pk for one in made.problems[20:]]).update(domain="OPTICS")
    for problem in made.problems:
        problem.refresh_from_db()
    monkeypatch.setattr(boards, "DOMAINS", ("OPTICS",))
    return made


def list_narrowed(made: MadeBoard, domain: str) -> list[Unranked | None]:
    narrowed = Scope.of(made.version).narrow(domain=domain)
    return [one.unranked for one in make_board(narrowed).rows]


def test_a_narrowed_board_has_of_an_earlier_version_what_is_unchanged_in_it(evaluator, monkeypatch):
    first = make_parts(evaluator, monkeypatch, [RIGHT] * 10)
    second = publish_next(first, added=5)
    assert list_narrowed(second, "OPTICS") == [Unranked.NEW_PROBLEMS]
    assert list_narrowed(second, "MECHANICS") == list_narrowed(first, "MECHANICS")


def test_a_part_that_the_earlier_board_does_not_tell_has_no_carried_row(evaluator, monkeypatch):
    """Its figure would be that of the one answer, or the rest's, which tells the one."""
    first = make_parts(evaluator, monkeypatch, [[64.0]])
    assert ("MECHANICS", "") not in Scope.of(first.version).told
    second = publish_next(first, added=9)
    assert {("MECHANICS", ""), ("OPTICS", "")} <= Scope.of(second.version).told
    assert list_narrowed(second, "OPTICS") == list_narrowed(second, "MECHANICS") == []


def test_a_part_of_which_a_problem_was_dropped_has_no_carried_row(evaluator, monkeypatch):
    """Beside the earlier board its figure would tell the one that was dropped."""
    first = make_parts(evaluator, monkeypatch, [WRONG] * 10)
    dropped = first.problems[19]
    second = publish_next(first, changed=first.problems[-1:], dropped=[dropped])
    assert list_narrowed(first, "MECHANICS") == [Unranked.FEW_PROBLEMS]
    assert list_narrowed(second, "MECHANICS") == []


def test_no_answer_to_a_changed_revision_is_among_those_that_cover_a_version(made):
    add_model(made, "Another model", HALF)
    second = publish_next(made, changed=made.problems[:1])
    add_model(second, "Another model", [["missing"], *[RIGHT] * 5])

    [kind] = cover_kinds(show(second))
    # The provisional row is in no sum.
    assert (kind.solvers, kind.answered, kind.scored, kind.missing) == (1, 5, 5, 1)


# --- What pages and files say ---------------------------------------------------------------


def test_the_first_page_shows_the_old_version_until_a_row_of_the_new_one_is_complete(
    client: Client, made
):
    second = publish_next(made, added=4)
    page = client.get("/").text
    assert "Version 2 is published. Its board is shown here once a model has" in page
    assert "6 problems" in page
    # An answer to half of it is not enough.
    add_model(second, "A hasty model", [RIGHT] * 5 + [["missing"]] * 5)
    assert find_scope(made.benchmark).version == made.version

    add_model(second, "A model", [RIGHT] * 9 + [["missing"]])
    page = client.get("/").text
    assert "Version 2 is published." not in page
    assert "10 problems" in page
    assert "Version 2 is published." not in client.get("/?version=1").text


def test_a_version_that_only_drops_problems_is_shown_at_once(made):
    second = publish_next(made, dropped=made.problems[5:])
    assert find_scope(made.benchmark).version == second.version


def test_while_no_version_has_a_complete_row_the_newest_is_shown(made, evaluator):
    second = publish_next(made, added=1)
    withdraw(submission=made.submissions["A model"], by=evaluator)
    assert find_scope(made.benchmark).version == second.version


def ask_board(client: Client, number: int) -> str:
    address = reverse("board_of", args=["scored"])
    client.get(address, {"version": number})
    work_out_analyses()
    return client.get(address, {"version": number}).text


def test_the_row_says_that_it_was_answered_before(client: Client, made):
    publish_next(made, added=2)
    assert "answered before" not in ask_board(client, 1)

    page = ask_board(client, 2)
    assert "answered before version 2" in page
    assert "provisional: it has not answered the new or changed problems" in page
    assert "37.5–62.5" in page
    assert "6 of 8" in page


def test_files_and_programs_are_told_what_carried_over(client: Client, made, capsys):
    publish_next(made, changed=made.problems[:1])
    said = {"carried_from": "1", "provisional": "yes", "why_unranked": "NEW_PROBLEMS"}
    nothing = ("eed", "eed_low", "eed_from", "scored", "unreadable", "missing", "not_graded")

    file = client.get(reverse("board_csv", args=["scored"]), {"version": 2}).text
    [row] = csv.DictReader(file.splitlines())
    assert said.items() <= row.items()
    assert {row[name] for name in nothing} == {""}

    call_command("leaderboard", "--number", "2", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["carried_from"], told["scored"]) == (1, None)
    call_command("leaderboard", "--number", "2")
    assert "A model (answered before version 2)" in capsys.readouterr().out

    [row] = client.get("/api/v1/benchmarks/scored/versions/2/board").json()["rows"]
    assert (row["carried_from"], row["why_unranked"], row["answered"]) == (1, "NEW_PROBLEMS", 5)
    assert row["eed"]["value"] is row["eed_range"] is row["scored"] is row["unreadable"] is None


def test_a_receipt_says_to_which_versions_its_answers_carry_over(client: Client, made, evaluator):
    submission = made.submissions["A model"]
    before = make_receipt(submission, kind="public")
    second = publish_next(made, changed=made.problems[:1], added=2)

    assert before.carried == []
    [carried] = make_receipt(submission, kind="public").carried
    assert (carried.version, carried.version_sha256) == (2, second.version.sha256)
    assert (carried.unchanged, carried.problems) == (5, 8)
    assert (
        before.carried == make_receipt(submission, kind="public", at=before.made_at).carried == []
    )
    page = client.get(reverse("grading:receipt", args=[submission.pk])).text
    assert "5 of 8 problems are unchanged." in page

    withdraw(submission=submission, by=evaluator)
    submission.refresh_from_db()
    assert make_receipt(submission, kind="full").carried == []


def test_the_models_people_read_where_its_answers_count_and_what_is_new(made, evaluator):
    submission = made.submissions["A model"]
    client = client_of(evaluator)
    assert "It is on the board of version" not in client.get(submission.get_absolute_url()).text

    second = publish_next(made, changed=made.problems[:1], added=2)
    page = client.get(submission.get_absolute_url()).text
    assert "It is on the board of version 2, too: 5 of the 8 problems there are unchanged." in page
    assert "3 problems are new or changed, so the row has no rank." in page
    assert "Answer version 2" in page

    own = add_model(second, "A model", [RIGHT] * 8)
    for one in (submission, own):
        assert "It is on the board of version" not in client.get(one.get_absolute_url()).text


def test_rows_that_carry_over_cost_no_query_more():
    def count(models: int) -> int:
        names = {f"Model {number}": HALF for number in range(models)}
        first = make_scored_board(names, slug=f"of-{models}")
        second = publish_next(first, added=1)
        with CaptureQueriesContext(connection) as queries:
            assert len(show(second).rows) == models
            assert find_scope(first.benchmark).version == first.version
        return len(queries)

    assert count(1) == count(6)
