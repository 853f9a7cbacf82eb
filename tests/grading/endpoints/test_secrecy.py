"""The key goes to the endpoint and nowhere else, even if the endpoint says it back."""

import contextlib
import logging
import pickle
import traceback

import pytest

from grading.endpoints import APIKey, EndpointError, scrub
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import KEY, PARAMETERS, QUESTION, reach

ECHOES = [
    steps.wrong_key(KEY),
    steps.respond(401, f"Authorization: Bearer {KEY}".encode(), "text/plain", x_request_id=KEY),
    steps.complain(500, f"failed with headers {{'authorization': 'Bearer {KEY}'}}"),
    steps.complain(400, KEY, parameter=KEY, code=KEY),
    steps.rate_limited(x_ratelimit_for=KEY, retry_after=KEY),
    steps.error_in_200(KEY),
    steps.respond(200, f"<p>{KEY}".encode(), "text/html"),
    steps.refusal(f"I won't use {KEY}."),
    steps.cut_off(f"{KEY} is"),
    steps.redirect(f"http://elsewhere.test/{KEY}"),
    steps.reset(),
    steps.not_http(),
]


@pytest.mark.parametrize("step", ECHOES)
def test_no_failure_shows_the_key(serve, step, caplog):
    caplog.set_level(logging.DEBUG)
    client = reach(serve(step))

    with pytest.raises(EndpointError) as raised:
        client.complete(QUESTION, PARAMETERS)

    error = raised.value
    shown = [repr(error), str(error), error.detail, error.parameter, repr(vars(error))]
    shown += traceback.format_exception(error)
    shown += [repr(client), repr(vars(client)), pickle.dumps(error).decode("latin-1")]
    assert [text for text in shown if KEY in text] == []


@pytest.mark.parametrize("step", [*ECHOES[:4], steps.ok("fine"), steps.reset()])
def test_no_log_shows_the_key_that_was_sent(serve, step, caplog):
    caplog.set_level(logging.DEBUG)
    with contextlib.suppress(EndpointError):
        reach(serve(step)).complete(QUESTION, PARAMETERS)
    assert KEY not in caplog.text


def test_neither_does_one_that_has_another_key_or_spells_it_otherwise(serve):
    spelt = "".join(f"\\u{ord(character):04x}" for character in KEY)
    other = "sk-proj-somebody-else-s-0123456789"
    message = f"keys {spelt} and {other}"
    body = b'{"error": {"message": "%b", "code": "%b"}}' % (message.encode(), other.encode())
    with pytest.raises(EndpointError) as raised:
        reach(serve(steps.respond(401, body))).complete(QUESTION, PARAMETERS)
    assert raised.value.detail == "[key] keys [key] and [key]"
    assert other not in raised.value.exchanges[0].body


def test_no_reply_shows_the_key(serve):
    reply = reach(serve(steps.ok(f"Your key is {KEY}."))).complete(QUESTION, PARAMETERS)
    assert reply.text == "Your key is [key]."
    assert KEY not in repr(reply)


def test_the_log_of_the_server_does_not_print_keys(serve):
    server = serve(steps.ok())
    reach(server).complete(QUESTION, PARAMETERS)
    assert KEY not in repr(server.requests)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Incorrect API key provided: sk-proj-AbC123_x-Y.", "Incorrect API key provided: [key]"),
        ("sk-ant-api03-abcdef is wrong", "[key] is wrong"),
        ("Authorization: Bearer abcd1234", "Authorization: Bearer [key]"),
        ("key=AIzaSyA-1234567890abcdefghijklmnopqrs", "key=[key]"),
        ("a risk-free desk-top of 3 sk-", "a risk-free desk-top of 3 sk-"),
    ],
)
def test_what_looks_like_a_key_is_taken_out(text, expected):
    assert scrub(text, None) == expected


def test_the_key_itself_is_taken_out_whatever_it_looks_like():
    assert scrub("it is abcdefgh!", APIKey("abcdefgh")) == "it is [key]!"


def test_an_error_pickles_whole(serve):
    with pytest.raises(EndpointError) as raised:
        reach(serve(steps.cut_off())).complete(QUESTION, PARAMETERS)
    copy = pickle.loads(pickle.dumps(raised.value))
    assert vars(copy) == vars(raised.value)
