"""The pages of grading: what they cost, what they keep to themselves, whom they refuse."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.exchange.published import import_published
from curation.problems.models import Benchmark, Problem
from grading.answers import actions
from grading.answers.files import LARGEST_FILE
from grading.answers.models import Attempt, Grade, Submission
from grading.solvers.models import Solver
from phybench.models import Role, User
from tests.addresses import client_of
from tests.conftest import make_person
from tests.grading.concurrency import answer_in_turn, double_click
from tests.grading.conftest import HandIn, make_file
from tests.organisations import organisation_of, publish
from tests.work import grade_attempt

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def grade_all() -> None:
    for attempt in Attempt.objects.waiting():
        grade_attempt(attempt.pk)


def read(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def submission(problems: list[Problem], hand_in: HandIn) -> Submission:
    """Two answers: right, and one that leaves the other's reference far."""
    return hand_in((problems[0], "m g h"), (problems[2], "0"))


# --- Queries --------------------------------------------------------------------------------

PAGES = [
    ("visitor", "board"),
    ("evaluator", "grading:organisations"),
    ("evaluator", "home"),
    ("evaluator", "grading:submissions"),
    ("participant", "home"),
    ("participant", "grading:to_answer"),
    ("admin", "home"),
    ("admin", "grading:submissions"),
]


def count_queries(client: Client, address: str) -> int:
    read(client, address)  # what is looked up once a process
    with CaptureQueriesContext(
        connection,
    ) as queries:
        read(client, address)
    return len(queries)


@pytest.mark.parametrize(("who", "name"), PAGES)
def test_a_page_takes_as_many_queries_for_three_rows_as_for_one(
    request: pytest.FixtureRequest, client: Client, problems: list[Problem], hand_in: HandIn,
    participant: User, who: str, name: str,
) -> None:  # fmt: skip
    def add_row(number: int) -> None:
        made = hand_in((problems[0], "m g h"), (problems[1], "0"), model=f"Model {number}")
        revision = problems[number].revisions.get()
        actions.answer(revision=revision, person=participant, response="m g h")
        grade_all()
        publish(made)

    if who != "visitor":
        client.force_login(request.getfixturevalue(who))
    add_row(0)
    of_one = count_queries(client, reverse(name))
    add_row(1)
    add_row(2)
    assert count_queries(client, reverse(name)) == of_one


