"""The server that plays endpoints keeps to its script, and to this machine."""

import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from grading.demo.fake_endpoint import Request
from grading.endpoints import EndpointError
from tests.grading.endpoints import steps
from tests.grading.endpoints.conftest import PARAMETERS, QUESTION, reach
from tests.grading.endpoints.scripted_server import ScriptedServer


def test_after_the_last_step_it_says_that_the_script_is_over(serve):
    client = reach(serve(steps.ok()))
    client.complete(QUESTION, PARAMETERS)
    with pytest.raises(EndpointError) as raised:
        client.complete(QUESTION, PARAMETERS)
    assert "no more steps" in raised.value.detail


def test_it_serves_many_at_once_and_each_step_to_one(serve):
    server = serve(*[steps.ok(str(number)) for number in range(40)])
    client = reach(server)
    with ThreadPoolExecutor(8) as threads:
        replies = threads.map(lambda _: client.complete(QUESTION, PARAMETERS).text, range(40))
        assert sorted(replies, key=int) == [str(number) for number in range(40)]
    assert len(server.requests) == 40


def test_it_listens_on_this_machine_only(serve):
    server = serve()
    assert server.base_url.host == "127.0.0.1"
    # Another address of this machine, at which it would be reached if it listened everywhere.
    with pytest.raises(ConnectionRefusedError), socket.socket() as other:
        other.connect(("127.0.0.2", server.server_port))


def test_it_ends_though_somebody_hangs_on_it():
    with ScriptedServer([steps.hang()]) as server, socket.socket() as waiting:
        waiting.connect(("127.0.0.1", server.server_port))
        waiting.sendall(b"POST /v1/chat/completions HTTP/1.1\r\n\r\n")
    with pytest.raises(ConnectionRefusedError), socket.socket() as late:
        late.connect(("127.0.0.1", server.server_port))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff"])
def test_a_request_that_is_no_json_object_has_no_prompt(body):
    request = Request("POST", "/v1/chat/completions", {}, body)
    assert (request.json, request.prompt) == ({}, "")
