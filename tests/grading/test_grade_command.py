import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.core.management import CommandError, call_command

from grading.expressions import GRADER_VERSION
from tests.development.checkout import is_running, wait_until
from tests.grading.command_line import PATIENCE, ROOT, command, manage

REFERENCES = [
    {"id": 1, "answer": "$$m g h$$", "tag": "MECHANICS"},
    {"id": 2, "answer": r"2mg + 4m\frac{v_0^2}{l}"},
    {"id": "c", "answer": "x + y"},
]
HEAVY = (
    r"\frac{\sin(%d a+b+c)}{\cos(a+c)} + \frac{\cos(a-b)}{\sin(b+c)}"
    r" + \tan(a b) \sin^2(a+c) \cos^3(b+c)"
)
"""Its distance from another of its kind takes many seconds of simplifying."""


def answer(identifier: object, text: object, model: object = "M", **fields: object) -> dict:
    return {"id": identifier, "model": model, "model_answer": text, **fields}


class Files:
    """The files of one run, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.references = folder / "references.json"
        self.answers = folder / "answers.json"
        self.output = folder / "grades.jsonl"

    def write(self, *answers: object, references: object = REFERENCES) -> None:
        self.references.write_text(json.dumps(references))
        self.answers.write_text(json.dumps(answers))

    @property
    def arguments(self) -> list[object]:
        return ["grade", self.references, self.answers, "--output", self.output]

    def grade(self, *options: object) -> subprocess.CompletedProcess[str]:
        return manage(*self.arguments, "--processes", 1, *options)

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.output.read_text().splitlines()]

    def column(self, *names: str) -> list[tuple]:
        return [tuple(line[name] for name in names) for line in self.lines()]

    def refuse(self, *options: str) -> str:
        """Run the command in this process, and return what it says of files it can't use."""
        with pytest.raises(CommandError) as refused:
            call_command(*map(str, self.arguments), *options, stderr=io.StringIO())
        assert refused.value.returncode == 2
        return str(refused.value)


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)


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
        "notes": [],
        "reason": "",
        "message": "",
        "grader_version": GRADER_VERSION,
        "sympy_version": "1.14.0",
    }
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] == "Graded: 4. Missing: 3. Not graded: 0."
    assert done.returncode == 0


def test_the_summary_counts_missing_as_0_and_what_we_could_not_grade_not_at_all(files):
    files.write(
        answer(1, "m g h"),
        answer(2, "5 kg, 6 kg"),
        answer("bad", "x"),
        references=[*REFERENCES, {"id": "bad", "answer": "(x"}],
    )

    done = files.grade()

    assert done.stdout.splitlines() == [
        "M: accuracy 33.33, EED 33.33 over 3 problems"
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
        "row 1, id 1, M: reference_unreadable: The reference cannot be read: Integrals are not"
        " graded: write the closed form.",
        f"CommandError: Not graded: 1 of 1; {files.output} says why for each.",
    ]
    assert done.returncode == 1


