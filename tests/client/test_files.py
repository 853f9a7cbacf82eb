"""Files go as harnesses write them, and come to what the server says of them."""

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from curation.problems.models import Problem
from development import web
from grading.answers.submissions.models import Submission
from grading.submissions.drafts.models import Draft, DraftFile
from tests.client.conftest import Client
from tests.client.loaded import start
from tests.development.checkout import wait_until
from tests.grading.answer_files.files import as_lines
from tests.grading.answer_files.harnesses import HARNESSES
from tests.grading.answer_files.test_archives import FOLDER, LOG
from tests.processes import Processes, kill

pytestmark = pytest.mark.django_db(transaction=True)
MB = 1000 * 1000


@pytest.fixture
def problems(problems: list[Problem]) -> list[Problem]:
    """Have them be what the files answer; OpenCompass calls them by the numbers of its rows."""
    for one, name in zip(problems, ("C1", "C2", "0", "1"), strict=False):
        Problem.objects.filter(pk=one.pk).update(published_id=name)
        one.refresh_from_db()
    return problems


def pack_opencompass() -> bytes:
    rows = {str(n): {"origin_prompt": "?", "prediction": "x", "gold": "x"} for n in (0, 1)}
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        opened.writestr("run/predictions/A model/energy.json", json.dumps(rows))
    return packed.getvalue()


ANSWER = {"id": "C1", "response": r"\boxed{m g h}"}
SHAPES: dict[str, tuple[bytes, str, int]] = {
    "log.eval": (LOG.read_bytes(), "a-model", 4),
    "log.json": (HARNESSES["Inspect"].content, "A model", 2),
    "lm-eval.zip": (FOLDER.read_bytes(), "lab/a-model", 2),
    "opencompass.zip": (pack_opencompass(), "A model", 2),
    "batch.jsonl": (HARNESSES["OpenAI's batches"].content, "A model", 2),
    "table.csv": (HARNESSES["a table"].content, "A model", 2),
    "plain.jsonl": (as_lines({**ANSWER, "model": "A model"}), "A model", 1),
}
"""Each with its model and answers; none says on the command line what the file says itself."""


def test_each_of_seven_shapes_comes_to_a_score_by_one_command(
    client_of: Client, worker: None, tmp_path: Path
) -> None:
    for name, (content, model, answers) in SHAPES.items():
        (tmp_path / name).write_bytes(content)
        if name == "lm-eval.zip":
            # As the harness leaves it: the folder, whose results name the model.
            zipfile.ZipFile(tmp_path / name).extractall(tmp_path / "lm-eval")
            (tmp_path / "lm-eval" / ".hidden").write_bytes(b"{}")
            name = "lm-eval"
        done = client_of("submit", name, "--wait", "--json")
        assert (name, done.returncode) == (name, 0), done.stderr
        [made] = json.loads(done.stdout)
        told = (made["model"], made["progress"]["total"], made["progress"]["state"])
        assert (name, *told) == (name, model, answers, "graded")
    sent = DraftFile.objects.exclude(name="lm-eval.zip").values_list("name", "size")
    whole = [(name, len(one[0])) for name, one in SHAPES.items() if name != "lm-eval.zip"]
    assert sorted(sent) == sorted(whole)
    # Packed again it is the same bytes, so nothing is graded twice.
    again = client_of("submit", "lm-eval", "--json")
    assert DraftFile.objects.filter(name="lm-eval.zip").count() == 1, again.stderr


def test_a_file_that_lacks_something_is_refused_in_the_server_s_words_and_nothing_is_kept(
    client_of: Client, worker: None, tmp_path: Path
) -> None:
    def refuse(name: str, *options: str) -> str:
        done = client_of("preview", name, *options)
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert not Draft.objects.exists()
        return str(done.stderr)

    (tmp_path / "plain.jsonl").write_bytes(as_lines(ANSWER))
    assert refuse("plain.jsonl") == (
        "Say which model wrote the answers in plain.jsonl.\nName it with --model.\n"
    )
    (tmp_path / "own.jsonl").write_bytes(as_lines({"nr": "C1", "said": "x"}))
    assert refuse("own.jsonl").splitlines() == [
        "Choose the fields of own.jsonl first.",
        "own.jsonl has these fields; say with --fields which holds what:",
        *("  nr: C1", "  said: x"),
    ]
    (tmp_path / "other.jsonl").write_bytes(as_lines({**ANSWER, "id": "Q7", "model": "B"}))
    said = refuse("other.jsonl")
    assert said.startswith("No id of B matches.")
    assert "look like C1, C2, 0; in the file they look like Q7." in said
    (tmp_path / "page.json").write_bytes(b"<!doctype html><p>Sign in")
    assert refuse("page.json").startswith("This is a web page and not the file itself.")
    (tmp_path / "run").mkdir()
    assert refuse("run") == "No file in this archive holds answers.\n"

    # What was refused is said, and goes through.
    named = client_of("preview", "plain.jsonl", "--model", "B")
    assert (named.returncode, named.stdout.splitlines()[0]) == (
        0,
        "B: Answers: 1, Problems answered: 1 of 5, Missing: 4, Without a box: 0, Empty: 0,"
        " Duplicates: 0, Unknown id: 0",
    )
    fields = json.dumps({"id": "nr", "response": "said"})
    said = client_of("preview", "own.jsonl", "--fields", fields, "--model", "B", "--json").stdout
    assert [one["model"] for one in json.loads(said)["preview"]["models"]] == ["B"]


def test_a_task_is_downloaded_once_and_replaces_nothing_else(
    client_of: Client, version: None, tmp_path: Path
) -> None:
    for _turn in range(2):
        done = client_of("task", "lm-eval")
        assert (done.returncode, done.stdout) == (0, "test_v1-lm-eval.zip\n"), done.stderr
    with zipfile.ZipFile(tmp_path / "test_v1-lm-eval.zip") as packed:
        assert "test_v1/problems.jsonl" in packed.namelist()
    (tmp_path / "mine").write_bytes(b"x")
    for name, said in (("lm-eval", "mine is there already"), ("helm", "There is no task for it.")):
        refused = client_of("task", name, "--output", "mine")
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith(said)
    assert (tmp_path / "mine").read_bytes() == b"x"


def test_a_command_that_was_killed_goes_on_where_it_was(
    client_of: Client,
    live_server: LiveServer,
    secret: str,
    processes: Processes,
    tmp_path: Path,
) -> None:
    (tmp_path / "a.jsonl").write_bytes(as_lines({**ANSWER, "model": "A model"}))
    given = {"PHYBENCH_URL": live_server.url, "PHYBENCH_TOKEN": secret}
    # Nobody reads the file yet: it waits for that.
    begun: Any = start("submit", "a.jsonl", "--wait", folder=tmp_path, **given)
    with begun:
        assert wait_until(lambda: DraftFile.objects.exists())
        kill(begun)
    processes.start(web.workers)
    done = client_of("submit", "a.jsonl", "--wait")
    assert done.returncode == 0, done.stderr
    assert (Submission.objects.count(), DraftFile.objects.count()) == (1, 1)


def test_a_file_that_is_too_large_is_refused_before_all_of_it_is_sent(
    client_of: Client, version: None, tmp_path: Path
) -> None:
    (tmp_path / "large.jsonl").write_bytes(b" " * 30 * MB)
    done = client_of("submit", "large.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("What you sent is too large: at most 16.2\xa0MB")
    assert done.stderr.endswith("Compress the file with gzip, or split it.\n")
    assert not Draft.objects.exists()
