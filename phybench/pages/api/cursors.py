"""
Pages of a list, each found by where the one before ended: rows that come meanwhile shift nothing.
"""

import base64
import binascii
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from phybench.pages.api.refused import Refusal

Row = TypeVar("Row", bound=Model)
LARGEST = 2**63 - 1


def cut(
    rows: "QuerySet[Row]", cursor: str, size: int, *, newest_first: bool = False
) -> tuple[list[Row], str | None]:
    """Return the rows after a cursor, in the order of their numbers, and the next cursor."""
    if cursor:
        after: dict[str, Any] = {"pk__lt" if newest_first else "pk__gt": _read(cursor)}
        rows = rows.filter(**after)
    found = list(rows.order_by("-pk" if newest_first else "pk")[: size + 1])
    page = found[:size]
    return page, _write(page[-1].pk) if len(found) > size else None


def _write(pk: int) -> str:
    return base64.urlsafe_b64encode(f"after {pk}".encode()).decode().rstrip("=")


def _read(cursor: str) -> int:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        word, _space, number = base64.urlsafe_b64decode(padded).decode().partition(" ")
        pk = int(number) if number.isascii() and len(number) < 20 else -1
    except (ValueError, binascii.Error):
        word, pk = "", -1
    if word != "after" or not 0 <= pk <= LARGEST:
        raise Refusal(422, "invalid", _("This cursor is not one that the API gave."))
    return pk
