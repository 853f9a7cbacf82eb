"""Compare a receipt with one made anew, field by field."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, urlsplit

from grading.submissions.receipts.receipt import Receipt, hash_items

TOLERANCE = 1e-9
"""Figures are sums of many: another build of Python may round the last digit otherwise."""
_OF_THE_DAY = ("made_at", "settings", "items_salt")
"""What says when a receipt was made, and where: none of it moves a grade."""


@dataclass(frozen=True, slots=True)
class FieldDifference:
    field: str
    said: Any
    """By the receipt; None where it has no such field."""
    found: Any


def compare(said: Receipt, found: Receipt) -> list[FieldDifference]:
    """List the fields of a receipt that say something else than one made anew."""
    mine, other = (dict(_flatten("", _describe(one))) for one in (said, found))
    differences = [
        FieldDifference(name, mine.get(name), other.get(name))
        for name in dict.fromkeys([*mine, *other])
        if not _are_same(mine.get(name), other.get(name))
    ]
    if said.items_sha256 == found.items_sha256 and not _keeps_its_own_hash(said):
        # The hash is the true one, and the salt or the items beside it are not.
        differences.append(FieldDifference("items_sha256", said.items_sha256, found.items_sha256))
    return differences


def compare_place(said: Receipt, found: Receipt) -> list[FieldDifference]:
    """List what is otherwise here than where the receipt was made: settings, and the site."""
    names = dict.fromkeys([*said.settings, *found.settings])
    mine, other = _split(said), _split(found)
    moved = [FieldDifference("submission.address", mine.netloc, other.netloc)]
    return [
        *(one for one in moved if one.said != one.found),
        *(
            FieldDifference(f"settings.{one}", said.settings.get(one), found.settings.get(one))
            for one in names
            if said.settings.get(one) != found.settings.get(one)
        ),
    ]


def has_other_secrets(said: Receipt, found: Receipt) -> bool:
    """Tell whether a full receipt agrees with itself, by a salt that is another here."""
    return said.items_salt != found.items_salt and _keeps_its_own_hash(said)


def _split(receipt: Receipt) -> SplitResult:
    return urlsplit(receipt.submission.address)


def _describe(receipt: Receipt) -> dict[str, Any]:
    described = {
        # Also what only the full kind has: nothing is let through in the other.
        name: value
        for name, value in receipt.model_dump(mode="json").items()
        if name not in _OF_THE_DAY
    }
    # A site may move to another name.
    described["submission"]["address"] = _split(receipt).path
    if receipt.items is not None:
        # Rows are told apart by what they are of; no two are of the same.
        described["items"] = {f"{one.id}, {one.sample}": one.model_dump() for one in receipt.items}
    described["graders"] = {
        str(number): one.model_dump() for number, one in enumerate(receipt.graders, start=1)
    }
    return described


def _keeps_its_own_hash(receipt: Receipt) -> bool:
    if receipt.items is None or receipt.items_salt is None:
        return True
    return hash_items(receipt.items, receipt.items_salt) == receipt.items_sha256


def _flatten(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flatten(f"{path}.{name}" if path else name, inner)
    else:
        yield path, value


def _are_same(said: Any, found: Any) -> bool:
    if isinstance(said, float) and isinstance(found, float):
        return math.isclose(said, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(said == found)
