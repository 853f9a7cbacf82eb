"""What a program does with the API is what a person does on the pages."""

import json
import zipfile
from html import unescape
from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.api.progress import measure
from grading.submissions.drafts import preview
from grading.submissions.drafts.models import Draft
from grading.submissions.drafts.tasks import READING
from grading.submissions.task_files import HARNESSES
from phybench.pages.api.models import KeptReply
from phybench.people.models import Role, User
from phybench.people.refusals import PROBLEM_JSON
from phybench.people.tokens.models import Scope
from tests.boards import NOT_GRADED, make_scored_board
from tests.conftest import make_person
from tests.drafts import make_draft
from tests.grading.conftest import make_file
from tests.organisations import organisation_of
from tests.tokens import BASE, Program, make_secret
from tests.work import carry_out_jobs, do, grade_together

pytestmark = pytest.mark.django_db


def upload(program: Program, content: bytes, **options: Any) -> dict[str, Any]:
    """Begin a draft, send one part, have it read; return the draft."""
    draft = program.post("/drafts", {"benchmark": "test"}).json()
    part = program.send(f"/drafts/{draft['id']}/parts?name=a.json", content, **options)
    assert part.status_code == 201, part.content
    do(READING, part.json()["id"])
    return program.get(f"/drafts/{draft['id']}").json()


def grade(program: Program, content: bytes) -> int:
    draft = upload(program, content)
    answer = program.post(f"/drafts/{draft['id']}/grade", {})
    assert answer.status_code == 202, answer.content
    told = answer.json()
    assert (told["job"]["state"], told["submissions"]) == ("waiting", [])
    assert told["draft"] == f"{BASE}/drafts/{draft['id']}"
    assert program.get(f"/drafts/{draft['id']}").json()["state"] == "queuing"
    carry_out_jobs()
    [pk] = program.get(f"/drafts/{draft['id']}").json()["submissions"]
    grade_together(Submission.objects.get(pk=pk).attempts.all())
    return int(pk)


def is_problem(answer: HttpResponseBase, status: int, kind: str = "") -> bool:
    said = json.loads(answer.content)
    assert (answer.status_code, answer["Content-Type"]) == (status, PROBLEM_JSON), said
    assert {"type", "title", "status", "detail"} <= said.keys()
    assert said["status"] == status
    return str(said["type"]).endswith(kind)


def test_from_a_draft_to_the_board(
    program: Program, problems: list[Problem], version: BenchmarkVersion
) -> None:
    pk = grade(program, make_file((problems[0], r"\boxed{m g h}"), (problems[1], "x")))
    shown = program.get(f"/submissions/{pk}").json()
    assert shown["progress"]["state"] == "graded"
    assert shown["progress"]["missing"] == 3
    page = program.get(f"/submissions/{pk}/results").json()
    assert [one["verdict"] for one in page["items"]] == ["CORRECT", "INCORRECT", None, None, None]
    missing = [one for one in page["items"] if one["status"] == "MISSING"]
    assert [one["problem"] for one in missing] == [one.identifier for one in problems[2:]]
    assert page["next"] is None
    assert program.post(f"/submissions/{pk}/publish").status_code == 200
    board = program.get("/benchmarks/test/versions/1/board").json()
    [row] = board["rows"]
    assert (row["why_unranked"], row["name"], row["missing"]) == ("COVERAGE", "A model", 3)
    assert program.post(f"/submissions/{pk}/withdraw").json()["withdrawn_at"]
    assert program.post(f"/submissions/{pk}/publish").status_code == 409
    assert program.get("/benchmarks/test/versions/1/board").json()["rows"] == []


def test_the_figures_of_a_draft_are_those_of_its_page(
    program: Program, problems: list[Problem]
) -> None:
    shown = upload(
        program, make_file((problems[0], "m"), (problems[0], "g"), (problems[1], ""), ("X", "x"))
    )
    draft = Draft.objects.get(pk=shown["id"])
    [looked] = preview.look(draft, list(draft.files.all())).models
    [told] = shown["preview"]["models"]
    names = set(told) - {"samples"}
    assert {name: told[name] for name in names} == {name: getattr(looked, name) for name in names}
    assert told["samples"] == {str(most): count for most, count in looked.samples.items()}
    assert (told["matched"], told["twice"], told["empty"], told["unknown"]) == (1, 1, 1, 1)


