"""
As each role: what posting without a pause adds is 20 MB in any minute and 100 MB in any hour.

All that is kept is in the database: nothing that somebody sends stays as a file.
"""

import gzip
import json
import secrets
import time
from collections.abc import Callable, Iterable
from itertools import cycle

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.exchange.models import Import
from curation.members.invitations.addresses import MOST
from curation.problems.translations.models import Translation
from curation.reviewing.rounds.solves.models import ReviewDraft
from grading.answers.models import Attempt
from grading.judging.models import JudgeFile, JudgeRun
from grading.samples.labels.models import LabelFile
from grading.studies.sessions.sync import MOST_EVENTS
from grading.submissions.drafts.models import Draft, DraftFile
from phybench.files.problem_files import MOST_ROWS
from phybench.people.models import Role
from phybench.work.budgets import KEPT, MB, TABLE, find_wait, name_person
from tests import drafts
from tests.addresses import World, client_of, reverse_asked
from tests.budgets import Grown, forget_used, measure, pass_time
from tests.curation.drafts.editor import fields
from tests.curation.exchange.test_plans import NEW
from tests.grading.reported.scores import HEADER, write_row
from tests.organisations import organisation_of
from tests.tokens import Program, make_secret
from tests.work import carry_out_jobs, grade_together, run_import

pytestmark = pytest.mark.slow

MEGABYTES = 4
"""Of a minute, where what is sent is so short that a whole minute's takes too long."""
Post = Callable[[World, Client], HttpResponseBase]
REFUSED = {413, 429}


def write(length: int) -> str:
    """Return letters in no order: nothing makes them shorter."""
    return secrets.token_urlsafe(length)[:length]


def write_lines(*rows: object) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


# --- Whoever signs in -----------------------------------------------------------------------


def fail_to_log_in(_world: World, client: Client) -> HttpResponseBase:
    sent = {"login": f"{write(12)}@test.example", "password": write(100)}
    return client.post(reverse("account_login"), sent)


def sign_up(_world: World, client: Client) -> HttpResponseBase:
    secret = write(20)
    sent = {"email": f"{write(12)}@test.example", "display_name": write(50)}
    return client.post(
        reverse("account_signup"), {**sent, "password1": secret, "password2": secret}
    )


def rename(_world: World, client: Client) -> HttpResponseBase:
    return client.post(reverse("profile"), {"display_name": write(50)})


def choose_mails(_world: World, client: Client) -> HttpResponseBase:
    """The shortest that there is: nearly nothing comes, and rows are written."""
    return client.post(reverse("profile") + "?tab=e-mails", {})


# --- Participants ---------------------------------------------------------------------------


def sync(world: World, client: Client, events: list[dict[str, object]]) -> HttpResponseBase:
    sent = json.dumps({"tab": "one", "events": events})
    address = reverse("grading:sync_session", args=[world.sitting.pk])
    return client.post(address, sent, content_type="application/json")


NUMBERS = iter(range(1, 10**9))


def save_answers(world: World, client: Client) -> HttpResponseBase:
    texts = [{"kind": "NOTES", "number": next(NUMBERS), "text": write(19_000)} for _ in range(20)]
    return sync(world, client, [{"place": 1, **one} for one in texts])


def leave_traces(world: World, client: Client) -> HttpResponseBase:
    return sync(
        world,
        client,
        [{"place": 1, "kind": "AWAY", "moment": next(NUMBERS)} for _ in range(MOST_EVENTS)],
    )


# --- Contributors ---------------------------------------------------------------------------


def write_drafts(world: World, client: Client) -> HttpResponseBase:
    """Each is a problem of its own, with all texts as long as they may be."""
    texts = {"statement": f"$x$ {write(15_000)}", "solution": write(15_000), "form_key": ""}
    return client.post(
        reverse("curation:new", args=["test"]) + "?part=save", fields(world.benchmark, **texts)
    )


def translate(world: World, client: Client) -> HttpResponseBase:
    address = reverse("curation:translation", args=[world.translated.pk, "zh"]) + "?part=save"
    saved = Translation.objects.get(revision__problem=world.translated).saved_at.isoformat()
    return client.post(
        address, {"statement": write(15_000), "solution": write(15_000), "saved_at": saved}
    )


