"""Uploading answers at the pages: what is refused, what is shown, what is graded, and by whom."""

import gzip
import io
import json
import zipfile
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.submissions.drafts import actions, forms
from grading.submissions.drafts.models import Draft, DraftAnswer, DraftFile, FilePiece
from grading.submissions.drafts.tasks import READING
from phybench.files.answer_files.rows import LIMITS
from phybench.people.models import Role, User
from tests import drafts
from tests.addresses import client_of, reverse_asked
from tests.conftest import make_person
from tests.grading.concurrency import answer_in_turn
from tests.grading.conftest import make_file
from tests.organisations import join, organisation_of
from tests.versions import publish_version
from tests.work import carry_out_jobs, do

pytestmark = pytest.mark.django_db


def upload(
    person: User, benchmark: Benchmark, *files: tuple[str, bytes], **more: str
) -> HttpResponse:
    given = [SimpleUploadedFile(name, content) for name, content in files]
    return client_of(person).post(
        reverse("grading:upload"),
        {
            "organisation": organisation_of(person).pk,
            "benchmark": benchmark.pk,
            "answers": given,
            **more,
        },
    )


def read_all() -> None:
    for file in DraftFile.objects.to_read():
        do(READING, file.pk)


def grade(draft: Draft, by: User, **more: str) -> HttpResponse:
    return client_of(by).post(
        reverse_asked("grading:draft?do=grade", args=[draft.pk]),
        {"version": draft.version_id, **more},
    )


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("answers.json", "[]")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"<!DOCTYPE html><title>Sign in</title>", "This is a web page"),
        (zipped(), "No file in this archive holds answers."),
        (b"\x89PNG\r\n\x1a\n", "This file is PNG"),
        (b"[]", "This file holds no answers."),
        (b"  ", "This file is empty."),
    ],
    ids=["HTML", "a zip named .json", "a picture", "no rows", "blank"],
)
def test_what_is_no_file_of_answers_is_refused_by_name_and_nothing_is_kept(
    draft: Draft, benchmark: Benchmark, evaluator: User, content: bytes, sentence: str
) -> None:
    answer = upload(evaluator, benchmark, ("good.json", make_file((1, "x"))), ("a.json", content))
    assert answer.status_code == 400
    [error] = answer.context["form"].errors["answers"]
    assert "a.json" in error
    assert sentence in error
    assert list(Draft.objects.all()) == [draft], "not even one without files"
    assert not FilePiece.objects.exists()


@pytest.mark.parametrize(
    "content",
    [
        rb'[{"id": "C1", "answer": "x", "\ud800": "y"}]',
        rb'[{"id": "C1", "\udfff": {"answer": "x"}}]',
        rb'[{"id": "C1", "answer": "x", "a\u0000b": "y"}]',
    ],
)
def test_a_field_whose_name_can_not_be_stored_is_left_out_of_those_to_choose(
    draft: Draft, benchmark: Benchmark, evaluator: User, content: bytes
) -> None:
    before = list(DraftFile.objects.values_list("pk", flat=True))
    assert upload(evaluator, benchmark, ("answers.json", content)).status_code == 302
    [file] = DraftFile.objects.exclude(pk__in=before)
    assert {path for path, *_more in file.fields} <= {"id", "answer"}


def test_a_file_over_the_limit_is_refused_at_its_field(
    draft: Draft, benchmark: Benchmark, evaluator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forms, "LIMITS", LIMITS.__class__(sent=100))
    answer = upload(evaluator, benchmark, ("large.json", b" " * 101))
    assert "large.json is larger than" in answer.content.decode()
    assert "Compress it with gzip" in answer.context["form"].errors["answers"][0]


def test_a_request_larger_than_any_upload_is_refused_before_its_files_are_kept(
    draft: Draft, benchmark: Benchmark, evaluator: User, settings: Any
) -> None:
    settings.LARGEST_UPLOAD = 1000
    answer = upload(evaluator, benchmark, ("large.json", b"x" * 2000))
    assert answer.status_code in {400, 413}
    assert list(Draft.objects.all()) == [draft]


def test_an_upload_leads_to_its_preview_and_grading_it_to_the_submission(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    publish_version(benchmark)
    content = gzip.compress(make_file((problems[0], "m g h"), (problems[1], "0")))
    answer = upload(evaluator, benchmark, ("answers.json.gz", content))
    draft = Draft.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, draft.get_absolute_url())
    client = client_of(evaluator)
    assert "The file is being read." in client.get(draft.get_absolute_url()).content.decode()
    read_all()
    page = client.get(draft.get_absolute_url()).content.decode()
    assert "2 of 5" in page
    assert "Grade 2 answers" in page
    assert not Attempt.objects.exists()
    job = grade(draft, evaluator)["Location"]
    assert client.get(draft.get_absolute_url())["Location"] == job
    assert "Waiting for a worker." in client.get(job).text
    carry_out_jobs()
    submission = Submission.objects.get()
    assert client.get(job)["Location"] == submission.get_absolute_url()
    assert client.get(job, headers={"HX-Request": "true"})["HX-Redirect"] == (
        submission.get_absolute_url()
    )
    assert "2 answers are queued." in client.get(job, follow=True).text
    assert submission.attempts.count() == 2
    assert not DraftAnswer.objects.exists()
    assert not FilePiece.objects.exists()
    assert client.get(draft.get_absolute_url())["Location"] == submission.get_absolute_url()


