"""What the client says of a file offline is what the server says of it."""

import ast
import csv
import gzip
import io
import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from phybench.files.answer_files.answers import Answer, Reading, match_configured
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.rows import BrokenOff, open_rows
from tests.client.loaded import load, run
from tests.grading.answer_files.harnesses import FAILING, HARNESSES, log_of

client = load()


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


ROWS: list[dict[str, Any]] = [
    {"id": "C1", "model": "A", "response": 'so\n\\boxed{x}, "yes"', "epoch": 1},
    {"id": "C1", "model": "A", "response": "y", "epoch": 1},
    {"id": "C1", "model": "A", "response": "z", "epoch": 2},
    {"id": "C2", "model": " A\u200b ", "response": "", "epoch": 1},
    {"id": "", "model": "A", "response": "x", "epoch": 1},
    {"id": "C3", "model": "", "response": "x", "epoch": 1},
    {"id": 4.0, "model": "B", "response": "x", "epoch": 7.5},
    {"id": "C5", "model": "B", "response": "x", "epoch": 2},
]
LINES = "".join(json.dumps(one) + "\n" for one in ROWS).encode()
FILES: dict[str, bytes] = {
    "list.json": json.dumps(ROWS, indent=1).encode(),
    "lines.jsonl": LINES,
    "lines.json": LINES,
    "broken-line.jsonl": LINES + b'{"id": broken}\n\n[1]\n' + LINES,
    "cut.jsonl": LINES[:-20],
    "cut.json": json.dumps(ROWS).encode()[:-25],
    "table.csv": as_csv(ROWS),
    "semicolons.csv": as_csv(ROWS, ";"),
    "short.csv": as_csv(ROWS) + b"C9,A\nC10,A,x,1\n",
    "cut.csv": as_csv(ROWS)[:-9],
    "packed.jsonl.gz": gzip.compress(LINES) + gzip.compress(LINES),
    "cut.jsonl.gz": gzip.compress(LINES)[:-12],
    "marked.csv": b"\xef\xbb\xbf" + as_csv(ROWS),
    "sixteen.jsonl": LINES.decode().encode("utf-16"),
    "nan.json": b'[{"id": "C1", "model": "A", "response": NaN}, {"id": 1, "model": "A",'
    b' "response": "x",},]'.replace(b",}", b"}"),
    "in-a-field.json": json.dumps({"config": {"model": "C"}, "results": ROWS}).encode(),
    "by-problem.json": json.dumps({f"C{n}": "x" for n in range(5)}).encode(),
    "not-text.json": b"%PDF-1.7 ...",
    "empty.json": b"  \n",
    "none.csv": b"just a line\n",
    "columns.json": json.dumps({"id": ["C1", "C2"], "response": ["x", "y"]}).encode(),
    **{name: one.content for name, one in HARNESSES.items()},
    **{f"failing {name}": one.content for name, one in FAILING.items()},
    "asked.json": log_of(("C1", "gpt-x-2026", "x"), ("C2", "openai/gpt-x", "")),
    "asked of two.json": log_of(("C1", "A", "x"), ("C1", "B", "y"), ("C2", "openai/gpt-x", "")),
}


def count_server(content: bytes, name: str, known: set[str]) -> dict[str, Any]:
    try:
        rows = open_rows(io.BytesIO(content), name)
    except RefusedFile:
        return {"refused": True}
    field_map = guess(rows.head(), known=known, remarks=rows.remarks)
    if field_map.find_faults():
        return {"refused": True}
    reading, answers, left_out, broken = Reading(rows, field_map), [], Counter(), False
    try:
        for one in reading:
            if isinstance(one, Answer):
                answers.append((one.model, one.id, one.sample))
            else:
                left_out[one.model, one.reason.value] += 1
    except BrokenOff:
        broken = True
    reasons = {
        model: [reason for name, reason in left_out if name == model] for model, _ in left_out
    }
    for asked, model in match_configured(
        rows.remarks, {one for one, *_ in answers}, reasons
    ).items():
        left_out = Counter(
            {(model if name == asked else name, why): n for (name, why), n in left_out.items()}
        )
    return {
        "format": rows.format.value,
        "rows": reading.counts.rows,
        "answers": answers,
        "left_out": left_out,
        "broken": broken,
        "map": {name: getattr(field_map, name) for name in client.FieldMap._fields},
    }


