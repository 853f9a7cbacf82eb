"""Read a whole file of answers into memory, by what its fields are guessed to hold."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import BinaryIO

from django.utils.translation import gettext as _

from phybench.files.answer_files.answers import Answer, LeftOut, Reading, Reason, match_configured
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.rows import LIMITS, Limits, open_rows


@dataclass(frozen=True, slots=True)
class ModelAnswers:
    """What one model of the file answered, and the rows that are no answer."""

    answers: list[Answer] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def read_whole(
    file: BinaryIO,
    name: str = "",
    *,
    known: Collection[str] = (),
    limits: Limits = LIMITS,
    model_name: str = "",
) -> dict[str, ModelAnswers]:
    """
    Return what each model in the file answered.

    Args:
        known: ids of problems, by which of several ids that of the problem is known.
        model_name: of the rows that name no model.

    Raises:
        RefusedFile: it is no such file, breaks off, or does not say which model answered.
    """
    rows = open_rows(file, name, limits)
    guessed = guess(rows.head(), known=known, remarks=rows.remarks)
    field_map = replace(guessed, model_name=model_name or guessed.model_name)
    if faults := field_map.find_faults():
        # Here is no page on which to choose them.
        said = _(
            "We can’t tell which field holds: %(fields)s. Call the fields of the file id, "
            "model and response."
        ) % {"fields": _(", ").join(faults)}
        raise RefusedFile(f"{said} {_say_how_to_name_it()}" if "model" in faults else said)
    models: dict[str, ModelAnswers] = defaultdict(ModelAnswers)
    unnamed: list[LeftOut] = []
    for answer in Reading(rows, field_map):
        if isinstance(answer, Answer):
            models[answer.model].answers.append(answer)
        elif answer.reason is Reason.NO_MODEL:
            said = _("Row %(row)d: %(why)s.") % {"row": answer.row, "why": answer.message}
            raise RefusedFile(f"{said} {_say_how_to_name_it()}")
        elif answer.model:
            models[answer.model].left_out.append(answer)
        else:
            unnamed.append(answer)
    answered = [name for name, one in models.items() if one.answers]
    reasons = {name: [row.reason for row in one.left_out] for name, one in models.items()}
    for asked, model in match_configured(rows.remarks, answered, reasons).items():
        models[model].left_out.extend(models.pop(asked).left_out)
    if len(models) == 1:
        next(iter(models.values())).left_out.extend(unnamed)
    elif unnamed:
        # A call that failed often names no model: of several it can be any.
        raise RefusedFile(
            _("Row %(row)d names no model: say which of the file’s models it belongs to.")
            % {"row": unnamed[0].row}
        )
    return dict(models)


def _say_how_to_name_it() -> str:
    return _("Name the model of rows that name none with --model.")
