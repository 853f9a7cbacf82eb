"""
Grade a file of answers against a file of references. No database here.

Each row of the answers becomes one `BatchLine`, in the file's order, and after them each reference
that a model has no answer to.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import sympy
from django.utils.translation import gettext as _

from grading.answers.references import GivenReference, References
from grading.answers.symbolic import judge
from grading.runs import sentences
from phybench.files.answer_files.answers import Answer, LeftOut, Reason
from phybench.files.answer_files.whole import ModelAnswers
from phybench.work import sandbox
from phybench_grader import GRADER_VERSION, JudgeError, Verdict
from phybench_grader.reading.transcript import plain
from phybench_grader.statistics.metrics import AnswerOutcome, Tally, count_lacking, tally


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLine:
    """What became of one answer. Its fields are those of the output's objects."""

    id: int | str | None
    """As the references have it."""
    model: str
    repeat_index: int | None = None
    row: int | None = None
    """Where the answer stands in its file, from 1."""
    status: Literal["graded", "failed", "missing"] = "failed"
    verdict: Verdict | None = None
    accuracy: float | None = None
    """0 to 100, as `eed`; without a grade there is none, which is not 0."""
    eed: float | None = None
    distance: float | None = None
    size: float | None = None
    relative_distance: float | None = None
    reference_read: str = ""
    answer_read: str = ""
    answer_typed: str = ""
    """In the order in which it was typed, with the brackets that were understood."""
    notes: tuple[str, ...] = ()
    reason: str = ""
    """Why the answer is unreadable, or was not graded."""
    message: str = ""
    grader_version: str = GRADER_VERSION
    sympy_version: str = sympy.__version__
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """A line whose answer is still to be graded."""

    line: BatchLine
    response: str
    reference: GivenReference


def plan(references: References, models: Mapping[str, ModelAnswers]) -> list[BatchLine | Task]:
    """List what there will be lines for: every row of the answers, then what is missing."""
    rows: list[tuple[int, BatchLine | Task]] = []
    missing: list[BatchLine | Task] = []
    for model, answers in models.items():
        rows += [(one.row, _plan_answer(model, one, references)) for one in answers.answers]
        rows += [(one.row, _plan_left_out(model, one, references)) for one in answers.left_out]
        named = {one.id for one in answers.answers} | {one.id for one in answers.left_out}
        missing += [
            BatchLine(
                id=reference.id,
                model=model,
                status="missing",
                message=_("the file has no answer by this model to it"),
            )
            for identifier, reference in references.by_id.items()
            if identifier not in named
        ]
    rows.sort(key=lambda row: row[0])
    return [*(planned for _row, planned in rows), *missing]


def _plan_answer(model: str, answer: Answer, references: References) -> BatchLine | Task:
    line = BatchLine(id=answer.id, model=model, repeat_index=answer.sample - 1, row=answer.row)
    reference = references.by_id.get(answer.id)
    if reference is not None:
        return Task(replace(line, id=reference.id), answer.response, reference)
    if answer.id in references.without_answer:
        return replace(
            line, reason="no_reference_answer", message=_("its reference answer is empty")
        )
    return replace(line, reason="unknown_id", message=_("no reference answer has this id"))


def _plan_left_out(model: str, row: LeftOut, references: References) -> BatchLine:
    known = references.by_id.get(row.id)
    line = BatchLine(
        id=known.id if known else row.id or None,
        model=model,
        row=row.row,
        message=row.message,
    )
    if row.reason is Reason.EMPTY:
        return replace(line, status="missing")
    if row.reason is Reason.FAILED:
        return replace(line, status="missing", reason="call_failed")
    return replace(line, reason="bad_row")


def grade_all(
    planned: Iterable[BatchLine | Task], *, processes: int, deadline: float
) -> Generator[BatchLine, None, None]:
    """Yield the lines in their order, grading several answers at a time."""
    grade = partial(_grade, deadline=deadline)
    yield from sandbox.gather(grade, planned, children=processes)


def _grade(planned: BatchLine | Task, *, deadline: float) -> BatchLine:
    if isinstance(planned, BatchLine):
        return planned
    started = time.monotonic()
    try:
        judgement = judge(
            planned.response,
            planned.reference.answer,
            declared=planned.reference.question,
            deadline=deadline,
        )
    except JudgeError as error:
        graded = replace(
            planned.line,
            answer_read=error.answer_read,
            answer_typed=plain(error.answer_typed),
            reason=error.reason,
            message=sentences.translate(error.message),
        )
    else:
        graded = replace(
            planned.line,
            status="graded",
            verdict=judgement.verdict,
            accuracy=judgement.accuracy,
            eed=judgement.eed,
            distance=judgement.distance,
            size=judgement.size,
            relative_distance=judgement.relative,
            reference_read=judgement.reference_read,
            answer_read=judgement.answer_read,
            answer_typed=plain(judgement.answer_typed),
            notes=tuple(map(sentences.translate, judgement.notes)),
            reason=judgement.reason,
            message=sentences.translate(judgement.message),
        )
    return replace(graded, seconds=round(time.monotonic() - started, 3))


class BatchSummary:
    """What the lines come to, model by model, counted as on the board."""

    def __init__(self, references: References) -> None:
        self._numbers = {one.id: number for number, one in enumerate(references.by_id.values())}
        self._outcomes: dict[str, list[AnswerOutcome]] = defaultdict(list)
        self._given: dict[str, Counter[int]] = defaultdict(Counter)
        self.matched: set[str] = set()
        """The models that have a row to any of the references; of others nothing is known."""
        self.failed: Counter[str] = Counter()
        """Calls that failed, by model."""
        self._measured: set[str] = set()
        self.left_out = 0
        """Rows to none of the references: no model gains or loses by them."""
        self.reasons: dict[str, Counter[str]] = defaultdict(Counter)
        """By status, and of those left out: why an answer is unreadable, failed, or is none."""

    def add(self, line: BatchLine) -> None:
        number = None if line.id is None else self._numbers.get(line.id)
        if line.reason:
            self.reasons["left_out" if number is None else line.status][line.reason] += 1
        if line.reason == "call_failed":
            self.failed[line.model] += 1
        elif line.row is not None:
            self._measured.add(line.model)
        outcomes = self._outcomes[line.model]
        if number is None:
            self.left_out += 1
            return
        if line.row is not None:
            self.matched.add(line.model)
        if line.status != "missing":
            is_unreadable = line.verdict is Verdict.UNREADABLE
            outcomes.append(AnswerOutcome(number, line.accuracy, line.eed, is_unreadable))
            # A row that is no answer, such as a second one to the same, makes nobody lack one.
            self._given[line.model][number] += line.reason != "bad_row"

    @property
    def failed_only(self) -> dict[str, int]:
        """How many calls failed of each model that has no other row: nothing is known of it."""
        return {model: count for model, count in self.failed.items() if model not in self._measured}

    def tally(self) -> dict[str, Tally]:
        """Sum up each model. A problem without any answer counts 0, as `metrics.tally` has it."""
        return {
            model: tally(
                outcomes,
                missing=len(self._numbers) - len(self._given[model]),
                lacking=count_lacking(+self._given[model]),
            )
            for model, outcomes in self._outcomes.items()
        }
