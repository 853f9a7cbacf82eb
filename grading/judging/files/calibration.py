"""
How far a judge agrees with labels that people gave: over all, by domain and by length.

What the judge said nothing of is counted beside every figure, and never taken for a verdict. A
label that people are evenly split on is none.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from django.utils.translation import gettext as _
from pydantic import BaseModel, BeforeValidator, ConfigDict

from grading.judging.engine.calibration import SEED, compare
from grading.judging.engine.records import Record
from phybench_grader.judges.kinds import says_right
from phybench_grader.statistics.agreement import (
    Figure,
    Interval,
    bootstrap,
    fleiss_kappa,
    percent_agreement,
    weighted_kappa,
)
from phybench_grader.statistics.metrics import Mean

SAMPLES = 1_000
MOST_RATING = 10**6
"""No scale of people's ratings reaches so far."""
SLICES = 3
"""How many parts the items are divided in by the length of what was judged."""


class BadLabels(Exception):
    """A file of labels that can't be taken; the message names the line and says what to do."""


@dataclass(frozen=True, slots=True)
class Label:
    """What people say of one item."""

    right: tuple[bool, ...] = ()
    """Whether it is right, one for each person."""
    rating: float | None = None
    domain: str = ""
    problem: str = ""

    @property
    def is_right(self) -> bool | None:
        """What most of them say; None where they are evenly split, or there is only a rating."""
        said = Counter(self.right)
        return None if said[True] == said[False] else said[True] > said[False]


def parse_labels(content: bytes) -> dict[str, Label]:
    """
    Read labels, one JSON object a line: `id`, `is_correct` or `rating`; also `domain`, `problem`.

    `is_correct` may be a list, one for each person. Records of a judge are labels as well, where
    they have a verdict: so two judges, or two versions of the rules, are compared.

    Raises:
        BadLabels: naming the line.
    """
    labels: dict[str, Label] = {}
    try:
        lines = content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise BadLabels(_("This is not a text file in UTF-8. Save it as JSON lines.")) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if "verdict" in row and row["verdict"] is None:
                continue
            key, label = _read_label({**row, **row.get("verdict", {})})
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise BadLabels(
                _(
                    "Line %(line)d: write an object with “id”, and with “is_correct” (true, false"
                    " or a list of them) or “rating” (a number)."
                )
                % {"line": number}
            ) from None
        if key in labels:
            raise BadLabels(
                _("Line %(line)d: %(id)s already has a label.") % {"line": number, "id": key}
            )
        labels[key] = label
    if not labels:
        raise BadLabels(_("This file contains no labels."))
    return labels


def _as_list(given: object) -> object:
    return given if isinstance(given, list) else [given]


class _Row(BaseModel):
    """One line of the file. What else stands there is nobody's concern."""

    model_config = ConfigDict(strict=True)

    id: int | str
    is_correct: Annotated[list[bool], BeforeValidator(_as_list)] = []
    rating: Any = None
    domain: str = ""
    problem: int | str = ""


def _read_label(given: Mapping[str, Any]) -> tuple[str, Label]:
    row = _Row.model_validate({name: one for name, one in given.items() if one is not None})
    is_number = isinstance(row.rating, int | float) and not isinstance(row.rating, bool)
    # Neither Infinity nor what no float holds; NaN is not below either.
    if is_number and not abs(row.rating) < MOST_RATING:
        raise ValueError(given)
    if not row.is_correct and not is_number:
        raise ValueError(given)
    rating = float(row.rating) if is_number else None
    return str(row.id), Label(tuple(row.is_correct), rating, row.domain, str(row.problem))


@dataclass(frozen=True, slots=True)
class Judged:
    """What is to be known of an item beside its label."""

    length: int
    """Characters that were judged."""
    question: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """One item that has a label, with what the judge said of it; None where it said nothing."""

    key: str
    label: Label
    said: bool | None
    rating: float | None
    length: int | None
    record: Record | None = None
    problem: str = ""
    """As its label names it, else its question, else the item itself."""

    @property
    def is_contradicted(self) -> bool:
        truth = self.label.is_right
        return self.said is not None and truth is not None and self.said is not truth


