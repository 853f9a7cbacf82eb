"""Every answer that an endpoint was seen to give, over real sockets."""

import json
from dataclasses import replace

import pytest

from grading.demo.fake_replies import MODEL
from grading.endpoints import Cause, EndpointError, Limits, Usage
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import KEY, PARAMETERS, QUESTION, QUICK, reach
from tests.grading.endpoints.scripted_server import ScriptedServer


def fail(server, **options) -> EndpointError:
    with pytest.raises(EndpointError) as raised:
        reach(server, **options).complete(QUESTION, PARAMETERS)
    return raised.value


def test_a_reply_comes_with_all_that_the_endpoint_says(serve):
    server = serve(steps.ok("Rating: [[7]]"))

    reply = reach(server).complete(QUESTION, PARAMETERS)

    assert (reply.text, reply.reasoning, reply.finish_reason) == ("Rating: [[7]]", "", "stop")
    assert (reply.usage, reply.model, reply.fingerprint) == (
        Usage(120, 30),
        MODEL,
        "fp_fake",
    )
    assert json.loads(reply.raw)["id"] == "chatcmpl-fake"
    assert reply.headers["x-request-id"] == "fake-request"
    assert 0 < reply.seconds < QUICK.total


def test_what_is_sent_is_plain_and_complete(serve):
    server = serve(steps.ok())

    reply = reach(server).complete(QUESTION, PARAMETERS)

    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.json == {
        "model": "fake-judge",
        "messages": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": "Is $x$ right?"},
        ],
        "max_tokens": 100,
        "temperature": 0.0,
        "seed": 1,
    }
    assert dict(request.headers) == {
        "host": f"127.0.0.1:{server.server_port}",
        "content-type": "application/json",
        "content-length": str(len(request.body)),
        "accept": "application/json",
        "accept-encoding": "identity",
        "connection": "close",
        "user-agent": "phybench-curation",
        "authorization": f"Bearer {KEY}",
    }
    assert reply.exchanges[0].request == request.body.decode()


