"""However a request is malformed, it is refused as a problem, and never a failure of ours."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from curation.problems.models import Problem
from grading.solvers.models import Organisation
from phybench.people.refusals import PROBLEM_JSON
from phybench.people.tokens.models import Token
from tests.grading.api.test_api import grade, upload
from tests.grading.conftest import make_file
from tests.tokens import BASE, Program

pytestmark = pytest.mark.django_db

TEXTS = (
    *("", "x", "test", "\0", "\ud800", "é" * 300, "../..", "1e999", "-1", "9" * 40, "%00", "{}"),
    *("null", "<script>", "http://169.254.169.254/", "https://x.example/hook", "a b", "\r\nX: y"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**63, 10**30, 0.5, float("nan"), [], [[]], {}, {"a": {}}, *TEXTS),
)
NAMES = (
    *("benchmark", "organisation", "version", "is_named", "again", "mail", "webhook", "id"),
    *("response", "model", "samples_from", "x"),
)
BODIES = (b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a":' * 5000, b'"\\ud800"', b"1" * 10_000)
COUNT = 200


def list_paths(draft: int, part: int, submission: int) -> list[str]:
    numbers = (draft, part, submission, 0, 10**25, -1, "x", "%00", "%ff", "é")
    paths = ["/", "/none", "/openapi.json", "/benchmarks", "/drafts", "/submissions"]
    for number in numbers:
        paths += [f"/drafts/{number}{rest}" for rest in ("", "/parts", "/grade", "/notices")]
        paths += [f"/drafts/{draft}/parts/{number}", f"/benchmarks/test/versions/{number}/board"]
        paths += [f"/submissions/{number}{rest}" for rest in ("", "/results", "/publish")]
    return paths


def make_requests(chance: random.Random, paths: list[str]) -> Iterator[dict[str, Any]]:
    for _turn in range(COUNT):
        names = chance.sample(NAMES, chance.randrange(4))
        sent = {name: chance.choice(VALUES) for name in names}
        body = chance.choice([json.dumps(sent).encode("utf-8", "surrogatepass"), *BODIES])
        headers = {}
        if chance.random() < 0.4:
            headers["Idempotency-Key"] = chance.choice(["one", "é", " ", "x" * 300, "a b", ""])
        if chance.random() < 0.3:
            headers["X-Field-Map"] = chance.choice(
                ["{", "[]", "1", '{"id": 1}', '{"id": "\\u0000"}']
            )
        if chance.random() < 0.2:
            headers["Authorization"] = chance.choice(["", "Bearer", "Basic eDp5", "Bearer é", "x"])
        query = chance.choice(
            ["", "?cursor=x", "?cursor=YWZ0ZXIgMQ", "?limit=0", "?limit=x", "?n=%00"]
        )
        yield {
            "method": chance.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"]),
            "path": chance.choice(paths) + query + chance.choice(["", "&name=%00", "&sort=x"]),
            "sent": body,
            "headers": headers,
            "content_type": chance.choice(
                ["application/json", "text/plain", "multipart/form-data; boundary=x", "x", ""]
            ),
        }


def test_hundreds_of_malformed_requests_are_each_refused_as_a_problem(
    program: Program,
    problems: list[Problem],
    settings: Any,
) -> None:
    settings.API_REQUESTS_A_MINUTE = 10_000
    submission = grade(program, make_file((problems[0], "x")))
    draft = upload(program, make_file((problems[1], "x")))
    paths = list_paths(draft["id"], draft["parts"][0]["id"], submission)
    chance = random.Random(7)
    statuses = set()
    program.client.raise_request_exception = False
    for asked in make_requests(chance, paths):
        answer = program.ask(**asked)
        statuses.add(answer.status_code)
        assert answer.status_code < 500, asked
        if answer.status_code >= 400:
            assert answer["Content-Type"] == PROBLEM_JSON, asked
            if asked["method"] != "HEAD":
                assert json.loads(answer.content)["status"] == answer.status_code
    assert {401, 404, 405, 422} <= statuses


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/none", 404), ("PATCH", "/drafts", 405), ("GET", "/drafts?x=%00", 400)],
)
def test_what_no_operation_answers_is_a_problem_too(
    program: Program, method: str, path: str, status: int
) -> None:
    answer = program.ask(method, path)
    assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM_JSON)


def test_a_part_that_is_too_large_or_of_no_length_is_refused(
    program: Program, problems: list[Problem]
) -> None:
    draft = upload(program, make_file((problems[0], "x")))
    path = f"{BASE}/drafts/{draft['id']}/parts"
    headers = {"Authorization": f"Bearer {program.secret}"}
    for length, status in (("999999999999", 413), ("", 411), ("-1", 411)):
        answer = program.client.post(
            path, b"x", "application/octet-stream", headers=headers, CONTENT_LENGTH=length
        )
        assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM_JSON)


def test_who_is_of_several_organisations_names_one(program: Program) -> None:
    person = Token.objects.get().person
    other = Organisation.objects.create(name="Another", made_by=person)
    assert (
        program.post("/drafts", {"benchmark": "test", "organisation": other.pk}).status_code == 404
    )
    other.memberships.create(person=person, joined_at=other.made_at, accepted_by=person)
    assert program.post("/drafts", {"benchmark": "test"}).status_code == 422
    made = program.post("/drafts", {"benchmark": "test", "organisation": other.pk})
    assert made.json()["organisation"] == other.pk