def test_what_a_draft_comes_to_is_said_in_the_sentences_of_its_page(
    program: Program, problems: list[Problem], evaluator: User
) -> None:
    rows = [
        {"id": problems[0].identifier, "model": "A", "response": ["m", "g"]},
        {"id": problems[1].identifier, "model": "A", "response": "m"},
        {"id": problems[2].identifier, "model": "A", "response": "", "error": "Timeout"},
        {"id": "Q7", "model": "A", "response": "x"},
        {"id": problems[3].identifier, "model": "B", "response": "", "error": "Timeout"},
        {"id": problems[3].identifier, "model": "", "response": "x"},
    ]
    shown = upload(program, json.dumps(rows).encode())
    said = shown["said"]
    assert said[0].startswith("A: Answers: 3, Problems answered: 2 of 5, Missing: ")
    assert len(said) == 7
    program.client.force_login(evaluator)
    page = unescape(program.client.get(f"/drafts/{shown['id']}/").text)
    for sentence in said[1:4]:
        assert sentence in page
    missing, _colon, names = said[4].partition(": ")
    assert missing in page
    assert names in page
    assert said[5] in page
    assert said[5].startswith("B: only failed calls (1 row).")
    assert said[6] == (
        "3 rows are not answers. 1 of them names no model that answers anything, so no model’s"
        " counts include it."
    )


def test_a_part_says_what_it_lacks_and_who_sends_it_may_say_who_wrote_it(
    program: Program, problems: list[Problem]
) -> None:
    content = json.dumps({"id": problems[0].identifier, "response": "m"}).encode() + b"\n"
    draft = program.post("/drafts", {"benchmark": "test"}).json()
    path = f"/drafts/{draft['id']}/parts"
    part = program.send(f"{path}?name=a.jsonl", content).json()
    assert (part["state"], part["lacks"]) == ("choose_fields", ["model"])
    named = program.send(f"{path}?name=a.jsonl&model=B", content + b"\n").json()
    assert (named["state"], named["lacks"]) == ("reading", [])
    assert named["field_map"]["model_name"] == "B"
    # Who wrote one file did not write the next.
    other = program.send(f"{path}?name=a.jsonl", content + b"\n\n").json()
    assert other["lacks"] == ["model"]


def test_who_is_of_no_team_gets_one_as_on_the_page(program: Program, benchmark: Benchmark) -> None:
    newcomer = make_person(Role.EVALUATOR, "newcomer")
    theirs = Program(make_secret(newcomer))
    assert theirs.get("/organisations").json() == []
    assert theirs.post("/drafts", {"benchmark": "test"}).status_code == 201
    assert [one["name"] for one in theirs.get("/organisations").json()] == [str(newcomer)]


def test_a_part_without_known_fields_waits_for_them(
    program: Program, problems: list[Problem]
) -> None:
    content = json.dumps({"nr": problems[0].identifier, "said": "m g h"}).encode() + b"\n"
    draft = program.post("/drafts", {"benchmark": "test"}).json()
    part = program.send(f"/drafts/{draft['id']}/parts?name=a.jsonl", content).json()
    assert part["state"] == "choose_fields"
    fields = {"id": "nr", "response": "said", "model_name": "B"}
    path = f"/drafts/{draft['id']}/parts/{part['id']}"
    assert program.ask("PUT", path, fields).json()["state"] == "reading"
    assert program.ask("DELETE", path).status_code == 204
    again = program.send(
        f"/drafts/{draft['id']}/parts?name=a.jsonl",
        content,
        headers={"X-Field-Map": json.dumps(fields)},
    )
    assert (again.status_code, again.json()["state"]) == (201, "reading")
    assert program.ask("DELETE", f"/drafts/{draft['id']}").status_code == 204
    assert is_problem(program.get(f"/drafts/{draft['id']}"), 404)


def test_problems_are_given_as_their_page_gives_them_and_that_is_written_down(
    program: Program, problems: list[Problem], evaluator: User
) -> None:
    given = program.get("/benchmarks/test/versions/1/problems").json()
    program.client.force_login(evaluator)
    lines = program.client.get("/b/test/task/jsonl/").content.splitlines()
    names = ("id", "tag", "content", "asked")
    on_the_page = [{name: json.loads(line)[name] for name in names} for line in lines]
    assert [{name: one[name] for name in names} for one in given] == on_the_page
    seen = Exposure.objects.filter(person=evaluator, part=Exposure.Part.STATEMENT)
    assert set(seen.values_list("revision__problem", flat=True)) == {one.pk for one in problems}