def test_a_row_that_can_not_be_used_is_a_line_with_its_reason_and_moves_no_mean(files):
    files.write(
        answer(1, "m g h"),
        answer(1, "m g"),
        answer(77, "x"),
        answer(None, "x"),
        answer(2, ["x"]),
        answer("c", "x + y", repeat_index="1"),
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
    assert "row 2, id 1, M: bad_row: the same id again (first in row 1)" in done.stderr
    assert "references.json: 1 of its rows have no answer; they are left out." in done.stderr
    assert done.stdout.startswith("M: accuracy 100.00, EED 100.00 over 1 problems (graded 1,")
    assert done.returncode == 1


def test_an_empty_answer_is_missing_and_not_a_failure(files):
    files.write(answer(1, ""), answer(2, None), answer("c", "x + y"))
    done = files.grade()
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


def test_declared_symbols_decide_how_both_sides_are_read(files):
    reference = {"id": 1, "answer": r"\Delta p V", "symbols": [r"\Delta p", "V"]}
    files.write(answer(1, r"V \Delta p"), references=[reference])
    files.grade()
    assert files.column("verdict", "reference_read") == [("CORRECT", r"\Delta p V")]


def test_answers_come_from_standard_input_too(files):
    files.write()
    given = json.dumps([answer(1, "m g h")]).encode()
    done = manage("grade", files.references, "-", "--output", files.output, given=given)
    assert files.column("status", "id")[0] == ("graded", 1)
    assert done.returncode == 0


def test_hostile_answers_are_unreadable_and_nothing_worse(files):
    texts = ["9^{9^{9^9}}", "10^{10^{10}}", "x" * 1024**2, "\\boxed{" * 140_000, "\x1b[2J\x00x"]
    files.write(*(answer(1, text, "M\x1b[2J", repeat_index=i) for i, text in enumerate(texts)))
    done = files.grade()
    assert files.column("status", "verdict", "accuracy", "reason")[:5] == [
        ("graded", "UNREADABLE", 0.0, reason)
        for reason in ("too_large", "too_large", "too_long", "too_long", "unknown_character")
    ]
    assert "\x1b" not in done.stdout + done.stderr
    assert done.returncode == 0


# --- What goes wrong on our side ------------------------------------------------------------


@pytest.fixture
def heavy(files) -> Files:
    """An answer that takes long, and a quick one after it."""
    files.write(
        answer(1, HEAVY % 2),
        answer(2, "x"),
        references=[{"id": 1, "answer": HEAVY % 1}, {"id": 2, "answer": "x"}],
    )
    return files


def test_an_answer_past_the_deadline_is_not_graded(heavy):
    done = heavy.grade("--deadline", 1)
    assert heavy.column("status", "accuracy", "reason") == [
        ("failed", None, "timeout"),
        ("graded", 100.0, ""),
    ]
    assert done.returncode == 1


class Started:
    """A run whose one child is at work on the heavy answer."""

    def __init__(self, files: Files) -> None:
        self.process = subprocess.Popen(
            command(*files.arguments, "--processes", 1, "--deadline", 60),
            cwd=ROOT,
            env={},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.child: psutil.Process | None = None
        assert wait_until(self.is_at_work), "no child came to work"

    def is_at_work(self) -> bool:
        """Look for what the fork server has forked; it comes with SymPy, so it works at once."""
        self.family = psutil.Process(self.process.pid).children(recursive=True)
        for one in self.family:
            try:
                if one.ppid() != self.process.pid and one.cpu_times().user > 0.2:
                    self.child = one
            except psutil.NoSuchProcess:
                continue
        return self.child is not None

    def end(self) -> tuple[str, int]:
        errors = self.process.communicate(timeout=PATIENCE)[1]
        return errors, self.process.returncode


@pytest.fixture
def started(heavy) -> Iterator[Started]:
    run = Started(heavy)
    yield run
    if run.process.poll() is None:
        run.process.kill()
    run.process.communicate()


def test_a_killed_child_leaves_its_answer_ungraded_and_the_others_graded(started, heavy):
    assert started.child is not None
    started.child.kill()
    _errors, code = started.end()
    assert heavy.column("status", "accuracy", "reason") == [
        ("failed", None, "crashed"),
        ("graded", 100.0, ""),
    ]
    assert code == 1


def test_an_interrupt_ends_it_and_leaves_what_was_there(heavy):
    heavy.output.write_text("of an earlier run\n")
    run = Started(heavy)
    os.killpg(run.process.pid, signal.SIGINT)
    assert run.end() == ("CommandError: Stopped. Nothing was written.\n", 130)
    assert wait_until(lambda: not any(map(is_running, run.family)))
    assert heavy.output.read_text() == "of an earlier run\n"
    assert sorted(heavy.folder.iterdir()) == [heavy.answers, heavy.output, heavy.references]


def test_until_it_is_whole_the_output_has_another_name(started, heavy):
    assert not heavy.output.exists()
    started.process.kill()
    started.process.wait(PATIENCE)
    left = {file.name for file in heavy.folder.iterdir()}
    assert left - {"references.json", "answers.json"} == {
        f".grades.jsonl.{started.process.pid}.part"
    }


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has a device that is always full")
def test_a_full_disk_is_said_and_leaves_no_output(files):
    files.write(answer(1, "m g h"))
    limit = "import resource, signal, sys, runpy;"
    limit += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    limit += "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100));"
    limit += "sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    arguments = command(*files.arguments)[1:]
    done = subprocess.run(
        [sys.executable, "-B", "-c", limit, *arguments],
        cwd=ROOT,
        env={},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stderr.endswith("File too large. Nothing was written.\n")
    assert done.returncode == 2
    assert sorted(files.folder.iterdir()) == [files.answers, files.references]


# --- Files that can't be used ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty."),
        (b"id,answer", "This is not JSON: line 1, column 1"),
        (b"\xff\xfe[\x00", "This is not a text file in UTF-8."),
        (b'{"id": 1}', "This file must be a JSON list"),
        (b'[{"id": 1, "model": "M", "model_answer": "x"}, {"id', "it was cut off"),
    ],
)
@pytest.mark.parametrize("which", ["references", "answers"])
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
        ([{"id": 1, "answer": ""}], "No row of this file has an answer."),
    ],
)
def test_a_doubtful_reference_refuses_the_file(files, references, sentence):
    files.write(answer(1, "x"), references=references)
    assert sentence in files.refuse()


def test_a_row_of_no_model_refuses_the_file(files):
    files.write(answer(1, "x"), answer(2, "x", ""))
    assert "Row 2 has no “model”" in files.refuse()


def test_what_is_no_file_or_an_input_is_never_overwritten(files):
    files.write(answer(1, "m g h"))
    before = files.answers.read_bytes()
    for output, sentence in (
        (files.folder, "is not a file."),
        (Path(os.devnull), "is not a file."),
        (files.answers, "is to be read: write to another file."),
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
    done = manage(*files.arguments, *option)
    assert f"error: argument {option[0]}: " in done.stderr
    assert done.returncode == 2
