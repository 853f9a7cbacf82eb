"""What a row of a file says of a problem, whichever format it came in. No database here."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.fields import InlineListField, SymbolTableField, list_choices
from curation.texts.references.reference import SIGNS_IN_WORDS, SymbolRow
from curation.texts.references.wanted import bare_formula
from curation.texts.schema import (
    ALIASES,
    BY_NAME,
    EXPORTED,
    FIELDS,
    LONGEST_ID,
    LONGEST_TEXT,
    Field,
    Kind,
)
from phybench.files import json_list
from phybench.files.problem_files import RawRow, Wanted

PROBLEMS = Wanted(
    frozenset({*EXPORTED, *ALIASES, "canary"}),
    gettext_lazy("problems"),
    "id, title, statement, answer",
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a row, and at which field."""

    field: str
    """"" where it is about the whole row."""
    message: str
    code: str = ""
    """The rule for references that it breaks, if that is what is wrong."""

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


@dataclass(frozen=True, slots=True)
class Row:
    """A problem as a file tells of it: `values` holds what it tells, under our own names."""

    number: int
    line: int
    id: str
    values: dict[str, Any] = field(default_factory=dict)
    """Texts; lists of texts; of `symbols`, what `SymbolRow.store` gives. Absent is not empty."""
    faults: tuple[Fault, ...] = ()


class _Unusable(Exception):
    """A value that can't be taken; the message says why."""


def parse(raw_rows: Iterable[RawRow]) -> list[Row]:
    """Turn each row into what it says; the second of two that name one problem is at fault."""
    rows: list[Row] = []
    first_rows: dict[object, int] = {}
    for raw in raw_rows:
        row = _parse(raw)
        told = row.values.get("title"), row.values.get("statement")
        first = first_rows.setdefault(row.id or told, row.number)
        if first != row.number and (row.id or any(told)):
            message = _("the same id again (first in row %(row)d): keep one of them")
            if not row.id:
                message = _(
                    "the same title and statement again (first in row %(row)d): keep one of them,"
                    " or give each an id"
                )
            fault = Fault("id", message % {"row": first})
            row = Row(row.number, row.line, row.id, row.values, (*row.faults, fault))
        rows.append(row)
    return rows


def _parse(raw: RawRow) -> Row:
    if raw.fault:
        return Row(raw.number, raw.line, "", {}, (Fault("", raw.fault),))
    if not isinstance(raw.values, Mapping):
        return Row(raw.number, raw.line, "", {}, (Fault("", _("it is not an object {…}")),))
    faults: list[Fault] = []
    identifier, values = "", {}
    try:
        identifier = _read_id(raw.values.get("id"))
    except _Unusable as reason:
        faults.append(Fault("id", str(reason)))
    for name, given in raw.values.items():
        known = ALIASES.get(name, name)
        if known not in FIELDS or known == "id" or given is None:
            continue
        if known in values:
            message = _("it is given twice, as “%(alias)s” too: keep one of them")
            alias = next(alias for alias, own in ALIASES.items() if own == known)
            faults.append(Fault(known, message % {"alias": alias}))
            continue
        try:
            value = _read_value(BY_NAME[known], given, raw.is_typed)
            # No problem is without these: a column that is empty says nothing of them.
            if value or not BY_NAME[known].of_problem:
                values[known] = value
        except _Unusable as reason:
            faults.append(Fault(known, str(reason)))
    if not faults and not values:
        known_names = ", ".join(FIELDS)
        message = _("it has no field of a problem; the fields are %(names)s")
        faults.append(Fault("", message % {"names": known_names}))
    return Row(raw.number, raw.line, identifier, values, tuple(faults))


def _read_id(given: Any) -> str:
    if given is None:
        return ""
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise _Unusable(_("it is neither a number nor a text"))
    try:
        identifier = str(given).strip()
    except ValueError:
        # Python refuses to write a number of more than some thousand digits.
        identifier = "?" * (LONGEST_ID + 1)
    if len(identifier) > LONGEST_ID or not identifier.isprintable():
        raise _Unusable(
            _("it is not a printable text of at most %(most)d characters") % {"most": LONGEST_ID}
        )
    return identifier