@pytest.mark.parametrize("harness", HARNESSES)
def test_a_task_is_that_of_its_page_and_written_down(
    program: Program, problems: list[Problem], evaluator: User, harness: str
) -> None:
    given = program.get(f"/benchmarks/test/versions/1/tasks/{harness}")
    seen = Exposure.objects.filter(person=evaluator, part=Exposure.Part.STATEMENT)
    assert set(seen.values_list("revision__problem", flat=True)) == {one.pk for one in problems}
    program.client.force_login(evaluator)
    page = program.client.get(f"/b/test/task/{harness}/")
    assert given["Content-Disposition"] == page["Content-Disposition"]
    assert read_task(given.content) == read_task(page.content)


def read_task(content: bytes) -> dict[str, bytes]:
    if not content.startswith(b"PK"):
        return {"": content}
    with zipfile.ZipFile(BytesIO(content)) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


def test_a_task_that_there_is_none_of_is_refused_with_those_that_there_are(
    program: Program, version: BenchmarkVersion
) -> None:
    refused = program.get("/benchmarks/test/versions/1/tasks/helm")
    assert is_problem(refused, 422, "invalid")
    assert "There are: inspect, lm-eval, " in refused.json()["detail"]
    assert is_problem(program.get("/benchmarks/test/versions/2/tasks/inspect"), 404)


@pytest.mark.parametrize("path", ["", "/results"])
def test_verdicts_that_are_told_are_written_down(
    program: Program, problems: list[Problem], evaluator: User, path: str
) -> None:
    pk = grade(program, make_file((problems[0], "m")))
    told = Exposure.objects.filter(person=evaluator, part=Exposure.Part.VERDICT)
    assert not told.exists()
    assert program.get(f"/submissions/{pk}{path}").status_code == 200
    assert told.get().revision.problem == problems[0]


@pytest.mark.parametrize("count", [1, 3])
def test_pages_by_cursor_neither_repeat_nor_skip(
    program: Program, problems: list[Problem], evaluator: User, benchmark: Benchmark, count: int
) -> None:
    pk = grade(program, make_file(*((one, "x") for one in problems)))
    seen, cursor = [], ""
    while cursor is not None:
        page = program.get(f"/submissions/{pk}/results?limit={count}&cursor={cursor}").json()
        seen += [one["problem"] for one in page["items"]]
        cursor = page["next"]
    assert seen == [one.identifier for one in problems]


def test_what_is_missing_comes_once_behind_the_last_answer(
    program: Program, problems: list[Problem]
) -> None:
    rows = [
        {"id": problems[0].identifier, "model": "A", "response": "x", "repeat_index": sample}
        for sample in range(2)
    ]
    rows.append({**rows[0], "id": problems[1].identifier, "repeat_index": 1})
    pk = grade(program, json.dumps(rows).encode())
    items, cursor = [], ""
    while cursor is not None:
        page = program.get(f"/submissions/{pk}/results?limit=2&cursor={cursor}").json()
        items += page["items"]
        cursor = page["next"]
    assert [(one["problem"], one["sample"], one["id"] is None) for one in items] == [
        *((problems[0].identifier, sample, False) for sample in (1, 2)),
        (problems[1].identifier, 2, False),
        (problems[1].identifier, 1, True),
        *((one.identifier, None, True) for one in problems[2:]),
    ]


def test_a_submission_that_comes_meanwhile_shifts_no_page(
    program: Program, problems: list[Problem]
) -> None:
    first, second = (grade(program, make_file((one, "x"))) for one in problems[:2])
    page = program.get("/submissions?limit=1").json()
    assert [one["id"] for one in page["items"]] == [second]
    grade(program, make_file((problems[2], "x")))
    page = program.get(f"/submissions?limit=1&cursor={page['next']}").json()
    assert [one["id"] for one in page["items"]] == [first]


def test_the_same_key_and_body_are_done_once(program: Program) -> None:
    key = {"Idempotency-Key": "one"}
    first = program.post("/drafts", {"benchmark": "test"}, headers=key)
    again = program.post("/drafts", {"benchmark": "test"}, headers=key)
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert Draft.objects.count() == 1
    other = program.post("/drafts", {"benchmark": "test", "organisation": 1}, headers=key)
    assert is_problem(other, 422, "key-reused")


