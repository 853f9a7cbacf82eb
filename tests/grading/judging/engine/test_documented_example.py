"""The example of docs/judges.md, run as it stands but for the address."""

import json
import re

import pytest

from grading.judging.engine.configuration import read_configuration
from grading.judging.engine.documents import BadConfiguration
from tests.grading.answers.command_line import ROOT, manage
from tests.grading.judging.engine.conftest import LOOPBACK, semantic

DOCUMENT = (ROOT / "docs" / "judges.md").read_text()
KEY = "sk-test-0123456789abcdefwxyz"


def find_example(language: str) -> str:
    [example] = re.findall(rf"^```{language}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)
    return example


def test_the_documented_example_does_what_is_said_of_it(files, serve):
    server = serve(lambda request: semantic(request, is_correct=True))
    configuration = json.loads(find_example("json"))
    files.config.write_text(json.dumps({**configuration, "base_url": str(server.base_url)}))
    files.items.write_text(find_example("jsonl"))

    done = manage(
        *files.arguments,
        "--no-canaries",
        "--no-empty-answers",
        "--key-env",
        "JUDGE_KEY_EXAMPLE",
        environment={"JUDGE_KEY_EXAMPLE": KEY},
    )

    assert files.column("id", "status", "stage") == [
        (1, "scored", "rule"),
        (2, "scored", "rule"),
        (3, "scored", "model"),
        (4, "skipped", None),
    ]
    assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"]
    assert done.stdout.splitlines() == [
        "Mean 0.667 over 3 of 4. With the missing ones at either end of the scale:"
        " 0.500 to 0.750 (scale 0 to 1)",
        "Scored: 3. Unscored: 0. Skipped: 1. Pending: 0.",
        "Why: missing_reference 1",
        "Coverage 75.0 %: too little to rank.",
        "By rules: 2. By models: 1. Needs a person: 0.",
        "Calls: 1. Tokens: 150. Cost: 0.000036.",
        "It can’t be told whether this judge accepts empty answers: none of the 48 has a"
        " verdict. Until it has rejected all of them, its figures rank no models.",
    ]
    assert done.stderr == (f"CommandError: Not judged: 1 of 4; {files.output} says why for each.\n")
    assert done.returncode == 1


def test_the_addresses_listed_in_the_environment_may_be_called(files, serve):
    server = serve(semantic)
    files.configure(server)
    files.items.write_text(find_example("jsonl").splitlines(keepends=True)[2])
    where = files.arguments.index("--allow")
    arguments = files.arguments[:where] + files.arguments[where + 2 :]

    environment = {"JUDGE_EGRESS_ALLOW": LOOPBACK}
    left_out = ("--no-canaries", "--no-empty-answers")
    done = manage(*arguments, *left_out, environment=environment)

    assert (done.returncode, len(server.requests)) == (0, 1)


@pytest.mark.parametrize("section", ["", "parameters", "limits", "prices"])
def test_every_field_of_a_configuration_is_documented(section):
    wrong = {"nonsense": 1}
    document = {**json.loads(find_example("json")), **({section: wrong} if section else wrong)}
    with pytest.raises(BadConfiguration) as refused:
        read_configuration(document, folder=ROOT)
    names = str(refused.value).partition("known names are ")[2].rstrip(".").split(", ")
    assert len(names) > 1
    assert [name for name in names if f"`{name}`" not in DOCUMENT] == []
