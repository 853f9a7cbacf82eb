"""The pages of grading: what they cost, what they keep to themselves, whom they refuse."""

import re
from collections.abc import Callable

import pgtrigger
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from curation.exchange.published import import_published
from curation.problems.benchmarks.models import Benchmark
from curation.problems.exposures.models import Exposure
from curation.problems.models import Problem
from grading.answers import actions
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from phybench.people.models import Role, User
from tests.addresses import client_of, reverse_asked
from tests.conftest import make_person
from tests.grading.concurrency import double_click
from tests.grading.conftest import HandIn
from tests.memory import remembered
from tests.organisations import publish
from tests.work import carry_out_jobs, grade_attempt, grade_together

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def grade_all() -> None:
    grade_together(Attempt.objects.waiting())


def read(client: Client, address: str, **headers: str) -> str:
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    return answer.getvalue().decode()


@pytest.fixture
@remembered
def submission(problems: list[Problem], hand_in: HandIn) -> Submission:
    """Two answers: right, and one that leaves the other's reference far."""
    return hand_in((problems[0], "m g h"), (problems[2], "0"))


# --- Queries --------------------------------------------------------------------------------


def count_queries(client: Client, address: str) -> int:
    read(client, address)  # what is looked up once a process
    with CaptureQueriesContext(
        connection,
    ) as queries:
        read(client, address)
    return len(queries)


def test_a_page_takes_as_many_queries_for_three_rows_as_for_one(
    problems: list[Problem], hand_in: HandIn, participant: User, evaluator: User, admin: User
) -> None:
    pages = {
        None: ["board"],
        evaluator: ["grading:organisations", "inbox", "grading:submissions"],
        participant: ["inbox", "grading:to_answer"],
        admin: ["inbox", "grading:submissions"],
    }

    def add_row(number: int) -> None:
        made = hand_in((problems[0], "m g h"), (problems[1], "0"), model=f"Model {number}")
        revision = problems[number].revisions.get()
        actions.answer(revision=revision, person=participant, response="m g h")
        grade_all()
        publish(made)

    def count() -> list[tuple[str, str, int]]:
        return [
            (str(person), name, count_queries(client_of(person), reverse(name)))
            for person, names in pages.items()
            for name in names
        ]

    add_row(0)
    of_one = count()
    add_row(1)
    add_row(2)
    assert count() == of_one


def test_a_submission_takes_as_many_queries_for_three_answers_as_for_one(
    client: Client, problems: list[Problem], hand_in: HandIn, evaluator: User
) -> None:
    client.force_login(evaluator)
    one, three = (
        hand_in(*((problem, "0") for problem in problems[:count]), model=str(count))
        for count in (1, 3)
    )
    grade_all()
    for address in ("grading:submission", "grading:submission?as=csv"):
        few, more = (reverse_asked(address, args=[each.pk]) for each in (one, three))
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
        ("K = 7351935.5 m", "m", "GRADED", ["7351935", "14703871", "Reference answer: "]),
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
        ("K = 7351935.5 m", "Reference answer: "),
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


def test_pages_ask_again_only_while_something_waits(
    client: Client, submission: Submission, evaluator: User
) -> None:
    client.force_login(evaluator)
    first, last = submission.attempts.order_by("pk")

    def asks(row: Submission | Attempt) -> bool:
        found = set()
        for headers in ({}, HTMX):
            page = read(client, row.get_absolute_url(), **headers)
            assert ('hx-trigger="load delay:1s"' in page) == (
                f'hx-get="{row.get_absolute_url()}"' in page
            )
            found.add('hx-trigger="load delay' in page)
        [asks_again] = found
        return asks_again

    assert asks(submission)
    assert asks(first)
    grade_attempt(first.pk)
    assert asks(submission)
    assert not asks(first)
    Attempt.objects.filter(pk=last.pk).update(status="FAILED", failure_reason="timeout")
    assert not asks(submission)
    assert not asks(last)


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
@pytest.mark.parametrize(
    "name",
    [
        "grading:submission?do=publish",
        "grading:submission?do=withdraw",
        "grading:submission?do=try_again",
    ],
)
def test_another_s_submission_is_not_published_withdrawn_or_tried_again(
    client: Client, failed: Attempt, name: str, role: Role | str | None, status: int
) -> None:
    assert failed.submission is not None
    if role != "visitor":
        client.force_login(make_person(role, "somebody"))  # type: ignore[arg-type]
    answer = client.post(reverse_asked(name, args=[failed.submission.pk]))
    assert answer.status_code == status
    failed.refresh_from_db()
    assert failed.status == Attempt.Status.FAILED
    assert failed.submission.withdrawn_at is failed.submission.published_at is None