def test_what_was_refused_is_done_when_it_is_sent_again(program: Program) -> None:
    key = {"Idempotency-Key": "one"}
    assert is_problem(program.post("/drafts", {"benchmark": "none"}, headers=key), 404)
    assert not KeptReply.objects.exists()
    assert program.post("/drafts", {"benchmark": "test"}, headers=key).status_code == 201


def test_a_stranger_finds_nothing_of_others(
    program: Program, problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    pk = grade(program, make_file((problems[0], "m")))
    draft = make_draft(organisation=organisation_of(evaluator), benchmark=benchmark, by=evaluator)
    other = make_person(Role.EVALUATOR, "other")
    organisation_of(other)
    stranger = Program(make_secret(other))
    for path in (f"/submissions/{pk}", f"/submissions/{pk}/results", f"/drafts/{draft.pk}"):
        assert is_problem(stranger.get(path), 404)
    for path in (f"/submissions/{pk}/publish", f"/drafts/{draft.pk}/grade"):
        assert is_problem(stranger.post(path, {}), 404)
    assert stranger.get("/submissions").json()["items"] == []


def test_a_token_does_what_its_scopes_say(
    program: Program, problems: list[Problem], evaluator: User
) -> None:
    pk = grade(program, make_file((problems[0], "m")))
    reader = Program(make_secret(evaluator, [Scope.READ]))
    assert reader.get("/submissions").status_code == 200
    assert is_problem(reader.post("/drafts", {"benchmark": "test"}), 403, "wrong-scope")
    assert is_problem(reader.post(f"/submissions/{pk}/publish"), 403, "wrong-scope")
    writer = Program(make_secret(evaluator, [Scope.SUBMIT]))
    assert is_problem(writer.get("/submissions"), 403, "wrong-scope")


def test_a_token_does_no_more_than_its_person(version: BenchmarkVersion, participant: User) -> None:
    theirs = Program(make_secret(participant))
    assert theirs.get("/benchmarks/test/versions/1/board").status_code == 200
    assert is_problem(theirs.get("/benchmarks/test/versions/1/problems"), 403)


def test_a_session_opens_nothing_of_the_api_and_a_token_no_page(
    program: Program, evaluator: User
) -> None:
    program.client.force_login(evaluator)
    assert is_problem(program.client.get("/api/v1/submissions"), 401, "unauthorized")
    program.client.logout()
    page = program.client.get(
        "/submissions/", headers={"Authorization": f"Bearer {program.secret}"}
    )
    assert page.status_code == 302


def test_so_many_requests_a_minute_and_each_answer_tells_how_many_are_left(
    program: Program, settings: Any
) -> None:
    settings.API_REQUESTS_A_MINUTE = 2
    left = [program.get("/drafts")["RateLimit-Remaining"] for _turn in range(2)]
    assert left == ["1", "0"]
    refused = program.get("/drafts")
    assert is_problem(refused, 429, "too-many-requests")
    assert 0 < int(refused["Retry-After"]) <= 60


def test_everybody_reads_benchmarks_versions_and_boards_and_a_bad_token_reads_nothing(
    program: Program, problems: list[Problem], settings: Any
) -> None:
    public = ["/benchmarks", "/benchmarks/test/versions", "/benchmarks/test/versions/1/board"]
    pk = grade(program, make_file((problems[0], r"\boxed{m g h}")))
    assert program.post(f"/submissions/{pk}/publish").status_code == 200
    for path in public:
        told = Client().get(BASE + path)
        assert told.status_code == 200
        assert told.json() == program.get(path).json()
        bad = {"Authorization": "Bearer phyb_x"}
        assert is_problem(Client().get(BASE + path, headers=bad), 401, "unauthorized")
    for path in ("/benchmarks/test/versions/1/problems", f"/submissions/{pk}", "/organisations"):
        assert is_problem(Client().get(BASE + path), 401, "unauthorized")
    settings.API_REQUESTS_A_MINUTE = 1
    assert is_problem(Client().get(BASE + public[0]), 429, "too-many-requests")
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").get(BASE + public[0])
    assert elsewhere["RateLimit-Remaining"] == "0"


def test_each_refusal_of_an_action_has_a_kind(program: Program, problems: list[Problem]) -> None:
    draft = upload(program, make_file((problems[0], "m")))
    path = f"/drafts/{draft['id']}"
    assert is_problem(program.send(f"{path}/parts", b"%PDF-1.7"), 422, "refused-file")
    assert is_problem(program.post(f"{path}/grade", {"webhook": "nowhere"}), 422, "bad-webhook")
    assert is_problem(program.post(f"{path}/grade", {"version": 7}), 404)
    first, second = (program.post(f"{path}/grade", {}) for _turn in range(2))
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    carry_out_jobs()
    [made] = program.post(f"{path}/grade", {}).json()["submissions"]
    assert program.get(path).json()["submissions"] == [made["id"]]
    again = upload(program, make_file((problems[0], "m")))
    refused = program.post(f"/drafts/{again['id']}/grade", {})
    assert is_problem(refused, 409, "graded-before")
    pk = again["graded_before"]
    assert is_problem(program.post(f"/submissions/{pk}/publish"), 409, "cannot-publish")


def count_queries(program: Program, path: str) -> int:
    # The first use of a token on a day writes that down.
    program.get(path)
    with CaptureQueriesContext(connection) as queries:
        assert program.get(path).status_code == 200
    return len(queries)


def test_a_list_takes_as_many_queries_however_many_rows(
    program: Program, problems: list[Problem]
) -> None:
    paths = ["/submissions", "/drafts", "/benchmarks", "/benchmarks/test/versions"]
    pk = grade(program, make_file((problems[0], "x")))
    program.post("/drafts", {"benchmark": "test"})
    one = [count_queries(program, path) for path in (*paths, f"/submissions/{pk}/results")]
    pk = grade(program, make_file(*((problem, "y") for problem in problems)))
    for _turn in range(2):
        program.post("/drafts", {"benchmark": "test"})
    several = [count_queries(program, path) for path in (*paths, f"/submissions/{pk}/results")]
    assert one == several


def test_openapi_names_every_operation_and_the_page_shows_them(program: Program) -> None:
    schema = program.client.get("/api/v1/openapi.json").json()
    assert schema["paths"]["/api/v1/drafts"].keys() == {"get", "post"}
    page = program.client.get("/api/").content.decode()
    assert all(path.removeprefix("/api/v1") in page for path in schema["paths"])


def test_a_mean_that_may_not_be_quoted_has_no_value_and_its_range(program: Program) -> None:
    """It is provisional between 33.3 and 100: two of three answers could not be graded."""
    made = make_scored_board({"A model": [[100.0], [NOT_GRADED], [NOT_GRADED]]}, slug="open")
    address = "/benchmarks/open/versions/1/board"
    [row] = program.get(address).json()["rows"]
    nothing = {"value": None, "low": None, "high": None, "count": 1}
    assert (row["accuracy"], row["eed"]) == (nothing, nothing)
    assert row["accuracy_range"] == {"low": pytest.approx(100 / 3), "high": 100}

    # The same of what still waits: of that one is graded, and the rest can be all wrong.
    Attempt.objects.filter(status="FAILED").update(status="QUEUED", failure_reason="")
    [row] = program.get(address).json()["rows"]
    assert (row["accuracy"], row["waiting"], row["why_unranked"]) == (nothing, 2, "WAITING")
    assert (
        row["accuracy_range"]
        == row["eed_range"]
        == {
            "low": pytest.approx(100 / 3),
            "high": 100,
        }
    )
    progress = measure(made.submissions["A model"]).model_dump()
    assert (progress["accuracy"], progress["eed"]) == (nothing, nothing)
    assert (progress["accuracy_range"], progress["eed_range"]) == (
        row["accuracy_range"],
        row["eed_range"],
    )


@pytest.mark.parametrize(("status", "why"), [("FAILED", "UNGRADED"), ("QUEUED", "WAITING")])
def test_where_nothing_is_graded_there_is_no_figure_and_its_reason(
    program: Program, status: str, why: str
) -> None:
    made = make_scored_board({"A model": [[NOT_GRADED], [NOT_GRADED]]}, slug="open")
    if status == "QUEUED":
        Attempt.objects.update(status=status, failure_reason="")
    [row] = program.get("/benchmarks/open/versions/1/board").json()["rows"]
    assert (row["why_unranked"], row["waiting"] + row["not_graded"], row["scored"]) == (why, 2, 0)
    for told in (row, measure(made.submissions["A model"]).model_dump()):
        for name in ("accuracy", "eed"):
            assert told[name] == {"value": None, "low": None, "high": None, "count": 0}
            assert told[f"{name}_range"] is None
    line = program.client.get("/b/open.csv").text.splitlines()[1]
    assert "100.0" not in line
    page = program.client.get("/b/open/").text
    assert "0.0–100.0" not in page
