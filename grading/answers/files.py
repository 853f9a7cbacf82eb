"""
Read a file of a model's answers, in the format that PHYBench publishes.

A JSON list of objects: `id`, `model`, and `model_answer` or `model_solution`; `repeat_index`
where a model answered a problem several times.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from phybench import json_list
from phybench.names import tidy_name

LARGEST_FILE = 20 * 1024 * 1024
"""Bytes."""
LONGEST_RESPONSE = 1024 * 1024
"""Characters of one response, thinking and all."""


class RefusedFile(Exception):
    """A file that can't be taken at all; the message says what to do."""


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    row: int
    """From 1, as people count."""
    id: str
    message: str


@dataclass(frozen=True, slots=True)
class NoAnswer(LeftOutRow):
    """A row that hands in nothing, which is the model's doing and no mistake in the file."""


@dataclass(frozen=True, slots=True)
class Answer:
    row: int
    id: str
    sample: int
    response: str


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """What one model of the file answered, and the rows that are no answer."""

    answers: list[Answer] = field(default_factory=list)
    left_out: list[LeftOutRow] = field(default_factory=list)


def parse(content: bytes, *, largest: int = LARGEST_FILE) -> dict[str, ModelAnswers]:
    """
    Return what each model in the file answered.

    Raises:
        RefusedFile: it is no such file, or has more bytes than `largest`; nothing of it was taken.
    """
    rows = _load(content, largest)
    models: dict[str, ModelAnswers] = defaultdict(ModelAnswers)
    seen: dict[tuple[str, str, int], int] = {}
    for number, row in enumerate(rows, start=1):
        model, answer = _row(number, row)
        of_model = models[model]
        if isinstance(answer, LeftOutRow):
            of_model.left_out.append(answer)
            continue
        first = seen.setdefault((model, answer.id, answer.sample), number)
        if first == number:
            of_model.answers.append(answer)
        else:
            message = _(
                "the same id again (first in row %(row)d); give each a repeat_index to hand in"
                " several"
            ) % {"row": first}
            of_model.left_out.append(LeftOutRow(number, answer.id, message))
    return dict(models)


def _load(content: bytes, largest: int) -> list[Any]:
    try:
        return json_list.load(
            content,
            largest=largest,
            too_large=_("Hand it in in parts, by model."),
            cut_off=_("Fetch or write it again."),
            holds=_("answers"),
            example='[{"id": …, "model": …, …}, …]',
        )
    except json_list.NotAList as error:
        raise RefusedFile(str(error)) from None


def _row(number: int, row: Any) -> tuple[str, Answer | LeftOutRow]:
    if not isinstance(row, Mapping):
        raise RefusedFile(_("Row %(row)d is not an object {…}.") % {"row": number})
    model = row.get("model")
    name = tidy_name(model) if isinstance(model, str) else ""
    if not 0 < len(name) <= 120:
        raise RefusedFile(_("Row %(row)d has no “model” of 1 to 120 characters.") % {"row": number})
    model = json_list.storable(name)
    identifier = identify(row)
    if not identifier:
        return model, LeftOutRow(number, "", _("it has no id"))
    response = row.get("model_answer") or row.get("model_solution")
    if response is None or response == "":
        return model, NoAnswer(number, identifier, _("no answer: counted as missing"))
    if not isinstance(response, str):
        return model, LeftOutRow(number, identifier, _("its answer is not text"))
    if len(response) > LONGEST_RESPONSE:
        return model, LeftOutRow(number, identifier, _("its answer is over a million characters"))
    sample = row.get("repeat_index", 0)
    if isinstance(sample, bool) or not isinstance(sample, int) or not 0 <= sample < 10_000:
        return model, LeftOutRow(number, identifier, _("repeat_index must be a number from 0"))
    return model, Answer(number, identifier, sample + 1, json_list.storable(response))


def identify(row: Mapping[str, Any]) -> str:
    """Return the id of a row as text, by which answers find their problem; "" where it has none."""
    identifier = row.get("id")
    if isinstance(identifier, bool) or not isinstance(identifier, int | str):
        return ""
    return json_list.storable(str(identifier).strip()[:40])
