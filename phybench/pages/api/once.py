"""
Do a request once, however often it is sent with one key.

What it does and what it answers are kept in one transaction: a request that failed, or that lost
its connection before, left nothing and is simply done. A second one that comes meanwhile waits for
the first, for as long as `PATIENCE`.
"""

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from django.db import OperationalError, connection, transaction
from django.http import HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from ninja import Schema, Status
from ninja.responses import NinjaJSONEncoder
from psycopg.errors import LockNotAvailable

from phybench.pages.api.door import ApiRequest, tell_limits
from phybench.pages.api.models import KeptReply
from phybench.pages.api.refused import Refusal

HEADER = "Idempotency-Key"
PATIENCE = "20s"
_KEY = re.compile(r"[!-~]{1,200}")
DESCRIBED: dict[str, Any] = {
    "parameters": [
        {
            "in": "header",
            "name": HEADER,
            "required": False,
            "schema": {"type": "string", "maxLength": 200},
            "description": "The same key and body are done once within a day, and answered alike.",
        }
    ]
}
"""What OpenAPI says of such a request."""


def once(
    request: ApiRequest, do: Callable[[], Status[Any]], *, sha256: str = ""
) -> Status[Any] | HttpResponse:
    """
    Do what a request asks, or answer as before.

    Args:
        do: does it, and returns what it answers; what it raises undoes all.
        sha256: of the body, where that was not read into memory.
    """
    key = request.headers.get(HEADER)
    if key is None:
        with transaction.atomic():
            return do()
    if not _KEY.fullmatch(key):
        raise Refusal(
            422, "invalid", _("An idempotency key has 1 to 200 ASCII characters, without spaces.")
        )
    sha256 = sha256 or hashlib.sha256(request.body).hexdigest()
    path = f"{request.method} {request.get_full_path()}"[:500]
    try:
        with transaction.atomic():
            return _do(request, do, key, path, sha256)
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise Refusal(
                409,
                "in-progress",
                _("The same request is still being processed. Send it again in a moment."),
                headers={"Retry-After": "5"},
            ) from None
        raise


def _do(
    request: ApiRequest, do: Callable[[], Status[Any]], key: str, path: str, sha256: str
) -> Status[Any] | HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{PATIENCE}'")
    mine = {"person": request.auth.person, "key": key}
    KeptReply.objects.outdated().filter(**mine).delete()
    # Who comes second waits here until the first has committed.
    kept, is_new = KeptReply.objects.get_or_create(
        **mine, defaults={"path": path, "sha256": sha256}
    )
    if not is_new:
        if (kept.path, kept.sha256) != (path, sha256):
            raise Refusal(
                422, "key-reused", _("This idempotency key was used for another request.")
            )
        assert kept.status is not None
        response = JsonResponse(kept.reply, status=kept.status, safe=False)
        response["Idempotency-Replayed"] = "true"
        tell_limits(request, response)
        return response
    done = do()
    value = done.value
    written = value.model_dump() if isinstance(value, Schema) else value
    # As it is written the first time.
    reply = json.loads(json.dumps(written, cls=NinjaJSONEncoder))
    KeptReply.objects.filter(pk=kept.pk).update(status=done.status_code, reply=reply)
    return done
