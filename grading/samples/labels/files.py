"""
Read a file of labels: what people elsewhere said of models' answers. No database here.

A row names an answer, by its number (`attempt`) or by `id` of the problem and `model`, with
`sample`, from 1 as on pages and in all files, where the model answered several times; then `label`
and `labeller`. The published `repeat_index`, from 0, is read as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from phybench.files.json_list import storable
from phybench.files.problem_files import RawRow, Refused, Wanted, read

RIGHT, WRONG, CANT_TELL = "RIGHT", "WRONG", "CANT_TELL"
WORDS = {
    **dict.fromkeys(("right", "correct", "true", "yes", "1"), RIGHT),
    **dict.fromkeys(("wrong", "incorrect", "false", "no", "0"), WRONG),
    **dict.fromkeys(("can't tell", "can’t tell", "cant_tell", "unclear"), CANT_TELL),
}
"""What a label may be, in any case."""
FIELDS = (
    *("attempt", "id", "model", "sample", "repeat_index", "submission"),
    *("label", "labeller", "note"),
)
WANTED = Wanted(frozenset(FIELDS), gettext_lazy("labels"), "id, model, label, labeller")
LONGEST_NOTE = 4000
LONGEST_LABELLER = 120


@dataclass(frozen=True, slots=True)
class Label:
    """One row of the file, as it was said."""

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


def _take_number(given: object) -> int:
    text = str(given).strip()
    if isinstance(given, bool) or not text.isdecimal() or not text.isascii() or len(text) > 15:
        raise ValueError(text)
    return int(text)


def _take_choice(given: object) -> str:
    text = str(given).strip().lower()
    if text not in WORDS:
        raise ValueError(text)
    return WORDS[text]


def _take_text(given: object) -> str:
    return storable(str(given)).strip()


Number = Annotated[int | None, BeforeValidator(_take_number)]
Text = Annotated[str, BeforeValidator(_take_text)]


class _Row(BaseModel):
    """What a row says, apart from which problem and model it names."""

    attempt: Number = None
    submission: Number = None
    sample: Number = None
    repeat_index: Number = None
    label: Annotated[str, BeforeValidator(_take_choice)] = ""
    labeller: Annotated[Text, Field(max_length=LONGEST_LABELLER)] = ""
    note: Annotated[Text, Field(max_length=LONGEST_NOTE)] = ""

    def number_sample(self) -> int | None:
        """Say which sample is meant, from 1; `repeat_index` counts from 0."""
        if self.sample is None and self.repeat_index is not None:
            return self.repeat_index + 1
        return self.sample


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
    given = {name: one for name, one in values.items() if one is not None and one != ""}
    try:
        said = _Row.model_validate(given)
    except ValidationError as error:
        return replace(named, fault=_explain(error.errors()[0]))
    label = replace(
        named,
        attempt=said.attempt,
        submission=said.submission,
        sample=said.number_sample(),
        choice=said.label,
        labeller=said.labeller,
        note=said.note,
    )
    return replace(named, fault=lack) if (lack := _lack(label)) else label


def _explain(error: ErrorDetails) -> str:
    name = str(error["loc"][0])
    if longest := error.get("ctx", {}).get("max_length"):
        return _("“%(name)s” is longer than %(longest)d characters") % {
            "name": name,
            "longest": longest,
        }
    if name == "label":
        return _("its label “%(label)s” is not valid: write right, wrong or can’t tell") % {
            "label": storable(str(error["input"]).strip().lower()[:40])
        }
    return _("“%(name)s” must be an integer") % {"name": name}


def _lack(label: Label) -> str:
    if label.attempt is None and not (label.id and label.model):
        return _("it names no answer: give “attempt”, or “id” and “model”")
    if not label.choice:
        return _("it has no label: write right, wrong or can’t tell")
    if not label.labeller:
        return _("it does not say who labelled: give “labeller”")
    return ""


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
