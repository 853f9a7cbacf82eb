"""`manage.py verify_receipt`: what it compares, what it refuses, and its exit status."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pgtrigger
import pytest
from django.core.management import CommandError, call_command

from curation.problems.models import Problem
from grading.answers.models import Grade
from grading.answers.submissions.models import Submission
from grading.disputes.regrades import actions
from grading.disputes.regrades.work import grade_left
from grading.submissions import publication
from grading.submissions.drafts import submitting
from grading.submissions.drafts.models import DraftSubmission
from grading.submissions.receipts import grading_again
from grading.submissions.receipts.making import make_receipt
from grading.submissions.receipts.receipt import ReceiptGrader, ReceiptItem, hash_items
from phybench.files.answer_files.fields import FieldMap
from phybench.people.models import User
from tests import drafts
from tests.grading.board.test_board import publish_all
from tests.grading.conftest import HandIn, make_file
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.model_runs.running import begin, work_off
from tests.grading.receipts.conftest import keep, of
from tests.grading.regrades.conftest import Misjudge, misjudge, rule, write_grade
from tests.grading.trials.trials import box, make_endpoint
from tests.organisations import organisation_of
from tests.phybench.runaways import SLOW_TO_SIMPLIFY
from tests.versions import publish_version

__all__ = ["misjudge"]
pytestmark = pytest.mark.django_db


def verify(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Return what the command says of what is all the same."""
    call_command("verify_receipt", "--processes=1", *map(str, arguments))
    return capsys.readouterr().out


def find_status(*arguments: object) -> tuple[int, str]:
    with pytest.raises(CommandError) as refused:
        call_command("verify_receipt", "--processes=1", *map(str, arguments))
    return refused.value.returncode, str(refused.value)


def alter(path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    given = json.loads(path.read_text())
    change(given)
    path.write_text(json.dumps(given))
    return path


@pytest.mark.parametrize("is_full", [False, True])
def test_file_is_graded_again_and_compared_item_by_item(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    graded: Submission,
    answers: Path,
    is_full: bool,
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json", is_full=is_full)
    said = verify(capsys, receipt, answers)
    assert "Every field matches the stored data." in said
    assert "2 of 2 match" in said
    assert said.endswith("Verified: everything matches.\n")
    assert "No answer was graded again" in verify(capsys, receipt)


def test_an_altered_figure_is_found_and_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, graded: Submission
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json")
    alter(receipt, lambda one: one["as_published"]["accuracy"].update(value=40.0))
    assert find_status(receipt) == (1, "Not verified: something differs.")
    assert "as_published.accuracy.value: 40.0 → 20.0\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda one: one["submission"].update(solver="Another"), "submission.solver"),
        (lambda one: one["submission"].update(number=2), "submission.number"),
        (lambda one: one["submission"].update(file_sha256="0" * 64), "submission.file_sha256"),
        (lambda one: one["benchmark"].update(version_sha256="0" * 64), "benchmark.version_sha256"),
        (lambda one: one["run"].update(keys_sha256="0" * 64), "run.keys_sha256"),
        (lambda one: one.update(items_sha256="0" * 64), "items_sha256"),
    ],
)
def test_each_field_is_compared(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    graded: Submission,
    change: Callable[[dict[str, Any]], None],
    field: str,
) -> None:
    receipt = alter(keep(graded, tmp_path / "receipt.json"), change)
    assert find_status(receipt, "--json")[0] == 1
    told = json.loads(capsys.readouterr().out)
    assert [one["field"] for one in told["fields"]] == [field]


