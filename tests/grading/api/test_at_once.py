"""One key, two requests at once: what they ask is done once, and both are told the same."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connections
from django.http import HttpResponseBase
from django.utils import timezone

from curation.versions.models import BenchmarkVersion
from grading.submissions.drafts.models import Draft
from phybench.pages.api import once
from phybench.pages.api.models import KeptReply
from phybench.pages.api.tasks import forget_replies
from phybench.people.models import User
from tests.grading.api.test_api import is_problem
from tests.grading.concurrency import hold
from tests.tokens import Program, make_secret

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*asked: Callable[[], HttpResponseBase]) -> list[HttpResponseBase]:
    start = Barrier(len(asked))

    def run(ask: Callable[[], HttpResponseBase]) -> HttpResponseBase:
        try:
            start.wait()
            return ask()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(asked)) as threads:
        return list(threads.map(run, asked))


def test_two_at_once_are_one(version: BenchmarkVersion, evaluator: User) -> None:
    secret = make_secret(evaluator)
    begin = partial(
        Program(secret).post,
        "/drafts",
        {"benchmark": "test"},
        headers={"Idempotency-Key": "one"},
    )
    first, second = at_once(begin, begin)
    assert first.json() == second.json()
    assert sorted("Idempotency-Replayed" in one for one in (first, second)) == [False, True]
    assert Draft.objects.count() == 1


def test_who_waits_too_long_for_the_first_is_told_to_come_again(
    version: BenchmarkVersion, evaluator: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(once, "PATIENCE", "100ms")
    program = Program(make_secret(evaluator))
    begun = """
        INSERT INTO grading_keptreply (person_id, key, path, sha256, made_at)
        VALUES (%s, 'one', '', '', now())
    """
    with hold(begun, evaluator.pk):
        refused = program.post("/drafts", {"benchmark": "test"}, headers={"Idempotency-Key": "one"})
    assert is_problem(refused, 409, "in-progress")
    assert int(refused["Retry-After"]) > 0


def test_a_key_is_forgotten_after_a_day(version: BenchmarkVersion, evaluator: User) -> None:
    program = Program(make_secret(evaluator))
    key = {"Idempotency-Key": "one"}
    program.post("/drafts", {"benchmark": "test"}, headers=key)
    earlier = timezone.now() - timedelta(hours=25)
    KeptReply.objects.update(made_at=earlier)
    program.post("/drafts", {"benchmark": "test"}, headers=key)
    assert Draft.objects.count() == 2
    KeptReply.objects.update(made_at=earlier)
    assert forget_replies() == 1
