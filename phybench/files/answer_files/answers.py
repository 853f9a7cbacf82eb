"""Read the answers in the rows of a file, by a map of its fields. No database here."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from django.utils.translation import gettext as _

from phybench.files.answer_files import paths
from phybench.files.answer_files.fields import NUMBER, STATEMENT, FieldMap
from phybench.files.answer_files.formats.row import LIMITS, BrokenOff, Row
from phybench.files.answer_files.matching import Problems
from phybench.files.answer_files.values import (
    LONGEST_ID,
    LONGEST_NAME,
    is_missing,
    take_id,
    take_name,
    take_number,
    take_seconds,
)
from phybench.files.json_list import storable

LONGEST_RESPONSE = 1024 * 1024
"""Characters of one response, thinking and all."""
MOST_SAMPLES = 10_000
"""Of one problem."""
LONGEST_REASON = 40
LONGEST_ERROR = 200
ERRORS = (
    *("error", "exception", "output.error", "response.error", "response.body.error"),
    *("result.error", "result.message.error"),
)
"""Where harnesses and batches say why asking failed: with a text, or an object that has one."""
FAILURES: tuple[tuple[str, frozenset[Any]], ...] = (
    ("result.type", frozenset({"errored", "canceled", "expired"})),
    ("result.success", frozenset({False})),
)
"""Fields that say so in a word, and the words."""
RESPONSES = ("", "response", "response.body", "body", "result")
"""Where an object of OpenAI's Responses API stands, which may have failed and hold no error."""
NO_ERROR = frozenset({"", "none", "null", "nan", "false", "no", "n/a"})
_NUMBER = re.compile(r"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?", re.IGNORECASE)


class Reason(StrEnum):
    """Why a row, or one of its responses, is no answer."""

    EMPTY = "EMPTY"
    """It hands in nothing, which is the model's doing and no mistake in the file."""
    FAILED = "FAILED"
    """The harness says that asking failed: whatever was said until then is no answer."""
    TWICE = "TWICE"
    NO_ID = "NO_ID"
    NO_MODEL = "NO_MODEL"
    NO_TEXT = "NO_TEXT"
    TOO_LONG = "TOO_LONG"
    BAD_SAMPLE = "BAD_SAMPLE"
    NO_ROW = "NO_ROW"
    """It could not be read at all."""


@dataclass(frozen=True, slots=True)
class Answer:
    row: int
    """From 1, as people count."""
    id: str
    sample: int
    """From 1."""
    response: str
    model: str
    finish_reason: str = ""
    tokens: int | None = None
    """That the model wrote, as the file says."""
    latency: float | None = None
    """Seconds."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row, or one of its responses, that is no answer."""

    row: int
    id: str
    message: str
    model: str
    """"" where the row names none."""
    reason: Reason


EVALUATED = "eval.model"
"""Where the log of one evaluation, as Inspect writes it, names the model that it was to ask."""
ANSWERLESS = frozenset({Reason.FAILED, Reason.EMPTY})


def match_configured(
    remarks: Mapping[str, str], answered: Collection[str], left_out: Mapping[str, Collection[str]]
) -> dict[str, str]:
    """
    Return whose the calls are that a log ascribes to the model as it was configured.

    A reply names the model as the API does; where there was none, the log writes what it asked for.
    Where one model alone answers in the log of one evaluation, both are the same.

    Args:
        remarks: what stands beside the rows, by path.
        left_out: why rows are no answers, by the model that they name.

    >>> log, failed = {"eval.model": "openai/gpt-x"}, {"openai/gpt-x": ["FAILED"]}
    >>> match_configured(log, ["gpt-x-2026"], failed), match_configured(log, ["A", "B"], failed)
    ({'openai/gpt-x': 'gpt-x-2026'}, {})
    """
    configured = take_name(remarks.get(EVALUATED))
    reasons = left_out.get(configured) if configured else None  # "" is whose rows name none
    if not reasons or configured in answered or not set(reasons) <= ANSWERLESS:
        return {}
    return {configured: next(iter(answered))} if len(answered) == 1 else {}


@dataclass(slots=True)
class Counts:
    rows: int = 0
    answers: Counter[str] = field(default_factory=Counter)
    """By model."""
    left_out: Counter[Reason] = field(default_factory=Counter)

    def add(self, answer: "Answer | LeftOut") -> None:
        if isinstance(answer, LeftOut):
            self.left_out[answer.reason] += 1
        else:
            self.answers[answer.model] += 1


@dataclass(frozen=True, slots=True)
class _Named:
    """What a row says of all its responses."""

    row: Row
    model: str
    id: str

    def leave_out(self, reason: Reason, message: str) -> LeftOut:
        return LeftOut(self.row.number, self.id[:LONGEST_ID], message, self.model, reason)


