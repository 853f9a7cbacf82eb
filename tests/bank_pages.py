"""Every page of ours on a bank of problems, as each role: what it costs, in queries and time."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reviewing.reviews import drafts
from curation.reviewing.rounds.models import ReviewRound
from curation.reviewing.rounds.permissions import list_awaiting
from curation.texts.workflow import Status
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.disputes.keys.models import KeyCheck
from phybench.people.models import Role, User
from tests.addresses import EXPECTED, PEOPLE, WALKED, add_asked, follow, reverse_asked
from tests.conftest import make_person
from tests.work import work_out_analyses

QUERIES = {
    "curation:problems": (
        *("show=all", "show=mine", "show=review", "show=all&sort=-title&page=2"),
        "show=all&as=csv",
    ),
    "curation:queue": ("show=splits&sort=opened", "show=splits&domain=OPTICS&state=closed"),
    "curation:figures": ("domain=OPTICS",),
    "grading:keys": ("show=all",),
}
"""What else is asked of a list, beside the page it begins with."""
LOOKS = ("curation:problems", "q=of its kind")
"""A search through all statements."""


@dataclass
class BankWorld:
    """What the addresses of `tests.addresses` are made of, as far as a bank has it."""

    people: dict[str, User | None]
    benchmark: Benchmark
    accepted: Problem
    in_review: Problem
    draft: Problem
    own_in_review: Problem
    review_round: ReviewRound
    disputed: ReviewRound
    submission: Submission
    attempt: Attempt
    key_check: KeyCheck


@dataclass(frozen=True, slots=True)
class Page:
    person: str
    name: str
    address: str

    @property
    def title(self) -> str:
        _path, _mark, query = self.address.partition("?")
        return f"{self.name}?{query}" if query else self.name


LACKING = {"grading:rule"}
"""Pages about what a bank has none of: judgements."""


@dataclass(frozen=True, slots=True)
class Cost:
    queries: int
    seconds: float
    size: int


def find_world(benchmark: Benchmark, admin: User) -> BankWorld:
    """Choose of a bank what each kind of page is about."""
    problems = Problem.objects.filter(benchmark=benchmark)
    rounds = ReviewRound.objects.filter(revision__problem__benchmark=benchmark)
    # One whose author has something in every status that matters here.
    author = next(
        problem.author
        for problem in problems.filter(status=Status.DRAFT)
        if problems.filter(author=problem.author, status=Status.IN_REVIEW).exists()
    )
    # With something before it to compare it with.
    accepted = problems.filter(status=Status.ACCEPTED, revisions__number=2).exclude(author=author)[
        0
    ]
    submission = Submission.objects.filter(benchmark=benchmark)[0]
    # A page with nobody's review yet is not the one that grows.
    review_round = rounds.open().filter(version__is_blind=False).order_by("-pk")[0]
    reviewer = next(
        person
        for person in User.objects.filter(roles=[Role.REVIEWER]).order_by("-pk")
        if list_awaiting(person).filter(pk=review_round.pk).exists()
    )
    drafts.save(
        review_round=review_round,
        reviewer=reviewer,
        kind="REVIEW",
        fields={"comment": "Begun."},
        saved_at="",
    )
    # Has answered others, and may still answer this one.
    participant = (
        User.objects.filter(roles=[Role.PARTICIPANT], solver__attempts__isnull=False)
        .exclude(solver__attempts__revision__problem=accepted)
        .order_by("-pk")[0]
    )
    people: dict[str, User | None] = {
        "visitor": None,
        "nobody": User.objects.filter(roles=[]).first() or make_person(None),
        "contributor": author,
        "reviewer": reviewer,
        "participant": participant,
        "evaluator": submission.uploaded_by,
        "admin": admin,
    }
    assert set(people) == set(PEOPLE)
    return BankWorld(
        people=people,
        benchmark=benchmark,
        accepted=accepted,
        in_review=review_round.revision.problem,
        draft=problems.filter(status=Status.DRAFT, author=author)[0],
        own_in_review=problems.filter(status=Status.IN_REVIEW, author=author)[0],
        review_round=review_round,
        disputed=rounds.filter(disagreement__total__gt=0)[0],
        submission=submission,
        attempt=submission.attempts.all()[0],
        key_check=KeyCheck.objects.filter(revision__problem__benchmark=benchmark)[0],
    )


def list_pages(world: BankWorld) -> Iterator[Page]:
    """List each page that somebody may read, for each who may; what the bank lacks is left out."""
    for name in WALKED:
        if name.startswith("account_") or name in LACKING:
            continue
        expected = EXPECTED[name]
        try:
            arguments = [follow(path, world) for path in expected.arguments.split()]
        except AttributeError:
            continue
        address = reverse_asked(name, args=arguments)
        for person in PEOPLE:
            if expected.of(person) == 200:
                yield Page(person, name, address)
                for query in QUERIES.get(name, ()):
                    yield Page(person, name, add_asked(address, query))
    for person in PEOPLE[1:]:
        name, query = LOOKS
        yield Page(person, name, f"{reverse(name, args=[world.benchmark.slug])}?{query}")


def measure(page: Page, world: BankWorld, *, times: int = 1) -> Cost:
    """Open a page until its costs are those of a page opened before; the least time counts."""
    client = _sign_in(world.people[page.person])
    if client.get(page.address).status_code == 503:
        # It has asked a worker, and has its figures from then on.
        work_out_analyses()
    found = []
    for _ in range(times):
        with CaptureQueriesContext(connection) as captured:
            started = time.perf_counter()
            answer = client.get(page.address)
            content = b"".join(answer) if answer.streaming else answer.content
            seconds = time.perf_counter() - started
        assert answer.status_code == 200, (page, answer.status_code)
        found.append(Cost(len(captured), seconds, len(content)))
    return min(found, key=lambda cost: cost.seconds)


@cache
def _sign_in(person: User | None) -> Client:
    client = Client()
    if person is not None:
        client.force_login(person)
    return client
