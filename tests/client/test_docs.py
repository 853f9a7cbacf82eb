"""The examples of docs/api.md, run as they stand against a live server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from grading.submissions.drafts.models import Draft
from tests.client.loaded import CLIENT
from tests.development.checkout import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = re.findall(r"```(sh|python)\n(.*?)```", (ROOT / "docs/api.md").read_text(), re.DOTALL)


def test_the_examples_of_the_docs_do_what_they_say(
    live_server: LiveServer, secret: str, worker: None, problems: list[Problem], tmp_path: Path
) -> None:
    (tmp_path / "phybench.py").write_bytes(CLIENT.read_bytes())
    for number, name in enumerate(("answers", "more", "python")):
        row = {"id": problems[number].identifier, "model": "A model", "response": "x"}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row) + "\n")
    environment = {
        **{"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        **{"PHYBENCH_URL": live_server.url, "PHYBENCH_TOKEN": secret},
    }
    said = []
    for kind, text in EXAMPLES:
        command = ["sh", "-e", "-c", text] if kind == "sh" else [sys.executable, "-c", text]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=180
        )
        assert done.returncode == 0, done.stderr
        said.append(done.stdout)
    assert problems[0].identifier in said[0]
    assert json.loads(said[1].partition("}{")[2].join(["{", ""]))["state"] == "open"
    assert said[2].split()[2] == "INCORRECT"
    assert Submission.objects.count() == 2
    assert Draft.objects.open().count() == 1
