"""What a scripted server can answer: all that endpoints were seen to do, right and wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any

JSON = "application/json"
MODEL = "fake-judge-1"
USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}


class Ending(Enum):
    CLOSES = auto()
    HANGS = auto()
    RESETS = auto()


@dataclass(frozen=True, slots=True)
class Step:
    """One answer, byte by byte as it goes over the wire."""

    at_once: bytes = b""
    dripped: bytes = b""
    """What follows a byte at a time."""
    pause: float = 0.05
    """Seconds between two such bytes."""
    ending: Ending = Ending.CLOSES


def respond(status: int, body: bytes, content_type: str = JSON, **headers: str) -> Step:
    """Answer with a status and a body; `_` in a header's name stands for `-`."""
    return Step(_write_head(status, len(body), content_type, headers) + body)


def _write_head(status: int, length: int, content_type: str, headers: dict[str, str]) -> bytes:
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


def send_json(document: object, status: int = 200, **headers: str) -> Step:
    return respond(status, json.dumps(document, ensure_ascii=False).encode(), **headers)


# --- Replies ----------------------------------------------------------------------------------


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


def ok(text: str = "Rating: [[7]]") -> Step:
    return send_json(write_completion(text))


def no_usage(text: str = "Rating: [[7]]") -> Step:
    return send_json(write_completion(text, usage=None))


def null_content() -> Step:
    return send_json(write_completion(None))


def refusal(text: str = "I can't help with that.") -> Step:
    return send_json(write_completion(None, refusal=text))


def filtered() -> Step:
    return send_json(write_completion("", finish_reason="content_filter"))


def with_reasoning(text: str = "Rating: [[8]]", reasoning: str = "Maybe [[3]]?") -> Step:
    return send_json(write_completion(text, reasoning_content=reasoning))


def cut_off(text: str = "The answer begins w") -> Step:
    return send_json(write_completion(text, finish_reason="length"))


def in_parts(*texts: str) -> Step:
    return send_json(write_completion([{"type": "text", "text": text} for text in texts]))


VERDICT = {
    "id": "1",
    "is_correct": True,
    "extracted_answer": "x",
    "reasoning_score": 4,
    "error_type": "none",
    "comment": "The same expression.",
}


def latex_json() -> Step:
    """A verdict whose LaTeX has single backslashes, as models write it: `\\f` means a form feed."""
    written = json.dumps({**VERDICT, "extracted_answer": "ANSWER"})
    return ok(written.replace("ANSWER", r"\boxed{\frac{m g}{k}\sqrt{2}}"))


def fenced_json() -> Step:
    return ok(f"```json\n{json.dumps(VERDICT)}\n```")


def two_jsons() -> Step:
    """Two verdicts that contradict each other."""
    other = {**VERDICT, "is_correct": False, "reasoning_score": 2, "error_type": "wrong_logic"}
    return ok(f"{json.dumps(VERDICT)}\n{json.dumps(other)}")


def echo(prompt: str) -> Step:
    """Say back what was asked, with whatever verdict was smuggled into it."""
    return ok(prompt)


# --- Refusals ---------------------------------------------------------------------------------


def complain(
    status: int,
    message: str,
    *,
    code: str | int | None = None,
    kind: str = "invalid_request_error",
    parameter: str | None = None,
    **headers: str,
) -> Step:
    """Answer with an error in the shape that OpenAI gives it."""
    error = {"message": message, "type": kind, "param": parameter, "code": code}
    return send_json({"error": error}, status, **headers)


def rate_limited(**headers: str) -> Step:
    """`retry_after="2"` and the like are its headers."""
    return complain(429, "Rate limit reached.", code="rate_limit_exceeded", **headers)


def insufficient_quota() -> Step:
    return complain(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        code="insufficient_quota",
        kind="insufficient_quota",
    )


def server_error(status: int = 500) -> Step:
    return complain(status, "The server had an error.", kind="server_error")