def test_who_handed_it_in_can(client: Client, failed: Attempt, evaluator: User) -> None:
    client.force_login(evaluator)
    for name in ("grading:submission?do=try_again", "grading:submission?do=withdraw"):
        client.post(reverse_asked(name, args=[failed.submission_id]))
    assert [job.outcome for job in carry_out_jobs()] == ["DONE"]
    failed = Attempt.objects.get(pk=failed.pk)
    assert failed.status == Attempt.Status.QUEUED
    assert failed.submission is not None
    assert failed.submission.withdrawn_at is not None


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
    assert "This can’t be read and would count 0." in asked
    assert r'<input type="hidden" name="as_it_is" value="\frac{m g h">' in asked
    assert re.search(r"<textarea[^>]* autofocus", asked)
    assert not Attempt.objects.exists()
    for as_it_is, count in ((r"\frac{m", 0), (r"\frac{m g h", 1)):
        client.post(address, {"response": r"\frac{m g h", "as_it_is": as_it_is})
        assert Attempt.objects.count() == count


def test_before_the_one_try_an_answer_that_is_too_large_is_said_not_to_be_graded_and_to_be_no_0(
    client: Client, problems: list[Problem], participant: User
) -> None:
    client.force_login(participant)
    address = reverse("grading:answer", args=[problems[0].pk])
    asked = client.post(address, {"response": "9^{9^{9^9}}"}).content.decode()
    assert "submit it as it is: it will not be graded then." in asked
    assert "would count 0" not in asked
    assert not Attempt.objects.exists()
    client.post(address, {"response": "9^{9^{9^9}}", "as_it_is": "9^{9^{9^9}}"})
    attempt = Attempt.objects.get()
    grade_attempt(attempt.pk)
    attempt.refresh_from_db()
    assert attempt.status == Attempt.Status.FAILED


def test_an_answer_with_a_symbol_that_the_problem_lacks_is_taken_once_that_is_confirmed(
    client: Client, problems: list[Problem], participant: User
) -> None:
    client.force_login(participant)
    address = reverse("grading:answer", args=[problems[0].pk])
    asked = client.post(address, {"response": r"It is \boxed{M g h}."}).content.decode()
    assert "This has symbols that are not in the problem." in asked
    assert "did you mean" in asked
    assert r'data-write="It is \boxed{m g h}."' in asked
    assert r'<input type="hidden" name="as_it_is" value="It is \boxed{M g h}.">' in asked
    assert not Attempt.objects.exists()
    client.post(address, {"response": "M g h", "as_it_is": "M g h"})
    assert Attempt.objects.get().response == "M g h"


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


def test_a_large_paste_comes_back_no_larger(
    client: Client, problems: list[Problem], participant: User
) -> None:
    client.force_login(participant)
    response = r"\boxed{M g h}" + "." * 100_000
    address = reverse("grading:read_as", args=[problems[0].pk])
    assert len(client.post(address, {"response": response}).content) < 10_000


def test_an_answer_that_takes_too_long_to_read_is_taken_only_once_that_is_confirmed(
    client: Client, problems: list[Problem], participant: User
) -> None:
    response = "3"
    for _ in range(7):
        response = rf"\ln(1+\mathrm{{i}}{response})"
    client.force_login(participant)
    address = reverse("grading:answer", args=[problems[0].pk])
    asked = client.post(address, {"response": response}).content.decode()
    assert "This takes too long to read." in asked
    assert "Submit it as it is" in asked
    assert not Attempt.objects.exists()
    client.post(address, {"response": response, "as_it_is": response})
    assert Attempt.objects.get().response == response


def test_who_is_told_that_only_words_keep_an_answer_from_being_right_has_that_written_down(
    client: Client, problems: list[Problem], participant: User, evaluator: User, hand_in: HandIn
) -> None:
    """“A person must decide” is said of an answer with the key's value alone."""
    revision = problems[0].revisions.get()
    attempt = actions.answer(revision=revision, person=participant, response=r"2\boxed{m g h}")
    submission = hand_in((problems[0], r"2\boxed{m g h}"), (problems[2], "0"))
    grade_all()
    attempt.refresh_from_db()
    assert (attempt.status, attempt.failure_reason) == (Attempt.Status.FAILED, "remark")
    told = Exposure.objects.filter(revision=revision, part=Exposure.Part.VERDICT)
    of_file = submission.attempts.get(revision=revision)
    for person, shown in ((participant, attempt), (evaluator, submission), (evaluator, of_file)):
        with pgtrigger.ignore("curation.Exposure:exposure_is_append_only"):
            told.delete()
        client.force_login(person)
        read(client, shown.get_absolute_url())
        assert told.filter(person=person).exists()


def test_who_is_shown_a_problem_to_answer_is_written_down(client, revision, participant):
    client.force_login(participant)
    page = client.get(reverse("grading:answer", args=[revision.problem_id])).content.decode()
    assert revision.statement[:18] in page
    seen = Exposure.objects.get(person=participant)
    assert (seen.revision_id, seen.part) == (revision.pk, Exposure.Part.STATEMENT)
