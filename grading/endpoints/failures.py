"""Which reason a refusal has: from its status, and what the endpoint says with it."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from grading.endpoints.errors import EndpointError
from grading.endpoints.negotiation import find_parameter
from grading.endpoints.text import decode, read_json, shorten, write
from phybench_grader.judges.call_reasons import RULES, Cause

LONGEST_ASKED = 3600.0
"""Seconds that an endpoint may ask to be left alone; one that wants more is closed until then."""
LONGEST_COMPLAINT = 4000
"""Characters that are looked at."""
LONGEST_DETAIL = 500
"""Characters of the endpoint's own words that are kept."""

_OF_QUOTA = re.compile(
    r"insufficient[_ ](?:quota|balance|credit|funds)|exceeded your current quota|billing|"
    r"out of credit|credit balance|payment required|spending limit",
    re.I,
)
_OF_LENGTH = re.compile(
    r"context[_ -](?:length|window|size|limit)|maximum context|prompt is too long|too many tokens|"
    r"input (?:is )?too long|longer than the (?:model|maximum)|string_above_max_length|"
    r"reduce the length",
    re.I,
)
_OF_FILTER = re.compile(r"content[_ ](?:filter|policy|management)|safety (?:system|policy)", re.I)
_OF_KEY = re.compile(
    r"(?:invalid|incorrect|expired|missing|no)[_ ](?:api[_ ]?key|auth)|api[_ ]key (?:not|is|was)",
    re.I,
)
_OF_MODEL = re.compile(
    r"model[_ ]not[_ ](?:found|exist)|unknown model|no such model|invalid model|"
    r"\bmodel\b.{0,200}\b(?:does not|doesn't|do not|not) (?:exist|found|available|supported)|"
    r"\bmodel\b.{0,200}\bnot found",
    re.I | re.S,
)

BY_STATUS = {
    401: Cause.AUTH,
    402: Cause.QUOTA_EXHAUSTED,
    403: Cause.FORBIDDEN,
    404: Cause.BAD_ENDPOINT,
    405: Cause.BAD_ENDPOINT,
    408: Cause.TIMEOUT,
    410: Cause.MODEL_NOT_FOUND,
    413: Cause.CONTEXT_OVERFLOW,
    425: Cause.OVERLOADED,
    429: Cause.RATE_LIMITED,
    # These three are the gateway's: they say nothing of the request. 529 is an invention.
    502: Cause.OVERLOADED,
    503: Cause.OVERLOADED,
    504: Cause.OVERLOADED,
    529: Cause.OVERLOADED,
}


@dataclass(frozen=True, slots=True)
class Complaint:
    """What an endpoint says is wrong, however it puts it."""

    message: str = ""
    code: str = ""
    """Its code and type, in one text."""
    parameter: str = ""

    @classmethod
    def find(cls, document: object) -> Complaint:
        """Look for it in the shapes that are in use; an empty one if there is none."""
        if isinstance(document, list) and document:
            document = document[0]
        if not isinstance(document, Mapping):
            return cls()
        error = document.get("error", document)
        if isinstance(error, str):
            return cls(_write(error), _join(document, "code", "type"), _join(document, "param"))
        if not isinstance(error, Mapping):
            return cls()
        message = next(
            (error[name] for name in ("message", "detail", "msg", "error") if error.get(name)), ""
        )
        # FastAPI's `detail` is a list of what is wrong; its text has all that is looked for.
        return cls(_write(message), _join(error, "code", "type", "status"), _join(error, "param"))

    @property
    def text(self) -> str:
        return f"{self.code} {self.message}"


def _join(document: Mapping[str, Any], *names: str) -> str:
    return " ".join(_write(document[name]) for name in names if document.get(name))


def _write(value: object) -> str:
    """Write so much that what matters is in it, and patterns are soon through."""
    return write(value)[:LONGEST_COMPLAINT]


def explain_failure(
    status: int, headers: Mapping[str, str], body: bytes, *, sent: Collection[str] = ()
) -> EndpointError:
    """Say why a response that is no 200 is none; `sent` names the parameters that were sent."""
    try:
        complaint = Complaint.find(read_json(body))
    except ValueError:
        # A page for people, mostly.
        complaint = Complaint(decode(body[:LONGEST_DETAIL]))
    error = explain_complaint(status, complaint, sent)
    asked = read_retry_after(headers, datetime.now(UTC))
    if asked is not None and asked > LONGEST_ASKED and RULES[error.reason].retries is None:
        error = EndpointError(Cause.CLOSED, status=status, detail=error.detail)
    error.retry_after = asked
    return error


def explain_complaint(
    status: int, complaint: Complaint, sent: Collection[str] = ()
) -> EndpointError:
    reason, parameter = _classify(status, complaint, sent)
    detail = shorten(complaint.text, LONGEST_DETAIL)
    return EndpointError(reason, status=status, detail=detail, parameter=parameter)


def _classify(status: int, complaint: Complaint, sent: Collection[str]) -> tuple[Cause, str]:
    text = complaint.text
    if status in (400, 422):
        return _classify_bad_request(complaint, sent)
    if status == 404 and _OF_MODEL.search(text):
        return Cause.MODEL_NOT_FOUND, ""
    if status == 429 and _OF_QUOTA.search(text):
        return Cause.QUOTA_EXHAUSTED, ""
    if status in BY_STATUS:
        return BY_STATUS[status], ""
    if status >= 500:
        return Cause.SERVER_ERROR, ""
    return (Cause.BAD_REQUEST if status >= 400 else Cause.BAD_ENDPOINT), ""


def _classify_bad_request(complaint: Complaint, sent: Collection[str]) -> tuple[Cause, str]:
    """Tell apart what comes as 400. What is too long often names `max_tokens`, so that is first."""
    for pattern, reason in (
        (_OF_LENGTH, Cause.CONTEXT_OVERFLOW),
        (_OF_FILTER, Cause.CONTENT_FILTERED),
        (_OF_KEY, Cause.AUTH),
        (_OF_QUOTA, Cause.QUOTA_EXHAUSTED),
    ):
        if pattern.search(complaint.text):
            return reason, ""
    if parameter := find_parameter(complaint.text, complaint.parameter, sent):
        return Cause.UNSUPPORTED_PARAM, parameter
    if _OF_MODEL.search(complaint.text):
        return Cause.MODEL_NOT_FOUND, ""
    return Cause.BAD_REQUEST, ""


def read_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """
    Return the seconds that an endpoint asks to be left alone, by headers in lower case.

    >>> read_retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"},
    ...                  datetime(2015, 10, 21, 7, 27, tzinfo=UTC))
    60.0
    >>> read_retry_after({"retry-after-ms": "1500", "retry-after": "2"}, datetime.now(UTC))
    1.5
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())
