"""A receipt says what the board says, who may read which, and what a hash in it hides."""

import json

import pgtrigger
import pytest
from django.test import Client
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.versions import actions as versioning
from grading.answers.models import Attempt
from grading.answers.runs.models import GradingRun
from grading.answers.submissions.models import Submission
from grading.board.scores.requests import find_scope
from grading.board.table import BoardRow, make_board
from grading.submissions import publication
from grading.submissions.receipts import making
from grading.submissions.receipts.making import make_receipt
from grading.submissions.receipts.receipt import (
    Receipt,
    ReceiptMean,
    ReceiptScores,
    hash_items,
    hash_keys,
)
from phybench.people.models import Role, User
from phybench_grader import GRADER_VERSION
from phybench_grader.statistics.metrics import Mean
from tests.conftest import make_person
from tests.grading.board.test_board import publish_all
from tests.grading.conftest import HandIn
from tests.grading.receipts.conftest import of
from tests.organisations import join

pytestmark = pytest.mark.django_db


def say(mean: Mean) -> tuple[float | None, ...]:
    return mean.value, mean.low, mean.high, mean.count


def said(mean: ReceiptMean) -> tuple[float | None, ...]:
    return mean.value, mean.low, mean.high, mean.count


def assert_same(scores: ReceiptScores, row: BoardRow) -> None:
    assert said(scores.eed)[:3] == say(row.quote("eed"))[:3]
    assert said(scores.accuracy)[:3] == say(row.quote("accuracy"))[:3]
    assert (scores.eed.count, scores.accuracy.count) == (row.tally.eed.count,) * 2
    assert row.tally.accuracy_range
    ends = (row.tally.accuracy_range.low, row.tally.accuracy_range.high)
    assert (scores.accuracy.least, scores.accuracy.most) == ends
    counts = (row.tally.scored, row.tally.unreadable, row.tally.missing, row.tally.ungraded)
    scored = scores.correct + scores.similar + scores.incorrect + scores.unreadable
    assert (scored, scores.unreadable, scores.missing, scores.not_graded) == counts


def test_a_receipt_says_what_the_board_says_as_published_and_corrected(
    row: Submission, benchmark: Benchmark, problems: list[Problem], admin: User
) -> None:
    receipt = make_receipt(row, kind="public")
    [on_board] = make_board(benchmark).models
    assert receipt.corrected is None
    assert_same(receipt.as_published, on_board)

    assert row.version
    item = row.version.items.get(problem=problems[0])
    versioning.withdraw_item(item=item, reason="It has two answers.", by=admin)
    receipt = make_receipt(row, kind="public")
    [corrected] = make_board(benchmark).models
    [published] = make_board(find_scope(benchmark, is_as_published=True)).models
    assert receipt.corrected
    assert_same(receipt.corrected, corrected)
    assert_same(receipt.as_published, published)
    # The difference of the two is of one answer, so it is not told why that has no verdict.
    assert receipt.corrected.not_graded_by_reason is None


def test_a_receipt_names_file_version_run_grader_and_attempt(
    row: Submission, problems: list[Problem], hand_in: HandIn
) -> None:
    hand_in((problems[0], "m g h"))
    receipt = make_receipt(row, kind="full")
    run = GradingRun.objects.get()
    assert row.version
    assert receipt.benchmark.version_sha256 == row.version.sha256
    assert receipt.submission.file_sha256 == row.file_sha256
    assert (receipt.submission.number, receipt.submission.of) == (1, 2)
    assert receipt.submission.published_at == row.published_at
    assert receipt.run
    assert (receipt.run.number, receipt.run.grader_version) == (run.pk, GRADER_VERSION)
    [grader] = receipt.graders
    assert (grader.judge, grader.judge_version, grader.answers) == ("symbolic", GRADER_VERSION, 3)
    assert receipt.settings["grading_deadline_seconds"] == 60
    scores = receipt.as_published
    assert (scores.correct, scores.similar, scores.incorrect) == (1, 1, 0)
    assert (scores.unreadable_by_reason, scores.not_graded_by_reason) == (
        {"bracket": 1},
        {"timeout": 1},
    )
    assert receipt.items
    assert [(one.id, one.status, one.verdict, one.decided_by) for one in receipt.items] == sorted(
        [
            (problems[0].identifier, "GRADED", "CORRECT", "grader"),
            (problems[1].identifier, "GRADED", "UNREADABLE", "grader"),
            (problems[2].identifier, "GRADED", "PARTIAL", "grader"),
            (problems[3].identifier, "NOT_GRADED", None, None),
        ],
        key=lambda one: one[0],
    )


def test_a_visitor_reads_every_figure_and_no_single_answer(client: Client, row: Submission) -> None:
    page = client.get(reverse("grading:receipt", args=[row.pk]))
    assert "verify_receipt" in page.text
    assert "full-receipt" not in page.text
    given = json.loads(client.get(reverse("grading:receipt_json", args=[row.pk])).content)
    assert given["as_published"]["correct"] == 1
    assert not {"items", "items_salt"} & given.keys()
    assert "file_name" not in given["submission"]
    assert "why" not in given["run"]
    full = client.get(reverse("grading:full_receipt_json", args=[row.pk]))
    assert full.status_code == 302