def count_client(content: bytes, path: Path, known: set[str]) -> dict[str, Any]:
    path.write_bytes(content)
    try:
        found = client.check_file(path, frozenset(known))
    except (client.Refused, client.Broken):
        return {"refused": True}
    return {
        "format": found.format,
        "rows": found.rows,
        "answers": [(one.model, one.id, one.sample) for one in found.answers],
        "left_out": Counter((one.model, one.reason) for one in found.left_out),
        "broken": bool(found.broken),
        "map": found.field_map._asdict(),
    }


@pytest.mark.parametrize("known", [set(), {"C1", "C2"}], ids=["without", "with problems"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_is_read_as_the_server_reads_it(name: str, known: set[str], tmp_path: Path) -> None:
    content = FILES[name]
    assert count_client(content, tmp_path / Path(name).name, known) == count_server(
        content, Path(name).name, known
    )


@pytest.mark.parametrize("name", ["list.json", "lines.jsonl", "table.csv", "in-a-field.json"])
def test_a_file_cut_anywhere_is_read_as_far_as_the_server_reads_it(
    name: str, tmp_path: Path
) -> None:
    content = FILES[name]
    for end in range(1, len(content), 7):
        ours = count_client(content[:end], tmp_path / name, set())
        assert ours == count_server(content[:end], name, set()), end


def test_what_check_prints_and_how_it_ends(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(LINES)
    (tmp_path / "problems.json").write_text(
        json.dumps([{"id": "C1", "part": "public"}, {"id": "C7"}, {"id": "4", "part": "hidden"}])
    )
    done = run("check", "a.jsonl", "--json", "--problems", "problems.json", folder=tmp_path)
    [a, b] = json.loads(done.stdout)["models"]
    assert (a["answers"], a["twice"], a["empty"], a["missing_ids"]) == (1, 2, 1, ["C7"])
    assert (b["answers"], b["unknown_ids"], b["hidden_answered"]) == (2, ["C5"], 1)
    assert done.returncode == 2  # of B nothing would be graded
    (tmp_path / "b.jsonl").write_bytes(LINES[:-20])
    assert run("check", "b.jsonl", folder=tmp_path).returncode == 2
    assert run("check", "none.jsonl", folder=tmp_path).returncode == 2


def figure(value: float | None, low: float | None = None, high: float | None = None) -> Any:
    return {"value": value, "low": low, "high": high, "count": 36}


def test_a_board_has_headings_intervals_and_rank_ranges_and_a_dash_for_what_is_not_there() -> None:
    board = {
        "benchmark": "demo",
        "version": 2,
        "rows": [
            {
                "rank_low": 1, "rank_high": 2, "name": "甲\x1b[1m",
                "accuracy": figure(66.7, 50.3, 79.8), "eed": figure(90.26, 84, 94),
            },
            {
                "rank_low": 3, "rank_high": 3, "name": "Second", "waiting": 4, "not_graded": 0,
                "accuracy": figure(100.0), "accuracy_range": {"low": 33.3, "high": 100.0},
                "eed": figure(None), "eed_range": {"low": 40.0, "high": 100.0},
            },
            {"name": "Third", "rank_low": None, "accuracy": figure(None), "eed": None},
        ],
        "studies": [{"name": "Human baseline", "people": 15, "eed": figure(69.9, 60.1, 79.7)}],
        "people": {"study": "", "people": 6, "accuracy": figure(50.0, 40.0, 60.0)},
    }  # fmt: skip
    assert list(client.describe_board(board)) == [
        "demo, version 2",
        "Rank  Solver                             Accuracy    95 %       EED         95 %",
        "1–2   甲[1m                              66.7        50.3–79.8  90.3        84.0–94.0",
        "3     Second (4 still being graded)      33.3–100.0  –          40.0–100.0  –",
        "–     Third                              –           –          –           –",
        "–     Human baseline (15 people)         –           –          69.9        60.1–79.7",
        "–     People without a study (6 people)  50.0        40.0–60.0  –           –",
    ]
    assert list(client.describe_board({"rows": [], "people": None})) == [
        "–, version –",
        "This board has no answers yet.",
    ]


def test_a_submission_says_each_mean_or_why_there_is_none() -> None:
    told = {"model": "A", "number": 1, "id": 3, "progress": {
        "state": "incomplete", "done": 2, "total": 2, "counts": {"FAILED": 2}, "missing": 0,
        "accuracy": figure(None), "accuracy_range": None,
        "eed": figure(None), "eed_range": {"low": 40.0, "high": 100.0},
    }}  # fmt: skip
    assert list(client.describe_submission(told))[2:] == [
        "  accuracy –: nothing is graded",
        "  eed 40.0 to 100.0: not all is graded",
    ]


OLD_PYTHONS = ("python3.6", "python3.7", "python3.8")


def list_old_pythons() -> Iterator[str]:
    """List what really starts; a name on PATH may be a version manager's own."""
    installed = map(str, Path(sys.base_prefix).parent.glob("3.[678].*/bin/python3"))
    for python in (*filter(shutil.which, OLD_PYTHONS), *installed):
        told = subprocess.run([python, "-V"], capture_output=True, text=True)
        if told.returncode == 0:
            yield python


def test_an_older_python_is_refused_in_a_sentence() -> None:
    pythons = list(list_old_pythons())
    if not pythons:
        pytest.skip(f"none of {', '.join(OLD_PYTHONS)} is here")
    for python in pythons:
        command = [python, Path(client.__file__), "--help"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(
            r"phybench\.py needs Python 3\.9 or newer, and this is Python 3\.[678]: start it with a"
            r" newer one, e\.g\. python3\.11 phybench\.py --help\.\n",
            done.stderr,
        )


def test_it_is_written_so_that_an_older_python_can_read_it_as_far_as_its_refusal() -> None:
    tree = ast.parse(Path(client.__file__).read_text(encoding="utf-8"), feature_version=(3, 7))
    imported = {one.module for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)}
    assert "__future__" not in imported, "3.6 has no annotations there"


@pytest.mark.skipif(not shutil.which("python3.9"), reason="no Python 3.9 here")
def test_it_runs_on_python_3_9_with_nothing_installed(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(LINES)
    board = {"rows": [{"name": "A", "rank_low": 1, "rank_high": 1, "eed": figure(1.0)}]}
    script = f"import phybench; print(*phybench.describe_board({board!r}), sep=chr(10))"
    folder = Path(client.__file__).parent
    for arguments in (["phybench.py", "check", str(tmp_path / "a.jsonl")], ["-c", script]):
        done = subprocess.run(["python3.9", *arguments], cwd=folder, capture_output=True, text=True)
        if "not installed" in done.stderr or done.returncode == 127:
            pytest.skip("no Python 3.9 here")
        assert done.returncode == 0, done.stderr


def test_check_names_failed_calls_with_their_model_or_on_their_own(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(FILES["asked.json"])
    (tmp_path / "two.json").write_bytes(FILES["asked of two.json"])
    one = run("check", "one.json", folder=tmp_path).stdout
    assert "gpt-x-2026: 1 answer\n" in one
    assert "1 not answered, because asking failed: C2" in one
    assert "openai" not in one
    two = run("check", "two.json", folder=tmp_path).stdout
    assert "openai/gpt-x: only failed calls (1), no score" in two
    assert "no model that answers" not in two


def test_check_counts_one_as_one(tmp_path: Path) -> None:
    rows = [{"id": "C1", "model": "A", "response": "x"}, {"id": "C2", "response": ""}]
    rows += [{"id": "C9", "model": "B", "response": "x"}]
    (tmp_path / "a.json").write_text(json.dumps(rows))
    (tmp_path / "problems.json").write_text(json.dumps([{"id": "C1"}]))
    said = run("check", "a.json", "--problems", "problems.json", folder=tmp_path).stdout
    assert "1 answer to unknown ids" in said
    assert "1 row names no model that answers anything." in said
    assert "1 answers" not in said
