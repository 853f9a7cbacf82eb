"""
Read a file of labels: what people elsewhere said of models' answers. No database here.

A row names an answer, by its number (`attempt`) or by `id` of the problem and `model`, with
`repeat_index` where the model answered several times; then `label` and `labeller`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.exchange.files import RawRow, Refused, Wanted, read
from phybench.json_list import storable

RIGHT, WRONG, CANT_TELL = "RIGHT", "WRONG", "CANT_TELL"
WORDS = {
    **dict.fromkeys(("right", "correct", "true", "yes", "1"), RIGHT),
    **dict.fromkeys(("wrong", "incorrect", "false", "no", "0"), WRONG),
    **dict.fromkeys(("can't tell", "can’t tell", "cant_tell", "unclear"), CANT_TELL),
}
"""What a label may be, in any case."""
FIELDS = ("attempt", "id", "model", "repeat_index", "submission", "label", "labeller", "note")
WANTED = Wanted(frozenset(FIELDS), gettext_lazy("labels"), "id, model, label, labeller")
LONGEST_NOTE = 4000
LONGEST_LABELLER = 120


@dataclass(frozen=True, slots=True)
class Label:
    """One row of the file, as it was read."""

    row: int
    """From 1, as people count."""
    line: int
    attempt: int | None = None
    id: str = ""
    model: str = ""
    sample: int | None = None
    submission: int | None = None
    choice: str = ""
    labeller: str = ""
    note: str = ""
    fault: str = ""
    """Why it is no label, where that is so."""


class _Fault(Exception):
    """A value that can't be used; the message says why."""


def parse(content: bytes) -> list[Label]:
    """
    Return the rows of a file, in its order; one that is no label has a fault.

    Raises:
        Refused: it is no file of labels at all.
    """
    found = read(content, WANTED)
    labels = list(_check_twice([_read_row(row) for row in found.rows]))
    if not any(isinstance(row.values, Mapping) and "label" in row.values for row in found.rows):
        raise Refused(_("No row of this file has a “label”."))
    return labels


def _read_row(row: RawRow) -> Label:
    values = row.values
    if not isinstance(values, Mapping):
        return Label(row.number, row.line, fault=row.fault or _("it is not an object {…}"))
    named = Label(
        row.number,
        row.line,
        id=storable(str(values.get("id") or ""))[:40].strip(),
        model=storable(str(values.get("model") or ""))[:LONGEST_LABELLER].strip(),
    )
    try:
        label = replace(
            named,
            attempt=_read_number(values, "attempt"),
            submission=_read_number(values, "submission"),
            sample=_read_sample(values),
            choice=_read_choice(values.get("label")),
            labeller=_read_text(values, "labeller", LONGEST_LABELLER),
            note=_read_text(values, "note", LONGEST_NOTE),
        )
    except _Fault as fault:
        return replace(named, fault=str(fault))
    return replace(named, fault=lack) if (lack := _lack(label)) else label


def _lack(label: Label) -> str:
    if label.attempt is None and not (label.id and label.model):
        return _("it names no answer: give “attempt”, or “id” and “model”")
    if not label.choice:
        return _("it has no label: write right, wrong or can’t tell")
    if not label.labeller:
        return _("it does not say who labelled: give “labeller”")
    return ""


def _read_number(values: Mapping[str, Any], name: str) -> int | None:
    value = values.get(name)
    if value is None or value == "":
        return None
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdecimal() or not text.isascii() or len(text) > 15:
        raise _Fault(_("“%(name)s” must be a whole number") % {"name": name})
    return int(text)


def _read_sample(values: Mapping[str, Any]) -> int | None:
    index = _read_number(values, "repeat_index")
    return None if index is None else index + 1


def _read_choice(value: Any) -> str:
    if value is None or value == "":
        return ""
    text = str(value).strip().lower()
    if text not in WORDS:
        raise _Fault(
            _("its label “%(label)s” is none: write right, wrong or can’t tell")
            % {"label": storable(text[:40])}
        )
    return WORDS[text]


def _read_text(values: Mapping[str, Any], name: str, longest: int) -> str:
    value = values.get(name)
    text = "" if value is None else storable(str(value)).strip()
    if len(text) > longest:
        raise _Fault(
            _("“%(name)s” is longer than %(longest)d characters")
            % {"name": name, "longest": longest}
        )
    return text


def _check_twice(labels: list[Label]) -> Iterator[Label]:
    """Refuse the second of two rows by one labeller on one answer."""
    first: dict[tuple[object, ...], Label] = {}
    for label in labels:
        key = (label.attempt, label.id, label.model, label.sample, label.submission, label.labeller)
        if label.fault or first.setdefault(key, label) is label:
            yield label
        else:
            fault = _("row %(row)d is about the same answer, by the same labeller") % {
                "row": first[key].row
            }
            yield Label(label.row, label.line, id=label.id, model=label.model, fault=fault)
