"""Handing in a file: what is refused and what taken, whom it is refused, and files sent twice."""

from datetime import timedelta

import pgtrigger
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

from curation.problems.models import Benchmark, Problem, Revision
from curation.versions.models import BenchmarkVersion
from grading.answers import actions
from grading.answers.files import LARGEST_FILE
from grading.answers.models import Attempt, Submission
from grading.solvers.models import Solver
from phybench.models import Role, User
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.concurrency import answer_in_turn
from tests.grading.conftest import make_file
from tests.organisations import organisation_of
from tests.versions import publish_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def version(accepted_problem: Problem) -> BenchmarkVersion:
    return publish_version(accepted_problem.benchmark)


# --- Files that can't be taken --------------------------------------------------------------

WHOLE = make_file((1, "x"), (2, "y"))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"id,model\n1,a", "This is not JSON: line 1, column 1"),
        (WHOLE[: len(WHOLE) // 2], "This file ends in the middle (line 1): it was cut off."),
        (b"<!DOCTYPE html><title>Sign in</title>", "This is not JSON: line 1, column 1"),
        (b"", "The submitted file is empty."),
        (b" " * (LARGEST_FILE + 1), "This file is larger than 20 MB."),
        (b"\x89PNG\r\n\x1a\n", "This is not a text file in UTF-8."),
        (WHOLE, "None of A model’s ids is a problem of Test, version 1."),
        (b'[{"id": "C1", "model": "Hurry-1"}]', "Row 1: no answer"),
        (b'[{"id": "C1", "model": "Hurry-1", "model_answer": 3.5}]', "Row 1: its answer is not"),
    ],
    ids=[
        "no JSON",
        "cut in half",
        "HTML",
        "empty",
        "too large",
        "a picture",
        "of other problems",
        "no answer",
        "a number",
    ],
)
def test_a_bad_file_is_refused_at_its_field_and_nothing_is_stored(
    client: Client, benchmark: Benchmark, evaluator: User, content: bytes, sentence: str
) -> None:
    client.force_login(evaluator)
    answer = client.post(
        reverse("grading:upload"),
        {
            "organisation": organisation_of(evaluator).pk,
            "benchmark": benchmark.pk,
            "file": SimpleUploadedFile("answers.json", content),
        },
    )
    assert answer.status_code == 400
    [error] = answer.context["form"].errors["file"]
    assert sentence in error
    at_the_field = answer.content.decode().partition('id="id_file_error"')[2]
    assert sentence in at_the_field
    for model in (Submission, Attempt, Solver):
        assert not model.objects.exists()


def test_a_good_file_is_taken(client: Client, problems: list[Problem], evaluator: User) -> None:
    """Without this the test above would hold for a form that takes nothing."""
    client.force_login(evaluator)
    publish_version(problems[0].benchmark)
    file = SimpleUploadedFile("answers.json", make_file((problems[0], "m g h")))
    given = {"organisation": organisation_of(evaluator).pk, "file": file}
    answer = client.post(
        reverse("grading:upload"), {"benchmark": problems[0].benchmark_id, **given}
    )
    submission = Submission.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, submission.get_absolute_url())
    assert submission.uploaded_by == evaluator


# --- The wrong person -----------------------------------------------------------------------


@pytest.mark.parametrize("role", [*sorted(set(Role) - {Role.EVALUATOR, Role.ADMIN}), None])
def test_only_evaluators_hand_in(
    client: Client, problems: list[Problem], role: Role | None
) -> None:
    client.force_login(make_person(role, "somebody"))
    file = SimpleUploadedFile("answers.json", make_file((problems[0], "m g h")))
    address = reverse("grading:upload")
    data = {"benchmark": problems[0].benchmark_id, "file": file}
    assert client.post(address, data).status_code == 403
    assert not Submission.objects.exists()


# --- Sent twice -----------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_one_file_handed_in_several_times_at_once_is_one_submission(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    organisation_of(evaluator)
    publish_version(benchmark)

    def post() -> HttpResponseBase:
        return upload(evaluator, benchmark, make_file((problems[0], "m g h")))

    answers = answer_in_turn("phybench_user", evaluator.pk, *[post] * 4)
    assert {one["Location"] for one in answers} == {Submission.objects.get().get_absolute_url()}


def test_a_file_handed_in_before_is_asked_about_and_taken_once_more_where_it_is_meant(
    problems: list[Problem],
    benchmark: Benchmark,
    evaluator: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(actions, "SAME_CLICK", timedelta(0))
    publish_version(benchmark)
    content = make_file((problems[0], "m g h"))
    assert b"once more" not in client_of(evaluator).get(reverse("grading:upload")).content
    assert upload(evaluator, benchmark, content).status_code == 302

    asked = upload(evaluator, benchmark, content)
    assert asked.status_code == 400
    assert "This file was handed in on" in asked.content.decode()
    assert Submission.objects.count() == 1
    # Another person's, and another file: nobody is asked.
    assert upload(make_person(Role.EVALUATOR, "another"), benchmark, content).status_code == 302
    assert upload(evaluator, benchmark, content + b"\n").status_code == 302

    assert upload(evaluator, benchmark, content, again="on").status_code == 302
    assert Submission.objects.count() == 4


def upload(person: User, benchmark: Benchmark, content: bytes, **more: str) -> HttpResponse:
    file = SimpleUploadedFile("answers.json", content)
    return client_of(person).post(
        reverse("grading:upload"),
        {
            "organisation": organisation_of(person).pk,
            "benchmark": benchmark.pk,
            "file": file,
            **more,
        },
    )


def test_a_model_is_given_each_statement_with_what_is_asked_and_no_answer(
    accepted_problem: Problem, evaluator: User
) -> None:
    revision = accepted_problem.revisions.get()
    with pgtrigger.ignore("curation.Revision:submitted_revision_is_frozen"):
        Revision.objects.filter(pk=revision.pk).update(quantity="E", unit="J", terms=["m", "h"])
    address = reverse("grading:problems_json", args=[accepted_problem.benchmark.slug])
    [given] = client_of(evaluator).get(address).json()
    assert given["content"] == revision.statement
    assert given["asked"] == "Find $E$ in J in terms of $m$, $h$."
    assert revision.answer not in str(given)
