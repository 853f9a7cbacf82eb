"""A file of answers graded from the command line: lines, summary, and what is no such file."""

import csv
import gzip
import io
import json
import os
from pathlib import Path

import pytest

from grading.answers import references
from phybench.files.cells import defuse
from phybench_grader import GRADER_VERSION
from tests.grading.answer_files.harnesses import log_of
from tests.grading.answers.command_line import REFERENCES, answer, manage, run_here


def test_each_answer_gets_a_line_and_each_that_is_missing_too(files):
    files.write(
        answer("c", "x - y"),
        answer(1, "m g h", "N"),
        answer(2, r"2mg + 2m\frac{v_0^2}{l}", repeat_index=0),
        {"id": 2, "model": "M", "model_solution": r"So \boxed{4 kg}", "repeat_index": 1},
    )

    done = files.grade()

    assert files.column("id", "model", "repeat_index", "row", "status", "verdict") == [
        ("c", "M", 0, 1, "graded", "INCORRECT"),
        (1, "N", 0, 2, "graded", "CORRECT"),
        (2, "M", 0, 3, "graded", "PARTIAL"),
        (2, "M", 1, 4, "graded", "INCORRECT"),
        (1, "M", None, None, "missing", None),
        (2, "N", None, None, "missing", None),
        ("c", "N", None, None, "missing", None),
    ]
    worked_example = files.lines()[2]
    assert worked_example.pop("seconds") > 0
    assert worked_example == {
        "id": 2,
        "model": "M",
        "repeat_index": 0,
        "row": 3,
        "status": "graded",
        "verdict": "PARTIAL",
        "accuracy": 0.0,
        "eed": pytest.approx(46.6667, abs=1e-4),
        "distance": 2.0,
        "size": 15.0,
        "relative_distance": pytest.approx(2 / 15),
        "reference_read": r"2 g m + \frac{4 m v_0^{2}}{l}",
        "answer_read": r"2 g m + \frac{2 m v_0^{2}}{l}",
        "answer_typed": r"2m\,g+2m\,\frac{v_0^{2}}{l}",
        "notes": [],
        "reason": "",
        "message": "",
        "grader_version": GRADER_VERSION,
        "sympy_version": "1.14.0",
    }
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        # Of two problems answered, one twice, the other lacks an answer.
        "M: accuracy 0.00, EED 7.78 over 3 problems"
        " (graded 3, unreadable 0, missing 2, not graded 0)",
        "N: accuracy 33.33, EED 33.33 over 3 problems"
        " (graded 1, unreadable 0, missing 2, not graded 0)",
        "Graded: 4. Missing: 4. Not graded: 0.",
    ]
    assert done.returncode == 0


def test_the_summary_counts_missing_as_0_and_what_we_could_not_grade_as_all_it_may_be(files):
    files.write(
        answer(1, "m g h"),
        answer(2, "5 kg, 6 kg"),
        answer("bad", "x"),
        references=[*REFERENCES, {"id": "bad", "answer": "(x"}],
    )

    done = files.grade()

    assert done.stdout.splitlines() == [
        "M: accuracy 25.00–50.00, EED 25.00–50.00 over 3 problems"
        " (graded 2, unreadable 1, missing 1, not graded 1)",
        "Unreadable: several 1",
        "Not graded: reference_unreadable 1",
        "Graded: 2. Missing: 1. Not graded: 1.",
    ]


def test_an_answer_to_an_unreadable_reference_is_not_graded_and_told_by_the_exit_status(files):
    files.write(answer(1, "x"), references=[{"id": 1, "answer": r"\int_0^1 x dx"}])

    done = files.grade()

    assert files.column("status", "verdict", "accuracy", "eed", "reason") == [
        ("failed", None, None, None, "reference_unreadable")
    ]
    assert done.stderr.splitlines() == [
        "row 1, id 1, M: reference_unreadable: The reference answer can’t be read: "
        "Integrals are not graded: write the closed form.",
        f"CommandError: Not graded or left out: 1 of 1; {files.output} says why for each.",
    ]
    assert done.returncode == 1