def pair_up(
    records: Iterable[Record], labels: Mapping[str, Label], items: Mapping[str, Judged]
) -> list[Ruled]:
    """Set each labelled item beside its judgement; what has none is there as missing."""
    by_key = {record.key: record for record in records}
    ruled = []
    for key, label in labels.items():
        record = by_key.get(key)
        verdict = record.verdict if record else None
        said = None if verdict is None else says_right(verdict)
        rating = None if verdict is None else verdict.get("rating")
        item = items.get(key)
        problem = label.problem or (item.question if item else "") or key
        length = item.length if item else None
        ruled.append(Ruled(key, label, said, rating, length, record, problem))
    return ruled


def calibrate(ruled: Sequence[Ruled]) -> dict[str, Any]:
    """Compare over all, by domain and by length, as one JSON object."""
    domains = sorted({one.label.domain for one in ruled} - {""})
    return {
        "all": _compare(ruled),
        # Where it said one thing and people the other: to be looked at.
        "differ": [one.key for one in ruled if one.is_contradicted],
        "people": asdict(_compare_people(ruled)),
        "by_domain": {
            name: _compare([one for one in ruled if one.label.domain == name]) for name in domains
        },
        "by_length": dict(_slice_by_length(ruled)),
    }


def _compare(ruled: Sequence[Ruled]) -> dict[str, Any]:
    found = compare((one.said, truth) for one in ruled if (truth := one.label.is_right) is not None)
    rated = [
        (one.rating, one.label.rating)
        for one in ruled
        if one.rating is not None and one.label.rating is not None
    ]
    return {
        "labelled": len(ruled),
        "split": sum(bool(one.label.right) and one.label.is_right is None for one in ruled),
        "judged": len(found.pairs),
        "missing": found.missing,
        "agreement": _write_mean(found.agreement),
        "bounds": found.bounds,
        "kappa": _write_figure(found.kappa, found.find_kappa_interval(samples=SAMPLES)),
        "false_accepts": _write_mean(found.false_accepts),
        "false_rejects": _write_mean(found.false_rejects),
        "prevalence": found.errors.prevalence,
        "ratings": {
            "same": percent_agreement(rated).value,
            "weighted_kappa": _write_figure(
                weighted_kappa(rated),
                bootstrap(
                    rated, lambda drawn: weighted_kappa(drawn).value, seed=SEED, samples=SAMPLES
                ),
            ),
        },
    }


def _write_mean(mean: Mean) -> dict[str, Any]:
    return {"value": mean.value, "low": mean.low, "high": mean.high, "count": mean.count}


def _write_figure(found: Figure, drawn: Interval) -> dict[str, Any]:
    return {"value": found.value, "low": drawn.low, "high": drawn.high, "count": found.count}


def _compare_people(ruled: Sequence[Ruled]) -> Figure:
    """Say how far people agree with each other, over the items that most of them have labelled."""
    numbers = Counter(len(one.label.right) for one in ruled if len(one.label.right) > 1)
    if not numbers:
        return Figure(None, 0)
    [(usual, _count)] = numbers.most_common(1)
    table = [
        [one.label.right.count(True), one.label.right.count(False)]
        for one in ruled
        if len(one.label.right) == usual
    ]
    return fleiss_kappa(table)


def _slice_by_length(ruled: Sequence[Ruled]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Divide into parts of about equal number by length; those of one length stay together."""
    known = [(one.length, one) for one in ruled if one.length is not None]
    lengths = sorted(length for length, _one in known)
    parts: dict[int, list[Ruled]] = {}
    bounds: dict[int, list[int]] = {}
    for length, one in sorted(known, key=lambda pair: pair[0]):
        part = bisect_left(lengths, length) * SLICES // len(lengths)
        parts.setdefault(part, []).append(one)
        bounds.setdefault(part, []).append(length)
    for part, some in parts.items():
        yield f"{bounds[part][0]}-{bounds[part][-1]}", _compare(some)
