"""A draft keeps the version that it was begun for, until somebody moves it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.urls import reverse

from curation.problems import actions as curating
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions import actions as versions
from curation.versions.models import BenchmarkVersion, VersionItem
from grading.answers.submissions.models import Submission
from grading.submissions.drafts import actions, submitting
from grading.submissions.drafts.models import Draft, DraftSubmission
from phybench.people.models import User
from tests import drafts
from tests.addresses import client_of, reverse_asked
from tests.grading.concurrency import hold, meanwhile
from tests.organisations import organisation_of
from tests.tokens import make_secret
from tests.work import carry_out_jobs

pytestmark = pytest.mark.django_db


def publish_more(
    benchmark: Benchmark, change: Callable[[BenchmarkVersion], object] | None = None
) -> BenchmarkVersion:
    """Publish another version of what is accepted, changed before it is frozen."""
    version = versions.make_draft(benchmark=benchmark, by=None)
    if change:
        change(version)
    versions.publish(version=version, by=None)
    version.refresh_from_db()
    return version


def answer(problems: list[Problem]) -> bytes:
    return json.dumps(
        [{"id": one.identifier, "model": "A", "response": "m g h"} for one in problems]
    ).encode()


@pytest.fixture
def answered(draft: Draft, problems: list[Problem], evaluator: User) -> Draft:
    drafts.add(draft, answer(problems), by=evaluator)
    return draft


def show(draft: Draft, by: User) -> str:
    return client_of(by).get(draft.get_absolute_url()).content.decode()


def move(draft: Draft, to: BenchmarkVersion, by: User) -> HttpResponse:
    return client_of(by).post(draft.get_absolute_url(), {"version": to.pk})


def test_a_version_that_is_published_changes_no_draft_and_it_is_graded_on_its_own(
    answered: Draft, evaluator: User, benchmark: Benchmark
) -> None:
    first = answered.version
    second = publish_more(benchmark)
    page = show(answered, evaluator)
    assert "Made for version 1. Version 2 has been published since." in page
    assert "5 of 5 texts are the same." in page
    assert "Move to version 2" in page
    assert "Grade on version 1" in page
    job = client_of(evaluator).post(
        reverse_asked("grading:draft?do=grade", args=[answered.pk]), {"version": first.pk}
    )["Location"]
    carry_out_jobs()
    made = Submission.objects.get()
    done = client_of(evaluator).get(job)
    assert (done["Location"], made.version) == (made.get_absolute_url(), first)
    assert made.version != second


def test_a_draft_with_the_same_texts_is_moved_where_somebody_asks_for_it(
    answered: Draft, evaluator: User, benchmark: Benchmark
) -> None:
    second = publish_more(benchmark)
    for _turn in range(2):
        assert move(answered, second, evaluator)["Location"] == answered.get_absolute_url()
    page = show(answered, evaluator)
    assert "Grade 5 answers" in page
    assert "has been published since" not in page
    answered.refresh_from_db()
    [made] = submitting.grade(draft=answered, by=evaluator, version=second)
    assert made.version == second


@pytest.mark.parametrize("version", ["nonsense", "999999", ""])
def test_who_moves_a_draft_to_no_version_is_told(
    answered: Draft, evaluator: User, version: str
) -> None:
    address = answered.get_absolute_url()
    page = client_of(evaluator).post(address, {"version": version}, follow=True).text
    assert "Nothing is moved: there is no such version." in page


def test_where_a_text_differs_the_page_names_it_and_the_draft_is_not_moved(
    answered: Draft, evaluator: User, benchmark: Benchmark, problems: list[Problem], admin: User
) -> None:
    curating.retire(problem=problems[4], admin=admin, note="It has two answers.")
    names = [one.identifier for one in problems]

    def change(version: BenchmarkVersion) -> None:
        VersionItem.objects.filter(version=version, identifier=names[1]).update(
            asked_sha256="0" * 64
        )

    second = publish_more(benchmark, change)
    page = show(answered, evaluator)
    assert "3 of 5 texts are the same." in page
    assert f"Other text: {names[1]}" in page
    assert f"Not in version 2: {names[4]}" in page
    assert "Move to version 2" not in page
    refused = client_of(evaluator).post(
        answered.get_absolute_url(), {"version": second.pk}, follow=True
    )
    assert "Its answers are to other texts than those of version 2." in refused.content.decode()
    answered.refresh_from_db()
    assert answered.version.number == 1


def test_problems_that_are_new_are_named_and_are_missing_once_it_is_moved(
    evaluator: User, benchmark: Benchmark, problems: list[Problem]
) -> None:
    new = problems[4].identifier
    publish_more(benchmark, lambda made: made.items.filter(identifier=new).delete())
    draft = drafts.make_draft(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        by=evaluator,
        content=answer(problems[:4]),
    )
    second = publish_more(benchmark)
    page = show(draft, evaluator)
    assert "4 of 4 texts are the same." in page
    assert f"New in version 2: {new}" in page
    move(draft, second, evaluator)
    assert "4 of 5" in show(draft, evaluator)


def test_a_draft_is_moved_to_the_newest_version_only(
    answered: Draft, evaluator: User, benchmark: Benchmark
) -> None:
    second, third = publish_more(benchmark), publish_more(benchmark)
    with pytest.raises(actions.CannotChange, match="Another version was published"):
        actions.move(draft=answered, to=second, by=evaluator)
    actions.move(draft=answered, to=third, by=evaluator)
    with pytest.raises(actions.CannotChange, match="A draft does not go back"):
        actions.move(draft=Draft.objects.get(), to=second, by=evaluator)
    assert Draft.objects.get().version == third


@pytest.mark.django_db(transaction=True)
def test_who_moves_and_who_grades_at_once_make_one_submission_to_a_version_that_was_seen(
    answered: Draft, evaluator: User, benchmark: Benchmark
) -> None:
    second = publish_more(benchmark)
    to_grade = {"version": answered.version_id}
    address = reverse_asked("grading:draft?do=grade", args=[answered.pk])
    grading = partial(client_of(evaluator).post, address, to_grade)
    # Who grades waits to write the job down; who moves, for the draft.
    held = 'lock table "phybench_job" in exclusive mode'
    with hold(held) as release, meanwhile(grading) as asked:
        moved = move(answered, second, evaluator)
        release()
        asked.result()
    assert moved["Location"] == answered.get_absolute_url()
    [job] = carry_out_jobs()
    assert (job.outcome, job.leads_to) == ("REFUSED", answered.get_absolute_url())
    assert "The draft was moved to" in job.said
    assert "The draft was moved to" in grading().content.decode()
    assert not Submission.objects.exists()


def test_a_draft_whose_answers_are_being_queued_is_not_changed_and_nobody_waits_for_it(
    answered: Draft, evaluator: User, benchmark: Benchmark
) -> None:
    second = publish_more(benchmark)
    submitting.ask_to_grade(draft=answered, by=evaluator)
    [file] = answered.files.all()
    for change in (
        partial(actions.move, draft=answered, to=second),
        partial(actions.discard, draft=answered),
        partial(actions.remove_file, file=file),
        partial(actions.choose_fields, file=file, field_map=file.map),
        partial(drafts.add, answered, b"[]"),
    ):
        with pytest.raises(actions.CannotChange, match="are being queued"):
            change(by=evaluator)
    assert [job.outcome for job in carry_out_jobs()] == ["DONE"]


def test_the_database_holds_a_draft_and_what_came_of_it_to_one_version(
    answered: Draft, evaluator: User, benchmark: Benchmark
) -> None:
    unpublished = versions.make_draft(benchmark=benchmark, by=None)
    with pytest.raises(DatabaseError, match="published_version"), transaction.atomic():
        Draft.objects.filter(pk=answered.pk).update(version=unpublished)
    versions.publish(version=unpublished, by=None)
    [made] = submitting.grade(draft=answered, by=evaluator)
    other = Submission.objects.create(
        solver=made.solver,
        uploaded_by=evaluator,
        number=2,
        expected=5,
        benchmark=benchmark,
        version=unpublished,
    )
    with pytest.raises(DatabaseError, match="version_of_its_draft"), transaction.atomic():
        DraftSubmission.objects.create(submission=other, draft=answered)
    for change in ("DELETE FROM {}", "UPDATE {} SET submission_id = submission_id"):
        with (
            pytest.raises(DatabaseError, match="Cannot update or delete"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(change.format("grading_draftsubmission"))


@pytest.mark.parametrize("change", ["format = 'run'", "model_run_id = 0"])
def test_the_database_holds_what_is_of_a_run_to_one_and_no_file_to_any(
    answered: Draft, change: str
) -> None:
    with (
        pytest.raises(DatabaseError, match=r"draft_file_of_a_run_says_which|stays_as_it_came"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE grading_draftfile SET {change} WHERE draft_id = {answered.pk}")


def test_a_program_reads_the_version_and_moves_the_draft(
    answered: Draft, evaluator: User, benchmark: Benchmark, client: Any
) -> None:
    publish_more(benchmark)
    address = reverse("api:draft", args=[answered.pk])
    headers = {"authorization": f"Bearer {make_secret(evaluator)}"}
    found = client.get(address, headers=headers).json()
    assert (found["version"], found["preview"]["version"]) == (1, 1)
    assert found["newer"] == {
        "version": 2, "texts": 5, "same": 5, "changed": [], "gone": [], "added": [],
    }  # fmt: skip
    sent = {"version": 2}
    moved = client.put(address, sent, headers=headers, content_type="application/json").json()
    assert (moved["version"], moved["newer"]) == (2, None)
    sent = {"version": 1}
    refused = client.put(address, sent, headers=headers, content_type="application/json")
    assert refused.status_code == 409