def test_of_few_problems_others_are_not_told_why_answers_have_no_verdict(
    row: Submission, problems: list[Problem], monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = make_receipt(row, kind="public").as_published
    assert (scores.unreadable_by_reason, scores.not_graded_by_reason) == (None, None)

    monkeypatch.setattr(making, "FEWEST_TOLD", 4)
    Attempt.objects.filter(pk=of(row, problems[3]).pk).update(failure_reason="remark")
    told = make_receipt(row, kind="public").as_published.not_graded_by_reason
    # That it needs a person says that the answer has the value of the reference.
    assert told == {"left_to_a_person": 1}
    full = make_receipt(row, kind="full").as_published
    assert full.not_graded_by_reason == {"remark": 1}


def test_who_knows_all_verdicts_but_one_can_not_find_it_by_the_hash(row: Submission) -> None:
    public, full = make_receipt(row, kind="public"), make_receipt(row, kind="full")
    assert full.items
    assert full.items_salt
    assert public.items_sha256 == hash_items(full.items, full.items_salt)
    assert full.items_salt not in public.write()
    # The salt is of one submission: of another they have, it tells nothing.
    other = Submission(pk=row.pk + 1)
    assert making.find_salt(other) != full.items_salt
    assert hash_items(full.items, making.find_salt(other)) != public.items_sha256


def test_an_unpublished_row_and_a_withdrawn_one_have_a_receipt_for_their_people_alone(
    problems: list[Problem], hand_in: HandIn, evaluator: User, admin: User
) -> None:
    submission = hand_in((problems[0], "m g h"))
    stranger = make_person(Role.EVALUATOR, "stranger")

    def ask(person: User | None, name: str = "receipt") -> int:
        client = Client()
        if person:
            client.force_login(person)
        return client.get(reverse(f"grading:{name}", args=[submission.pk])).status_code

    def is_theirs_alone() -> bool:
        figures = [ask(one) for one in (None, stranger, evaluator, admin)]
        items = [ask(one, "full_receipt_json") for one in (stranger, evaluator)]
        return (figures, items) == ([404, 404, 200, 200], [404, 200])

    assert is_theirs_alone()
    publish_all()
    assert [ask(one) for one in (None, stranger)] == [200, 200]
    publication.withdraw(submission=submission, by=evaluator)
    assert is_theirs_alone()


def test_who_takes_the_full_receipt_is_written_down(row: Submission, evaluator: User) -> None:
    other = make_person(Role.EVALUATOR, "other")
    assert row.solver.organisation
    join(row.solver.organisation, other)
    client = Client()
    client.force_login(other)
    client.get(reverse("grading:receipt_json", args=[row.pk]))
    assert not Exposure.objects.filter(person=other).exists()
    given = client.get(reverse("grading:full_receipt_json", args=[row.pk]))
    assert Receipt.model_validate_json(given.content).items
    assert Exposure.objects.filter(person=other, part="VERDICT").count() == 3


def test_rows_on_board_and_model_page_lead_to_their_receipts(
    client: Client, row: Submission
) -> None:
    address = reverse("grading:receipt", args=[row.pk])
    assert address in client.get(reverse("board")).text
    assert address in client.get(row.solver.get_absolute_url()).text


def test_a_receipt_takes_as_many_queries_for_three_answers_as_for_one(
    client: Client,
    problems: list[Problem],
    hand_in: HandIn,
    django_assert_num_queries: pytest.FixtureRequest,
) -> None:
    for count in (1, 3):
        submission = hand_in(*((one, "m g h") for one in problems[:count]), model=f"M {count}")
        publish_all()
        with django_assert_num_queries(8):  # type: ignore[operator]
            client.get(reverse("grading:receipt", args=[submission.pk]))


@pytest.mark.parametrize("name", ["receipt", "receipt_json", "full_receipt_json"])
def test_before_anything_is_graded_a_receipt_names_no_run(
    client: Client, problems: list[Problem], hand_in: HandIn, evaluator: User, name: str
) -> None:
    submission = hand_in((problems[0], "m g h"))
    assert not GradingRun.objects.exists()
    client.force_login(evaluator)
    given = client.get(reverse(f"grading:{name}", args=[submission.pk]))
    assert given.status_code == 200
    if name != "receipt":
        assert json.loads(given.content)["run"] is None


def test_what_the_full_receipt_gives_away_is_no_salt_of_keys(row: Submission) -> None:
    with pgtrigger.ignore("grading.Submission:submission_is_only_published_and_withdrawn"):
        Submission.objects.filter(pk=row.pk).update(version=None)
    full = make_receipt(Submission.objects.get(pk=row.pk), kind="full")
    assert full.run
    assert full.items_salt
    names = dict(row.attempts.values_list("revision", "revision__problem"))
    keys = GradingRun.objects.get().keys.filter(revision__in=names)
    by_name = {
        Problem.objects.get(pk=names[revision]).identifier: sha256
        for revision, sha256 in keys.values_list("revision", "sha256")
    }
    assert len(by_name) == 3
    assert full.run.keys_sha256 != hash_keys(by_name, full.items_salt)
