"""A server on this machine that plays an endpoint, for a client that knows nothing of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from grading.demo.fake_replies import FakeReply, list_models
from grading.endpoints.base_url import BaseURL

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


Script = Callable[[Request], FakeReply]
"""Decides how to answer."""


class FakeEndpoint(ThreadingHTTPServer):
    """Answers chat completions by a script, and lists `models`; it knows no other address."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, script: Script, *, port: int = 0, models: Iterable[str] = ()) -> None:
        self._script = script
        self._models = list_models(*models)
        self.stopping = threading.Event()
        # Only ever this machine: what answers here is made up.
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def base_url(self) -> BaseURL:
        return BaseURL("http", "127.0.0.1", self.server_port, "/v1")

    def answer(self, request: Request) -> FakeReply:
        if request.method == "GET" and request.path == "/v1/models":
            return self._models
        return self._script(request)

    def server_close(self) -> None:
        self.stopping.set()
        super().server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client may leave before the end."""


class _Handler(BaseHTTPRequestHandler):
    server: FakeEndpoint

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        length = min(int(self.headers.get("content-length") or 0), LARGEST_REQUEST)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, self.rfile.read(length))
        self.close_connection = True
        self.server.answer(request).play(self.connection, self.server.stopping)

    def log_message(self, *args: object) -> None:
        """Say nothing of each request."""
