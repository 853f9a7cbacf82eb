"""`phybench-grade` grades files, and never counts what it could not grade as wrong."""

import json

import pytest

from phybench_grader.command import main

REFERENCES = [
    {"id": 1, "answer": "m g h"},
    {"id": "two", "answer": r"\sqrt{2 g h}", "symbols": ["g", "h"]},
    {"id": 3, "answer": "x"},
    {"id": 4, "answer": r"\int x"},
]
ANSWERS = [
    {"id": "1", "response": r"So it is \boxed{h g m}."},
    {"id": "two", "answer": r"2 \sqrt{2 g h}"},
    {"id": 4, "response": "x"},
    {"id": 9, "response": "x"},
]


def write(path, rows, *, lines: bool):
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("lines", [True, False])
def test_a_file_is_graded_answer_by_answer(tmp_path, capsys, lines):
    files = [
        write(tmp_path / "references", REFERENCES, lines=lines),
        write(tmp_path / "answers", ANSWERS, lines=lines),
    ]

    assert main(files) == 0

    output = capsys.readouterr()
    rows = [json.loads(line) for line in output.out.splitlines()]
    assert [(row["id"], row["status"], row.get("verdict")) for row in rows] == [
        ("1", "graded", "CORRECT"),
        ("two", "graded", "PARTIAL"),
        (4, "not_graded", None),
        (9, "unknown_id", None),
        (3, "missing", None),
    ]
    assert "accuracy 33.3 %" in output.err
    assert "1 not graded" in output.err


def test_the_grades_can_go_to_a_file(tmp_path, capsys):
    output = tmp_path / "grades.jsonl"
    files = [
        write(tmp_path / "references", REFERENCES[:1], lines=True),
        write(tmp_path / "answers", ANSWERS[:1], lines=True),
    ]

    assert main([*files, "--output", str(output)]) == 0

    assert json.loads(output.read_text())["accuracy"] == 100
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": 1, "response": "x"}\n{"id": 2, "resp', "line 2"),
        ('[{"response": "x"}]', "row 1: it has no “id”"),
        ('{"id": 1}', "no text in “response” or “answer”"),
        ("<html>", "no JSON"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(tmp_path, capsys, text, message):
    (tmp_path / "answers").write_text(text, encoding="utf-8")
    references = write(tmp_path / "references", REFERENCES, lines=False)

    assert main([references, str(tmp_path / "answers")]) == 2

    assert message in capsys.readouterr().err
