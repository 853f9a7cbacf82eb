"""What is sent packed, or is many small values, is refused in little memory."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from grading.demo.fake_replies import FakeReply
from grading.endpoints import EndpointError, Message, Parameters
from tests.development.checkout import ROOT
from tests.grading.attacks.reading import REPEATED
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import reach
from tests.grading.endpoints.scripted_server import ScriptedServer

pytestmark = pytest.mark.slow

MOST_MEGABYTES = 200
READING = str(Path(__file__).with_name("reading.py"))


@pytest.mark.parametrize("kind", [*REPEATED, "packed", "packed twice"])
def test_a_file_of_problems_or_labels_that_is_a_bomb_is_refused_in_little_memory(kind: str) -> None:
    done = subprocess.run(
        [sys.executable, READING, kind], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    peak, _space, said = done.stdout.strip().partition(" ")
    print(f"\n{kind}: {peak} MB; {said}")
    assert said
    assert int(peak) < MOST_MEGABYTES


def test_an_endpoint_s_reply_is_never_unpacked() -> None:
    bomb = zlib.compress(b" " * 50_000_000, 9, wbits=31)
    reply: FakeReply = steps.respond(200, bomb, content_encoding="gzip")
    with ScriptedServer([reply]) as server, pytest.raises(EndpointError, match="not JSON in UTF-8"):
        reach(server).complete([Message("user", "Well?")], Parameters(model="fake-judge"))
