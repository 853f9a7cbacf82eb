"""While the database is away, whatever is asked for is answered with 503 and when to ask again."""

import logging
from pathlib import Path

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import NoReverseMatch, reverse

from phybench.people.models import User
from tests.addresses import ADDRESSES, client_of, reverse_asked
from tests.grading.concurrency import hold
from tests.outages import away
from tests.tokens import make_secret

pytestmark = pytest.mark.django_db(transaction=True)

NEEDS_NONE = {200, 302, 400, 404, 405}
"""What is answered, or refused, before anything is looked up."""


def make_client(person: User) -> Client:
    client = client_of(person)
    client.raise_request_exception = False
    return client


def list_addresses() -> list[str]:
    """List each address, with a number or a word wherever it has a part of its own."""
    found = []
    for name, pattern in ADDRESSES.items():
        for value in ("1", "word"):
            try:
                wanted = dict.fromkeys(pattern.pattern.regex.groupindex, value)
                found.append(reverse_asked(name, kwargs=wanted or None))
                break
            except NoReverseMatch:
                continue
    return found


def is_said(answer: HttpResponse) -> bool:
    return answer.status_code == 503 and answer["Retry-After"] == "5"


def test_every_address_says_when_to_ask_again(
    admin: User, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_client(admin)
    # To write down where each failed takes longer than to ask for it.
    caplog.set_level(logging.CRITICAL + 1, "django.request")
    addresses = list_addresses()
    assert len(addresses) > len(ADDRESSES) * 0.9
    with away(tmp_path):
        answers = {
            (method, address): getattr(client, method)(address)
            for address in addresses
            for method in ("get", "post")
        }
    failed = {
        asked: one.status_code
        for asked, one in answers.items()
        if not is_said(one) and one.status_code not in NEEDS_NONE
    }
    assert not failed
    assert sum(map(is_said, answers.values())) > len(answers) / 2
    assert client.get("/inbox/").status_code == 200


def test_a_page_says_so_in_a_sentence(admin: User, tmp_path: Path) -> None:
    client = make_client(admin)
    with away(tmp_path):
        page = client.get(reverse("inbox"))
        part = client.get(reverse("inbox"), headers={"HX-Request": "true"})
    assert is_said(page)
    assert "The database does not answer" in page.content.decode()
    assert is_said(part)
    # What `static/js/page.js` puts into its notice.
    assert part.content.decode().startswith("The database does not answer")


def test_programs_and_the_page_of_a_session_are_told_in_json(
    evaluator: User, participant: User, tmp_path: Path
) -> None:
    secret, sitting = make_secret(evaluator), make_client(participant)
    client = Client(raise_request_exception=False)
    with away(tmp_path):
        told = client.get("/api/v1/benchmarks", headers={"Authorization": f"Bearer {secret}"})
        save = sitting.post(
            reverse("grading:sync_session", args=[1]), {}, content_type="application/json"
        )
    assert is_said(told)
    assert told["Content-Type"] == "application/problem+json"
    assert "does not answer" in told.json()["detail"]
    assert is_said(save)
    assert "does not answer" in save.json()["message"]


def test_an_error_of_a_database_that_answers_is_a_fault_of_ours(admin: User) -> None:
    client = make_client(admin)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    try:
        with hold("lock table phybench_user"):
            answer = client.get(reverse("inbox"))
    finally:
        connection.close()
    assert answer.status_code == 500
    assert "Retry-After" not in answer.headers
