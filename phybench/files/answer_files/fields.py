"""Which field of a file holds what, as a person said it or it was guessed, and what there is."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from django.utils.translation import gettext as _

from phybench.files.answer_files import paths
from phybench.files.answer_files.formats.row import Row
from phybench.files.json_list import storable

LONGEST_EXAMPLE = 80
MOST_FIELDS = 300
"""That are listed; a file may name a field by each token of a vocabulary."""
_SPACES = re.compile(r"\s+")
NUMBER, STATEMENT, ORDER = "number", "statement", "order"
"""By what rows are matched whose ids are not the benchmark's."""
WAYS = ("", NUMBER, STATEMENT, ORDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldMap:
    """The path of the field that holds each thing; "" where none does."""

    id: str = ""
    """Of the problem."""
    ids: str = ""
    """By what a row is matched whose id is no problem's: one of `WAYS`; "" is by nothing else."""
    response: str = ""
    otherwise: str = ""
    """What holds the response where the first is empty."""
    sample: str = ""
    samples_from: int = 0
    """The number of the first sample: 0 or 1."""
    is_in_order: bool = False
    """Whether the n-th row of a problem is its n-th sample, where no field numbers them."""
    model: str = ""
    model_name: str = ""
    """By hand, for each row that names no model."""
    finish_reason: str = ""
    tokens: str = ""
    latency: str = ""

    def find_faults(self, found: Collection[str] | None = None) -> dict[str, str]:
        """
        Say what is wrong, by the name of what it is wrong with; nothing where rows can be read.

        Args:
            found: the paths that the file has, where each must be one of them.
        """
        faults = {}
        if self.ids not in WAYS:
            faults["ids"] = _("Rows are matched by number, statement or order.")
        if not self.id and self.ids not in (STATEMENT, ORDER):
            faults["id"] = _("Choose the field that holds the problem’s id.")
        if not self.response:
            faults["response"] = _("Choose the field that holds the response.")
        if not self.model and not self.model_name.strip():
            faults["model"] = _("Choose the field that names the model, or type its name.")
        if self.samples_from not in (0, 1):
            faults["samples_from"] = _("Samples are numbered from 0 or from 1.")
        if self.id and self.id == self.response:
            faults["response"] = _("This field holds the problem’s id already.")
        for name in PLACES:
            path = getattr(self, name)
            if path and found is not None and path not in found:
                faults[name] = _("This file has no field “%(field)s”.") % {"field": path}
        return faults

    def write(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)

    @classmethod
    def read(cls, kept: object) -> Self:
        """Read what `write` wrote, today or before; what is not understood is left out."""
        if not isinstance(kept, Mapping):
            return cls()
        # A truth value is a number to Python, and no number of a sample.
        known = {field.name: type(field.default) for field in fields(cls)}
        return cls(**{name: kept[name] for name in known if type(kept.get(name)) is known[name]})


PLACES = (
    *("id", "response", "otherwise", "sample", "model"),
    *("finish_reason", "tokens", "latency"),
)
"""What a field can be chosen for."""


@dataclass(frozen=True, slots=True)
class Field:
    path: str
    example: str
    """The first that is not empty, cut, on one line."""
    filled: int
    """In how many of the rows it is not empty."""


def list_fields(rows: Iterable[Row]) -> list[Field]:
    """List the fields of some rows, in the order in which they come."""
    examples: dict[str, str] = {}
    filled: dict[str, int] = {}
    for row in rows:
        for path, value in dict(_list_shown(row)).items():
            if path not in examples and len(examples) >= MOST_FIELDS:
                continue
            examples[path] = examples.get(path) or value
            filled[path] = filled.get(path, 0) + bool(value)
    return [Field(path, example, filled[path]) for path, example in examples.items()]


def _list_shown(row: Row) -> Iterable[tuple[str, str]]:
    """Yield each path with its value; of several on one path the last that is not empty stays."""
    shown: dict[str, str] = {}
    for path, value in paths.list_paths(row.values):
        shown[path] = shown.get(path) or _show(path, value)
    return shown.items()


def _show(path: str, value: Any) -> str:
    text = paths.join_parts(path, value)
    if text is None:
        text = value if isinstance(value, str) else "" if value is None else _write(value)
    # A response of a megabyte need not be tidied as a whole.
    line = _SPACES.sub(" ", storable(text[: 4 * LONGEST_EXAMPLE])).strip()
    return line if len(line) <= LONGEST_EXAMPLE else line[: LONGEST_EXAMPLE - 1] + "…"


def _write(value: Any) -> str:
    return json.dumps(value)