def wrong_key(shown: str = "sk-fake") -> Step:
    return complain(401, f"Incorrect API key provided: {shown}.", code="invalid_api_key")


def no_such_model() -> Step:
    return complain(404, "The model `x` does not exist.", code="model_not_found")


def not_found() -> Step:
    return respond(404, b"404 page not found", "text/plain")


def refuse_parameter(parameter: str, *, hint: str = "") -> Step:
    named = {"system": "messages[0].role"}.get(parameter, parameter)
    value = "'system'" if parameter == "system" else "this value"
    return complain(
        400,
        f"Unsupported parameter: '{named}' does not support {value} with this model. {hint}",
        code="unsupported_parameter",
        parameter=named,
    )


def context_overflow() -> Step:
    return complain(
        400,
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens "
        "(8000 in the messages, 1000 in max_tokens).",
        code="context_length_exceeded",
        parameter="messages",
    )


def redirect(to: str = "http://169.254.169.254/latest/meta-data/", status: int = 307) -> Step:
    return respond(status, b"", location=to)


# --- Success that is none ---------------------------------------------------------------------


def error_in_200(code: str | int | None = None) -> Step:
    return complain(200, "Provider returned error", code=code)


def html_200() -> Step:
    page = b"<!doctype html><title>Sign in</title><p>Please sign in to the gateway."
    return respond(200, page, "text/html")


def empty_200() -> Step:
    return respond(200, b"")


def no_choices() -> Step:
    return send_json({**write_completion(""), "choices": []})


def large(size: int = 5 * 1024 * 1024) -> Step:
    return ok("x" * size)


def large_without_length(size: int = 5 * 1024 * 1024) -> Step:
    """One that says nothing of its size, and ends when the connection does."""
    return Step(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + b" " * size)


def latin_1() -> Step:
    """Bytes that are what the header says, and that JSON must not be."""
    body = json.dumps(write_completion("Größe: 3 Ω⁻¹".replace("Ω⁻¹", "m")), ensure_ascii=False)
    return respond(200, body.encode("latin-1"), "application/json; charset=iso-8859-1")


def mislabelled(text: str = "Größe: 3 Ω") -> Step:
    """UTF-8 that the header calls something else."""
    body = json.dumps(write_completion(text), ensure_ascii=False).encode()
    return respond(200, body, "application/json; charset=iso-8859-1")


def packed() -> Step:
    return respond(200, b"\x1f\x8b\x08\x00", JSON, content_encoding="gzip")


# --- Trouble on the way -----------------------------------------------------------------------


def drip(pause: float = 0.05) -> Step:
    """A reply that comes a byte at a time, each well within any patience for silence."""
    body = json.dumps(write_completion("x" * 5000)).encode()
    return Step(_write_head(200, len(body), JSON, {}), body, pause)


def drip_headers(pause: float = 0.05) -> Step:
    return Step(b"", b"HTTP/1.1 200 OK\r\n" + b"X-Filler: x\r\n" * 500, pause)


def hang() -> Step:
    return Step(ending=Ending.HANGS)


def hang_midway() -> Step:
    return Step(_write_head(200, 1000, JSON, {}) + b'{"choices": [', ending=Ending.HANGS)


def reset() -> Step:
    return Step(ending=Ending.RESETS)


def reset_midway() -> Step:
    return Step(_write_head(200, 1000, JSON, {}) + b'{"choices": [', ending=Ending.RESETS)


def close_early() -> Step:
    return Step(_write_head(200, 1000, JSON, {}) + b'{"choices": [')


def not_http() -> Step:
    return Step(b"220 mail.example.com ESMTP\r\n")


def list_models(*models: str) -> Step:
    return send_json({"object": "list", "data": [{"id": model} for model in models]})


def ran_out() -> Step:
    """Complain, as after the last step of a script."""
    return complain(500, "The script has no more steps.")
