"""Lines of JSON from the real web server and real workers, and nothing secret in any of them."""

import http.client
import json
import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from django.urls import reverse

from development import web
from grading.answers.models import Attempt
from phybench.celery import app
from phybench.work.logs import REQUEST_ID, Lines, Name, choose_format, configure
from tests.development.checkout import free_port, wait_until
from tests.grading.conftest import problems
from tests.phybench.work.conftest import HandInMany
from tests.processes import Processes
from tests.tokens import make_secret

__all__ = ["problems"]

JSON = {"LOG_FORMAT": "json"}
CSRF = "c" * 32
PASSWORD, LINK, TOLD, POOL, OF_THE_DATABASE = (
    f"{name}{'0' * 9}" for name in ("wrongword", "linked", "told", "pooled", "dbword")
)
ANSWER = "471108150471108"
"""Each is found nowhere else."""


@contextmanager
def refused(table: str) -> Iterator[None]:
    """Have the database refuse all new rows of a table, with a message that repeats the row."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS"
            " $$BEGIN RAISE EXCEPTION 'not %', NEW; END$$"
        )
        cursor.execute(
            f"CREATE TRIGGER refused BEFORE INSERT ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION refuse CASCADE")


def ask(port: int, method: str, path: str, sent: str = "", **headers: str) -> tuple[int, str]:
    """Return the status of an answer and its request's id."""
    with closing(http.client.HTTPConnection(web.HOST, port, timeout=60)) as asked:
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if sent else {}
        asked.request(method, path, sent or None, {**kind, **headers})
        answer = asked.getresponse()
        answer.read()
        return answer.status, answer.getheader(REQUEST_ID, "")


def post(port: int, path: str, sent: dict[str, str], session: str = "") -> tuple[int, str]:
    cookies = f"csrftoken={CSRF}; {settings.SESSION_COOKIE_NAME}={session}"
    said = {"Cookie": cookies, "X-CSRFToken": CSRF}
    return ask(port, "POST", path, urlencode(sent), **said)


def read_lines(processes: Processes) -> list[dict[str, Any]]:
    text = "".join(log.read_text() for log in sorted(processes.folder.glob("*/log/*.log")))
    # The last may be half written.
    whole = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    return [json.loads(line) for line in whole]


