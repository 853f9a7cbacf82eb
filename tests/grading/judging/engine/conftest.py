"""Files of a run of judges, and a scripted judge that answers each item as its number says."""

import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from grading.demo.fake_endpoint import Request, Script
from grading.demo.fake_replies import FakeReply
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import left
from tests.grading.endpoints.scripted_server import ScriptedServer

__all__ = ["left"]

LOOPBACK = "127.0.0.0/8"
WRONG = {"is_correct": False, "reasoning_score": 2, "error_type": "wrong_logic"}
UNCLEAR = "It may well be 7."
"""A response whose answer the rules leave to a model."""


@dataclass(frozen=True)
class Done:
    """What a run of the command said."""

    status: int
    out: str
    err: str

    @property
    def summary(self) -> dict[str, Any]:
        return json.loads(self.out)


class Files:
    """The files of one run, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.json"
        self.items = folder / "items.jsonl"
        self.output = folder / "judgements.jsonl"
        self.attempts = folder / "judgements.attempts.jsonl"

    def configure(self, server: ScriptedServer | None = None, **fields: Any) -> None:
        limits = {"first_wait": 0.01, "seconds_per_call": 20, **fields.pop("limits", {})}
        where = {"base_url": str(server.base_url), "model": "fake-judge"} if server else {}
        configuration = {"kind": "semantic", **where, **fields, "limits": limits}
        self.config.write_text(json.dumps(configuration))

    def list_items(self, *rows: dict[str, Any]) -> None:
        self.items.write_text("".join(json.dumps(row) + "\n" for row in rows))

    @property
    def arguments(self) -> list[str]:
        named = {"--config": self.config, "--output": self.output, "--allow": LOOPBACK}
        options = [str(part) for pair in named.items() for part in pair]
        return ["judge", str(self.items), *options]

    def judge(self, *options: object, canaries: bool = False, empty_answers: bool = False) -> Done:
        """Run the command in this process."""
        out, err = io.StringIO(), io.StringIO()
        tried = [] if canaries else ["--no-canaries"]
        tried += [] if empty_answers else ["--no-empty-answers"]
        status = 0
        try:
            call_command(
                *self.arguments, "--json", *tried, *map(str, options), stdout=out, stderr=err
            )
        except CommandError as error:
            status = error.returncode
            err.write(str(error))
        return Done(status, out.getvalue(), err.getvalue())

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.read_text().splitlines()]

    def column(self, *names: str) -> list[Any]:
        rows = [tuple(record[name] for name in names) for record in self.records()]
        return [row[0] for row in rows] if len(names) == 1 else rows

    def calls(self) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in self.attempts.read_text().splitlines()]
        return [line for line in lines if line["line"] == "call"]


@pytest.fixture
def files(tmp_path) -> Files:
    return Files(tmp_path)


def item(number: object, **fields: Any) -> dict[str, Any]:
    """Make an item that rules can't decide; its question names it."""
    given = {"question": f"What is item {number}?", "response": UNCLEAR, "ground_truth": "7"}
    return {"id": number, **given, **fields}


def name_item(request: Request) -> str:
    found = re.search(r"What is item (\w+)\?", request.prompt)
    return found[1] if found else "?"


def count_asked(server: ScriptedServer) -> Counter[str]:
    """Count how often each item was asked about."""
    return Counter(name_item(request) for request in server.requests)


def semantic(request: Request, **fields: Any) -> FakeReply:
    """Give a semantic verdict that sends back the call's id."""
    call = re.search(r"^id: (\w+)$", request.prompt, re.MULTILINE)
    verdict = {**steps.VERDICT, "id": call[1] if call else None, **fields}
    return steps.ok(json.dumps(verdict))


def each_time(*answers: FakeReply | Script) -> Script:
    """Answer about each item with these in turn, and with the last one from then on."""
    asked: Counter[str] = Counter()

    def answer(request: Request) -> FakeReply:
        name = name_item(request)
        step = answers[min(asked[name], len(answers) - 1)]
        asked[name] += 1
        return step(request) if callable(step) else step

    return answer


def pair(number: int) -> dict[str, object]:
    given = {"first": "good solution", "second": "bad solution", "reference": "7"}
    return {"id": number, "question": f"What is item {number}?", **given}