class Reading:
    """
    The answers in some rows, in their order: iterate over it once.

    Of what came before, only a number for each answer is kept.

    Args:
        problems: to which rows are matched whose ids are none of theirs, as the map says.

    Raises:
        BrokenOff: as the rows do, because there are more than `most` answers, or because not all
            problems have a row where its place says which it answers.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        field_map: FieldMap,
        *,
        problems: Problems | None = None,
        most: int = LIMITS.rows,
    ) -> None:
        self._rows = rows
        self._map = field_map
        self._problems = problems
        self._first_place: int | None = None
        self._places: dict[str, set[int]] = defaultdict(set)
        """Of rows that were matched by their order, by model."""
        self._most = most
        self._first_rows: dict[int, int] = {}
        """By the hash of model, id and sample."""
        self._given: Counter[int] = Counter()
        """By the hash of model and id."""
        self.counts = Counts()
        """Of what was read so far."""

    def __iter__(self) -> Iterator[Answer | LeftOut]:
        read = last = 0
        for row in self._rows:
            self.counts.rows += 1
            last = row.number
            for answer in self._read(row):
                read += 1
                if read > self._most:
                    why = _("a file may have at most %(most)d answers") % {"most": self._most}
                    raise BrokenOff(row.number, why)
                self.counts.add(answer)
                yield answer
        self._check_places(last)

    def _read(self, row: Row) -> Iterator[Answer | LeftOut]:
        model = self._take_model(row.values)
        named = _Named(row, model, self._match(row, model))
        responses = self._list_responses(row)
        if fault := _find_fault(named, responses):
            yield fault
            return
        for position, response in enumerate(responses):
            yield self._take(named, response, position, len(responses))

    def _match(self, row: Row, model: str) -> str:
        """Return the id of the problem that a row answers; where that is not found, the row's."""
        given = take_id(self._find(row, self._map.id))
        problems = self._problems
        if problems is None or not self._map.ids or given in problems or row.fault:
            return given
        if self._map.ids == NUMBER:
            return problems.find_numbered(given) or given
        if self._map.ids == STATEMENT:
            return problems.find_stated(row.values) or given
        return self._match_place(row, model, given, problems.ids)

    def _match_place(self, row: Row, model: str, given: str, ids: Sequence[str]) -> str:
        places = self._places[model]
        number = take_number(given) if given else len(places)
        if self._first_place is None:
            self._first_place = number
        if number is None or self._first_place not in (0, 1):
            why = _("by the order of the task file, rows are numbered from 0 or from 1")
            raise BrokenOff(row.number, why)
        place = number - self._first_place
        if not 0 <= place < len(ids):
            why = _("the task file has only %(count)d problems") % {"count": len(ids)}
            raise BrokenOff(row.number, why)
        places.add(place)
        return ids[place]

    def _check_places(self, last: int) -> None:
        """Take no order for that of the task file where rows are missing."""
        wanted = len(self._problems.ids) if self._problems is not None else 0
        found = min((len(one) for one in self._places.values()), default=wanted)
        if found < wanted:
            why = _(
                "it has %(found)d of the %(count)d problems of the task file, so their order "
                "says nothing"
            ) % {"found": found, "count": wanted}
            raise BrokenOff(last, why)

    def _take(self, named: _Named, response: Any, position: int, count: int) -> Answer | LeftOut:
        if is_missing(response):
            return named.leave_out(Reason.EMPTY, _("no answer: counted as missing"))
        if not isinstance(response, str):
            return named.leave_out(Reason.NO_TEXT, _("its answer is not text"))
        if len(response) > LONGEST_RESPONSE:
            message = _("its answer is over a million characters")
            return named.leave_out(Reason.TOO_LONG, message)
        sample = self._number(named, position, count)
        if isinstance(sample, LeftOut):
            return sample
        row = named.row
        key = hash((named.model, named.id, sample))
        if key in self._first_rows:
            return named.leave_out(Reason.TWICE, self._say_twice(self._first_rows[key]))
        self._first_rows[key] = row.number
        return Answer(
            row=row.number,
            id=named.id,
            sample=sample,
            response=storable(response),
            model=named.model,
            finish_reason=take_name(self._find(row, self._map.finish_reason, position))[
                :LONGEST_REASON
            ],
            tokens=self._take_tokens(row, position, count),
            latency=take_seconds(self._find(row, self._map.latency), self._map.latency),
        )

    def _number(self, named: _Named, position: int, count: int) -> int | LeftOut:
        """Return which sample of its problem a response is, from 1."""
        given = self._find(named.row, self._map.sample)
        if is_missing(given):
            if self._map.sample or not self._map.is_in_order:
                return position + 1
            key = hash((named.model, named.id))
            self._given[key] += 1
            return self._given[key]
        if count > 1:
            message = _(
                "it has several responses but one sample number: choose no field for samples"
            )
            return named.leave_out(Reason.BAD_SAMPLE, message)
        first = self._map.samples_from
        number = take_number(given)
        if number is None or not 0 <= number - first < MOST_SAMPLES:
            message = _("its sample number is not an integer from %(first)d to %(last)d") % {
                "first": first,
                "last": first + MOST_SAMPLES - 1,
            }
            return named.leave_out(Reason.BAD_SAMPLE, message)
        return number - first + 1

    def _say_twice(self, first: int) -> str:
        if self._map.sample:
            return _("the same sample again (first in row %(row)d)") % {"row": first}
        return _(
            "the same id again (first in row %(row)d): choose the field that numbers the samples,"
            " or number them in their order"
        ) % {"row": first}

    def _take_model(self, values: Mapping[str, Any]) -> str:
        found = paths.find(values, self._map.model) if self._map.model else []
        return take_name(found[0] if found else None) or take_name(self._map.model_name)

    def _take_tokens(self, row: Row, position: int, count: int) -> int | None:
        # One number for several responses is of the whole call.
        if count > 1 and paths.EACH not in self._map.tokens:
            return None
        number = take_number(self._find(row, self._map.tokens, position))
        return number if number is not None and number >= 0 else None

    def _find(self, row: Row, path: str, position: int = 0) -> Any:
        """Return what stands at a path; of several, what belongs to the response here."""
        found = paths.find(row.values, path) if path else []
        return found[position if position < len(found) else 0] if found else None

    def _list_responses(self, row: Row) -> list[Any]:
        """List the responses of a row; at least an empty one."""
        empty: list[Any] = []
        for path in (self._map.response, self._map.otherwise):
            found = _flatten(path, paths.find(row.values, path)) if path else []
            if not all(map(is_missing, found)):
                return found
            empty = empty or found
        return empty or [None]


