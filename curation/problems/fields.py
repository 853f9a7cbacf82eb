"""The fields of a form for what `curation/texts/schema.py` says of a problem."""

import re
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from curation.problems.models import Problem, Revision
from curation.texts.references.reference import LONGEST_LISTED, MAX_LISTED, MAX_ROWS, SymbolRow
from curation.texts.references.wanted import bare_formula, split_list
from curation.texts.schema import Field, Kind
from phybench.people.forms import UncutField

MAX_LINES = 20
"""Answers that an author says must be accepted or rejected, of each."""
FRACTION = re.compile(r"[0-9]{1,20}/[0-9]{1,20}")
LONGEST = {"latex": 40, "meaning": 200, "unit": 40, "sign": 20, "low": 40, "high": 40}
"""Characters of each field of a symbol's row."""


class SourceField(UncutField):
    """Text that somebody typed, with one kind of line end."""

    def __init__(
        self, *, classes: str = "code", rows: int = 3, required: bool = False, **options: Any
    ) -> None:
        attributes = {"class": classes, "rows": rows, "spellcheck": "true"}
        super().__init__(widget=forms.Textarea(attributes), required=required, **options)

    def to_python(self, value: Any) -> str:
        # Browsers send \r\n: the places of broken rules would be off by one a line.
        return str(super().to_python(value)).replace("\r\n", "\n")


class LinesField(SourceField):
    """A list of answers, one a line."""

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else "\n".join(value or [])

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        if isinstance(value, list):
            value = "\n".join(value)
        return [line.strip() for line in super().to_python(value).split("\n") if line.strip()]

    def validate(self, value: Any) -> None:
        if len(value) > MAX_LINES:
            message = gettext("At most %(most)d lines.")
            raise ValidationError(message, params={"most": MAX_LINES})

    def run_validators(self, value: Any) -> None:
        for line in value:
            super().run_validators(line)


class ReasonForm(forms.Form):
    """Why something is done, where nothing else is asked before it is."""

    reason = SourceField(label=_("Why"), max_length=2000, classes="", rows=4, required=True)

    def __init__(self, request: HttpRequest, *, label: str = "", help_text: str = "") -> None:
        super().__init__(request.POST if "reason" in request.POST else None)
        field = self.fields["reason"]
        field.label, field.help_text = label or field.label, help_text


class FormulaField(forms.CharField):
    """One short formula, with or without its dollar signs."""

    def to_python(self, value: Any) -> str:
        return bare_formula(super().to_python(value) or "")


class InlineListField(forms.CharField):
    """A list of short formulas on one line, with commas between them."""

    def prepare_value(self, value: Any) -> str:
        return value if isinstance(value, str) else ", ".join(value or [])

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override]
        listed = value if isinstance(value, list) else split_list(super().to_python(value) or "")
        if len(listed) > MAX_LISTED:
            message = gettext("At most %(most)d of them.")
            raise ValidationError(message, params={"most": MAX_LISTED})
        if any(len(one) > LONGEST_LISTED for one in listed):
            message = gettext("One of them is too long: at most %(most)d characters.")
            raise ValidationError(message, params={"most": LONGEST_LISTED})
        return listed

    def run_validators(self, value: Any) -> None:
        for one in value:
            super().run_validators(one)


class LeftOut(forms.Widget):
    """The symbols whose rows were emptied, now or before; `editor.html` names the inputs."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        if not hasattr(data, "getlist"):
            stored: list[str] = data.get(name, [])
            return stored
        rows = zip(data.getlist("symbol_was"), data.getlist("symbol_latex"), strict=False)
        return [*data.getlist("symbol_left_out"), *(was for was, now in rows if not now.strip())]


class LeftOutField(forms.Field):
    """Symbols that are not to come back to the table by themselves."""

    widget = LeftOut

    def to_python(self, value: Any) -> list[str]:
        named = (str(one).strip() for one in value or [])
        kept = [one for one in named if one and len(one) <= LONGEST["latex"] and "\x00" not in one]
        return list(dict.fromkeys(kept))[:MAX_ROWS]


class ExactField(forms.Field):
    """Fractions such as 157/100 that somebody ticked as exact."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[str]:
        named = (str(one) for one in value or [])
        return list(dict.fromkeys(one for one in named if FRACTION.fullmatch(one)))[:MAX_LINES]