def bring_in(world: World, client: Client, content: bytes) -> HttpResponseBase:
    """Have all of a file's rows looked at, and carried out as far as they can be."""
    sent = {
        "purpose": Import.Purpose.DRAFTS,
        "benchmark": world.benchmark.pk,
        "domain": "OTHER",
        "file": SimpleUploadedFile("a.json", content),
    }
    answer = client.post(reverse("curation:imports", args=["test"]), sent)
    if answer.status_code in REFUSED:
        return answer
    made = Import.objects.latest("pk")
    run_import(made.pk)
    ordered = client.post(reverse("curation:import", args=["test", made.pk]) + "?do=carry_out")
    if ordered.status_code not in REFUSED:
        run_import(made.pk)
    return ordered


def import_texts(world: World, client: Client) -> HttpResponseBase:
    rows = [
        {**NEW, "id": write(20), "title": write(20), "solution": write(8_000)}
        | {"statement": f"{NEW['statement']} {write(4_000)}"}
        for _ in range(60)
    ]
    return bring_in(world, client, json.dumps(rows).encode())


def import_rows(world: World, client: Client) -> HttpResponseBase:
    """As many as a file may have, and in none of them a letter more than is looked at."""
    return bring_in(world, client, b"[" + b",".join([b'{"id":[]}'] * MOST_ROWS) + b"]")


# --- Reviewers ------------------------------------------------------------------------------


def draft_review(world: World, client: Client) -> HttpResponseBase:
    address = reverse("curation:review_draft", args=[world.review_round.pk])
    found = ReviewDraft.objects.filter(round=world.review_round, kind="REVIEW").get()
    sent = {"recommendation": "REVISE", "comment": write(19_900), "note": write(19_900)}
    sent |= {"draft_of": "REVIEW", "draft_saved_at": found.saved_at.isoformat()}
    return client.post(address, sent, headers={"HX-Request": "true"})


def note(world: World, client: Client) -> HttpResponseBase:
    address = reverse("curation:review", args=[world.review_round.pk])
    return client.post(address, {"do": "note", "text": write(4_000), "note": write(4_000)})


# --- Evaluators -----------------------------------------------------------------------------


def list_answers(world: World, count: int, length: int, **more: str) -> list[dict[str, object]]:
    one = {"problem_id": world.item.identifier, "model": "A", **more}
    return [{**one, "sample": n, "response": write(length)} for n in range(count)]


def send_answers(world: World, client: Client, *contents: bytes) -> HttpResponseBase:
    sent = {
        "organisation": organisation_of(world.people["evaluator"]).pk,
        "benchmark": world.benchmark.pk,
        "answers": [SimpleUploadedFile("a.jsonl.gz", one) for one in contents],
    }
    answer = client.post(reverse("grading:upload"), sent)
    read_on()
    return answer


def read_on() -> None:
    """Read what is sent as workers do who wait for it."""
    for file in DraftFile.objects.to_read().filter(next_at=None):
        drafts.read(file)


def upload(world: World, client: Client) -> HttpResponseBase:
    """What comes can't be packed; of what is read from it each answer is a row."""
    return send_answers(world, client, gzip.compress(write_lines(*list_answers(world, 2_000, 800))))


def upload_packed(world: World, client: Client) -> HttpResponseBase:
    """
    What comes is packed to little, and what is read from it is not made shorter where it is kept.

    PostgreSQL looks for what stands there twice no further back than 4 kB, and gzip 32.
    """
    contents = []
    for _ in range(20):
        [one] = list_answers(world, 1, 12_000)
        contents.append(gzip.compress(write_lines(*({**one, "sample": n} for n in range(160)))))
    return send_answers(world, client, *contents)


def upload_and_grade(world: World, client: Client) -> HttpResponseBase:
    rows = list_answers(world, 4, 4_000, model=write(6))
    answer = send_answers(world, client, gzip.compress(write_lines(*rows)))
    if answer.status_code in REFUSED:
        return answer
    draft = Draft.objects.latest("pk")
    if draft.files.filter(read_at=None).exists():
        # It is read once there is room for more.
        return answer
    sent = {"version": draft.version_id}
    answer = client.post(reverse_asked("grading:draft?do=grade", args=[draft.pk]), sent)
    if answer.status_code not in REFUSED:
        carry_out_jobs()
        grade_together(Attempt.objects.all())
    return answer


