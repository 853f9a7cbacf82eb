"""The task of a version for a harness: what is in it, and that its answers find their problems."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from curation.problems.exposures.models import Exposure
from grading.submissions.task_files import HARNESSES, list_problems, write_task
from tests.addresses import client_of

pytestmark = pytest.mark.django_db


def fetch(person, slug, harness):
    answer = client_of(person).get(reverse("grading:task", args=[slug, harness]))
    return answer, answer.content


def list_rows(content: bytes) -> list[dict[str, str]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def test_each_row_has_the_prompt_with_what_is_asked_the_version_s_hash_and_no_key(draft, evaluator):
    version = draft.version
    answer, content = fetch(evaluator, draft.benchmark.slug, "jsonl")
    assert version.sha256[:12] in answer["Content-Disposition"]
    rows = list_rows(content)
    assert [row["id"] for row in rows] == list_problems(version).ids
    revisions = {item.identifier: item.revision for item in version.items.with_all()}
    for row in rows:
        asked = revisions[row["id"]]
        assert asked.statement.strip() in row["prompt"]
        assert not asked.wanted or asked.wanted.write() in row["prompt"]
        assert row["version"] == version.sha256
        assert row.keys() == {"id", "tag", "content", "asked", "prompt", "version"}
        assert asked.answer not in (row["content"], row["asked"], row["prompt"])
    shown = Exposure.objects.filter(person=evaluator, revision__in=revisions.values())
    assert shown.count() == len(revisions)


@pytest.mark.parametrize("harness", [one for one in HARNESSES if one != "jsonl"])
def test_a_harness_gets_its_files_beside_the_problems_and_each_can_be_read(
    draft, evaluator, harness
):
    name, content = write_task(draft.version, harness, evaluator)
    assert name.endswith(f"-{harness}.zip")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {one.rpartition("/")[2]: archive.read(one).decode() for one in archive.namelist()}
    _name, plain = write_task(draft.version, "jsonl", evaluator)
    assert files.pop("problems.jsonl") == plain.decode()
    assert files, "and something that the harness reads"
    for beside, text in files.items():
        assert "{%" not in text
        if beside.endswith(".py"):
            compile(text, beside, "exec")


def test_a_harness_that_is_not_known_has_no_task(draft, evaluator):
    answer, _content = fetch(evaluator, draft.benchmark.slug, "another")
    assert answer.status_code == 404


def test_a_benchmark_whose_name_is_no_name_in_python_has_a_task_that_is_one(draft, evaluator):
    draft.benchmark.slug = "3-body-problems"
    draft.benchmark.save()
    draft.version.refresh_from_db()
    name, content = write_task(draft.version, "inspect", evaluator)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        [task] = [one for one in archive.namelist() if one.endswith(".py")]
        text = archive.read(task).decode()
    assert "def b_3_body_problems_v1()" in text
    compile(text, name, "exec")
