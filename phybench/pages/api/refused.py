"""What the API refuses, and how it says so: each failure of an action is one kind of problem."""

import logging
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import UnreadablePostError
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.people.refusals import refuse

logger = logging.getLogger("django.request")


class Refused(Exception):
    """What an action refuses, with its status and kind where a program asked; both are frozen."""

    status: ClassVar[int] = 409
    kind: ClassVar[str]
    how: ClassVar[Promise | str] = ""
    """What a program can send instead."""


class Refusal(Exception):
    """What one request is refused for."""

    def __init__(
        self, status: int, kind: str, detail: str, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.kind = kind
        self.detail = detail
        self.headers = headers or {}


# Each kind is explained where its address leads: on the page of the API.
KINDS = {
    "unauthorized": gettext_noop("The token is missing or not valid"),
    "wrong-scope": gettext_noop("The token does not allow this"),
    "too-many-requests": gettext_noop("Too many requests, or too many bytes, in a short time"),
    "invalid": gettext_noop("The request is not valid"),
    "key-reused": gettext_noop("The idempotency key was used for another request"),
    "in-progress": gettext_noop("The same request is under way"),
    "too-large": gettext_noop("The body is too large"),
    "length-required": gettext_noop("The body has no length"),
    "refused-file": gettext_noop("The file can’t be accepted"),
    "cannot-change": gettext_noop("The draft does not allow it now"),
    "graded-before": gettext_noop("The same files were graded before"),
    "cannot-publish": gettext_noop("The submission can’t be published"),
    "bad-webhook": gettext_noop("The address of the webhook can’t be used"),
}
BY_EXCEPTION: dict[type[Exception], tuple[int, str]] = {
    RefusedFile: (422, "refused-file"),
    RequestDataTooBig: (413, "too-large"),
}


def say(
    status: int,
    kind: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> HttpResponse:
    address = f"{reverse('api')}#{kind}"
    return refuse(status, detail, kind=address, title=KINDS[kind], headers=headers, **more)


def register(api: NinjaAPI) -> None:
    """Have the API answer with a problem, whatever was raised."""

    def handle(
        exception: type[Exception], answer: Callable[[HttpRequest, Any], HttpResponse]
    ) -> None:
        api.add_exception_handler(exception, answer)

    handle(Refusal, lambda _r, why: say(why.status, why.kind, why.detail, headers=why.headers))
    for exception, (status, kind) in BY_EXCEPTION.items():
        handle(exception, _make(status, kind))
    handle(Refused, _say_refused)
    handle(AuthenticationError, _ask_for_token)
    handle(ValidationError, _say_invalid)
    handle(HttpError, lambda _r, why: refuse(why.status_code, why.message))
    handle(Http404, lambda _r, _why: refuse(404, _("Not found, or you have no access.")))
    handle(PermissionDenied, lambda _r, why: refuse(403, str(why)))
    handle(SuspiciousOperation, lambda _r, _why: refuse(400))
    handle(
        UnreadablePostError,
        lambda _r, _why: refuse(400, _("The body of the request is incomplete.")),
    )
    handle(Exception, _say_ours)


def _make(status: int, kind: str) -> Callable[[HttpRequest, Exception], HttpResponse]:
    def answer(_request: HttpRequest, why: Exception) -> HttpResponse:
        return say(status, kind, str(why))

    return answer


def _say_refused(_request: HttpRequest, why: Refused) -> HttpResponse:
    return say(why.status, why.kind, f"{why} {why.how}".rstrip())


def _ask_for_token(_request: HttpRequest, _why: Exception) -> HttpResponse:
    detail = _("Send “Authorization: Bearer phyb_…” with an active token of yours.")
    return say(401, "unauthorized", detail, headers={"WWW-Authenticate": "Bearer"})


def _say_invalid(_request: HttpRequest, why: ValidationError) -> HttpResponse:
    errors = [
        {
            "at": ".".join(str(step) for step in one.get("loc", ())),
            "message": str(one.get("msg", "")),
        }
        for one in why.errors
    ]
    detail = "; ".join(f"{one['at']}: {one['message']}" for one in errors[:5])
    return say(422, "invalid", detail, errors=errors[:50])


def _say_ours(request: HttpRequest, why: Exception) -> HttpResponse:
    if isinstance(why, (OperationalError, InterfaceError)):
        # `phybench.views.fail` tells whether the database is away.
        raise why
    logger.error("%s %s", request.method, request.path, exc_info=why, extra={"request": request})
    return refuse(500, _("The server failed. The error was logged."))
