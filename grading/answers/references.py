"""
Read a file of reference answers, in the format that PHYBench publishes its problems.

A JSON list of objects: `id` and `answer`, and `symbols` where a problem declares them; whatever
else they hold is not looked at.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from grading.answers.files import RefusedFile, identify
from phybench import json_list

LARGEST_FILE = 50 * 1024**2
"""Bytes: problems come with their solutions."""


@dataclass(frozen=True, slots=True)
class GivenReference:
    id: int | str
    """As it stands in the file."""
    answer: str
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class References:
    by_id: dict[str, GivenReference] = field(default_factory=dict)
    """In the file's order; the ids as `answers_file` writes them."""
    without_answer: list[str] = field(default_factory=list)
    """Ids of problems published without their answers."""


def parse(content: bytes) -> References:
    """
    Return the references of a file.

    Raises:
        RefusedFile: it is no such file, or what one of its rows means is not sure. Every grade
            hangs on a reference, so none is guessed at and none left out.
    """
    references = References()
    first_rows: dict[str, int] = {}
    for number, row in enumerate(_load(content), start=1):
        if not isinstance(row, Mapping):
            raise RefusedFile(_("Row %(row)d is not an object {…}.") % {"row": number})
        identifier = identify(row)
        if not identifier:
            raise RefusedFile(_("Row %(row)d has no id.") % {"row": number})
        first = first_rows.setdefault(identifier, number)
        if first != number:
            raise RefusedFile(
                _("Rows %(first)d and %(row)d have the same id, %(id)s: keep one of them.")
                % {"first": first, "row": number, "id": identifier}
            )
        answer = row.get("answer")
        if answer is None or answer == "":
            references.without_answer.append(identifier)
        elif not isinstance(answer, str):
            raise RefusedFile(_("Row %(row)d: its answer is not text.") % {"row": number})
        else:
            references.by_id[identifier] = GivenReference(
                _keep_id(row["id"]), json_list.storable(answer), _list_symbols(number, row)
            )
    if not references.by_id:
        raise RefusedFile(_("No row of this file has an answer."))
    return references


def _load(content: bytes) -> list[Any]:
    try:
        return json_list.load(
            content,
            largest=LARGEST_FILE,
            too_large=_("Leave out of it all but id, answer and symbols."),
            cut_off=_("Fetch or write it again."),
            holds=_("references"),
            example='[{"id": …, "answer": …}, …]',
        )
    except json_list.NotAList as error:
        raise RefusedFile(str(error)) from None


def _keep_id(identifier: int | str) -> int | str:
    return json_list.storable(identifier) if isinstance(identifier, str) else identifier


def _list_symbols(number: int, row: Mapping[str, Any]) -> tuple[str, ...]:
    symbols = row.get("symbols") or []
    if not isinstance(symbols, list) or not all(isinstance(one, str) for one in symbols):
        raise RefusedFile(
            _('Row %(row)d: its symbols are not a list of texts, as in ["m", "v_0"].')
            % {"row": number}
        )
    return tuple(map(json_list.storable, symbols))