def send_part(world: World, client: Client) -> HttpResponseBase:
    program = getattr(client, "program", None)
    if program is None:
        program = Program(make_secret(world.people["evaluator"]))
        client.program = program  # type: ignore[attr-defined]
    organisation = organisation_of(world.people["evaluator"])
    sent = {"organisation": organisation.pk, "benchmark": world.benchmark.slug}
    made = program.post("/drafts", sent)
    if made.status_code in REFUSED:
        return made
    assert made.status_code == 201, made.content
    content = gzip.compress(write_lines(*list_answers(world, 1_000, 800)))
    answer = program.send(f"/drafts/{made.json()['id']}/parts", content)
    read_on()
    return answer


def send_items(world: World, client: Client) -> HttpResponseBase:
    items = [{"id": n, "question": write(500), "response": write(500)} for n in range(1_000)]
    sent = {
        "organisation": organisation_of(world.people["evaluator"]).pk,
        "file": SimpleUploadedFile("items.jsonl", write_lines(*items)),
    }
    return client.post(reverse("grading:judge_files"), sent)


def have_items_judged(world: World, client: Client) -> HttpResponseBase:
    """Again and again: a run keeps all items of its file."""
    file = JudgeFile.objects.latest("pk")
    if file == world.judge_file:
        answer = send_items(world, client)
        assert answer.status_code == 302
        file = JudgeFile.objects.latest("pk")
    address = file.get_absolute_url()
    sent = {
        **{"kind": "SEMANTIC", "mode": "RULE_ONLY", "language": "en", "turns": "1"},
        **{"reference": "with", "repeats": "1", "max_tokens": "1000", "purpose": "To see."},
    }
    page = client.post(address, {**sent, "step": "estimate"})
    if page.status_code in REFUSED:
        return page
    begun = client.post(address, {**sent, "step": "begin", "estimated": page.context["estimated"]})
    if begun.status_code in REFUSED:
        return begun
    run = JudgeRun.objects.latest("pk")
    assert begun["Location"] == run.get_absolute_url()
    return client.post(reverse("grading:cancel_judge_run", args=[run.pk]))


def bring_labels(_world: World, client: Client) -> HttpResponseBase:
    """As many rows as a file may have, each as short as may be."""
    content = b"id,label\n" + b",x\n" * (MOST_ROWS - 1)
    sent = {"file": SimpleUploadedFile("labels.csv", content), "origin": write(400)}
    return client.post(reverse("grading:label_files"), sent)


def bring_notes(world: World, client: Client) -> HttpResponseBase:
    rows = [f"{world.attempt.pk},right,{write(100)},{write(3_900)}" for _ in range(200)]
    content = "\n".join(["attempt,label,labeller,note", *rows]).encode()
    sent = {"file": SimpleUploadedFile("labels.csv", content), "origin": "Mine."}
    answer = client.post(reverse("grading:label_files"), sent)
    if answer.status_code in REFUSED:
        return answer
    file = LabelFile.objects.latest("pk")
    return client.post(reverse("grading:take_labels", args=[file.pk]))


# --- Admins ---------------------------------------------------------------------------------


def make_benchmarks(_world: World, client: Client) -> HttpResponseBase:
    return client.post(reverse("curation:new_benchmark"), {"name": write(60), "goal": "10"})


def invite(_world: World, client: Client) -> HttpResponseBase:
    """As many addresses as are taken at once."""
    addresses = "\n".join(f"{write(8)}@b.example".replace("-", "m") for _ in range(MOST))
    sent = {"addresses": addresses, "roles": [Role.REVIEWER], "days": "14", "language": "en"}
    answer = client.post(reverse("curation:invite", args=["test"]), {**sent, "step": "send"})
    if answer.status_code not in REFUSED:
        carry_out_jobs()
    return answer


def report_scores(world: World, client: Client) -> HttpResponseBase:
    """Scores from elsewhere, looked at and added."""
    rows = [write_row(write(6), note="") for _ in range(100)]
    file = SimpleUploadedFile("rows.csv", "\n".join([HEADER, *rows]).encode())
    address = reverse("grading:import_reported")
    shown = client.post(address, {"benchmark": world.benchmark.pk, "file": file})
    if shown.status_code in REFUSED:
        return shown
    form = shown.context["form"]
    sent = {"benchmark": world.benchmark.pk, "text": form["text"].value()}
    return client.post(address, {**sent, "looked_at": form["looked_at"].value()})