def test_a_row_that_can_not_be_used_is_a_line_with_its_reason_and_moves_no_mean(files):
    files.write(
        answer(1, "m g h"),
        answer(1, "m g"),
        answer(77, "x"),
        answer(None, "x"),
        answer(2, 3),
        answer("c", "x + y", repeat_index=-2),
        answer("none", "x"),
        references=[*REFERENCES, {"id": "none", "answer": ""}],
    )

    done = files.grade()

    assert files.column("row", "id", "status", "accuracy", "reason") == [
        (1, 1, "graded", 100.0, ""),
        (2, 1, "failed", None, "bad_row"),
        (3, "77", "failed", None, "unknown_id"),
        (4, None, "failed", None, "bad_row"),
        (5, 2, "failed", None, "bad_row"),
        (6, "c", "failed", None, "bad_row"),
        (7, "none", "failed", None, "no_reference_answer"),
    ]
    assert "row 2, id 1, M: bad_row: the same sample again (first in row 1)" in done.stderr
    assert "references.json: 1 of its rows has no answer and is left out." in done.stderr
    assert done.stdout.startswith(
        "M: accuracy 16.67–100.00, EED 16.67–100.00 over 1 problem (graded 1,"
    )
    assert done.returncode == 1


def test_the_last_line_counts_as_the_rows_of_the_models_do_and_says_what_is_left_out(files):
    files.write(answer(1, "m g h"), answer(77, "x"), answer(78, ""), answer(2, 3), answer(2, ""))

    done = files.grade()

    assert done.stdout.splitlines() == [
        "M: accuracy 33.33–66.67, EED 33.33–66.67 over 2 problems"
        " (graded 1, unreadable 0, missing 1, not graded 1)",
        "Not graded: bad_row 1",
        "Left out, by reason: unknown_id 1",
        "Graded: 1. Missing: 1. Not graded: 1.",
        "Left out: 2 rows, because no reference answer has their id.",
    ]


def test_a_model_none_of_whose_answers_is_to_a_problem_has_no_figure(files):
    files.write(answer(77, "x"), answer(78, "y"), answer(1, "", "N"))

    done = files.grade()

    assert done.stdout.splitlines() == [
        "M: no score (graded 0, unreadable 0, missing 3, not graded 0)",
        "N: accuracy 0.00, EED 0.00 over 3 problems"
        " (graded 0, unreadable 0, missing 3, not graded 0)",
        "Left out, by reason: unknown_id 2",
        "Graded: 0. Missing: 6. Not graded: 0.",
        "Left out: 2 rows, because no reference answer has their id.",
    ]


def test_an_empty_answer_is_missing_and_not_a_failure(files):
    files.write(answer(1, ""), answer(2, None), answer("c", "x + y"))
    done = manage(*files.arguments, "--processes", 1)
    assert files.column("row", "id", "status") == [
        (1, 1, "missing"),
        (2, 2, "missing"),
        (3, "c", "graded"),
    ]
    assert done.stdout.startswith("M: accuracy 33.33, EED 33.33 over 3 problems")
    assert done.returncode == 0


def test_the_order_and_every_grade_are_the_same_with_one_process_and_with_three(files):
    texts = ["m g h", "x", r"2mg + 3m\frac{v_0^2}{l}", "(", "y + x", "m g h^2", "1/2y", "sin(x)"]
    files.write(
        *(
            answer(reference["id"], text, model, repeat_index=index)
            for index, text in enumerate(texts)
            for model in ("M", "N")
            for reference in REFERENCES
        )
    )
    runs = []
    for processes in (1, 3):
        assert files.grade("--processes", processes).returncode == 0
        runs.append([{**line, "seconds": None} for line in files.lines()])
    assert len(runs[0]) == 48
    assert runs[0] == runs[1]


SAID = [
    # Of either sign, the root of a square is no more its base.
    ({"symbols": [{"latex": "x", "sign": "any"}, "y"]}, r"\sqrt{x^2}", "x", 0),
    ({"symbols": ["x", "y"]}, r"\sqrt{x^2}", "x", 100),
]


@pytest.mark.parametrize(("said", "given", "reference", "accuracy"), SAID)
def test_what_a_reference_says_of_its_symbols_decides_as_in_the_app(
    files, said, given, reference, accuracy
):
    files.write(answer(1, given), references=[{"id": 1, "answer": reference, **said}])
    assert files.grade().returncode == 0
    assert files.column("accuracy") == [(accuracy,)]


def test_declared_symbols_decide_how_both_sides_are_read(files):
    reference = {"id": 1, "answer": r"\Delta p V", "symbols": [r"\Delta p", "V"]}
    files.write(answer(1, r"V \Delta p"), references=[reference])
    files.grade()
    assert files.column("verdict", "reference_read") == [("CORRECT", r"\Delta p V")]


def test_answers_come_from_standard_input_too(files):
    files.write()
    given = json.dumps([answer(1, "m g h")]).encode()
    arguments = ["grade", files.references, "-", "--output", files.output]
    done = run_here(*arguments, "--processes", 1, given=given)
    assert files.column("status", "id")[0] == ("graded", 1)
    assert done.returncode == 0


