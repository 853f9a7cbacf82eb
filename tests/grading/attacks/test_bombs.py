"""What is sent packed, or is many small values, is refused in little memory."""

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from grading.demo.fake_replies import FakeReply
from grading.endpoints import EndpointError, Message, Parameters
from tests.addresses import World
from tests.development.checkout import ROOT
from tests.grading.attacks.reading import REPEATED
from tests.grading.attacks.sending import KINDS, write_body
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import reach
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.organisations import organisation_of
from tests.processes import Processes
from tests.tokens import make_secret

pytestmark = pytest.mark.slow

MOST_MEGABYTES = 200


def measure(module: str, *arguments: str, environment: Mapping[str, str] = os.environ) -> str:
    """Have a process of its own do it; return what it says besides how much memory it took."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.grading.attacks.{module}", *arguments],
        **{"cwd": ROOT, "env": environment, "stdout": subprocess.PIPE},
        **{"text": True, "timeout": 300, "check": True},
    )
    peak, _space, said = done.stdout.strip().rpartition("\n")[2].partition(" ")
    print(f"\n{peak} MB; {said}")
    assert int(peak) < MOST_MEGABYTES
    return said


@pytest.mark.parametrize("kind", [*REPEATED, "packed", "packed twice"])
def test_a_file_of_problems_or_labels_that_is_a_bomb_is_refused_in_little_memory(kind: str) -> None:
    assert measure("reading", kind)


@pytest.mark.parametrize(("how", "kind"), [(how, one) for how in KINDS for one in KINDS[how]])
def test_a_bomb_that_is_sent_is_read_or_refused_in_little_memory(
    processes: Processes, world: World, tmp_path: Path, how: str, kind: str
) -> None:
    evaluator = world.people["evaluator"]
    assert evaluator is not None
    organisation = organisation_of(evaluator).pk
    given: dict[str, Any] = {"person": evaluator.pk}
    match how:
        case "form":
            given["address"] = reverse("grading:upload")
            given["fields"] = {"organisation": organisation, "benchmark": world.benchmark.pk}
        case "part":
            given["address"] = reverse("api:parts", args=[world.answers_draft.pk])
            given["secret"] = make_secret(evaluator)
        case "items":
            given["address"] = reverse("grading:judge_files")
            given["fields"] = {"organisation": organisation}
    body = tmp_path / "body"
    sent_as = write_body(body, how, kind, given.pop("fields", {}))
    sent = (str(body), sent_as, json.dumps(given))
    said = measure("sending", *sent, environment=processes.environment)
    assert set(json.loads(said)) <= {200, 201, 302, 400, 422}


def test_an_endpoint_s_reply_is_never_unpacked() -> None:
    bomb = zlib.compress(b" " * 50_000_000, 9, wbits=31)
    reply: FakeReply = steps.respond(200, bomb, content_encoding="gzip")
    with ScriptedServer([reply]) as server, pytest.raises(EndpointError, match="not JSON in UTF-8"):
        reach(server).complete([Message("user", "Well?")], Parameters(model="fake-judge"))
