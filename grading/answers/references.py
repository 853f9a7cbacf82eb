"""
Read a file of reference answers, as PHYBench publishes its problems or an export writes them.

A JSON list, JSON lines or CSV, also packed with gzip: `id` and `answer`, and what a problem says of
its answer, as an export has it: `symbols` (with their ranges), `quantity`, `unit`, `conditions`,
and the statement as `content` or `statement`. Whatever else they hold is not looked at.
"""

import codecs
import gzip
import io
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.texts.references.wanted import split_list
from grading.runs import sentences
from phybench.files import json_list
from phybench.files import problem_files as files
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.values import take_id
from phybench_grader import Declaration
from phybench_grader.reading.question import Question
from phybench_grader.verdict.declarations import Undeclarable, declare

LARGEST_FILE = 50 * 1024**2
"""Bytes: problems come with their solutions. Of JSON lines and CSV as much as an import takes."""
WANTED = files.Wanted(
    frozenset({"id", "answer", *("symbols", "conditions", "quantity", "unit", "statement")}),
    gettext_lazy("reference answers"),
    "id, answer",
)
_LISTS = ("symbols", "conditions")


@dataclass(frozen=True, slots=True)
class GivenReference:
    id: int | str
    """As it stands in the file."""
    answer: str
    question: Question


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
    for number, row in enumerate(_load(_unpack(content)), start=1):
        if not isinstance(row, Mapping):
            raise RefusedFile(_("Row %(row)d is not an object {…}.") % {"row": number})
        identifier = take_id(row.get("id"))
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
                _keep_id(row["id"]), json_list.storable(answer), _read_question(number, row)
            )
    if not references.by_id:
        raise RefusedFile(_("No row of this file has an answer."))
    return references


def _unpack(content: bytes) -> bytes:
    if not content.startswith(b"\x1f\x8b"):
        return content
    try:
        with gzip.open(io.BytesIO(content)) as opened:
            return opened.read(LARGEST_FILE + 1)
    except (OSError, EOFError, zlib.error):
        message = _("This compressed file is damaged, or was cut off.")
        raise RefusedFile(f"{message} {_('Fetch or write it again.')}") from None


def _load(content: bytes) -> list[Any]:
    if content.removeprefix(codecs.BOM_UTF8).lstrip()[:1] not in (b"", b"["):
        return _read_rows(content)
    try:
        return json_list.load(
            content,
            largest=LARGEST_FILE,
            too_large=_("Leave out what is not needed, such as solutions."),
            cut_off=_("Fetch or write it again."),
            holds=_("reference answers"),
            example='[{"id": …, "answer": …}, …]',
        )
    except json_list.NotAList as error:
        raise RefusedFile(str(error)) from None


def _read_rows(content: bytes) -> list[Any]:
    """Read JSON lines or a table."""
    try:
        found = files.read(content, WANTED)
    except files.Refused as refused:
        raise RefusedFile(str(refused)) from None
    for row in found.rows:
        if row.fault:
            raise RefusedFile(
                _("Line %(line)d: %(fault)s.") % {"line": row.line, "fault": row.fault}
            )
    return [row.values if row.is_typed else _read_cells(row.values) for row in found.rows]


def _read_cells(values: Mapping[str, str]) -> dict[str, Any]:
    """Read the cells of a table that hold lists, as an export writes them."""
    cells: dict[str, Any] = dict(values)
    for name in _LISTS:
        text = values.get(name, "")
        try:
            cells[name] = json.loads(text)
        except ValueError:
            cells[name] = split_list(text)
    return cells


def _keep_id(identifier: int | str) -> int | str:
    return json_list.storable(identifier) if isinstance(identifier, str) else identifier


def _read_question(number: int, row: Mapping[str, Any]) -> Question:
    """Read what a row says of its answer besides the answer."""
    declarations = _list_declarations(number, row)
    try:
        declared = declare(declarations)
    except Undeclarable as error:
        raise RefusedFile(
            _("Row %(row)d: its symbols: %(reason)s")
            % {"row": number, "reason": sentences.translate(error.message)}
        ) from None
    # Names of several letters are symbols here, too, which an author would not write.
    named = Question.of([one for one in _list_names(number, row) if one not in declared])
    return Question(
        domains=(*declared.domains, *named.domains),
        asked=_read_text(number, row, "quantity", "label"),
        unit=_read_text(number, row, "unit"),
        conditions=_list_conditions(number, row),
        statement=_read_text(number, row, "statement", "content"),
    )


def _read_text(number: int, row: Mapping[str, Any], *names: str) -> str:
    """Read the first of these that the row has."""
    for name in names:
        text = row.get(name)
        if text is not None and not isinstance(text, str):
            raise RefusedFile(
                _("Row %(row)d: its %(name)s is not text.") % {"row": number, "name": name}
            )
        if text:
            return json_list.storable(text)
    return ""


def _list_conditions(number: int, row: Mapping[str, Any]) -> tuple[str, ...]:
    given = row.get("conditions") or []
    listed = split_list(given) if isinstance(given, str) else given
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise RefusedFile(
            _('Row %(row)d: its conditions are not a list of texts, as in ["a < b"].')
            % {"row": number}
        )
    return tuple(map(json_list.storable, listed))


def _list_symbols(number: int, row: Mapping[str, Any]) -> list[Any]:
    symbols = row.get("symbols") or []
    if not isinstance(symbols, list) or not all(
        isinstance(one, str) or (isinstance(one, Mapping) and isinstance(one.get("latex"), str))
        for one in symbols
    ):
        raise RefusedFile(
            _(
                'Row %(row)d: its symbols are not a list of texts, as in ["m", "v_0"], or of '
                'objects, as in [{"latex": "m", "sign": "any"}].'
            )
            % {"row": number}
        )
    return symbols


def _list_names(number: int, row: Mapping[str, Any]) -> list[str]:
    symbols = _list_symbols(number, row)
    return [json_list.storable(one) for one in symbols if isinstance(one, str)]


def _list_declarations(number: int, row: Mapping[str, Any]) -> list[Declaration]:
    found = []
    for one in _list_symbols(number, row):
        if isinstance(one, Mapping):
            given = {name: one.get(name) or "" for name in ("latex", "sign", "low", "high")}
            if not all(isinstance(text, str) for text in given.values()):
                raise RefusedFile(
                    _("Row %(row)d: its symbols contain something that is not text.")
                    % {"row": number}
                )
            stored = {name: json_list.storable(text) for name, text in given.items()}
            found.append(Declaration(**{**stored, "sign": stored["sign"] or "positive"}))
    return found
