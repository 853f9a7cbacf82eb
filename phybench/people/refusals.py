"""What a program is told that was refused: problem+json, as RFC 9457 has it."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse

PROBLEM_JSON = "application/problem+json"


def refuse(
    status: int,
    detail: str = "",
    *,
    kind: str = "about:blank",
    title: str = "",
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    """
    Answer with a problem.

    Args:
        kind: names what is wrong to programs; `about:blank` says no more than the status does.
        title: what is wrong, the same each time.
        detail: what is wrong this time, and what to do.
    """
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Error"
    said = {"type": kind, "title": title or phrase, "status": status, "detail": detail or phrase}
    text = json.dumps({**said, **more}, ensure_ascii=False)
    content = text.encode(errors="replace")
    return HttpResponse(content, status=status, content_type=PROBLEM_JSON, headers=headers)