def test_an_altered_item_is_found_by_the_rows_and_by_grading_again(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    graded: Submission,
    answers: Path,
    problems: list[Problem],
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json", is_full=True)
    alter(receipt, lambda one: one["items"][1].update(verdict="CORRECT", eed=100.0))
    assert find_status(receipt, answers)[0] == 1
    said = capsys.readouterr().out
    name = problems[1].identifier
    assert f"items.{name}, 1.verdict: CORRECT → INCORRECT" in said
    assert "items_sha256" in said
    assert f"{name}, 1: correct (100.0) → incorrect (0.0)" in said
    assert "1 of 2 match" in said


def test_a_grade_that_the_grader_does_not_give_is_found_though_every_row_agrees(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    graded: Submission,
    answers: Path,
    problems: list[Problem],
) -> None:
    with pgtrigger.ignore("grading.Grade:grade_is_append_only"):
        Grade.objects.filter(attempt=of(graded, problems[1])).update(
            verdict="CORRECT", accuracy=100, eed=100
        )
    receipt = keep(graded, tmp_path / "receipt.json")
    assert "Every field matches the stored data." in verify(capsys, receipt)
    assert find_status(receipt, answers)[0] == 1
    said = capsys.readouterr().out
    assert f"{problems[1].identifier}, 1: correct (100.0) → incorrect (0.0)" in said
    assert find_status("--all")[0] == 1


def test_a_file_with_one_changed_answer_is_refused_by_its_hash(
    tmp_path: Path, graded: Submission, answers: Path, problems: list[Problem]
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json")
    answers.write_bytes(make_file((problems[0], "m g h"), (problems[1], "1")))
    status, said = find_status(receipt, answers)
    assert status == 2
    assert "is not a file that was submitted" in said


def test_several_files_are_read_in_the_order_in_which_they_were_added(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, problems: list[Problem], evaluator: User
) -> None:
    publish_version(problems[0].benchmark)
    first, second = tmp_path / "first.jsonl.gz", tmp_path / "second.csv"
    line = {"id": problems[0].identifier, "model": "A model", "model_answer": "m g h"}
    first.write_bytes(gzip.compress(json.dumps(line).encode() + b"\n"))
    rows = [f"{problems[1].identifier},0", f"{problems[0].identifier},2 m g h"]
    text = "\n".join(["problem,text", *rows])
    second.write_text(text)
    benchmark = problems[0].benchmark
    draft = drafts.make_draft(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        by=evaluator,
        content=first.read_bytes(),
        name=first.name,
    )

    drafts.add(
        draft,
        second.read_bytes(),
        by=evaluator,
        name=second.name,
        field_map=FieldMap(id="problem", response="text", model_name="A model"),
    )
    [submission] = submitting.grade(draft=draft, by=evaluator)
    publish_all()
    receipt = keep(submission, tmp_path / "receipt.json")
    # What both files answer is of the first, whichever is named first here.
    assert "2 of 2 match" in verify(capsys, receipt, second, first)
    status, said = find_status(receipt, second)
    assert (status, "first.jsonl.gz" in said) == (2, True)


def test_what_was_handed_in_before_drafts_and_versions_is_read_as_its_fields_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, graded: Submission, answers: Path
) -> None:
    with pgtrigger.ignore(
        "grading.Submission:submission_is_only_published_and_withdrawn",
        "grading.DraftSubmission:submission_stays_of_its_draft",
    ):
        DraftSubmission.objects.filter(submission=graded).delete()
        Submission.objects.filter(pk=graded.pk).update(version=None)
    receipt = keep(graded, tmp_path / "receipt.json")
    given = json.loads(receipt.read_text())
    assert (given["benchmark"]["version"], given["as_published"]["problems"]) == (None, 5)
    assert "2 of 2 match" in verify(capsys, receipt, answers)


def test_answers_of_a_run_are_graded_as_they_are_kept(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    serve: Callable[..., ScriptedServer],
    problems: list[Problem],
    evaluator: User,
) -> None:
    version = publish_version(problems[0].benchmark)
    server = serve(lambda _request: box("m g h"))
    run = work_off(begin(version, make_endpoint(server), evaluator))

    [submission] = submitting.grade(draft=run.file.draft, by=evaluator)
    publish_all()
    receipt = keep(submission, tmp_path / "receipt.json")
    said = verify(capsys, receipt)
    assert "there is no file): 5 of 5 match" in said
    assert find_status(receipt, receipt)[0] == 2


def test_another_run_adopted_since_is_told_with_what_it_says_otherwise(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, graded: Submission, problems: list[Problem]
) -> None:

    receipt = keep(graded, tmp_path / "receipt.json", is_full=True)
    run = actions.begin(benchmark=graded.benchmark)
    write_grade(run, of(graded, problems[0]), "INCORRECT")
    write_grade(run, of(graded, problems[1]), "INCORRECT")
    actions.adopt(run=run)
    assert find_status(receipt)[0] == 1
    said = capsys.readouterr().out
    assert "Every field matches the stored data." in said
    assert f"Run {run.pk} was adopted later" in said
    assert "as_published.correct: 1 → 0" in said


def test_what_happens_to_a_row_later_is_told_and_makes_no_receipt_wrong(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    graded: Submission,
    problems: list[Problem],
    hand_in: HandIn,
    evaluator: User,
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json")
    hand_in((problems[0], "m g h"))
    publication.withdraw(submission=graded, by=evaluator)
    said = verify(capsys, receipt, "--stored")
    assert "Withdrawn later" in said
    assert "The model has had one more submission since." in said
    assert "2 of 2 match" in said


def test_running_out_of_time_is_not_differing(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    problems: list[Problem],
    hand_in: HandIn,
    misjudge: Misjudge,
    settings: Any,
) -> None:
    slow = misjudge(hand_in((problems[0], SLOW_TO_SIMPLIFY)))
    receipt = keep(slow, tmp_path / "receipt.json")
    settings.GRADING_DEADLINE_SECONDS = 0.1
    settings.SITE_URL = "https://elsewhere.example"
    status, said = find_status(receipt, "--stored")
    assert (status, said) == (3, "No difference was found, but some parts could not be verified.")
    told = capsys.readouterr().out
    assert "Could not be verified: 1." in told
    assert "incorrect (0.0) → not graded (out of time)" in told
    assert "settings.grading_deadline_seconds is now 0.1 and was 60.0" in told
    assert "submission.address is now elsewhere.example" in told


def test_what_could_not_be_graded_then_and_now_is_the_same() -> None:
    said = grading_again.Said(None, None, "left_side")
    right = grading_again.Said("CORRECT", 100.0, "")
    late = grading_again.Said(None, None, "timeout")

    def agree(before: grading_again.Said, now: grading_again.Said) -> str:
        return grading_again.GradedAgain(None, before, now).agreement.value  # type: ignore[arg-type]

    assert agree(said, said) == agree(late, late) == "SAME"
    assert agree(said, right) == agree(right, said) == "DIFFERS"
    assert agree(late, right) == agree(right, late) == agree(said, late) == "COULD_NOT_TELL"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("Dear all", "This is not a receipt: it is not JSON."),
        ('{"rows": []}', "This is not a receipt."),
        ('{"format": "phybench-receipt", "made_', "This file is incomplete"),
        ('{"format": "phybench-receipt", "format_version": 2}', "We know version 1"),
    ],
)
def test_what_is_no_receipt_is_refused(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "receipt.json"
    path.write_text(content)
    status, refused = find_status(path)
    assert status == 2
    assert said in refused


def test_receipts_of_other_installations_are_refused(tmp_path: Path, graded: Submission) -> None:
    receipt = alter(
        keep(graded, tmp_path / "receipt.json"), lambda one: one["submission"].update(id=10**6)
    )
    assert "from another installation" in find_status(receipt)[1]
    keep(graded, receipt)

    def name_another(one: dict[str, Any]) -> None:
        one["submission"] |= {"file_sha256": "0" * 64, "handed_in_at": "2026-01-01T00:00:00Z"}
        one["submission"]["solver"] = "Another"

    alter(receipt, name_another)
    assert find_status(receipt)[0] == 2
    assert find_status(tmp_path / "none.json")[0] == 2
    assert find_status()[0] == 2


def test_all_published_rows_are_graded_again(
    capsys: pytest.CaptureFixture[str], graded: Submission, hand_in: HandIn, problems: list[Problem]
) -> None:
    hand_in((problems[0], "m g h"), model="Not published")
    said = verify(capsys, "--all")
    assert said.count("Graded again") == 1
    assert said.endswith("Verified: everything matches.\n")


def test_the_hash_of_items_is_of_all_that_is_said_of_them(graded: Submission) -> None:

    items = make_receipt(graded, kind="full").items
    assert items
    changed = [items[0].model_copy(update={"eed": 99.0}), *items[1:]]
    assert hash_items(items, "salt") != hash_items(changed, "salt")
    assert hash_items(items, "salt") != hash_items(items, "pepper")


def test_where_a_person_ruled_the_graders_own_part_is_graded_again(
    capsys: pytest.CaptureFixture[str], graded: Submission, problems: list[Problem], admin: User,
    tmp_path: Path,
) -> None:  # fmt: skip
    rule(of(graded, problems[1]), admin)
    run = actions.begin(benchmark=graded.benchmark)
    assert sum(grade_left(run, processes=1)) == 3
    actions.adopt(run=run)
    receipt = make_receipt(graded, kind="full")
    ruled = next(one for one in receipt.items or () if one.decided_by == "person")
    assert (ruled.verdict, ruled.automatic_verdict) == ("CORRECT", "INCORRECT")
    assert [(one.judge, one.answers) for one in receipt.graders] == [
        ("person, beside symbolic", 1),
        ("symbolic", 1),
    ]
    assert "2 of 2 match" in verify(
        capsys, keep(graded, tmp_path / "receipt.json", is_full=True), "--stored"
    )


def repeat_item(one: dict[str, Any]) -> None:
    one["items"].insert(0, one["items"][0] | {"verdict": "INCORRECT", "eed": 0.0})


def move_to(made_at: str) -> Callable[[dict[str, Any]], None]:
    return lambda one: one.update(made_at=made_at)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (repeat_item, "items"),
        (lambda one: one.update(items_salt=None, items_sha256="0" * 64), "items_salt"),
        (lambda one: one.update(kind="public"), "items_salt"),
        (lambda one: one["items"][0].update(verdict="SUPERB"), "items.0.verdict"),
        (move_to("2999-01-01T00:00:00Z"), "made_at"),
        (move_to("2026-01-01T00:00:00"), "made_at"),
        (move_to("9999-12-31T23:00:00-23:00"), "made_at"),
        (lambda one: one["submission"].update(address="http://[::1"), "submission.address"),
    ],
)
def test_what_no_receipt_can_say_is_refused(
    tmp_path: Path,
    graded: Submission,
    change: Callable[[dict[str, Any]], None],
    field: str,
) -> None:
    receipt = alter(keep(graded, tmp_path / "receipt.json", is_full=True), change)
    status, said = find_status(receipt)
    assert (status, f"{field} does not match" in said) == (2, True), said


