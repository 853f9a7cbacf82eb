"""Whatever comes back is a reply or a failure with a reason, and never anything else."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.demo.fake_replies import FakeReply
from grading.endpoints import RULES, Capabilities, EndpointError, Limits, Reply
from grading.endpoints.completions import read_completion
from grading.endpoints.failures import explain_failure, read_retry_after
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import PARAMETERS, QUESTION, reach
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.grading.endpoints.test_failures import NOW

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
names = st.sampled_from(
    ["choices", "message", "content", "error", "usage", "finish_reason", "refusal", "code", "param",
     "reasoning_content", "model", "type", "text", "prompt_tokens", "completion_tokens", "detail"]
)  # fmt: skip
nearly = st.recursive(
    anything,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=4),
    max_leaves=12,
)


@st.composite
def near_completions(draw) -> bytes:
    """Replies in which any one place holds anything."""
    document = steps.write_completion("a", reasoning_content="b", refusal=None)
    places = [
        (document, "choices"),
        (document, "usage"),
        (document, "model"),
        (document, "error"),
        (document["choices"][0], "message"),
        (document["choices"][0], "finish_reason"),
        (document["choices"][0], "error"),
        (document["choices"][0]["message"], "content"),
        (document["choices"][0]["message"], "refusal"),
        (document["choices"][0]["message"], "reasoning_content"),
    ]
    where, name = draw(st.sampled_from(places))
    before = dict(where)
    where[name] = draw(nearly)
    body = json.dumps(document).encode()
    where.clear()
    where.update(before)
    return body


bodies = (
    st.binary(max_size=300) | nearly.map(lambda one: json.dumps(one).encode()) | near_completions()
)


def check(outcome: Reply | EndpointError) -> None:
    if isinstance(outcome, EndpointError):
        assert outcome.reason in RULES
        assert outcome.message
        reply = outcome.reply
    else:
        assert outcome.text.strip()
        reply = outcome
    if reply is not None:
        # PostgreSQL takes all of it.
        for text in (reply.text, reply.reasoning, reply.model, reply.finish_reason):
            assert "\0" not in text
            text.encode()


@given(body=bodies)
@settings(max_examples=200)
def test_any_body_of_a_success_gives_a_reply_or_a_reason(body):
    try:
        outcome = read_completion({}, body)
    except EndpointError as error:
        outcome = error
    check(outcome)


@given(status=st.integers(100, 999), body=bodies, retry_after=st.text(max_size=40))
@settings(max_examples=120)
def test_any_body_of_a_failure_gives_a_reason(status, body, retry_after):
    error = explain_failure(status, {"retry-after": retry_after}, body, sent={"seed", "system"})
    check(error)
    error.detail.encode()
    seconds = read_retry_after({"retry-after": retry_after}, NOW)
    assert seconds is None or seconds >= 0


heads = (
    st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
    | st.binary(max_size=40)
    | st.from_regex(rb"HTTP/1.[01] [1-9]\d\d [a-z]*\r\n([a-z-]{1,9}: ?[ -~]{0,9}\r\n){0,3}\r\n")
)


def test_any_bytes_on_the_wire_give_a_reply_or_a_reason():
    """Over one server: the bytes are a body, a head and a body, or not HTTP at all."""
    step = steps.ok()
    limits = Limits(total=5.0, silence=2.0, largest=10_000)
    with ScriptedServer(lambda request: step) as server:
        client = reach(server, limits=limits)

        @given(head=heads, body=bodies)
        @settings(max_examples=50, suppress_health_check=list(HealthCheck))
        def run(head: bytes, body: bytes) -> None:
            nonlocal step
            step = FakeReply(head + body)
            client.capabilities = Capabilities()
            try:
                check(client.complete(QUESTION, PARAMETERS))
            except EndpointError as error:
                check(error)

        run()
