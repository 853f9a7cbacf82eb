"""Who asked is told once all that they had graded is graded, and only then."""

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from curation.problems.models import Problem
from grading.answers.submissions.models import Submission
from grading.submissions.drafts.models import Draft
from grading.submissions.notices.models import Notice
from grading.submissions.notices.news import GRADED
from grading.submissions.notices.tasks import SENDING
from phybench.news.mails.choosing import choose, wants
from phybench.news.mails.models import When
from phybench.people.models import User
from phybench.work.mailing import MOST_TRIES
from tests.grading.api import test_api
from tests.grading.api.conftest import program, version
from tests.grading.conftest import make_file
from tests.tokens import Program
from tests.work import carry_out_jobs, do, grade_attempt

__all__ = ["program", "version"]
pytestmark = pytest.mark.django_db


class Listener:
    """A web server that keeps what was posted to it."""

    def __init__(self) -> None:
        self.got: list[tuple[Any, bytes]] = []
        self.statuses: list[int] = []
        listener = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                listener.got.append((self.headers, content))
                self.send_response(listener.statuses.pop(0) if listener.statuses else 204)
                self.end_headers()

            def log_message(self, *arguments: Any) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


def queue(program: Program, problems: list[Problem], **asked: Any) -> Submission:
    draft = test_api.upload(program, make_file((problems[0], "m g h")))
    answer = program.post(f"/drafts/{draft['id']}/grade", asked)
    assert answer.status_code == 202, answer.content
    assert not Notice.objects.to_send().exists()
    carry_out_jobs()
    return Submission.objects.get(made_from__draft=draft["id"])


def finish(submission: Submission) -> Notice:
    assert not Notice.objects.to_send().exists()
    for attempt in submission.attempts.all():
        grade_attempt(attempt.pk)
    notice = Notice.objects.to_send().get()
    do(SENDING, notice.pk)
    notice.refresh_from_db()
    return notice


def test_an_e_mail_comes_once_all_is_graded(
    program: Program, problems: list[Problem], evaluator: User
) -> None:
    submission = queue(program, problems, mail=True)
    mail.outbox.clear()
    assert finish(submission).state == "sent"
    [message] = mail.outbox
    assert message.to == [evaluator.email]
    assert submission.get_absolute_url() in message.body
    assert not Notice.objects.to_send().exists()


def test_an_e_mail_has_a_link_that_stops_more_of_its_kind(
    program: Program, problems: list[Problem], evaluator: User
) -> None:
    submission = queue(program, problems, mail=True)
    mail.outbox.clear()
    finish(submission)
    [message] = mail.outbox
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    assert Client().post(link).status_code == 200
    assert not wants(evaluator, GRADED)


def test_who_wants_no_such_e_mails_gets_none(
    program: Program, problems: list[Problem], evaluator: User
) -> None:
    submission = queue(program, problems, mail=True)
    choose(evaluator, [(GRADED, When.NEVER)])
    mail.outbox.clear()
    notice = finish(submission)
    assert (notice.state, mail.outbox) == ("failed", [])
    assert notice.failure == "This person wants no e-mails of this kind."


def test_a_webhook_is_signed_and_says_no_verdict(
    program: Program, problems: list[Problem], listener: Listener, settings: Any
) -> None:
    settings.WEBHOOK_EGRESS_ALLOW = "127.0.0.1"
    submission = queue(program, problems, webhook=listener.url)
    notice = finish(submission)
    assert notice.state == "sent", notice.failure
    [(headers, content)] = listener.got
    [told] = program.get(f"/drafts/{notice.draft_id}/notices").json()
    signed = hmac.new(told["secret"].encode(), content, hashlib.sha256).hexdigest()
    assert headers["X-PHYBench-Signature"] == f"sha256={signed}"
    said = json.loads(content)
    assert said["submissions"][0]["id"] == submission.pk
    assert "CORRECT" not in content.decode()


def test_a_webhook_that_fails_is_tried_again_and_then_shown_as_failed(
    program: Program, problems: list[Problem], listener: Listener, settings: Any
) -> None:
    settings.WEBHOOK_EGRESS_ALLOW = "127.0.0.1"
    listener.statuses = [500] * MOST_TRIES
    notice = finish(queue(program, problems, webhook=listener.url))
    while notice.state == "waiting":
        assert notice.next_at is not None
        Notice.objects.update(next_at=None)
        do(SENDING, notice.pk)
        notice.refresh_from_db()
    assert (notice.state, len(listener.got)) == ("failed", MOST_TRIES)
    [told] = program.get(f"/drafts/{notice.draft_id}/notices").json()
    assert "status 500" in told["failure"]


def test_nothing_is_told_to_who_is_deactivated(
    program: Program, problems: list[Problem], listener: Listener, settings: Any
) -> None:
    settings.WEBHOOK_EGRESS_ALLOW = "127.0.0.1"
    submission = queue(program, problems, webhook=listener.url)
    User.objects.filter(pk=Notice.objects.get().person_id).update(is_active=False)
    assert finish(submission).state == "failed"
    assert listener.got == []


def test_a_webhook_reaches_no_private_address(
    program: Program, problems: list[Problem], listener: Listener
) -> None:
    draft = test_api.upload(program, make_file((problems[0], "m g h")))
    for url in (listener.url, "http://example.org/", "ftp://example.org/", "https://a@b.example/"):
        refused = program.post(f"/drafts/{draft['id']}/grade", {"webhook": url})
        assert test_api.is_problem(refused, 422, "bad-webhook")
    assert Draft.objects.get().graded_at is None
    secure = listener.url.replace("http:", "https:")
    program.post(f"/drafts/{draft['id']}/grade", {"webhook": secure})
    carry_out_jobs()
    notice = finish(Submission.objects.get())
    assert (notice.state, listener.got) == ("waiting", [])
    assert "egress_denied" in notice.failure