def salt_otherwise(one: dict[str, Any]) -> None:
    items = [ReceiptItem.model_validate(item) for item in one["items"]]
    one |= {"items_salt": "pepper", "items_sha256": hash_items(items, "pepper")}


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        (salt_otherwise, ["items_sha256"]),
        (lambda one: one.update(items_salt="pepper"), ["items_sha256"]),
        (
            lambda one: one["graders"].insert(0, one["graders"][0] | {"answers": 999_999}),
            ["graders.1.answers", *(f"graders.2.{name}" for name in ReceiptGrader.model_fields)],
        ),
    ],
)
def test_nothing_false_hides_behind_what_is_true(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    graded: Submission,
    change: Callable[[dict[str, Any]], None],
    fields: list[str],
) -> None:
    receipt = alter(keep(graded, tmp_path / "receipt.json", is_full=True), change)
    assert find_status(receipt, "--json")[0] == 1
    told = json.loads(capsys.readouterr().out)
    assert sorted(one["field"] for one in told["fields"]) == sorted(fields)
    may_be_rotated = any("SECRET_KEY" in note for note in told["notes"])
    assert may_be_rotated == (change is salt_otherwise)


def test_what_only_the_full_kind_has_is_compared_in_the_public_one(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, graded: Submission
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json")
    alter(receipt, lambda one: one["run"].update(why="Because."))
    assert find_status(receipt)[0] == 1
    assert "run.why: Because. → None" in capsys.readouterr().out


@pytest.mark.parametrize("is_full", [False, True])
def test_a_receipt_that_names_no_run_differs_in_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, graded: Submission, is_full: bool
) -> None:
    receipt = keep(graded, tmp_path / "receipt.json", is_full=is_full)
    alter(receipt, lambda one: one.update(run=None))
    assert find_status(receipt)[0] == 1
    assert "run.number: None → " in capsys.readouterr().out


def test_no_text_of_a_receipt_moves_the_cursor_or_fills_the_screen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, graded: Submission
) -> None:
    def write_escapes(one: dict[str, Any]) -> None:
        one["settings"] |= {f"\x1b[2J\x9b{number}": 1 for number in range(100)}
        one["items"][0] |= {"id": "\x1b[31m"}
        one["items"][1] |= {"reason": "\x1b[32m", "judge_version": "\x1b[33m"}
        one["submission"]["address"] = "http://\x1bc/"

    receipt = keep(graded, tmp_path / "receipt.json", is_full=True)
    alter(receipt, write_escapes)
    for more in ((), ("--stored",), ("--json",)):
        assert find_status(receipt, *more)[0] == 1
        told = capsys.readouterr()
        assert not {"\x1b", "\x9b"} & set(told.out + told.err)
        if not more:
            assert told.out.count("settings.") < 21
            assert "… and 8" in told.out