def test_hostile_answers_are_unreadable_or_left_to_a_person_and_nothing_worse(files):
    texts = ["9^{9^{9^9}}", "10^{10^{10}}", "x" * 1024**2, "\\boxed{" * 140_000, "\x1b[2J\x00x"]
    files.write(*(answer(1, text, "M\x1b[2J", repeat_index=i) for i, text in enumerate(texts)))
    done = files.grade()
    assert files.column("status", "verdict", "accuracy", "reason")[:5] == [
        *[("failed", None, None, "too_large")] * 2,
        *[("graded", "UNREADABLE", 0.0, "too_long")] * 2,
        ("graded", "UNREADABLE", 0.0, "unknown_character"),
    ]
    assert "\x1b" not in done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("which", "content", "sentence"),
    [
        ("references", b"", "This file is empty."),
        ("references", b"id,answer", "This file holds no reference answers."),
        ("references", b"\xff\xfe[\x00", "This is a file in UTF-16."),
        ("references", b'{"id": 1}', "No row of this file has an answer"),
        ("references", b'{"it": 1}', "This file must be a JSON list"),
        ("references", b"\x1f\x8b\x08\x00", "damaged, or was cut off"),
        ("references", b'{"id": 1, "answer": "x"}\n{"id": 2, broken}\n{"id": 3}\n', "Line 2: "),
        ("references", b'[{"id": 1, "answer": "x"}, {"id', "it was cut off"),
        ("answers", b"", "This file is empty."),
        ("answers", b"id,answer", "This file holds no answers."),
        ("answers", b"PK\x03\x04", "This archive is damaged or was cut off."),
        ("answers", b'{"id": 1}', "We can’t tell which field holds: response"),
        ("answers", b'[{"id": 1, "model": "M", "model_answer": "x"}, {"id', "was cut off"),
    ],
)
def test_what_is_no_such_file_is_refused_in_a_sentence(files, which, content, sentence):
    files.write(answer(1, "x"))
    file = getattr(files, which)
    file.write_bytes(content)
    message = files.refuse()
    assert message.startswith(f"{file}: ")
    assert sentence in message
    assert not files.output.exists()


@pytest.mark.parametrize("which", ["references", "answers"])
def test_a_missing_file_and_a_folder_are_told_by_name(files, which):
    files.write(answer(1, "x"))
    setattr(files, which, files.folder / "none.json")
    assert files.refuse().endswith("none.json: No such file or directory")
    setattr(files, which, files.folder)
    assert files.refuse().endswith("Is a directory")


@pytest.mark.parametrize(
    ("references", "sentence"),
    [
        ([{"id": 1, "answer": "x"}, {"id": "1", "answer": "y"}], "Rows 1 and 2 have the same id"),
        ([{"id": 1, "answer": "x"}, 7], "Row 2 is not an object"),
        ([{"answer": "x"}], "Row 1 has no id."),
        ([{"id": 1, "answer": ["x"]}], "Row 1: its answer is not text."),
        ([{"id": 1, "answer": "x", "symbols": "x"}], "Row 1: its symbols are not a list of texts"),
        (
            [{"id": 1, "answer": "x", "symbols": [{"latex": 1}]}],
            "Row 1: its symbols are not a list",
        ),
        ([{"id": 1, "answer": "x", "symbols": [{"latex": "a b"}]}], "Row 1: its symbols: “a b” is"),
        (
            [{"id": 1, "answer": "x", "symbols": [{"latex": "x", "low": 1}]}],
            "Row 1: its symbols contain something that is not text.",
        ),
        ([{"id": 1, "answer": "x", "content": 3}], "Row 1: its content is not text."),
        ([{"id": 1, "answer": "x", "conditions": [1]}], "Row 1: its conditions are not a list"),
        ([{"id": 1, "answer": ""}], "No row of this file has an answer."),
    ],
)
def test_a_doubtful_reference_refuses_the_file(files, references, sentence):
    files.write(answer(1, "x"), references=references)
    assert sentence in files.refuse()


def test_a_row_of_no_model_refuses_the_file(files):
    files.write(answer(1, "x"), answer(2, "x", ""))
    assert "Row 2: it has no model name" in files.refuse()


def test_a_file_that_names_no_model_is_told_how_to_name_it(files):
    for rows in ([answer(1, "x"), answer(2, "x", "")], [{"id": 1, "response": "x"}]):
        files.write(*rows)
        assert "Name the model of rows that name none with --model." in files.refuse()