class SymbolTable(forms.Widget):
    """The rows of the symbol table: one list of values a column, as `editor.html` names them."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[dict[str, str]]:
        if not hasattr(data, "getlist"):
            stored: list[dict[str, str]] = data.get(name, [])
            return stored
        columns = [data.getlist(f"symbol_{column}") for column in LONGEST]
        return [dict(zip(LONGEST, row, strict=True)) for row in zip(*columns, strict=False)]


class SymbolTableField(forms.Field):
    """What is declared of each symbol; a row without a symbol is none."""

    widget = SymbolTable

    def to_python(self, value: Any) -> list[SymbolRow]:
        rows = [
            SymbolRow.read({name: str(text).strip() for name, text in row.items()})
            for row in value or []
            if str(row.get("latex", "")).strip()
        ]
        if len(rows) > MAX_ROWS:
            message = gettext("At most %(most)d symbols.")
            raise ValidationError(message, params={"most": MAX_ROWS})
        for row in rows:
            for one in fields(row):
                if (
                    len(getattr(row, one.name)) > LONGEST[one.name]
                    or "\x00" in asdict(row)[one.name]
                ):
                    message = gettext("The row of %(symbol)s is too long: keep each field short.")
                    raise ValidationError(message, params={"symbol": row.latex[:40]})
        return rows


def find_column(field: Field) -> "models.Field[Any, Any]":
    """Find the column that a field is stored in."""
    column = (Problem if field.of_problem else Revision)._meta.get_field(field.name)
    assert isinstance(column, models.Field)
    return column


def list_choices(field: Field) -> list[tuple[str, Any]]:
    """List what can be chosen, as the column says."""
    return [(value, label) for value, label in find_column(field).choices or () if value]


def make_field(field: Field, *, is_lenient: bool = False) -> forms.Field:
    """
    Make what a field of a problem is typed in.

    Args:
        is_lenient: whether to take what can't be stored, as it is while somebody types.
    """
    options: dict[str, Any] = {
        "label": field.label or None,
        "help_text": field.help,
        # A draft is kept however little it has.
        "required": False,
    }
    most: dict[str, Any] = {} if is_lenient else {"max_length": field.longest}
    if field.kind in _BARE:
        return _BARE[field.kind](**options)
    if field.kind is Kind.CHOICE:
        return _make_choice(field, options)
    if field.kind in {Kind.TEXT, Kind.LINES}:
        del options["required"]
        height = "tall" if field.lines > 8 else "short" if field.lines < 4 else ""
        made = SourceField if field.kind is Kind.TEXT else LinesField
        return made(classes=f"code {height}".strip(), rows=field.lines, **most, **options)
    if field.example:
        code = {"class": "code", "placeholder": field.example, "spellcheck": "false"}
        options["widget"] = forms.TextInput(code)
    return _INLINE.get(field.kind, forms.CharField)(**most, **options)


def _make_choice(field: Field, options: dict[str, Any]) -> forms.ChoiceField:
    empty = [("", _("choose") if field.is_required else _("not said"))]
    begin = find_column(field).get_default() or None
    return forms.ChoiceField(
        choices=[*([] if begin else empty), *list_choices(field)], initial=begin, **options
    )


_BARE: dict[Kind, type[forms.Field]] = {
    Kind.SYMBOLS: SymbolTableField,
    Kind.LEFT_OUT: LeftOutField,
    Kind.EXACT: ExactField,
}
_INLINE: dict[Kind, type[forms.CharField]] = {
    Kind.FORMULA: FormulaField,
    Kind.INLINE_LIST: InlineListField,
}
