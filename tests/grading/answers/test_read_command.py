import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import manage as manage_script
from development import commands
from grading.management.commands.read import put_text_last
from tests.grading.answers.command_line import PATIENCE, ROOT, manage, run_here


def test_it_reads_with_no_database_no_broker_and_no_environment():
    done = manage("read", r"E = \frac12 m v^2")
    assert done.stdout.splitlines() == [
        r"Read as: \frac{1}{2}m\,v^{2}",
        r"LaTeX:   \frac{m v^{2}}{2}",
        "SymPy:   m*v**2/2",
        "Symbols: m, v",
        "Note:    We left out the name before “=”.",
    ]
    assert (done.stderr, done.returncode) == ("", 0)


def test_other_readings_of_another_value_are_shown():
    assert run_here("read", r"\sin\theta l").stdout.splitlines()[4:] == [
        r"Or:      \sin\left(\theta \right)\,l   (l*sin(theta))"
    ]


def test_it_goes_by_what_the_problem_asks_and_names_symbols_that_it_lacks():
    asked = ["--symbols", r"\omega,R", "--find", "v", "--where", r"\omega < R"]
    assert run_here("read", "v = w R", *asked).stdout.splitlines()[-1] == (
        r"Note:    $w$ is not a symbol of this problem: did you mean $\omega$?"
    )
    refused = run_here("read", "v^2 = w R", *asked)
    assert (refused.stdout.split(":")[0], refused.returncode) == ("other_quantity", 1)


def test_a_condition_that_can_not_be_met_is_said():
    done = run_here("read", "a", "--symbols", "a,b", "--where", "a < b < a")
    assert (done.stdout, done.returncode) == ("", 2)
    assert "--where" in done.stderr


def test_of_a_response_the_boxed_answer_is_read_as_the_grader_does():
    done = run_here("read", "-", given=b"<think>\\boxed{1}</think>So \\boxed{x} or \\boxed{\\foo")
    assert done.stdout.splitlines()[0] == "Read as: x"


def test_what_is_unreadable_is_pointed_at_and_told_by_the_exit_status():
    done = run_here("read", "-", given="x +\n θ \\foo y".encode())
    assert done.stdout.splitlines() == [
        r"unknown_command: We don’t know the command \foo: write it another way.",
        r"2 |  θ \foo y",
        "       ^^^^",
    ]
    assert (done.stderr, done.returncode) == ("", 1)


def test_json_holds_the_reading():
    done = run_here("read", r"T = 1/2\pi", "--json")
    assert json.loads(done.stdout) == {
        "text": r"T = 1/2\pi",
        "is_read": True,
        "as_typed": r"\left(1/2\right)\pi",
        "latex": r"\frac{\pi}{2}",
        "sympy": "pi/2",
        "symbols": [],
        "notes": ["We left out the name before “=”."],
        "unknown_symbols": [],
        "other_readings": [
            {
                "as_typed": r"1/\left(2\pi \right)",
                "latex": r"\frac{1}{2 \pi}",
                "sympy": "1/(2*pi)",
            }
        ],
    }
    assert done.returncode == 0


def test_json_holds_the_reason_and_the_place():
    done = run_here("read", "--json", "x + 5 , y")
    assert json.loads(done.stdout) == {
        "text": "x + 5 , y",
        "is_read": False,
        "reason": "several",
        "message": "Write one answer: no comma, “or” or ± between several.",
        "start": 8,
        "end": 9,
    }
    assert done.returncode == 1


def test_declared_symbols_decide_how_a_text_is_read():
    done = run_here("read", r"\Delta p V", "--symbols", r"\Delta p, v_{x,y}")
    assert r"Symbols: \Delta p, V" in done.stdout


