"""
A server on this machine that plays an endpoint, step by step: for tests, and as a plainly fake
judge to show the pages with. Real sockets, real headers; nothing in the client knows of it.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from grading.endpoints.base_url import BaseURL
from grading.endpoints.scripted_steps import Ending, Step, list_models, ran_out

LARGEST_REQUEST = 64 * 1024 * 1024
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Request:
    """What the server was asked."""

    method: str
    path: str
    headers: Mapping[str, str] = field(repr=False)
    """By their names in lower case. A key may be among them."""
    body: bytes = b""

    @property
    def json(self) -> dict[str, Any]:
        """The body, or nothing if it is no JSON object."""
        try:
            document = json.loads(self.body)
        except ValueError:
            return {}
        return document if isinstance(document, dict) else {}

    @property
    def prompt(self) -> str:
        """All that the messages say."""
        messages = self.json.get("messages", [])
        return "\n\n".join(str(message.get("content", "")) for message in messages)


Script = Callable[[Request], Step]
"""Decides how to answer."""


def in_turn(steps: Iterable[Step]) -> Script:
    """Answer with one step after the other, and with an error of the server's after the last."""
    left = iter(steps)
    lock = threading.Lock()

    def answer(request: Request) -> Step:
        with lock:
            return next(left, ran_out())

    return answer


class ScriptedServer:
    """
    Answers chat completions by a script: steps in turn, or a function from request to step.

    It lists `models`, and knows no other address.
    """

    def __init__(
        self,
        script: Iterable[Step] | Script,
        *,
        port: int = 0,
        models: Iterable[str] = ("fake-judge",),
    ) -> None:
        self._script = script if callable(script) else in_turn(script)
        self._models = list_models(*models)
        self._requests: list[Request] = []
        self._lock = threading.Lock()
        self.stopping = threading.Event()
        # Only ever this machine: what answers here is made up.
        self._server = _Server(("127.0.0.1", port), self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> BaseURL:
        return BaseURL("http", "127.0.0.1", self.port, "/v1")

    @property
    def requests(self) -> list[Request]:
        """All that was asked so far, in order."""
        with self._lock:
            return list(self._requests)

    def answer(self, request: Request) -> Step:
        with self._lock:
            self._requests.append(request)
        if request.method == "GET" and request.path == "/v1/models":
            return self._models
        return self._script(request)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def serve_forever(self) -> None:
        """Answer until interrupted."""
        try:
            self._server.serve_forever()
        finally:
            self.stopping.set()
            self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], scripted: ScriptedServer) -> None:
        self.scripted = scripted
        super().__init__(address, _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that leaves before the end is what half of the steps are for."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        length = min(int(self.headers.get("content-length") or 0), LARGEST_REQUEST)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, self.rfile.read(length))
        scripted = self.server.scripted
        step = scripted.answer(request)
        self.close_connection = True
        self.wfile.write(step.at_once)
        for byte in step.dripped:
            self.wfile.write(bytes([byte]))
            if scripted.stopping.wait(step.pause):
                return
        if step.ending is Ending.HANGS:
            scripted.stopping.wait()
        elif step.ending is Ending.RESETS:
            # Closing without lingering is what makes a reset of it.
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()

    def log_message(self, *args: object) -> None:
        """Say nothing: `requests` has all of it."""