def test_what_is_no_file_or_an_input_is_never_overwritten(files):
    files.write(answer(1, "m g h"))
    before = files.answers.read_bytes()
    for output, sentence in (
        (files.folder, "is not a file."),
        (Path(os.devnull), "is not a file."),
        (files.answers, "is the input: write to another file."),
        (files.folder / "none" / "grades.jsonl", "No such file or directory."),
    ):
        files.output = output
        assert sentence in files.refuse()
    assert files.answers.read_bytes() == before


@pytest.mark.parametrize(
    "option",
    [["--processes", "0"], ["--processes", "x"], ["--deadline", "0"], ["--deadline", "-1"]],
)
def test_a_number_that_makes_no_sense_is_refused(files, option):
    files.write(answer(1, "x"))
    done = run_here(*files.arguments, *option)
    assert done.stderr.startswith(f"CommandError: Error: argument {option[0]}: ")
    assert not files.output.exists()


EXPORTED = {
    "id": "C1",
    "statement": "A ball falls from the height $h$. Which energy $E$ does it lose?",
    "quantity": "E",
    "answer": "-m g h",
    "symbols": [{"latex": "m", "sign": "positive"}, {"latex": "h", "sign": "any"}],
    "conditions": ["h < R"],
}


def write_table(rows: list[dict[str, object]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(rows[0])
    for row in rows:
        cells = (one if isinstance(one, str) else json.dumps(one) for one in row.values())
        writer.writerow([defuse(cell) for cell in cells])
    return text.getvalue().encode()


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([EXPORTED]).encode(),
        json.dumps(EXPORTED).encode() + b"\n" + json.dumps({**EXPORTED, "id": 2}).encode(),
        gzip.compress(json.dumps(EXPORTED).encode() + b"\n"),
        gzip.compress(json.dumps([EXPORTED]).encode()),
        write_table([EXPORTED]),
        b"\xef\xbb\xbf" + write_table([EXPORTED]),
        gzip.compress(write_table([EXPORTED])),
    ],
    ids=["list", "lines", "packed lines", "packed list", "table", "marked table", "packed table"],
)
def test_references_are_read_in_each_format_that_an_export_has(content: bytes) -> None:
    found = references.parse(content).by_id["C1"]
    assert found == references.parse(json.dumps([EXPORTED]).encode()).by_id["C1"]
    assert (found.answer, found.question.conditions) == ("-m g h", ("h < R",))


def test_answers_that_name_no_model_are_of_the_one_that_is_named(files):
    files.answers.write_text(
        '{"id": 1, "response": "m g h"}\n{"id": 2, "response": "x", "model": "N"}\n'
    )
    files.references.write_text(json.dumps(REFERENCES[:2]))
    refused = files.grade()
    assert (refused.returncode, refused.stdout) == (2, "")
    assert files.grade("--model", "A model").returncode == 0
    graded = [row for row in files.column("id", "model", "status") if row[2] == "graded"]
    assert graded == [(1, "A model", "graded"), (2, "N", "graded")]


def test_a_call_that_failed_is_missing_and_says_why(files):
    files.write(answer(1, "m g h"), answer(2, "half of it", error="Timeout"), answer("c", "x"))
    done = files.grade()
    assert files.column("id", "status", "reason", "message")[1] == (
        *(2, "missing", "call_failed"),
        "not answered, because it failed: Timeout",
    )
    assert "Not answered: call_failed 1" in done.stdout
    assert done.returncode == 0


def test_calls_that_failed_are_of_the_model_that_alone_answers_in_the_log_of_its_evaluation(files):
    files.write()
    files.answers.write_bytes(log_of(("1", "gpt-x-2026", "m g h"), ("2", "openai/gpt-x", "")))
    done = files.grade()
    assert done.stdout.startswith("gpt-x-2026: accuracy 33.33")
    assert "openai/gpt-x" not in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("others", [("A", "B"), ("A",)])
def test_a_model_of_which_only_failed_calls_are_there_has_no_score(files, others):
    rows = [("1", name, "m g h") for name in others]
    model = "openai/gpt-x" if len(others) > 1 else "openai/another"
    files.write()
    files.answers.write_bytes(log_of(*rows, ("2", "openai/gpt-x", ""), model=model))
    done = files.grade()
    assert "openai/gpt-x: no score, only failed calls (1)" in done.stdout
    assert done.stdout.count("accuracy") == len(others)
    assert "No score, because all calls failed: openai/gpt-x." in done.stderr
    assert done.returncode == 1


def test_where_all_calls_failed_nothing_was_graded(files):
    files.write()
    files.answers.write_bytes(log_of(("1", "openai/gpt-x", "")))
    done = files.grade()
    assert "accuracy" not in done.stdout
    assert done.returncode == 2