def plan_studies(world: World, client: Client) -> HttpResponseBase:
    texts = {one: write(4_000) for one in ("consent", "hypothesis", "exclusions", "analysis")}
    sent = {
        **{"title": write(40), "language": "en", "problems": "1", "minutes": "60"},
        **{"joining": "OPEN", "most_people": "5", "expected_accuracy": "50"},
        **{"person_correlation": "0.1", "problem_correlation": "0.1", "version": world.version.pk},
        **{"authors_part": "NO", **texts},
    }
    return client.post(f"{reverse('grading:new_study')}?version={world.version.pk}", sent)


LARGEST: dict[str, tuple[Post, ...]] = {
    "visitor": (fail_to_log_in, sign_up),
    "participant": (save_answers, leave_traces),
    "contributor": (write_drafts, translate, import_texts, import_rows),
    "reviewer": (draft_review, note),
    "evaluator": (
        *(upload, upload_packed, upload_and_grade, send_part),
        *(send_items, have_items_judged, bring_labels, bring_notes),
    ),
    "admin": (invite, report_scores, plan_studies, import_texts),
}
"""What adds most of all that somebody can send, by role."""


def post_until_refused(world: World, client: Client, post: Post) -> int:
    """Return how many were taken."""
    taken = 0
    while True:
        with connection.cursor() as cursor:
            # The seconds are another test's: here there are as many as are wanted.
            cursor.execute(f"DELETE FROM {TABLE} WHERE key LIKE '%% computed'")
        answer = post(world, client)
        if answer.status_code in REFUSED:
            assert answer.status_code == 429, answer.content[:2000]
            return taken
        assert answer.status_code in {200, 201, 302}, answer.content[:4000]
        taken += 1


def measure_kept() -> int:
    """Count without the room of rows that are gone: PostgreSQL takes that back by itself."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
    return measure()


def begin(settings) -> int:
    """Leave no room in any table: what comes is to be seen. Return the bytes of the database."""
    settings.EDITORS_AT_ONCE = settings.PREVIEWS_AT_ONCE = 100
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
    forget_used()
    return measure_kept()


def drive(world: World, person: str, posts: Iterable[Post], seconds: float) -> None:
    """Send one kind after the other, each for a minute, as fast as they are taken."""
    client = client_of(world.people[person])
    passed = 0.0
    for post in posts:
        began = time.monotonic()
        taken = post_until_refused(world, client, post)
        took = time.monotonic() - began
        rest = max(0.0, 60 - took)
        pass_time(rest)
        passed += took + rest
        print(f"{person} {post.__name__}: {taken} taken by {passed:.0f} s")
        if passed >= seconds:
            return
        go_on_reading()


def go_on_reading() -> None:
    """Have what waits until its sender may keep more go on, where that is so by now."""
    for file in DraftFile.objects.to_read().exclude(next_at=None):
        who = name_person(file.draft.made_by_id)
        if find_wait(who, size=KEPT().at_once / 4) == 0:
            DraftFile.objects.filter(pk=file.pk).update(next_at=timezone.now())
            drafts.read(DraftFile.objects.get(pk=file.pk))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("person", "post"), [(person, post) for person, posts in LARGEST.items() for post in posts]
)
def test_a_minute_of_posting_adds_20_mb_at_most(world, settings, person, post) -> None:
    before = begin(settings)
    # At once, and what has come back when the minute ends.
    drive(world, person, (post, post), 61)
    grown = measure_kept() - before
    print(f"MINUTE {person} {post.__name__}: {grown / MB:.2f} MB")
    assert grown <= 20 * MB


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("person", LARGEST)
def test_an_hour_of_posting_adds_100_mb_at_most(world, settings, person) -> None:
    before = begin(settings)
    drive(world, person, cycle(LARGEST[person]), 3600)
    grown = measure_kept() - before
    print(f"HOUR {person}: {grown / MB:.2f} MB")
    assert grown <= 100 * MB


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("person", "post"), [("reviewer", rename), ("nobody", choose_mails), ("admin", make_benchmarks)]
)
def test_short_posts_add_no_more_than_long_ones(world, settings, person, post) -> None:
    settings.MEGABYTES_A_MINUTE, settings.MEGABYTES_AN_HOUR = MEGABYTES, 5 * MEGABYTES
    with Grown() as grown:
        taken = post_until_refused(world, client_of(world.people[person]), post)
    print(f"{person} {post.__name__}: {taken} posts, {grown.bytes / MB:.2f} MB")
    assert taken > 3
    assert grown.bytes <= KEPT().at_once * 1.06 + 0.3 * MB
