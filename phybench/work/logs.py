"""
What the logs say: as text, or with `LOG_FORMAT=json` one JSON object a line.

Such lines are kept and searched elsewhere, so none holds what was typed, sent or kept secret. A
message is the sentence that stands in the code; of what is filled in only numbers come along, and
what our code says is no more than a name (`Name`). Of a request there is the route, as an address
may hold a secret; of an exception its type and where in the code it was, as its message may hold
an answer.
"""

import json
import logging
import logging.config
import re
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

FORMATS = ("text", "json")
OURS = ("phybench", "curation", "grading")
"""Whose messages are sentences of our code; others put values into theirs before they log them."""
REQUEST_ID = "X-Request-ID"
LEFT_OUT = "…"
MOST_FRAMES = 50
MOST_CAUSES = 5

request_id: ContextVar[str] = ContextVar("request_id", default="")
task_id: ContextVar[str] = ContextVar("task_id", default="")


class Name(str):
    """A text that may be logged: names and numbers of rows, and nothing that anybody typed."""

    __slots__ = ()


def shorten_refusal(record: logging.LogRecord) -> bool:
    """Say in one line what was refused: where in the code is of use for our own faults only."""
    if getattr(record, "status_code", 500) < 500:
        record.exc_info = None
    return True


class Lines(logging.Formatter):
    """Writes a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": tell(record),
        }
        for name, variable in (("request_id", request_id), ("task_id", task_id)):
            if known := variable.get():
                said[name] = known
        if record.exc_info and record.exc_info[1] is not None:
            said["exception"] = describe(record.exc_info[1])
        return json.dumps(said, ensure_ascii=False)


def tell(record: logging.LogRecord) -> str:
    """Say what a record says, without any value that may be somebody's."""
    request: Any = getattr(record, "request", None)
    if hasattr(request, "resolver_match"):
        return f"{request.method}{find_route(request)}: {getattr(record, 'status_code', 500)}"
    if not isinstance(record.msg, str):
        # An exception, say, with its own words.
        return type(record.msg).__qualname__
    sentence = record.msg
    if not record.args:
        return sentence if record.name.partition(".")[0] in OURS else _cut(sentence)
    try:
        if isinstance(record.args, Mapping):
            # Celery names the task.
            known = {"name", "id"} if record.name.startswith("celery.") else set()
            filled = record.args.items()
            return sentence % {name: one if name in known else _fill(one) for name, one in filled}
        return sentence % tuple(map(_fill, record.args))
    except (TypeError, ValueError, KeyError):
        # A place for a number got something else.
        return re.sub(r"%(\(\w+\))?[-#0-9. +]*[a-zA-Z]", LEFT_OUT, sentence)


def _fill(value: object) -> object:
    return value if value is None or isinstance(value, int | float | Name) else LEFT_OUT


def _cut(sentence: str) -> str:
    """Keep the words before the first value that may be in a message of others' code."""
    return re.split(r"[:=/'\"\n]", sentence, maxsplit=1)[0][:200] or LEFT_OUT


def find_route(request: "HttpRequest") -> str:
    """Say how an address is made up, for ` /invitations/<secret>/`; "" where none was found."""
    match = request.resolver_match
    return f" /{match.route}" if match is not None else ""


def describe(error: BaseException, deep: int = 0) -> dict[str, Any]:
    """Say of which type an exception is and where it was raised, and the same of its cause."""
    kind = type(error)
    walked = traceback.walk_tb(error.__traceback__)
    frames = [f"{frame.f_code.co_filename}:{line} {frame.f_code.co_name}" for frame, line in walked]
    said: dict[str, Any] = {
        "type": f"{kind.__module__}.{kind.__qualname__}",
        "frames": frames[-MOST_FRAMES:],
    }
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None and deep < MOST_CAUSES:
        said["cause"] = describe(cause, deep + 1)
    return said


# --- Who logs -------------------------------------------------------------------------------


def choose_format(named: str) -> str:
    """Return how logs are written, or stop with a sentence."""
    if (chosen := named or FORMATS[0]) in FORMATS:
        return chosen
    raise ImproperlyConfigured(f"LOG_FORMAT is {named!r}, and has to be text or json: correct it.")


def configure(chosen: str, level: str | int = "WARNING") -> dict[str, Any]:
    """Say how Django, gunicorn and Celery log, as `logging.config` reads it."""
    handler: dict[str, Any] = {"class": "logging.StreamHandler", "filters": ["refusals"]}
    said: dict[str, Any] = {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "refusals": {"()": "django.utils.log.CallbackFilter", "callback": shorten_refusal},
        },
        "handlers": {"console": handler},
        "root": {"handlers": ["console"], "level": level},
    }
    if chosen == "json":
        handler["formatter"] = "lines"
        said["formatters"] = {"lines": {"()": Lines}}
        through_root = {"handlers": [], "propagate": True}
        said["loggers"] = {
            # Each has a handler of its own, which writes text.
            **dict.fromkeys(("django", "django.server", "celery"), through_root),
            "gunicorn.error": {**through_root, "level": "INFO"},
            # It writes addresses; where they are wanted a proxy has them.
            "gunicorn.access": {"handlers": [], "propagate": False, "level": "CRITICAL"},
        }
    return said


def take_over(level: str | int = "WARNING") -> None:
    """Have this process log as JSON, also what ends it or one of its threads."""
    logging.config.dictConfig(configure("json", level))
    logging.captureWarnings(True)
    sys.excepthook = _log_what_ends_us
    threading.excepthook = lambda ended: _log_what_ends_us(
        ended.exc_type, ended.exc_value or ended.exc_type(), ended.exc_traceback
    )


def _log_what_ends_us(
    kind: type[BaseException], error: BaseException, where: TracebackType | None
) -> None:
    if not issubclass(kind, KeyboardInterrupt | SystemExit):
        logging.getLogger(__name__).critical("it ends here", exc_info=(kind, error, where))


def number_requests(
    get_response: "Callable[[HttpRequest], HttpResponseBase]",
) -> "Callable[[HttpRequest], HttpResponseBase]":
    """Give each request an id, which its lines in the log have, and its answer."""

    def middleware(request: "HttpRequest") -> "HttpResponseBase":
        # It stays until the thread's next request: a file is made while it is sent.
        request_id.set(uuid4().hex)
        response = get_response(request)
        response[REQUEST_ID] = request_id.get()
        return response

    return middleware
