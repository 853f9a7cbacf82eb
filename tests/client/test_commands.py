"""The client's commands, as processes, against a live server with a real worker."""

import json
from pathlib import Path

import pytest
from pytest_django.live_server_helper import LiveServer

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from grading.submissions.drafts.models import Draft
from grading.submissions.notices.models import Notice
from phybench.people.models import User
from tests.client.conftest import Client
from tests.client.loaded import run, start
from tests.development.checkout import wait_until
from tests.drafts import make_draft
from tests.organisations import organisation_of
from tests.outages import away
from tests.tokens import make_secret

pytestmark = pytest.mark.django_db(transaction=True)


def write(path: Path, *answers: tuple[Problem, str], model: str = "A model") -> Path:
    rows = [{"id": one.identifier, "model": model, "response": text} for one, text in answers]
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    return path


def test_from_a_file_to_the_board(
    client_of: Client,
    live_server: LiveServer,
    worker: None,
    problems: list[Problem],
    tmp_path: Path,
) -> None:
    file = write(tmp_path / "a.jsonl", (problems[0], r"\boxed{m g h}"), (problems[1], "x"))
    looked = client_of("preview", file, "--json")
    assert looked.returncode == 0, looked.stderr
    [counted] = json.loads(looked.stdout)["preview"]["models"]
    assert not Submission.objects.exists()

    done = client_of("submit", file, "--wait", "--mail", "--json")
    assert done.returncode == 0, done.stderr
    assert wait_until(lambda: Notice.objects.filter(sent_at__isnull=False).exists())
    [submission] = json.loads(done.stdout)
    assert submission["progress"]["counts"]["CORRECT"] == 1
    assert submission["progress"]["missing"] == counted["missing"] == 3
    # What was looked at is what was graded: it was sent once.
    assert submission["draft"] == json.loads(looked.stdout)["id"]
    assert Draft.objects.count() == 1

    # The same command finds what it did.
    again = client_of("submit", file, "--wait", "--json")
    assert json.loads(again.stdout)[0]["id"] == submission["id"]
    assert Submission.objects.count() == 1
    once_more = client_of("submit", file, "--again", "--wait", "--json")
    assert json.loads(once_more.stdout)[0]["number"] == 2

    assert client_of("status").returncode == 0
    table = client_of("results", submission["id"], "--csv").stdout.splitlines()
    assert [row.split(",")[4] for row in table[1:]] == ["CORRECT", "INCORRECT", "", "", ""]

    # Everybody reads the board, and only what somebody said yes to.
    board = ("leaderboard", "--url", live_server.url, "--json")
    assert json.loads(run(*board, folder=tmp_path).stdout)["rows"] == []
    asked = client_of("publish")
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr == "Nothing was done. To do it without a question: --yes.\n"
    refused = client_of("publish", submission["id"], "--yes")
    assert refused.stderr == "Submission 2 of this model is the one that counts.\n"
    assert refused.returncode == 1
    assert client_of("publish", "--yes").returncode == 0
    [row] = json.loads(run(*board, folder=tmp_path).stdout)["rows"]
    assert (row["name"], row["submission_number"]) == ("A model", 2)
    assert client_of("withdraw", "--yes").returncode == 0
    assert json.loads(run(*board, folder=tmp_path).stdout)["rows"] == []


def test_a_draft_is_discarded_once_somebody_says_yes(
    client_of: Client, benchmark: Benchmark, evaluator: User
) -> None:
    theirs = organisation_of(evaluator)
    kept, other = (
        make_draft(organisation=theirs, benchmark=benchmark, by=evaluator) for _n in range(2)
    )
    listed = client_of("drafts").stdout.splitlines()
    assert [line.partition(": ")[0] for line in listed] == [str(other.pk), str(kept.pk)]

    # Nobody is there to say yes.
    asked = client_of("discard", other.pk)
    assert (asked.returncode, asked.stdout) == (1, "")
    assert asked.stderr == "Nothing was discarded. To do it without a question: --yes.\n"
    unknown = client_of("discard", other.pk, 10**6, "--yes")
    assert unknown.returncode == 1
    assert "There is no draft 1000000 that is not graded. Nothing was discarded" in unknown.stderr
    assert Draft.objects.count() == 2

    done = client_of("discard", other.pk, "--yes")
    assert (done.returncode, done.stdout) == (0, f"Discarded: {other.pk}.\n")
    assert Draft.objects.get() == kept


def test_a_benchmark_that_there_is_none_of_is_named_with_those_that_there_are(
    client_of: Client, benchmark: Benchmark
) -> None:
    for command in ("leaderboard", "problems"):
        done = client_of(command, "--benchmark", "nine")
        assert done.returncode == 1
        assert done.stderr == f"There is no benchmark “nine”. There are: {benchmark.slug}.\n"


@pytest.mark.slow
def test_what_could_not_be_graded_ends_with_three(
    client_of: Client, problems: list[Problem], worker: None, tmp_path: Path
) -> None:
    # What stands before the box may change it, so a person has to look.
    file = write(tmp_path / "a.jsonl", (problems[0], r"2\boxed{m g h}"))
    assert client_of("submit", file, "--wait").returncode == 3
    assert client_of("status").returncode == 3
    assert client_of("results").returncode == 3


def test_while_the_database_is_away_it_says_so_and_waits_then_goes_on(
    live_server: LiveServer, secret: str, problems: list[Problem], tmp_path: Path
) -> None:
    given = {"PHYBENCH_URL": live_server.url, "PHYBENCH_TOKEN": secret}
    with away(tmp_path):
        asking = start("problems", folder=tmp_path, **given)
        assert asking.stderr is not None
        said = asking.stderr.readline()
    assert said.startswith("The database does not answer")
    assert said.endswith("Trying again in 5 s.\n")
    with asking:
        listed, _complaints = asking.communicate(timeout=120)
    assert asking.returncode == 0
    assert len(json.loads(listed)) == len(problems)


def test_who_has_no_token_is_refused(
    live_server: LiveServer, version: None, tmp_path: Path
) -> None:
    done = run("status", "--url", live_server.url, folder=tmp_path)
    assert (done.returncode, "Log in first" in done.stderr) == (1, True)
    done = run("status", folder=tmp_path, PHYBENCH_URL=live_server.url, PHYBENCH_TOKEN="phyb_x")
    assert done.returncode == 1


def test_a_token_is_kept_where_nobody_else_reads_it(
    live_server: LiveServer, secret: str, tmp_path: Path
) -> None:
    done = run("login", "--url", live_server.url, folder=tmp_path, typed=f"{secret}\n")
    assert done.returncode == 0, done.stderr
    assert secret not in done.stdout + done.stderr
    kept = tmp_path / ".config" / "phybench" / "token.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert run("leaderboard", folder=tmp_path).returncode == 0
    kept.chmod(0o640)
    refused = run("leaderboard", folder=tmp_path)
    assert (refused.returncode, "Others can read" in refused.stderr) == (1, True)


def test_the_token_goes_nowhere_in_the_clear_nor_to_another_server(
    live_server: LiveServer, evaluator: User, secret: str, tmp_path: Path
) -> None:
    run("login", "--url", live_server.url, folder=tmp_path, typed=f"{secret}\n")
    for url, code in (("http://phybench.example", 2), ("https://other.example", 1)):
        done = run("status", "--url", url, folder=tmp_path)
        assert (done.returncode, done.stdout) == (code, "")
    done = run("status", folder=tmp_path, PHYBENCH_URL="http://x.example", PHYBENCH_TOKEN="phyb_x")
    assert "https" in done.stderr
    assert make_secret(evaluator) not in done.stderr