def _flatten(path: str, found: list[Any]) -> list[Any]:
    """Put the texts of lists in the place of the lists; a list of parts is one text."""
    responses: list[Any] = []
    for value in found:
        text = paths.join_parts(path, value)
        if text is None and isinstance(value, list):
            responses += value
        else:
            responses.append(value if text is None else text)
    return responses


def find_failure(values: Mapping[str, Any]) -> str:
    """
    Say why asking failed, as the row says it; "" where it says nothing of that kind.

    >>> find_failure({"error": {"message": "Timeout", "traceback": "..."}, "completion": "x"})
    'Timeout'
    >>> find_failure({"response": {"status_code": 429, "body": {}}}), find_failure({"error": 0.02})
    ('429', '')
    >>> find_failure({"status": "failed", "output": []}), find_failure({"status": "failed"})
    ('failed', '')
    """
    for path in ERRORS:
        for error in paths.find(values, path):
            if said := _read_error(error):
                return said
    for path, words in FAILURES:
        for word in paths.find(values, path):
            if isinstance(word, str | bool) and word in words:
                return path if isinstance(word, bool) else word
    for status in paths.find(values, "response.status_code"):
        if (take_number(status) or 0) >= HTTPStatus.BAD_REQUEST:
            return str(take_number(status))
    found = (one for path in RESPONSES for one in paths.find(values, path))
    return next(filter(None, map(_read_status, found)), "")


def _read_status(response: Any) -> str:
    """Say why a response of the Responses API has no answer, where its status alone says so."""
    if not isinstance(response, Mapping):
        return ""
    output, status = response.get("output"), response.get("status")
    is_of_items = isinstance(output, list) and all(isinstance(item, Mapping) for item in output)
    if not is_of_items and response.get("object") != "response":
        return ""
    # One that was cut off in thought or in its answer holds what a chat cut off would hold.
    if status in ("failed", "cancelled") or (status == "incomplete" and not output):
        details = response.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, Mapping) else None
        return take_name(reason)[:LONGEST_ERROR] or str(status)
    return ""


def _read_error(error: Any) -> str:
    if isinstance(error, Mapping):
        inner = (error.get(name) for name in ("message", "error", "code", "type"))
        said = next(filter(None, map(_read_error, inner)), "")
        return said or ("error" if error else "")
    text = take_name(error)[:LONGEST_ERROR]
    # A number is a figure of the harness: how far an answer is off, or how it scatters.
    return "" if text.lower() in NO_ERROR or _NUMBER.fullmatch(text) else text


def _find_fault(named: _Named, responses: list[Any]) -> LeftOut | None:
    if named.row.fault:
        return named.leave_out(Reason.NO_ROW, named.row.fault)
    if not named.id:
        return named.leave_out(Reason.NO_ID, _("it has no id"))
    if len(named.id) > LONGEST_ID:
        message = _("its id is longer than %(longest)d characters") % {"longest": LONGEST_ID}
        return named.leave_out(Reason.NO_ID, message)
    if failure := find_failure(named.row.values):
        message = _("not answered, because it failed: %(why)s") % {"why": failure}
        return named.leave_out(Reason.FAILED, message)
    # A call that failed often says nothing of its model, either.
    if not named.model and all(map(is_missing, responses)):
        return named.leave_out(Reason.EMPTY, _("no answer: counted as missing"))
    if not 0 < len(named.model) <= LONGEST_NAME:
        message = _("it has no model name of 1 to %(longest)d characters") % {
            "longest": LONGEST_NAME
        }
        return named.leave_out(Reason.NO_MODEL, message)
    if len(responses) > MOST_SAMPLES:
        return named.leave_out(Reason.BAD_SAMPLE, _("it has too many responses"))
    return None
