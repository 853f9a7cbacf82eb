"""What admins do with endpoints: set them up, ask which models there are, pause and resume."""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from grading.endpoints import (
    APIKey,
    BaseURL,
    EndpointError,
    Keyring,
    Limits,
    must_clear_key,
)
from grading.endpoints.limiter import reopen
from grading.runs import calls as calling
from grading.runs.models import Endpoint
from grading.runs.reservations import lock
from phybench.work.kinds import Pool
from phybench.work.tasks import hurry

PROBE_LIMITS = Limits(total=10.0, connect=5.0, silence=10.0, largest=1024 * 1024)
"""Somebody waits for it at a page."""
MOST_FOUND = 1000
LONGEST_NAME = 200


@transaction.atomic
def save(endpoint: Endpoint, *, key: APIKey | None, clear_key: bool = False) -> bool:
    """
    Store what an admin set; return whether a key was dropped because the address has changed.

    What calls change in the same row is left as it is.

    Raises:
        KeyringError: `FIELD_KEYS` can't encrypt the key; nothing was stored.
    """
    dropped, fields = False, dict[str, Any]()
    if endpoint.pk:
        stored = lock(endpoint.pk)
        moved = must_clear_key(BaseURL.parse(stored.base_url), endpoint.address)
        dropped = moved and bool(stored.key_encrypted) and key is None
        clear_key = clear_key or moved
        if stored.base_url != endpoint.base_url or key is not None or clear_key:
            # What it answered was answered there, and to that key.
            fields = {"probed_at": None, "probe_reason": "", "probe_detail": "", "models_found": []}
    if key is not None:
        fields |= {
            "key_encrypted": Keyring.parse(settings.FIELD_KEYS).encrypt(key),
            "key_hint": key.hint,
            "key_fingerprint": key.fingerprint,
        }
    elif clear_key:
        fields |= {"key_encrypted": "", "key_hint": "", "key_fingerprint": ""}
    for name, value in fields.items():
        setattr(endpoint, name, value)
    if endpoint.pk:
        set_here = [field.name for field in Endpoint._meta.fields if field.editable]
        endpoint.save(update_fields=[*(name for name in set_here if name != "id"), *fields])
    else:
        endpoint.save()
    return dropped


def probe(endpoint: Endpoint) -> None:
    """Ask which models it has, and keep the answer or the reason why there is none."""
    kept: dict[str, Any] = {"probe_reason": "", "probe_detail": "", "models_found": []}
    try:
        found = calling.make_client(endpoint, limits=PROBE_LIMITS).list_models()
        kept["models_found"] = sorted({one for one in found if 0 < len(one) <= LONGEST_NAME})
    except EndpointError as error:
        kept |= {"probe_reason": error.reason, "probe_detail": error.detail}
    except calling.NotNow as not_now:
        kept |= {"probe_reason": not_now.message.code}
    kept["models_found"] = kept["models_found"][:MOST_FOUND]
    Endpoint.objects.filter(pk=endpoint.pk).update(**kept, probed_at=timezone.now())


def pause(endpoint: Endpoint) -> None:
    """Call it no more; calls under way come to their end."""
    Endpoint.objects.filter(pk=endpoint.pk).update(is_active=False)


def resume(endpoint: Endpoint) -> None:
    """Call it again, and forget how it failed, and until when it asked to be left alone."""
    with transaction.atomic():
        calling.InRow(endpoint.pk).change(lambda state: (reopen(state), None))
        Endpoint.objects.filter(pk=endpoint.pk).update(
            is_active=True, open_for="", failing_for="", failing_streak=0
        )
    # What was put off until then is due now; what waits for another endpoint is put off again.
    # Not under the lock of the endpoint, which who holds an item waits for.
    for pool in (Pool.CALLS, Pool.JUDGING):
        hurry(pool)


def offer(endpoint: Endpoint, models: list[str]) -> None:
    """Let authors choose among these models, of those found and those offered already."""
    known = {*endpoint.models_found, *endpoint.offered}
    chosen = [model for model in dict.fromkeys(models) if model in known]
    Endpoint.objects.filter(pk=endpoint.pk).update(offered=chosen)