def test_the_first_answers_are_shown_as_they_are_read_and_not_whether_they_are_right(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    rows = [(problems[0], r"So \boxed{m g h}"), (problems[1], r"\frac{a")]
    drafts.add(draft, make_file(*rows), by=evaluator)
    address = reverse_asked("grading:draft?part=first", args=[draft.pk])
    answer = client_of(evaluator).get(address)
    readings = [read for _answer, read in answer.context["answers"]]
    assert readings[0]["reading"].latex
    assert readings[1]["unreadable"]
    assert "orrect" not in answer.content.decode()


@pytest.mark.django_db(transaction=True)
def test_grading_a_draft_several_times_at_once_makes_one_submission(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    publish_version(benchmark)
    draft = drafts.make_draft(
        organisation=organisation_of(evaluator),
        benchmark=benchmark,
        by=evaluator,
        content=make_file((problems[0], "m g h")),
    )

    def post() -> HttpResponseBase:
        return grade(draft, evaluator)

    answers = answer_in_turn("phybench_user", evaluator.pk, *[post] * 2)
    [job] = carry_out_jobs()
    assert {one["Location"] for one in answers} == {job.get_absolute_url()}
    assert job.leads_to == Submission.objects.get().get_absolute_url()
    assert post()["Location"] == draft.get_absolute_url()
    assert Attempt.objects.count() == 1


def test_files_graded_before_are_named_and_graded_once_more_where_it_is_meant(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    publish_version(benchmark)
    content = make_file((problems[0], "m g h"))
    given: dict[str, Any] = {"organisation": organisation_of(evaluator), "benchmark": benchmark}
    first, second = (drafts.make_draft(by=evaluator, content=content, **given) for _n in "12")
    assert grade(first, evaluator).status_code == 302
    carry_out_jobs()
    page = client_of(evaluator).get(second.get_absolute_url()).content.decode()
    assert "The same files were graded on" in page
    asked = grade(second, evaluator)
    assert asked.status_code == 400
    assert "The same was graded on" in asked.content.decode()
    assert Submission.objects.count() == 1
    assert grade(second, evaluator, again="on").status_code == 302
    carry_out_jobs()
    assert Submission.objects.count() == 2


@pytest.mark.parametrize("role", [*sorted(set(Role) - {Role.EVALUATOR, Role.ADMIN}), None])
def test_only_evaluators_upload(draft: Draft, role: Role | None) -> None:
    answer = client_of(make_person(role, "somebody")).post(reverse("grading:upload"), {})
    assert answer.status_code == 403


def test_a_draft_is_its_organisations_alone(draft: Draft, evaluator: User, admin: User) -> None:
    file = drafts.add(draft, make_file((1, "x")), by=evaluator)
    colleague, stranger = (make_person(Role.EVALUATOR, name) for name in ("colleague", "stranger"))
    join(draft.organisation, colleague)
    organisation_of(stranger)
    pages = [
        draft.get_absolute_url(),
        reverse_asked("grading:draft?part=first", args=[draft.pk]),
        reverse_asked("grading:draft?as=csv", args=[draft.pk]),
        reverse("grading:draft_fields", args=[draft.pk, file.pk]),
        reverse_asked("grading:draft?do=discard", args=[draft.pk]),
    ]
    for page in pages:
        assert client_of(colleague).get(page).status_code == 200
        assert client_of(stranger).get(page).status_code == 404
        assert client_of(admin).get(page).status_code == 404
    for post in ("grade", "discard", "add"):
        address = reverse_asked(f"grading:draft?do={post}", args=[draft.pk])
        assert client_of(stranger).post(address).status_code == 404
    assert Draft.objects.exists()


def test_a_draft_is_discarded_with_all_that_was_read_of_it(draft: Draft, evaluator: User) -> None:
    drafts.add(draft, make_file((1, "x")), by=evaluator)
    client_of(evaluator).post(reverse_asked("grading:draft?do=discard", args=[draft.pk]))
    for model in (Draft, DraftFile, FilePiece, DraftAnswer):
        assert not model.objects.exists()


def test_fields_are_chosen_on_a_page_that_shows_what_they_hold(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    rows = f"nr,who,said\n{problems[0].identifier},A,m g h\n"
    file = drafts.add(draft, rows.encode(), by=evaluator, name="a.csv")
    address = reverse("grading:draft_fields", args=[draft.pk, file.pk])
    client = client_of(evaluator)
    assert "said: m g h" in client.get(address).content.decode()
    refused = client.post(address, {"id": "nr", "response": "nr", "samples_from": "0"})
    assert set(refused.context["form"].errors) == {"response", "model"}
    answer = client.post(
        address, {"id": "nr", "response": "said", "model": "who", "samples_from": "0"}
    )
    assert answer["Location"] == draft.get_absolute_url()
    read_all()
    assert DraftAnswer.objects.get().response == "m g h"


def test_a_draft_is_full_at_its_limits(
    draft: Draft, evaluator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts.add(draft, make_file((1, "x")), by=evaluator)
    monkeypatch.setattr(actions, "MOST_FILES", 1)
    with pytest.raises(actions.CannotChange, match="at most 1 files"):
        drafts.add(draft, make_file((1, "y")), by=evaluator)
    monkeypatch.setattr(actions, "MOST_FILES", 2)
    monkeypatch.setattr(actions, "LIMITS", LIMITS.__class__(sent=80))
    with pytest.raises(actions.CannotChange, match="may have 80\xa0bytes in total"):
        drafts.add(draft, make_file((1, "y")), by=evaluator)


def test_the_files_of_an_organisation_are_bounded_by_their_bytes_and_not_by_their_drafts(
    draft: Draft, evaluator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = drafts.add(draft, make_file((1, "x")), by=evaluator)
    monkeypatch.setattr(actions, "WAITING_FILES", first.size)
    for _ in range(20):
        other = actions.begin(
            organisation=draft.organisation, benchmark=draft.benchmark, by=evaluator
        )
    with pytest.raises(actions.CannotChange, match="Grade or discard a draft first"):
        drafts.add(other, make_file((1, "x")), by=evaluator)
    # What a demo made does not count.
    User.objects.filter(pk=evaluator.pk).update(is_demo=True)
    drafts.add(other, make_file((1, "x")), by=evaluator)


def test_rows_left_out_come_as_a_table(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    rows = [{"id": problems[0].identifier, "model": "A", "model_answer": n} for n in ("x", 3)]
    drafts.add(draft, json.dumps(rows).encode(), by=evaluator)
    answer = client_of(evaluator).get(reverse_asked("grading:draft?as=csv", args=[draft.pk]))
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert lines[1].startswith(f"answers.json,2,{problems[0].identifier},A,NO_TEXT,")


def test_a_line_that_is_no_json_is_one_fault_with_its_reason_in_sight(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    good = json.dumps({"id": problems[0].identifier, "model": "A", "response": "m g h"})
    drafts.add(draft, f"{good}\n{{broken\n".encode(), by=evaluator, name="a.jsonl")
    page = client_of(evaluator).get(draft.get_absolute_url()).content.decode()
    assert '<details class="rows-left-out" open>' in page
    assert page.count("it is not JSON") == 1
    assert "1 row is not an answer" in page
    for other in ("has no model", "Unusable rows"):
        assert other not in page


def test_where_no_row_is_an_answer_the_page_says_why(
    draft: Draft, problems: list[Problem], evaluator: User
) -> None:
    publish_version(draft.benchmark)
    row = {"id": problems[0].identifier, "model": "A" * 200, "response": "m g h"}
    drafts.add(draft, json.dumps([row]).encode(), by=evaluator)
    page = client_of(evaluator).get(draft.get_absolute_url()).content.decode()
    assert "No row of its files is an answer." in page
    assert "it has no model name of 1 to" in page


def test_queries_of_the_page_are_constant(
    draft: Draft, problems: list[Problem], evaluator: User, django_assert_num_queries: Any
) -> None:
    client = client_of(evaluator)
    drafts.add(draft, make_file((problems[0], "x")), by=evaluator)
    drafts.add(draft, make_file((problems[0], "x"), ("X99", "y")), by=evaluator)
    client.get(draft.get_absolute_url())
    counts = []
    for model in ("B", "C", "D"):
        with django_assert_num_queries(QUERIES):
            client.get(draft.get_absolute_url())
        counts.append(model)
        content = make_file((problems[0], "x"), ("X98", "z"), model=model)
        drafts.add(draft, content, by=evaluator)
    assert counts == ["B", "C", "D"]


QUERIES = 15


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"id": C1, "answer": "m"}\n{"id": C2, "answer": "g"}\n', "Row 1:"),
        (b'{"id": "C1", "answer": "m', "cut off"),
        (b"[1]\n[2]\n", "No row of it can be read. Row 1:"),
    ],
)
def test_a_file_of_which_no_row_can_be_read_is_refused_and_the_row_is_named(
    evaluator, benchmark, problems, content, said
):
    publish_version(benchmark)
    page = upload(evaluator, benchmark, ("answers.jsonl", content)).content.decode()
    assert said in page
    assert not Draft.objects.exists()