@pytest.mark.own_server
@pytest.mark.django_db(transaction=True)
def test_no_line_holds_a_password_a_link_a_token_a_cookie_or_an_answer(
    processes: Processes, hand_in_many: HandInMany, problems, participant
) -> None:
    token = make_secret(participant)
    visitor = Client()
    visitor.force_login(participant)
    session = visitor.cookies[settings.SESSION_COOKIE_NAME].value
    port = free_port()
    processes.start(lambda environment: web.server(environment, port), **JSON)

    login = {"login": participant.email, "password": PASSWORD}
    assert post(port, reverse("account_login"), login)[0] == 200
    link = reverse("curation:invitation", args=[LINK])
    missing, number_of_missing = ask(port, "GET", f"{link}?next={LINK}")
    assert missing == 404
    elsewhere, _number = ask(port, "GET", f"/nowhere/{LINK}/")
    assert elsewhere == 404
    forged = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"}
    assert ask(port, "POST", reverse("account_login"), urlencode(login), **forged)[0] == 403
    for bearer in (token, f"phyb_{LINK}"):
        ask(port, "GET", f"/api/v1/nothing/?token={bearer}", Authorization=f"Bearer {bearer}")
    answering = reverse("grading:answer", args=[problems[0].pk])
    # Taken as it is, or the first one to be read would wait for a child that can.
    answer = {"response": f"{ANSWER} m g h", "as_it_is": f"{ANSWER} m g h"}
    with refused("grading_attempt"):
        status, number = post(port, answering, answer, session)
    assert status == 500

    # A worker fails at an answer, and at a message that is none.
    submission = hand_in_many(1)
    graded = Attempt.objects.filter(submission=submission, status="GRADED")
    with refused("grading_grade"):
        processes.start(web.worker, **JSON, WORK_SWEEP_SECONDS="0.5")
        app.send_task("phybench.work.tasks.work", ("general",))
        app.send_task("phybench.work.tasks.work", (POOL,))
        assert wait_until(lambda: has_failed(processes, "phybench.work.leases"))
        assert wait_until(lambda: has_failed(processes, "celery.app.trace"))
        assert not graded.exists()
    # So does one whom the database does not know.
    parts = urlsplit(processes.environment["DATABASE_URL"])
    place = f"stranger:{quote(OF_THE_DATABASE)}@{parts.netloc.rpartition('@')[2]}"
    processes.start(web.judge, **JSON, DATABASE_URL=parts._replace(netloc=place).geturl())
    queue = settings.WORK_QUEUES["judging"]
    app.send_task("phybench.work.tasks.work", ("judging",), queue=queue)
    assert wait_until(
        lambda: any(
            "the database does not answer" in one["message"] for one in read_lines(processes)
        )
    ), read_lines(processes)[-20:]

    lines = read_lines(processes)
    secrets = (PASSWORD, LINK, ANSWER, POOL, OF_THE_DATABASE, CSRF, token, session)
    text = json.dumps(lines, ensure_ascii=False)
    assert [one for one in (*secrets, "m g h") if one in text] == []

    [failed] = [one for one in lines if one.get("request_id") == number]
    assert (failed["level"], failed["logger"]) == ("ERROR", "django.request")
    assert failed["message"] == "POST /answer/<int:pk>/: 500"
    assert failed["exception"]["type"] == "django.db.utils.ProgrammingError"
    assert any("participants.py:" in frame for frame in failed["exception"]["frames"])
    assert failed["exception"]["cause"]["type"] == "psycopg.errors.RaiseException"
    [opened] = [one for one in lines if one.get("request_id") == number_of_missing]
    assert opened["message"] == "GET /join/<str:secret>/: 404"
    [begun, *_others] = [one for one in lines if one["message"].startswith("grade_attempt ")]
    causes = {one["task_id"]: one for one in lines if "exception" in one and "task_id" in one}
    assert causes[begun["task_id"]]["exception"]["type"] == "django.db.utils.ProgrammingError"
    named = f"Task phybench.work.tasks.work[{begun['task_id']}] received"
    assert named in {one["message"] for one in lines}
    assert {"time", "level", "logger", "message"} <= set.intersection(*map(set, lines))
    assert any(one["logger"] == "gunicorn.error" for one in lines)
    assert any(one["logger"].startswith("celery") for one in lines)


def has_failed(processes: Processes, logger: str) -> bool:
    return any("exception" in one and one["logger"] == logger for one in read_lines(processes))


OURS, CELERY = "grading.answers", "celery.app.trace"


@pytest.mark.parametrize(
    ("logger", "message", "arguments", "said"),
    [
        (OURS, "grading %s against %d", (TOLD, 7), "grading … against 7"),
        (OURS, "%s waits: it is back soon", (Name("row 7"),), "row 7 waits: it is back soon"),
        (OURS, "%d rows", (TOLD,), "… rows"),
        (OURS, ValueError(TOLD), (), "ValueError"),
        (OURS, "%(name)s", ({"name": TOLD},), "…"),
        (CELERY, "Task %(name)s: %(exc)s", ({"name": "work", "exc": TOLD},), "Task work: …"),
        ("gunicorn.error", f"Invalid request from ip={TOLD}: it", (), "Invalid request from ip"),
        ("django.server", '"%s" %s', (f"GET /{TOLD}/", "404"), '"…" …'),
    ],
)
def test_a_message_holds_numbers_and_names_and_nothing_else_that_was_filled_in(
    logger: str, message: object, arguments: tuple[Any, ...], said: str
) -> None:
    record = logging.LogRecord(logger, logging.ERROR, "", 1, message, arguments, None)
    assert json.loads(Lines().format(record))["message"] == said


def test_text_is_the_default_and_another_format_is_refused_with_a_sentence() -> None:
    assert choose_format("") == "text"
    assert "formatters" not in configure("text")
    with pytest.raises(ImproperlyConfigured, match="text or json"):
        choose_format("xml")
