"""As each role: what posting without a pause adds to the database is within a minute's budget."""

import gzip
import json
import secrets
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from grading.submissions.drafts.models import DraftFile
from phybench.work.budgets import KEPT, MB
from tests import drafts
from tests.addresses import World, client_of
from tests.budgets import Grown
from tests.curation.drafts.editor import fields
from tests.organisations import organisation_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MEGABYTES = 4
"""Of a minute, so that a test is short: all that is counted grows with it."""
Post = Callable[[World, Client], HttpResponseBase]


def write(length: int) -> str:
    """Return letters in no order: nothing makes them shorter."""
    return secrets.token_urlsafe(length)[:length]


def write_drafts(world: World, client: Client) -> HttpResponseBase:
    """Each is a problem of its own, with all texts as long as they may be."""
    texts = {"statement": f"$x$ {write(15_000)}", "solution": write(15_000), "form_key": ""}
    return client.post(reverse("curation:autosave"), fields(world.benchmark, **texts))


def rename(_world: World, client: Client) -> HttpResponseBase:
    return client.post(reverse("profile"), {"display_name": write(50)})


def upload(world: World, client: Client) -> HttpResponseBase:
    """What comes can't be packed; of what is read from it each answer is a row."""
    identifier = world.item.identifier
    rows = [
        {"problem_id": identifier, "model": "A", "response": write(800), "sample": n}
        for n in range(400)
    ]
    content = gzip.compress("\n".join(map(json.dumps, rows)).encode())
    sent = {
        "organisation": organisation_of(world.people["evaluator"]).pk,
        "benchmark": world.benchmark.pk,
        "answers": SimpleUploadedFile("a.jsonl.gz", content),
    }
    answer = client.post(reverse("grading:upload"), sent)
    for file in DraftFile.objects.to_read().filter(next_at=None):
        drafts.read(file)
    return answer


def make_benchmarks(_world: World, client: Client) -> HttpResponseBase:
    return client.post(reverse("curation:new_benchmark"), {"name": write(60), "goal": "10"})


def choose_mails(_world: World, client: Client) -> HttpResponseBase:
    """The shortest that there is: nearly nothing comes, and rows are written."""
    return client.post(reverse("choose_mails"), {})


@pytest.mark.parametrize(
    ("person", "post"),
    [
        ("contributor", write_drafts),
        ("reviewer", rename),
        ("evaluator", upload),
        ("nobody", choose_mails),
        ("admin", make_benchmarks),
    ],
)
def test_posting_without_a_pause_adds_no_more_than_a_minutes_bytes(
    world: World, settings, person: str, post: Post
) -> None:
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = MEGABYTES, 5 * MEGABYTES
    settings.EDITORS_AT_ONCE = settings.PREVIEWS_AT_ONCE = 100
    client = client_of(world.people[person])
    taken = 0
    with Grown() as grown:
        # The seconds are another test's: here there are as many as are wanted.
        while (answer := post(world, client)).status_code not in {413, 429}:
            assert answer.status_code in {200, 302}, answer.content[:2000]
            taken += 1
    print(f"{person} {post.__name__}: {taken} posts, {grown.bytes / MB:.2f} MB")
    assert answer.status_code == 429
    assert taken > 3
    assert grown.bytes <= KEPT().at_once * 1.06 + 0.3 * MB