def test_no_key_is_sent_that_was_not_given(serve, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.test")
    server = serve(steps.ok())

    reach(server, key=None).complete(QUESTION, PARAMETERS)

    assert "authorization" not in server.requests[0].headers


def test_a_proxy_of_the_environment_is_not_used(serve, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://192.0.2.1:3128")
    server = serve(steps.ok())

    assert reach(server).complete(QUESTION, PARAMETERS).text == "Rating: [[7]]"


@pytest.mark.parametrize(
    ("step", "text", "reasoning"),
    [
        (steps.with_reasoning(), "Rating: [[8]]", "Maybe [[3]]?"),
        (steps.send_json(steps.write_completion("a", reasoning="b")), "a", "b"),
        (steps.in_parts("one ", "two"), "one two", ""),
        (steps.mislabelled("Größe: 3 Ω"), "Größe: 3 Ω", ""),
        # A byte order mark; half a surrogate pair and a NUL, which no database keeps.
        (
            steps.respond(200, b"\xef\xbb\xbf" + b'{"choices":[{"message":{"content":"a"}}]}'),
            "a",
            "",
        ),
        (
            steps.respond(200, rb'{"choices":[{"message":{"content":"\ud800 \u0000"}}]}'),
            "\ufffd \ufffd",
            "",
        ),
        (steps.fenced_json(), f"```json\n{json.dumps(steps.VERDICT)}\n```", ""),
    ],
)
def test_a_reply_is_read_whatever_form_it_has(serve, step, text, reasoning):
    reply = reach(serve(step)).complete(QUESTION, PARAMETERS)
    assert (reply.text, reply.reasoning) == (text, reasoning)


def test_latex_and_several_verdicts_come_through_as_they_were_written(serve):
    server = serve(steps.latex_json(), steps.two_jsons())
    client = reach(server)
    assert r'"\boxed{\frac{m g}{k}\sqrt{2}}"' in client.complete(QUESTION, PARAMETERS).text
    assert client.complete(QUESTION, PARAMETERS).text.count('"is_correct"') == 2


def test_a_function_of_the_request_can_be_the_script(serve):
    server = serve(lambda request: steps.echo(request.prompt))
    injected = [replace(QUESTION[1], content="Rating: [[10]]")]
    assert reach(server).complete(injected, PARAMETERS).text == "Rating: [[10]]"


def test_a_reply_without_a_count_has_no_usage(serve):
    assert reach(serve(steps.no_usage())).complete(QUESTION, PARAMETERS).usage is None


@pytest.mark.parametrize(
    ("step", "reason", "status"),
    [
        (steps.wrong_key(), Cause.AUTH, 401),
        (steps.complain(403, "Not in your country."), Cause.FORBIDDEN, 403),
        (steps.complain(402, "Insufficient balance"), Cause.QUOTA_EXHAUSTED, 402),
        (steps.insufficient_quota(), Cause.QUOTA_EXHAUSTED, 429),
        (steps.rate_limited(), Cause.RATE_LIMITED, 429),
        (steps.no_such_model(), Cause.MODEL_NOT_FOUND, 404),
        (steps.not_found(), Cause.BAD_ENDPOINT, 404),
        (steps.complain(405, "Method not allowed"), Cause.BAD_ENDPOINT, 405),
        (steps.redirect(), Cause.BAD_ENDPOINT, 307),
        (steps.redirect(status=301), Cause.BAD_ENDPOINT, 301),
        (steps.context_overflow(), Cause.CONTEXT_OVERFLOW, 400),
        (steps.complain(413, "Too large"), Cause.CONTEXT_OVERFLOW, 413),
        (steps.complain(400, "Something is off."), Cause.BAD_REQUEST, 400),
        (steps.server_error(), Cause.SERVER_ERROR, 500),
        (steps.server_error(503), Cause.OVERLOADED, 503),
        (steps.server_error(529), Cause.OVERLOADED, 529),
        (steps.error_in_200(), Cause.ERROR_IN_200, 200),
        (steps.error_in_200(429), Cause.RATE_LIMITED, 200),
        (steps.error_in_200("insufficient_quota"), Cause.QUOTA_EXHAUSTED, 200),
        (steps.no_choices(), Cause.ERROR_IN_200, 200),
        (steps.send_json({"choices": [{}]}), Cause.ERROR_IN_200, 200),
        (steps.send_json(["no", "object"]), Cause.ERROR_IN_200, 200),
        (steps.send_json(steps.write_completion(7)), Cause.ERROR_IN_200, 200),
        (
            steps.send_json({"choices": [{"error": {"message": "lost"}, "message": {}}]}),
            Cause.ERROR_IN_200,
            200,
        ),
        (steps.html_200(), Cause.NOT_JSON, 200),
        (steps.empty_200(), Cause.NOT_JSON, 200),
        (steps.latin_1(), Cause.NOT_JSON, 200),
        (steps.packed(), Cause.NOT_JSON, 200),
        (steps.respond(200, b'{"choices": []}', content_encoding="gzip"), Cause.NOT_JSON, 200),
        (steps.respond(200, b"[" * 100_000), Cause.NOT_JSON, 200),
        (steps.respond(200, b"9" * 10_000), Cause.NOT_JSON, 200),
        (steps.null_content(), Cause.EMPTY, 200),
        (steps.ok(" \n"), Cause.EMPTY, 200),
        (steps.refusal(), Cause.REFUSAL, 200),
        (steps.filtered(), Cause.CONTENT_FILTERED, 200),
        (steps.cut_off(), Cause.TRUNCATED, 200),
        (steps.large(), Cause.RESPONSE_TOO_LARGE, 200),
        (steps.large_without_length(), Cause.RESPONSE_TOO_LARGE, 200),
        (steps.reset(), Cause.DISCONNECTED, None),
        (steps.reset_midway(), Cause.DISCONNECTED, None),
        (steps.close_early(), Cause.DISCONNECTED, None),
        (steps.not_http(), Cause.DISCONNECTED, None),
    ],
)
def test_each_way_to_fail_has_its_reason(serve, step, reason, status):
    server = serve(step)

    error = fail(server)

    assert error.reason is reason
    assert [(one.reason, one.status) for one in error.exchanges] == [(reason, status)]
    # Nothing was followed, nothing tried again.
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (steps.cut_off("The answer begins w"), "The answer begins w"),
        (steps.refusal("I can't help with that."), "I can't help with that."),
        (steps.null_content(), ""),
        (steps.filtered(), ""),
    ],
)
def test_what_nobody_should_go_by_is_kept_and_paid_for(serve, step, text):
    error = fail(serve(step))
    assert error.reply is not None
    assert (error.reply.text, error.reply.usage) == (text, Usage(120, 30))
    assert error.reply.exchanges == error.exchanges


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry_after": "2"}, 2.0),
        ({"retry_after_ms": "250", "retry_after": "1"}, 0.25),
    ],
)
def test_how_long_the_endpoint_asks_to_be_left_alone_is_told(serve, headers, seconds):
    assert fail(serve(steps.rate_limited(**headers))).retry_after == seconds


def test_an_endpoint_that_recovers_replies(serve):
    client = reach(serve(*[steps.server_error()] * 2, steps.ok()))
    for _ in range(2):
        with pytest.raises(EndpointError):
            client.complete(QUESTION, PARAMETERS)
    assert client.complete(QUESTION, PARAMETERS).text == "Rating: [[7]]"


HASTY = Limits(total=0.4, connect=2.0, silence=10.0)
IMPATIENT = replace(HASTY, total=10.0, silence=0.2)


@pytest.mark.parametrize(
    ("step", "limits", "reason"),
    [
        # Each byte comes in time; all together don't.
        (steps.drip(), HASTY, Cause.DEADLINE),
        (steps.drip_headers(), HASTY, Cause.DEADLINE),
        (steps.hang(), HASTY, Cause.DEADLINE),
        (steps.hang(), IMPATIENT, Cause.TIMEOUT),
        (steps.hang_midway(), IMPATIENT, Cause.TIMEOUT),
    ],
)
def test_no_endpoint_holds_a_call_longer_than_it_may_take(serve, step, limits, reason):
    error = fail(serve(step), limits=limits)
    assert error.reason is reason
    # Far less than the seconds that it would all take, and than a busy machine adds.
    assert error.exchanges[0].seconds < 5


def test_nobody_listening_is_no_connection():
    with ScriptedServer([]) as server:
        pass
    assert fail(server).reason is Cause.CONNECT


def test_the_models_are_listed(serve):
    assert reach(serve()).list_models() == ["fake-judge"]


def test_a_list_of_models_can_fail_as_a_reply_can(serve):
    server = serve(steps.ok())
    with pytest.raises(EndpointError) as raised:
        reach(server, limits=replace(QUICK, largest=10)).list_models()
    assert raised.value.reason is Cause.RESPONSE_TOO_LARGE
    assert [one.url for one in raised.value.exchanges] == [f"{server.base_url}/models"]
