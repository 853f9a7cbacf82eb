"""What the fake endpoint replies with, byte by byte as it goes over the wire."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from socket import socket
from threading import Event
from typing import Any

JSON = "application/json"
MODEL = "fake-judge-1"
USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


@dataclass(frozen=True, slots=True)
class FakeReply:
    """One answer, after which the connection is closed."""

    sent: bytes = b""

    def play(self, connection: socket, stopping: Event) -> None:
        connection.sendall(self.sent)


def respond(status: int, body: bytes, content_type: str = JSON, **headers: str) -> FakeReply:
    """Answer with a status and a body; `_` in a header's name stands for `-`."""
    return FakeReply(write_head(status, len(body), content_type, headers) + body)


def write_head(status: int, length: int, content_type: str, headers: dict[str, str]) -> bytes:
    known = status in HTTPStatus.__members__.values()
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase if known else 'Unknown'}",
        f"Content-Type: {content_type}",
        f"Content-Length: {length}",
        "X-Request-Id: fake-request",
        "Connection: close",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def send_json(document: object, status: int = 200, **headers: str) -> FakeReply:
    return respond(status, json.dumps(document, ensure_ascii=False).encode(), **headers)


def write_completion(
    content: object,
    *,
    finish_reason: str = "stop",
    usage: object = USAGE,
    **message: object,
) -> dict[str, Any]:
    """Write the document of a reply; what else is given goes into its message."""
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "model": MODEL,
        "system_fingerprint": "fp_fake",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish_reason,
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        **({"usage": usage} if usage is not None else {}),
    }


def ok(text: str = "Rating: [[7]]") -> FakeReply:
    return send_json(write_completion(text))


def with_reasoning(text: str = "Rating: [[8]]", reasoning: str = "Maybe [[3]]?") -> FakeReply:
    return send_json(write_completion(text, reasoning_content=reasoning))


def cut_off(text: str = "The answer begins w") -> FakeReply:
    return send_json(write_completion(text, finish_reason="length"))


def complain(
    status: int,
    message: str,
    *,
    code: str | int | None = None,
    kind: str = "invalid_request_error",
    parameter: str | None = None,
    **headers: str,
) -> FakeReply:
    """Answer with an error in the shape that OpenAI gives it."""
    error = {"message": message, "type": kind, "param": parameter, "code": code}
    return send_json({"error": error}, status, **headers)


def rate_limited(**headers: str) -> FakeReply:
    """`retry_after="2"` and the like are its headers."""
    return complain(429, "Rate limit reached.", code="rate_limit_exceeded", **headers)


def server_error(status: int = 500) -> FakeReply:
    return complain(status, "The server had an error.", kind="server_error")


def list_models(*models: str) -> FakeReply:
    return send_json({"object": "list", "data": [{"id": model} for model in models]})
