"""What goes wrong while a file is graded: deadlines, killed children, Ctrl-C, a full disk."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from tests.development.checkout import is_running, wait_until
from tests.grading.answers.command_line import PATIENCE, ROOT, Files, answer, command

HEAVY = (
    r"\frac{\sin(%d a+b+c)}{\cos(a+c)} + \frac{\cos(a-b)}{\sin(b+c)}"
    r" + \tan(a b) \sin^2(a+c) \cos^3(b+c)"
)
"""Its distance from another of its kind takes many seconds of simplifying."""


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


def test_a_killed_child_costs_no_answer(started, heavy):
    assert started.child is not None
    started.child.kill()
    _errors, code = started.end()
    assert heavy.column("status", "reason") == [("graded", ""), ("graded", "")]
    assert code == 0


def test_an_interrupt_ends_it_and_leaves_what_was_there(heavy):
    # As many as last until the interrupt comes, however busy the machine is.
    numbers = range(1, 9)
    heavy.write(
        *(answer(number, HEAVY % (number + 1)) for number in numbers),
        references=[{"id": number, "answer": HEAVY % 1} for number in numbers],
    )
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
