"""What endpoints say, in the shapes they say it in."""

import json
from datetime import UTC, datetime

import pytest

from grading.endpoints import Cause, EndpointError
from grading.endpoints.completions import read_completion
from grading.endpoints.failures import explain_failure, read_retry_after

SENT = {"max_tokens", "temperature", "seed", "system"}


@pytest.mark.parametrize(
    ("status", "document", "reason"),
    [
        (400, {"error": {"message": "API key not valid. Please pass a valid one."}}, Cause.AUTH),
        (400, {"error": "Model x is not available"}, Cause.MODEL_NOT_FOUND),
        (404, {"detail": "model 'x' not found, try pulling it first"}, Cause.MODEL_NOT_FOUND),
        (404, {"detail": "Not Found"}, Cause.BAD_ENDPOINT),
        (400, {"object": "error", "message": "prompt is too long: 210000 tokens > 200000"},
         Cause.CONTEXT_OVERFLOW),
        (400, {"error": {"code": "content_filter", "message": "The response was filtered"}},
         Cause.CONTENT_FILTERED),
        (400, {"error": {"message": "Your credit balance is too low"}}, Cause.QUOTA_EXHAUSTED),
        (422, {"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]},
         Cause.UNSUPPORTED_PARAM),
        (422, {"detail": [{"loc": ["body", "messages"], "msg": "Field required"}]},
         Cause.BAD_REQUEST),
        (400, [{"error": {"message": "Unknown name \"seed\": Cannot find field."}}],
         Cause.UNSUPPORTED_PARAM),
        (429, {"error": {"message": "Too many requests"}}, Cause.RATE_LIMITED),
        (429, {"error": {"message": "You exceeded your current quota"}}, Cause.QUOTA_EXHAUSTED),
        (408, {}, Cause.TIMEOUT),
        (418, {}, Cause.BAD_REQUEST),
        (500, {}, Cause.SERVER_ERROR),
        (502, {}, Cause.OVERLOADED),
        (504, {}, Cause.OVERLOADED),
        (599, {}, Cause.SERVER_ERROR),
        (204, {}, Cause.BAD_ENDPOINT),
        (304, {}, Cause.BAD_ENDPOINT),
        (400, {"error": {"message": {"nested": ["oddly"]}, "code": [1], "param": 7}},
         Cause.BAD_REQUEST),
    ],
)  # fmt: skip
def test_a_refusal_is_understood_in_any_shape(status, document, reason):
    body = json.dumps(document).encode()
    assert explain_failure(status, {}, body, sent=SENT).reason is reason


@pytest.mark.parametrize("depth", range(900, 1000))
def test_a_complaint_may_be_nested_as_deep_as_can_be_read(depth):
    nested = b"[" * depth + b"]" * depth
    for body in (nested, b'{"error": {"message": %b}}' % nested, b'{"error": %b}' % nested):
        assert explain_failure(400, {}, body).reason is Cause.BAD_REQUEST
        with pytest.raises(EndpointError) as raised:
            read_completion({}, body)
        assert raised.value.reason in (Cause.NOT_JSON, Cause.ERROR_IN_200)


def test_of_a_long_complaint_only_the_beginning_is_looked_at():
    for padding, reason in ((3000, Cause.MODEL_NOT_FOUND), (5000, Cause.BAD_ENDPOINT)):
        body = json.dumps({"error": {"message": "-" * padding + "model not found"}}).encode()
        assert explain_failure(404, {}, body).reason is reason


def test_a_page_for_people_is_quoted_shortly():
    error = explain_failure(503, {}, b"<h1>Back\n soon</h1>" + b"x" * 9000)
    assert error.detail.startswith("<h1>Back soon</h1>")
    assert len(error.detail) <= 500


NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "30"}, 30.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 2026 12:01:30 GMT"}, 90.0),
        ({"retry-after": "Thu, 01 Jan 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Thu, 01 Jan 2026 13:00:00 +0100"}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e400"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 99 Jan 2026 12:00:00 GMT"}, None),
    ],
)
def test_a_wish_to_be_left_alone_is_read_in_seconds_or_as_a_date(headers, seconds):
    assert read_retry_after(headers, NOW) == seconds