def test_a_submission_takes_as_many_queries_for_three_answers_as_for_one(
    client: Client, problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    client.force_login(evaluator)
    one, three = (
        hand_in(*((problem, "0") for problem in problems[:count]), model=str(count))
        for count in (1, 3)
    )
    grade_all()
    for address in ("grading:submission", "grading:submission_csv"):
        few, more = (reverse(address, args=[each.pk]) for each in (one, three))
        assert count_queries(client, few) == count_queries(client, more)


def test_an_attempt_takes_as_many_queries_for_three_grades_as_for_one(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    grade_all()
    attempt = submission.attempts.earliest("pk")
    of_one = count_queries(client, attempt.get_absolute_url())
    grade = attempt.grades.get()
    for version in ("0.1", "0.2"):
        now = timezone.now()
        runs = attempt.submission.benchmark.grading_runs
        grade.run = runs.create(grader_version=version, why="Before.")
        grade.pk = None
        grade.save(force_insert=True)
        runs.filter(pk=grade.run.pk).update(adopted_at=now, set_aside_at=now)
    assert Grade.objects.filter(attempt=attempt).count() == 3
    assert count_queries(client, attempt.get_absolute_url()) == of_one


# --- The key --------------------------------------------------------------------------------


@pytest.fixture
def answer_to(
    benchmark: Benchmark, hand_in: HandIn, participant: User
) -> Callable[[str, str], list[Attempt]]:
    """Have a model and a person answer a problem with this reference."""

    def run(reference: str, answer: str) -> list[Attempt]:
        problem = import_published(
            benchmark=benchmark,
            published_id="1",
            title="Imported",
            domain="OPTICS",
            statement="A",
            answer=reference,
            solution="The solution is 8462046.",
            broken_rules=[],
        )
        hand_in((problem, answer))
        revision = problem.revisions.get()
        actions.answer(revision=revision, person=participant, response=answer)
        grade_all()
        return list(Attempt.objects.order_by("pk"))

    return run


@pytest.mark.parametrize(
    ("reference", "answer", "status", "marks"),
    [
        (r"\frac{7351935 m g h}{2}", "m g h", "GRADED", ["7351935"]),
        (r"\frac{7351935 m g h}{2}", r"\frac{x", "GRADED", ["7351935"]),
        ("K = 7351935.5 m", "m", "GRADED", ["7351935", "14703871", "Reference: "]),
        (r"\telltale{x}", "x", "FAILED", ["telltale"]),
    ],
)
def test_what_an_attempt_says_of_the_reference_is_for_who_may_see_the_key(
    client: Client, answer_to: Callable[[str, str], list[Attempt]], evaluator: User,
    participant: User, reference: str, answer: str, status: str, marks: list[str],
) -> None:  # fmt: skip
    attempts = answer_to(reference, answer)
    for person, attempt in zip((evaluator, participant), attempts, strict=True):
        attempt.refresh_from_db()
        assert attempt.status == status
        client.force_login(person)
        for headers in ({}, HTMX):
            page = read(client, attempt.get_absolute_url(), **headers)
            assert [mark for mark in [*marks, "8462046"] if mark in page] == []


@pytest.mark.parametrize(
    ("reference", "mark"),
    [
        (r"\frac{7351935 m g h}{2}", "7351935"),
        ("K = 7351935.5 m", "Reference: "),
        (r"\telltale{x}", "telltale"),
    ],
)
def test_an_admin_sees_it(
    client: Client, answer_to: Callable[[str, str], list[Attempt]], admin: User,
    reference: str, mark: str,
) -> None:  # fmt: skip
    client.force_login(admin)
    assert mark in read(client, answer_to(reference, "m")[0].get_absolute_url())


# --- Waiting --------------------------------------------------------------------------------


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "fragment"])
def test_pages_ask_again_only_while_something_waits(
    client: Client, submission: Submission, evaluator: User, headers: dict[str, str]
) -> None:
    client.force_login(evaluator)
    first, last = submission.attempts.order_by("pk")

    def asks(row: Submission | Attempt) -> bool:
        page = read(client, row.get_absolute_url(), **headers)
        assert ('hx-trigger="load delay:1s"' in page) == (
            f'hx-get="{row.get_absolute_url()}"' in page
        )
        return 'hx-trigger="load' in page

    assert asks(submission)
    assert asks(first)
    grade_attempt(first.pk)
    assert asks(submission)
    assert not asks(first)
    Attempt.objects.filter(pk=last.pk).update(status="FAILED", failure_reason="timeout")
    assert not asks(submission)
    assert not asks(last)


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
        (WHOLE, "None of A model’s ids is a problem of Test."),
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
    file = SimpleUploadedFile("answers.json", make_file((problems[0], "m g h")))
    given = {"organisation": organisation_of(evaluator).pk, "file": file}
    answer = client.post(
        reverse("grading:upload"), {"benchmark": problems[0].benchmark_id, **given}
    )
    submission = Submission.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, submission.get_absolute_url())
    assert submission.uploaded_by == evaluator


# --- The wrong person -----------------------------------------------------------------------


@pytest.fixture
def failed(submission: Submission) -> Attempt:
    submission.attempts.update(status="FAILED", failure_reason="timeout")
    return submission.attempts.earliest("pk")


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.EVALUATOR, 404),
        *((role, 403) for role in (Role.PARTICIPANT, Role.REVIEWER, Role.CONTRIBUTOR, None)),
        ("visitor", 302),
    ],
)
@pytest.mark.parametrize("name", ["grading:publish", "grading:withdraw", "grading:try_again"])
def test_another_s_submission_is_not_published_withdrawn_or_tried_again(
    client: Client, failed: Attempt, name: str, role: Role | str | None, status: int
) -> None:
    assert failed.submission is not None
    if role != "visitor":
        client.force_login(make_person(role, "somebody"))  # type: ignore[arg-type]
    answer = client.post(reverse(name, args=[failed.submission.pk]))
    assert answer.status_code == status
    failed.refresh_from_db()
    assert failed.status == Attempt.Status.FAILED
    assert failed.submission.withdrawn_at is failed.submission.published_at is None


def test_who_handed_it_in_can(client: Client, failed: Attempt, evaluator: User) -> None:
    client.force_login(evaluator)
    for name in ("grading:try_again", "grading:withdraw"):
        client.post(reverse(name, args=[failed.submission_id]))
    failed = Attempt.objects.get(pk=failed.pk)
    assert failed.status == Attempt.Status.QUEUED
    assert failed.submission is not None
    assert failed.submission.withdrawn_at is not None


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


