"""What an endpoint refuses is left out or put in another way, once, and remembered."""

import json
from dataclasses import replace

import pytest

from grading.endpoints import Capabilities, Cause, EndpointError, Message
from grading.endpoints.negotiation import find_parameter, list_sent
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import PARAMETERS, QUESTION, reach

EVERYTHING = replace(
    PARAMETERS, top_p=0.9, reasoning_effort="high", response_format={"type": "json_object"}
)


def refuse(*parameters: str):
    """Refuse these, one at a time, and reply once none is there."""

    def answer(request):
        sent = list_sent(request.json)
        refused = next((name for name in parameters if name in sent), None)
        return steps.refuse_parameter(refused) if refused else steps.ok()

    return answer


@pytest.mark.parametrize(
    ("parameter", "learnt"),
    [
        ("max_tokens", Capabilities(max_tokens_name="max_completion_tokens")),
        ("system", Capabilities(takes_system_role=False)),
        *(
            (name, Capabilities(refused=frozenset({name})))
            for name in ("temperature", "top_p", "seed", "reasoning_effort", "response_format")
        ),
    ],
)
def test_a_refused_parameter_is_adapted_once_and_remembered(serve, parameter, learnt):
    server = serve(refuse(parameter))
    client = reach(server)

    first = client.complete(QUESTION, EVERYTHING)
    second = client.complete(QUESTION, EVERYTHING)

    assert client.capabilities == learnt
    assert [one.reason for one in first.exchanges] == [Cause.UNSUPPORTED_PARAM, None]
    assert [one.reason for one in second.exchanges] == [None]
    before, after, again = (request.json for request in server.requests)
    assert parameter in list_sent(before)
    assert parameter not in list_sent(after)
    assert after == again


def test_several_are_refused_one_after_the_other(serve):
    refused = ("seed", "temperature", "max_tokens", "system", "response_format")
    client = reach(serve(refuse(*refused)))

    reply = client.complete(QUESTION, EVERYTHING)

    assert len(reply.exchanges) == len(refused) + 1
    assert client.capabilities == Capabilities(
        frozenset({"seed", "temperature", "response_format"}), "max_completion_tokens", False
    )


def test_what_was_learnt_before_is_known_to_the_next_client(serve):
    server = serve(refuse("seed"))
    reach(server, capabilities=Capabilities(frozenset({"seed"}))).complete(QUESTION, PARAMETERS)
    assert len(server.requests) == 1


def test_what_was_learnt_goes_through_json():
    learnt = Capabilities(frozenset({"seed", "top_p"}), "max_completion_tokens", False)
    assert Capabilities.from_json(json.loads(json.dumps(learnt.to_json()))) == learnt
    assert Capabilities.from_json({}) == Capabilities()


def test_what_can_not_be_left_out_is_the_end(serve):
    server = serve(refuse("max_tokens", "max_completion_tokens"))
    client = reach(server)

    with pytest.raises(EndpointError) as raised:
        client.complete(QUESTION, PARAMETERS)

    assert raised.value.reason is Cause.UNSUPPORTED_PARAM
    assert raised.value.parameter == "max_completion_tokens"
    assert len(raised.value.exchanges) == len(server.requests) == 2
    # It never replied, so nothing is known of it.
    assert client.capabilities == Capabilities()


def test_a_system_message_is_folded_into_the_first_user_s():
    messages = [
        Message("system", "Judge."),
        Message("user", "First"),
        Message("assistant", "Yes"),
        Message("user", "Second"),
    ]
    built = Capabilities(takes_system_role=False).build_request(messages, PARAMETERS)
    assert built["messages"] == [
        {"role": "user", "content": "Judge.\n\nFirst"},
        {"role": "assistant", "content": "Yes"},
        {"role": "user", "content": "Second"},
    ]
    alone = Capabilities(takes_system_role=False).build_request(messages[:1], PARAMETERS)
    assert alone["messages"] == [{"role": "user", "content": "Judge."}]


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        ("Unsupported parameter: 'max_tokens' is not supported with this model. "
         "Use 'max_completion_tokens' instead.", "max_tokens", "max_tokens"),
        ("unsupported_value Unsupported value: 'temperature' does not support 0 with this model. "
         "Only the default (1) value is supported.", "temperature", "temperature"),
        ("[{'type': 'extra_forbidden', 'loc': ('body', 'seed'), "
         "'msg': 'Extra inputs are not permitted'}]", "", "seed"),
        ("Unrecognized request argument supplied: reasoning_effort", "", "reasoning_effort"),
        ("'response_format.type' must be 'json_schema' or 'text'", "", "response_format"),
        ("json_schema is not supported by this model", "", "response_format"),
        ("System role not supported", "", "system"),
        ("Unsupported value: 'messages[0].role' does not support 'system' with this model.",
         "messages[0].role", "system"),
        ("Developer instruction is not enabled for models/gemma-3-27b-it", "", "system"),
        # The value, not the parameter: leaving it out would ask for something else.
        ("max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
         "max_tokens", ""),
        ("temperature must be between 0 and 1", "temperature", ""),
        ("The temperature of the gas: invalid characters in this text", "", ""),
        # Not sent, so not refused.
        ("logprobs is not supported", "logprobs", ""),
        ("The system is down", "", ""),
    ],
)  # fmt: skip
def test_the_parameter_is_found_in_what_endpoints_say(text, named, expected):
    sent = list_sent(Capabilities().build_request(QUESTION, EVERYTHING))
    assert find_parameter(text, named, sent) == expected


def test_an_impossible_value_is_told_and_not_left_out(serve):
    server = serve(steps.complain(400, "max_tokens is too large: 100.", parameter="max_tokens"))
    with pytest.raises(EndpointError) as raised:
        reach(server).complete(QUESTION, PARAMETERS)
    assert raised.value.reason is Cause.BAD_REQUEST
    assert "max_tokens is too large" in raised.value.detail
    assert len(server.requests) == 1