def test_what_can_not_be_a_symbol_is_refused_before_anything_is_read():
    done = run_here("read", "x", "--symbols", "m,量")
    assert done.stderr.startswith("CommandError: --symbols: 量: ")
    assert (done.stdout, done.returncode) == ("", 2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["-mgh"], ["--", "-mgh"]),
        (["-v_0 t", "--json"], ["--json", "--", "-v_0 t"]),
        (["--symbols", "m,g", r"-\frac12"], ["--symbols", "m,g", "--", r"-\frac12"]),
        (["--json", "--", "-h"], ["--json", "--", "-h"]),
        (["-h"], ["-h"]),
        (["-"], ["-"]),
        (["x"], ["x"]),
    ],
)
def test_a_text_may_begin_with_a_minus(arguments, expected):
    assert put_text_last(arguments) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "empty"),
        (b"9^{9^{9^9}}", "too_large"),
        (b"10^{10^{10}}", "too_large"),
        (b"(" * 4_000, "too_deep"),
        (b"x" * 1024**2, "too_long"),
        ("量".encode() * 1024**2, "too_long"),
        (b"\\boxed{" * 150_000, "too_long"),
        (b"x\n" * 500_000, "too_long"),
        (b"\x1b[2J\x1b]0;owned\x07x", "unknown_character"),
        ("x\u202ey".encode(), "unknown_character"),
        (b"x\x00y", "unknown_character"),
    ],
)
def test_hostile_texts_get_a_reason_and_three_short_lines(text, reason):
    done = run_here("read", "-", given=text)
    first, *rest = done.stdout.removesuffix("\n").split("\n")
    assert first.startswith(f"{reason}: ")
    assert len(rest) in (0, 2)
    assert all(line.isprintable() and len(line) <= 200 for line in (first, *rest))
    assert (done.stderr, done.returncode) == ("", 1)


def test_input_that_is_no_text_is_refused_in_a_sentence():
    done = run_here("read", "-", given=b"\xff\xfex\x00")
    assert done.stderr == "CommandError: The input is not text in UTF-8.\n"
    assert (done.stdout, done.returncode) == ("", 2)


def test_a_terminal_that_lacks_a_character_still_gets_the_result():
    done = manage("read", "γ ², θ", environment={"PYTHONIOENCODING": "ascii"})
    assert (done.stderr, done.returncode) == ("", 1)
    assert r"\u03b3" in done.stdout


# --- What it runs without -------------------------------------------------------------------


def test_dev_py_starts_nothing_for_the_commands_that_need_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "dev.py", "manage", "read", "x"],
        cwd=ROOT,
        env={"VAR_DIR": str(tmp_path / "var"), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.stdout.splitlines()[0], done.returncode) == ("Read as: x", 0)
    assert not (tmp_path / "var").exists()


def test_dev_py_reads_files_by_their_paths_from_where_one_stands(tmp_path):
    (tmp_path / "ref.json").write_text('[{"id": 1, "answer": "x"}]')
    (tmp_path / "ans.json").write_text('[{"id": 1, "model": "M", "response": "x"}]')
    named = ("grade", "ref.json", "ans.json")
    done = subprocess.run(
        [sys.executable, Path(ROOT, "dev.py"), "manage", *named, "--output", "grades.jsonl"],
        cwd=tmp_path,
        env={"VAR_DIR": str(tmp_path / "var"), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert (tmp_path / "grades.jsonl").exists()


def test_dev_py_and_manage_py_agree_on_which_commands_need_nothing():
    assert commands.STANDALONE == manage_script.STANDALONE
    folder = Path(ROOT, "grading", "management", "commands")
    assert all((folder / f"{name}.py").exists() for name in commands.STANDALONE)


@pytest.mark.parametrize("command", ["migrate", "runserver", "check"])
def test_every_other_command_wants_a_database_and_says_so(command):
    done = manage(command, environment={"SECRET_KEY": "secret"})
    assert done.returncode != 0
    assert done.stderr.strip().endswith(
        "DATABASE_URL is not set: run through `python3 dev.py`, or name a PostgreSQL database"
    )


def test_the_web_server_wants_a_database_and_says_so():
    done = subprocess.run(
        [sys.executable, "-c", "import phybench.wsgi"],
        cwd=ROOT,
        env={"SECRET_KEY": "secret"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    assert "DATABASE_URL is not set" in done.stderr.splitlines()[-1]


def test_the_rules_for_references_are_checked_where_that_is_asked():
    assert run_here("read", "m g h", "--reference").stdout.splitlines()[-1] == "Breaks:  no rule"

    done = run_here("read", "0.5 m u_0", "--statement", r"$m$ and $\nu_0$")

    said = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Breaks")]
    assert said == ["float:", "not_introduced:"]
    assert (done.stderr, done.returncode) == ("", 1)


def test_json_holds_the_rules_that_a_reference_breaks():
    done = run_here("read", "0.5 m", "--json", "--reference")
    [rule] = json.loads(done.stdout)["broken_rules"]
    assert (rule["code"], rule["start"], rule["end"]) == ("float", 0, 3)
    assert done.returncode == 1
