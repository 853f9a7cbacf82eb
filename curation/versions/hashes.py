"""
Hashes by which a version is told from another, and by which what was published can be checked.

What solvers read is hashed as it is: who has the downloaded file comes to the same. A key is hashed
with the version's secret salt, as keys are short enough to be guessed: the hash only commits to it.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from typing import Any

from curation.problems.models import Revision
from curation.texts.references.reference import SymbolRow
from curation.texts.schema import ASKED
from curation.versions.models import VersionItem


def describe_asked(revision: Revision) -> dict[str, Any]:
    """Return what solvers read of a revision, as files have it."""
    described = [SymbolRow.read(row) for row in revision.symbols]
    # The others tell which symbols the answer has.
    symbols = [row.store() for row in described if not row.says_nothing]
    return {name: getattr(revision, name) for name in ASKED} | {"symbols": symbols}


def hash_asked(asked: Mapping[str, Any]) -> str:
    r"""
    Hash what solvers read: JSON with sorted keys, no blanks between, in UTF-8.

    >>> hash_asked({"unit": "m", "statement": "Find $h$."})[:12]
    '6d1c9ae9d0d6'
    """
    text = json.dumps(asked, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def hash_key(revision: Revision, salt: str) -> str:
    """Commit to all that a grade hangs on: the answer, its symbols and their conditions."""
    return hmac.new(salt.encode(), revision.reference.sha256.encode(), "sha256").hexdigest()


def hash_items(items: Iterable[VersionItem]) -> str:
    """Hash a version: one line an item, with its name, its part and its two hashes."""
    lines = sorted(
        f"{item.identifier} {'hidden' if item.is_hidden else 'public'} "
        f"{item.asked_sha256} {item.key_sha256}\n"
        for item in items
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
