"""All that endpoints were seen to do, right and wrong, for a scripted server to answer with."""

import json
import struct
from dataclasses import dataclass
from socket import SO_LINGER, SOL_SOCKET, socket
from threading import Event

from grading.demo.fake_endpoint import Request
from grading.demo.fake_judge import read_token
from grading.demo.fake_replies import (
    JSON,
    FakeReply,
    complain,
    ok,
    respond,
    send_json,
    write_completion,
    write_head,
)
from grading.demo.fake_replies import cut_off as cut_off
from grading.demo.fake_replies import rate_limited as rate_limited
from grading.demo.fake_replies import server_error as server_error
from grading.demo.fake_replies import with_reasoning as with_reasoning


@dataclass(frozen=True, slots=True)
class Dripping(FakeReply):
    dripped: bytes = b""
    """What follows a byte at a time."""
    pause: float = 0.05
    """Seconds between two such bytes."""

    def play(self, connection: socket, stopping: Event) -> None:
        connection.sendall(self.sent)
        for byte in self.dripped:
            connection.sendall(bytes([byte]))
            if stopping.wait(self.pause):
                return


@dataclass(frozen=True, slots=True)
class Hanging(FakeReply):
    def play(self, connection: socket, stopping: Event) -> None:
        connection.sendall(self.sent)
        stopping.wait()


@dataclass(frozen=True, slots=True)
class Resetting(FakeReply):
    def play(self, connection: socket, stopping: Event) -> None:
        connection.sendall(self.sent)
        # Closing without lingering is what makes a reset of it.
        connection.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()


# --- Replies ----------------------------------------------------------------------------------


def no_usage(text: str = "Rating: [[7]]") -> FakeReply:
    return send_json(write_completion(text, usage=None))


def null_content() -> FakeReply:
    return send_json(write_completion(None))


def refusal(text: str = "I can't help with that.") -> FakeReply:
    return send_json(write_completion(None, refusal=text))


def filtered() -> FakeReply:
    return send_json(write_completion("", finish_reason="content_filter"))


def in_parts(*texts: str) -> FakeReply:
    return send_json(write_completion([{"type": "text", "text": text} for text in texts]))


VERDICT = {
    "id": "1",
    "is_correct": True,
    "extracted_answer": "x",
    "reasoning_score": 4,
    "error_type": "none",
    "comment": "The same expression.",
}


def latex_json(token: str = "1") -> FakeReply:
    """A verdict whose LaTeX has single backslashes, as models write it: `\\f` means a form feed."""
    written = json.dumps({**VERDICT, "extracted_answer": "ANSWER", "id": token})
    return ok(written.replace("ANSWER", r"\boxed{\frac{m g}{k}\sqrt{2}}"))


def fenced_json() -> FakeReply:
    return ok(f"```json\n{json.dumps(VERDICT)}\n```")


def two_jsons() -> FakeReply:
    """Two verdicts that contradict each other."""
    other = {**VERDICT, "is_correct": False, "reasoning_score": 2, "error_type": "wrong_logic"}
    return ok(f"{json.dumps(VERDICT)}\n{json.dumps(other)}")


def answer(request: Request, text: str) -> FakeReply:
    """Reply so; TOKEN stands for the token that the reply has to bear."""
    return ok(text.replace("TOKEN", read_token(request.prompt)))


def echo(prompt: str) -> FakeReply:
    """Say back what was asked, with whatever verdict was smuggled into it."""
    return ok(prompt)


# --- Refusals ---------------------------------------------------------------------------------


def insufficient_quota() -> FakeReply:
    return complain(
        429,
        "You exceeded your current quota, please check your plan and billing details.",
        code="insufficient_quota",
        kind="insufficient_quota",
    )


def wrong_key(shown: str = "sk-fake") -> FakeReply:
    return complain(401, f"Incorrect API key provided: {shown}.", code="invalid_api_key")


def no_such_model() -> FakeReply:
    return complain(404, "The model `x` does not exist.", code="model_not_found")


def not_found() -> FakeReply:
    return respond(404, b"404 page not found", "text/plain")


def refuse_parameter(parameter: str, *, hint: str = "") -> FakeReply:
    named = {"system": "messages[0].role"}.get(parameter, parameter)
    value = "'system'" if parameter == "system" else "this value"
    return complain(
        400,
        f"Unsupported parameter: '{named}' does not support {value} with this model. {hint}",
        code="unsupported_parameter",
        parameter=named,
    )


def context_overflow() -> FakeReply:
    return complain(
        400,
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens "
        "(8000 in the messages, 1000 in max_tokens).",
        code="context_length_exceeded",
        parameter="messages",
    )


def redirect(to: str = "http://169.254.169.254/latest/meta-data/", status: int = 307) -> FakeReply:
    return respond(status, b"", location=to)


# --- Success that is none ---------------------------------------------------------------------


def error_in_200(code: str | int | None = None) -> FakeReply:
    return complain(200, "Provider returned error", code=code)


def html_200() -> FakeReply:
    page = b"<!doctype html><title>Sign in</title><p>Please sign in to the gateway."
    return respond(200, page, "text/html")


def empty_200() -> FakeReply:
    return respond(200, b"")


def no_choices() -> FakeReply:
    return send_json({**write_completion(""), "choices": []})


def large(size: int = 5 * 1024 * 1024) -> FakeReply:
    return ok("x" * size)


def large_without_length(size: int = 5 * 1024 * 1024) -> FakeReply:
    """One that says nothing of its size, and ends when the connection does."""
    return FakeReply(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + b" " * size)


def latin_1() -> FakeReply:
    """Bytes that are what the header says, and that JSON must not be."""
    body = json.dumps(write_completion("Größe: 3 Ω⁻¹".replace("Ω⁻¹", "m")), ensure_ascii=False)
    return respond(200, body.encode("latin-1"), "application/json; charset=iso-8859-1")


def mislabelled(text: str = "Größe: 3 Ω") -> FakeReply:
    """UTF-8 that the header calls something else."""
    body = json.dumps(write_completion(text), ensure_ascii=False).encode()
    return respond(200, body, "application/json; charset=iso-8859-1")


def packed() -> FakeReply:
    return respond(200, b"\x1f\x8b\x08\x00", JSON, content_encoding="gzip")


# --- Trouble on the way -----------------------------------------------------------------------


def drip(pause: float = 0.05) -> FakeReply:
    """A reply that comes a byte at a time, each well within any patience for silence."""
    body = json.dumps(write_completion("x" * 5000)).encode()
    return Dripping(write_head(200, len(body), JSON, {}), body, pause)


def drip_headers(pause: float = 0.05) -> FakeReply:
    return Dripping(b"", b"HTTP/1.1 200 OK\r\n" + b"X-Filler: x\r\n" * 500, pause)


def hang() -> FakeReply:
    return Hanging()


def hang_midway() -> FakeReply:
    return Hanging(write_head(200, 1000, JSON, {}) + b'{"choices": [')


def reset() -> FakeReply:
    return Resetting()


def reset_midway() -> FakeReply:
    return Resetting(write_head(200, 1000, JSON, {}) + b'{"choices": [')


def close_early() -> FakeReply:
    return FakeReply(write_head(200, 1000, JSON, {}) + b'{"choices": [')


def not_http() -> FakeReply:
    return FakeReply(b"220 mail.example.com ESMTP\r\n")
