"""What grows with the rows is begun by as few queries as with few of them; nothing waits for it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.versions import actions as versions
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.studies import actions as studying
from grading.studies.models import Invitation, Study
from grading.submissions import cancelling
from phybench.news.jobs.models import Job
from phybench.people.models import Role, User
from tests import drafts
from tests.addresses import client_of, reverse_asked
from tests.conftest import accept, make_draft, make_person
from tests.grading.conftest import make_file
from tests.grading.conftest import problems as _problems
from tests.organisations import organisation_of
from tests.versions import hand_in, publish_version
from tests.work import carry_out_jobs

pytestmark = pytest.mark.django_db
problems = _problems
Make = Callable[[int], Callable[[], Any]]
FIRST, FEW, MANY = 2, 3, 120


@pytest.fixture
def grade(problems: list[Problem], benchmark: Benchmark, evaluator: User, settings: Any) -> Make:
    settings.MOST_SAMPLES_A_DAY = settings.MOST_SUBMISSIONS_A_DAY = 1_000
    publish_version(benchmark)

    def make(count: int) -> Callable[[], Any]:
        rows = [
            {"id": problems[0].identifier, "model": f"M{count}", "repeat_index": number,
             "model_answer": f"m g h + {number}"}
            for number in range(count)
        ]  # fmt: skip
        draft = drafts.make_draft(
            organisation=organisation_of(evaluator),
            benchmark=benchmark,
            by=evaluator,
            content=json.dumps(rows).encode(),
        )
        address = reverse_asked("grading:draft?do=grade", args=[draft.pk])
        return partial(client_of(evaluator).post, address, {"version": draft.version_id})

    return make


@pytest.fixture
def publish(
    problems: list[Problem], benchmark: Benchmark, admin: User, contributor: User, reviewer: User
) -> Make:
    def make(count: int) -> Callable[[], Any]:
        if count == MANY:
            for number in range(5):
                draft = make_draft(contributor, benchmark, answer=f"m g h + {number}")
                accept(draft, contributor, reviewer)
        version = versions.make_draft(benchmark=benchmark, by=admin)
        place = [benchmark.slug, version.number]
        return partial(client_of(admin).post, reverse("curation:publish_version", args=place))

    return make


@pytest.fixture
def invite(admin: User, benchmark: Benchmark) -> Make:
    def make(count: int) -> Callable[[], Any]:
        lines = "\n".join(f"p{number}-{count}@new.example" for number in range(count))
        sent = {"addresses": lines, "roles": ["REVIEWER"], "days": "14", "language": "en"}
        address = reverse("curation:invite", args=["test"])
        return partial(client_of(admin).post, address, {**sent, "step": "send"})

    return make


def make_study(benchmark: Benchmark, admin: User) -> Study:
    version = publish_version(benchmark)
    return studying.make(
        version=version, title="S", by=admin, problems=2, minutes=10, consent="Yes."
    )


def make_participants(count: int) -> list[User]:
    return [make_person(Role.PARTICIPANT, f"p{number}of{count}") for number in range(count)]


@pytest.fixture
def open_study(problems: list[Problem], benchmark: Benchmark, admin: User) -> Make:
    def make(count: int) -> Callable[[], Any]:
        study = make_study(benchmark, admin)
        for person in make_participants(count):
            Invitation.objects.create(study=study, person=person, invited_by=admin)
        return partial(client_of(admin).post, reverse("grading:open_study", args=[study.pk]))

    return make


@pytest.fixture
def invite_to_study(problems: list[Problem], benchmark: Benchmark, admin: User) -> Make:
    def make(count: int) -> Callable[[], Any]:
        study = make_study(benchmark, admin)
        studying.open_study(study=study, by=admin)
        emails = "\n".join(person.email for person in make_participants(count))
        address = reverse("grading:invite", args=[study.pk])
        return partial(client_of(admin).post, address, {"addresses": emails})

    return make


def submit(count: int, problems: list[Problem], benchmark: Benchmark, by: User) -> Submission:
    rows = [
        {"id": problems[0].identifier, "model": f"M{count}", "repeat_index": number}
        | {"model_answer": f"{number}"}
        for number in range(count)
    ]
    [submission] = hand_in(
        organisation=organisation_of(by),
        benchmark=benchmark,
        uploaded_by=by,
        content=json.dumps(rows).encode(),
    )
    return submission


@pytest.fixture
def cancel(problems: list[Problem], benchmark: Benchmark, evaluator: User, settings: Any) -> Make:
    settings.MOST_SAMPLES_A_DAY = 1_000

    def make(count: int) -> Callable[[], Any]:
        submission = submit(count, problems, benchmark, evaluator)
        address = reverse_asked("grading:submission?do=cancel", args=[submission.pk])
        return partial(client_of(evaluator).post, address)

    return make


@pytest.fixture
def go_on(problems: list[Problem], benchmark: Benchmark, evaluator: User, settings: Any) -> Make:
    settings.MOST_SAMPLES_A_DAY = 1_000

    def make(count: int) -> Callable[[], Any]:
        submission = submit(count, problems, benchmark, evaluator)
        cancelling.cancel(submission=submission, by=evaluator)
        address = reverse_asked("grading:submission?do=go_on", args=[submission.pk])
        return partial(client_of(evaluator).post, address)

    return make


def count_queries(post: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        answer = post()
    assert answer.status_code == 302, answer.content
    return len(captured)


@pytest.mark.parametrize(
    "action",
    [
        *("grade", "publish", "invite", "open_study", "invite_to_study"),
        *("cancel", "go_on"),
    ],
)
def test_a_long_action_is_begun_by_as_many_queries_for_many_rows_as_for_few(
    action: str, request: pytest.FixtureRequest
) -> None:
    make: Make = request.getfixturevalue(action)
    counts = []
    for rows in (FIRST, FEW, MANY):
        post = make(rows)
        counts.append(count_queries(post))
        job = Job.objects.open().get()
        assert job.outcome == ""
        assert [one.outcome for one in carry_out_jobs()] == ["DONE"]
    # The first may write down what is written once a day.
    assert counts[1] == counts[2]


@pytest.mark.parametrize("count", [FEW, MANY])
def test_withdrawing_a_submission_takes_as_many_queries_for_many_answers_as_for_few(
    count: int, problems: list[Problem], benchmark: Benchmark, evaluator: User, settings: Any
) -> None:
    settings.MOST_SAMPLES_A_DAY = 1_000
    submission = submit(count, problems, benchmark, evaluator)
    assert Attempt.objects.count() == count
    client: Client = client_of(evaluator)
    client.get(reverse("profile"))
    address = reverse_asked("grading:submission?do=withdraw", args=[submission.pk])
    assert count_queries(partial(client.post, address)) == WITHDRAWING


WITHDRAWING = 9


def test_withdrawing_an_item_takes_as_many_queries_for_many_answers_as_for_few(
    problems: list[Problem], benchmark: Benchmark, evaluator: User, admin: User
) -> None:
    content = make_file(*[(one, "m g h") for one in problems])
    given = {"organisation": organisation_of(evaluator), "benchmark": benchmark}
    hand_in(uploaded_by=evaluator, content=content, **given)
    version = benchmark.versions.get()
    client = client_of(admin)
    client.get(reverse("profile"))
    counts = []
    for item in version.items.all()[:2]:
        address = f"{version.get_absolute_url()}?do=withdraw&item={item.pk}"
        counts.append(count_queries(partial(client.post, address, {"reason": "A slip."})))
        for number in range(3):
            more = make_file(*[(one, f"{number}") for one in problems], model=f"M{number}")
            drafts.grade(uploaded_by=evaluator, content=more, **given)
    assert counts[0] == counts[1]