def _read_value(field: Field, given: Any, is_typed: bool) -> Any:
    if field.kind in _READ_LIST:
        return _READ_LIST[field.kind](given if is_typed else _read_cell(given))
    text = _read_text(given)
    most = LONGEST_TEXT
    if field.kind is not Kind.TEXT:
        # What is one line on a page is one line in a file.
        text, most = " ".join(text.split()), field.longest
    if field.kind is Kind.FORMULA:
        text = bare_formula(text)
    if len(text) > most:
        raise _Unusable(
            _("it has %(length)d characters; at most %(most)d can be kept")
            % {"length": len(text), "most": most}
        )
    if field.kind is Kind.CHOICE:
        name = text.upper().replace(" ", "_")
        return next((one for one, _label in list_choices(field) if one.upper() == name), name)
    return text


def _read_text(given: Any) -> str:
    if not isinstance(given, str):
        raise _Unusable(_("it is not text"))
    if json_list.UNSTORABLE.search(given):
        raise _Unusable(_("it contains an invalid character (NUL or an unpaired surrogate)"))
    return given.replace("\r\n", "\n").strip()


def _read_list(given: Any) -> list[str]:
    lines = given.split("\n") if isinstance(given, str) else given
    if not isinstance(lines, list) or len(lines) > LONGEST_TEXT:
        raise _Unusable(_("it is not a list of answers"))
    # One answer is one line wherever it is shown or edited.
    answers = [" ".join(_read_text(line).split("\n")) for line in lines]
    return [answer for answer in answers if answer]


def _read_inline_list(given: Any) -> list[str]:
    if not isinstance(given, str | list):
        raise _Unusable(_("it is not a list of formulas"))
    texts = given if isinstance(given, str) else [_read_text(one) for one in given]
    try:
        listed: list[str] = InlineListField(required=False).clean(texts)
    except ValidationError as error:
        raise _Unusable(" ".join(error.messages)) from None
    return listed


def _read_symbols(given: Any) -> list[dict[str, str]]:
    if given == "":
        return []
    if not isinstance(given, list) or len(given) > 1000:
        raise _Unusable(
            _('it is not a list of objects such as {"latex": "v_0", "meaning": "speed"}')
        )
    rows = [_read_symbol(one) for one in given]
    try:
        cleaned = SymbolTableField(required=False).clean(rows)
    except ValidationError as error:
        raise _Unusable(" ".join(error.messages)) from None
    return [row.store() for row in cleaned]


def _read_symbol(one: Any) -> dict[str, str]:
    if isinstance(one, str):
        one = {"latex": one}
    if not isinstance(one, Mapping):
        raise _Unusable(
            _('it is not a list of objects such as {"latex": "v_0", "meaning": "speed"}')
        )
    known = asdict(SymbolRow(""))
    if unknown := [name for name in one if name not in known]:
        raise _Unusable(
            _("a symbol has no field “%(name)s”; its fields are %(names)s")
            % {"name": json_list.storable(str(unknown[0])[:40]), "names": ", ".join(known)}
        )
    texts = {name: _read_text(value) for name, value in one.items() if value is not None}
    if not texts.get("latex"):
        raise _Unusable(_("a symbol has no “latex”, its name as in a formula"))
    sign = texts.setdefault("sign", "positive")
    if sign not in SIGNS_IN_WORDS:
        raise _Unusable(
            _("the sign of %(symbol)s is “%(sign)s”; it can be %(signs)s")
            % {
                "symbol": texts["latex"][:40],
                "sign": sign[:40],
                "signs": ", ".join(SIGNS_IN_WORDS),
            }
        )
    return texts


_READ_LIST: Mapping[Kind, Callable[[Any], Any]] = {
    Kind.SYMBOLS: _read_symbols,
    Kind.INLINE_LIST: _read_inline_list,
    Kind.LINES: _read_list,
}


def _read_cell(cell: str) -> Any:
    """Read a cell of a table that holds a list; one that is no JSON is a list of lines."""
    if not cell.lstrip().startswith("["):
        return cell.strip()
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        raise _Unusable(_('it begins with [ but is not JSON, such as ["x", "y"]')) from None
