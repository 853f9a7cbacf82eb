"""Reading a completion out of a response that claims success."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grading.endpoints.errors import EndpointError
from grading.endpoints.failures import BY_STATUS, Complaint, explain_complaint
from grading.endpoints.replies import Reply, Usage
from grading.endpoints.text import clean, decode, read_json, shorten, write
from phybench_grader.judges.call_reasons import Cause

LARGEST_COUNT = 10**9
"""Tokens; what claims more is no count."""


def read_object(headers: Mapping[str, str], body: bytes) -> dict[str, Any]:
    """
    Read the JSON object that every answer of an endpoint is.

    Raises:
        EndpointError: it is none, or one that reports an error.
    """
    # Compressed in spite of what was asked for: nothing here unpacks what strangers packed.
    if headers.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise EndpointError(Cause.NOT_JSON, detail="The response is compressed.")
    try:
        document = read_json(body)
    except ValueError:
        raise EndpointError(Cause.NOT_JSON, detail=shorten(decode(body[:500]), 200)) from None
    if not isinstance(document, dict):
        raise EndpointError(Cause.ERROR_IN_200, detail=shorten(write(document), 200))
    if document.get("error"):
        raise _explain_error(document)
    return document


def _explain_error(document: dict[str, Any]) -> EndpointError:
    """Take a status that is given as the error's code for what it would have been."""
    complaint = Complaint.find(document)
    status = complaint.code.split(" ")[0]
    if status.isdecimal() and int(status[:4]) in BY_STATUS:
        return explain_complaint(int(status[:4]), complaint)
    if "insufficient_quota" in complaint.code:
        return explain_complaint(429, complaint)
    return EndpointError(Cause.ERROR_IN_200, detail=shorten(complaint.text, 500))


def read_completion(headers: Mapping[str, str], body: bytes) -> Reply:
    """
    Read a reply, without the exchanges it took.

    Raises:
        EndpointError: there is none, or one that nobody should go by, which is its `reply`: it was
            cut off, filtered, refused or empty.
    """
    document = read_object(headers, body)
    choices = document.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise EndpointError(Cause.ERROR_IN_200, detail="There is no message in it.")
    if choice.get("error") or choice.get("finish_reason") == "error":
        complaint = Complaint.find({"error": choice.get("error") or "finish_reason: error"})
        raise EndpointError(Cause.ERROR_IN_200, detail=shorten(complaint.text, 500))
    text = _read_content(message.get("content"))
    if text is None:
        raise EndpointError(Cause.ERROR_IN_200, detail="The message's content is no text.")
    reply = Reply(
        text=text,
        reasoning=_read_text(message, "reasoning_content") or _read_text(message, "reasoning"),
        finish_reason=_read_text(choice, "finish_reason"),
        usage=read_usage(document.get("usage")),
        model=_read_text(document, "model"),
        fingerprint=_read_text(document, "system_fingerprint"),
    )
    refusal = _read_text(message, "refusal").strip()
    if reason := _find_fault(reply, refusal):
        raise EndpointError(
            reason, detail=shorten(refusal, 500), reply=replace(reply, text=text or refusal)
        )
    return reply


def _find_fault(reply: Reply, refusal: str) -> Cause | None:
    if reply.finish_reason == "content_filter":
        return Cause.CONTENT_FILTERED
    if refusal:
        return Cause.REFUSAL
    if reply.finish_reason == "length":
        return Cause.TRUNCATED
    if not reply.text.strip():
        return Cause.EMPTY
    return None


def _read_content(content: object) -> str | None:
    """Return a message's text, which some send in parts; None if it is something else."""
    if content is None:
        return ""
    if isinstance(content, str):
        return clean(content)
    if isinstance(content, list) and all(isinstance(part, dict) for part in content):
        return "".join(
            _read_text(part, "text") for part in content if part.get("type", "text") == "text"
        )
    return None


def _read_text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    return clean(value) if isinstance(value, str) else ""


def read_usage(usage: object) -> Usage | None:
    """Read what was counted; None unless both counts are there and can be counts."""
    if not isinstance(usage, Mapping):
        return None
    prompt, completion = (
        _read_count(usage, "prompt_tokens"),
        _read_count(usage, "completion_tokens"),
    )
    if prompt is None or completion is None:
        return None
    details = usage.get("completion_tokens_details")
    reasoning = _read_count(details, "reasoning_tokens") if isinstance(details, Mapping) else None
    return Usage(prompt, completion, reasoning)


def _read_count(counts: Mapping[str, Any], name: str) -> int | None:
    value = counts.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_COUNT:
        return None
    return value