def test_a_visitor_is_asked_to_sign_in_and_nothing_is_stored(
    client: Client, problems: list[Problem]
) -> None:
    for address in (reverse("grading:upload"), reverse("grading:answer", args=[problems[0].pk])):
        answer = client.post(address, {"response": "m g h"})
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("account_login"))
    assert not Attempt.objects.exists()


def test_a_second_answer_leads_to_the_first(
    client: Client, problems: list[Problem], participant: User
) -> None:
    client.force_login(participant)
    address = reverse("grading:answer", args=[problems[0].pk])
    first, second = (client.post(address, {"response": text}) for text in ("m g h", "0"))
    attempt = Attempt.objects.get()
    assert attempt.response == "m g h"
    assert first["Location"] == second["Location"] == attempt.get_absolute_url()


def test_an_answer_that_can_not_be_read_is_taken_only_once_that_is_confirmed(
    client: Client, problems: list[Problem], participant: User
) -> None:
    client.force_login(participant)
    address = reverse("grading:answer", args=[problems[0].pk])
    asked = client.post(address, {"response": r"\frac{m g h"}).content.decode()
    assert "This can’t be read, and would count 0." in asked
    assert r'<input type="hidden" name="as_it_is" value="\frac{m g h">' in asked
    assert re.search(r"<textarea[^>]* autofocus", asked)
    assert not Attempt.objects.exists()
    for as_it_is, count in ((r"\frac{m", 0), (r"\frac{m g h", 1)):
        client.post(address, {"response": r"\frac{m g h", "as_it_is": as_it_is})
        assert Attempt.objects.count() == count


@pytest.mark.parametrize(
    ("response", "shown"),
    [
        (r"\frac{m g h}{2}", r'<div class="formula" data-tex="\frac{m g h}{2}">'),
        (r"So it is \boxed{m}.", r'<span class="math inline">\boxed{m}</span>'),
        ("sqrt(m*g*h)", '<pre class="source">sqrt(m*g*h)</pre>'),
    ],
)
def test_the_page_of_a_grade_sets_the_formulas_that_were_handed_in(
    client: Client, problems: list[Problem], participant: User, response: str, shown: str
) -> None:
    revision = problems[0].revisions.get()
    attempt = actions.answer(revision=revision, person=participant, response=response)
    client.force_login(participant)
    assert shown in read(client, attempt.get_absolute_url())


def test_a_long_response_in_plain_words_is_folded(
    client: Client, problems: list[Problem], participant: User
) -> None:
    revision = problems[0].revisions.get()
    attempt = actions.answer(revision=revision, person=participant, response="m+" * 1800 + "m")
    client.force_login(participant)
    text = read(client, attempt.get_absolute_url())
    assert "The whole response" in text
    assert "m+" * 1800 + "m" in text


def test_who_wrote_a_problem_is_told_that_they_can_not_answer_it(
    client: Client, problems: list[Problem], contributor: User
) -> None:
    contributor.roles = [Role.CONTRIBUTOR, Role.PARTICIPANT]
    contributor.save()
    client.force_login(contributor)
    address = reverse("grading:answer", args=[problems[0].pk])
    assert "<textarea" not in read(client, address)
    page = client.post(address, {"response": "m g h"}).content.decode()
    assert "You can read this problem, but not answer it" in page
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("role", [*sorted(set(Role) - {Role.ADMIN}), None])
def test_another_s_attempt_is_not_to_be_found(
    client: Client, submission: Submission, role: Role | None
) -> None:
    client.force_login(make_person(role, "somebody"))
    for attempt in submission.attempts.all():
        assert client.get(attempt.get_absolute_url()).status_code == 404


# --- Sent twice -----------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_who_clicks_twice_to_answer_is_shown_the_one_answer(
    problems: list[Problem], participant: User
) -> None:
    address = reverse("grading:answer", args=[problems[0].pk])
    revision = problems[0].revisions.get()
    led = double_click(
        "curation_revision", revision.pk, address, participant, {"response": "m g h"}
    )
    assert led == Attempt.objects.get().get_absolute_url()


@pytest.mark.django_db(transaction=True)
def test_one_file_handed_in_several_times_at_once_is_one_submission(
    problems: list[Problem], benchmark: Benchmark, evaluator: User
) -> None:
    organisation_of(evaluator)

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
