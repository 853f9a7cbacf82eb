"""`manage.py` as a stranger runs it: a process of its own, and nothing in the environment."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 100
"""Seconds."""
REFERENCES = [
    {"id": 1, "answer": "$$m g h$$", "tag": "MECHANICS"},
    {"id": 2, "answer": r"2mg + 4m\frac{v_0^2}{l}"},
    {"id": "c", "answer": "x + y"},
]


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]


def manage(
    *arguments: object, given: bytes = b"", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    done = subprocess.run(
        command(*arguments),
        input=given,
        env=environment or {},
        cwd=ROOT,
        capture_output=True,
        timeout=PATIENCE,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


def run_here(*arguments: object, given: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run a command in this process, which has loaded what another would spend most time on."""
    said, complained = io.StringIO(), io.StringIO()
    code = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        try:
            call_command(*map(str, arguments), stdout=said, stderr=complained)
        except CommandError as error:
            complained.write(f"CommandError: {error}\n")
            code = error.returncode
        except SystemExit as end:
            code = int(end.code or 0)
    return subprocess.CompletedProcess(arguments, code, said.getvalue(), complained.getvalue())


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
        return run_here(*self.arguments, "--processes", 1, *options)

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
