"""
How far a judge agrees with labels that people gave: over all, by domain and by length.

What the judge said nothing of is counted beside every figure, and never taken for a verdict. A
label that people are evenly split on is none.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.translation import gettext as _

from grading.judges.canaries import LEAST_OF_RIGHT, MIDDLE
from grading.judging.engine.records import Record
from grading.statistics.agreement import (
    Figure,
    bootstrap,
    cohen_kappa,
    count_errors,
    fleiss_kappa,
    percent_agreement,
    weighted_kappa,
)
from grading.statistics.metrics import FULL, Mean

SEED = 20251121
"""Of the intervals: one seed, so that the same files give the same figures."""
SAMPLES = 1_000
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

    @property
    def is_right(self) -> bool | None:
        """What most of them say; None where they are evenly split, or there is only a rating."""
        said = Counter(self.right)
        return None if said[True] == said[False] else said[True] > said[False]


def parse_labels(content: bytes) -> dict[str, Label]:
    """
    Read labels, one JSON object a line: `id`, `is_correct` or `rating`, and perhaps `domain`.

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
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise BadLabels(
                _(
                    "Line %(line)d: write an object with “id”, and with “is_correct” (true, false"
                    " or a list of them) or “rating” (a number)."
                )
                % {"line": number}
            ) from None
        if key in labels:
            raise BadLabels(
                _("Line %(line)d: %(id)s has a label already.") % {"line": number, "id": key}
            )
        labels[key] = label
    if not labels:
        raise BadLabels(_("This file holds no labels."))
    return labels


def _read_label(row: Mapping[str, Any]) -> tuple[str, Label]:
    key, domain = row["id"], row.get("domain") or ""
    given, rating = row.get("is_correct"), row.get("rating")
    right = given if isinstance(given, list) else [] if given is None else [given]
    number = None
    if isinstance(rating, int | float) and not isinstance(rating, bool):
        number = float(rating)
    if not all(isinstance(one, bool) for one in right) or (not right and number is None):
        raise ValueError(given)
    if not isinstance(key, int | str) or isinstance(key, bool) or not isinstance(domain, str):
        raise TypeError(key)
    return str(key), Label(tuple(right), number, domain)


def says_right(verdict: Mapping[str, Any]) -> bool | None:
    """
    Tell whether a verdict takes the answer for right: where there is a scale, from its middle on.

    >>> says_right({"rating": 6.0}), says_right({"answer": 49.0}), says_right({"preferred": "tie"})
    (True, False, None)
    """
    if "is_correct" in verdict:
        return verdict["is_correct"] is True
    if "rating" in verdict:
        return bool(verdict["rating"] >= LEAST_OF_RIGHT)
    return bool(verdict["answer"] >= MIDDLE) if "answer" in verdict else None


@dataclass(frozen=True, slots=True)
class Ruled:
    """One item that has a label, with what the judge said of it; None where it said nothing."""

    key: str
    label: Label
    said: bool | None
    rating: float | None
    length: int | None

    @property
    def is_contradicted(self) -> bool:
        truth = self.label.is_right
        return self.said is not None and truth is not None and self.said is not truth


def pair_up(
    records: Iterable[Record], labels: Mapping[str, Label], lengths: Mapping[str, int]
) -> list[Ruled]:
    """Set each labelled item beside its judgement; what has none is there as missing."""
    verdicts = {record.key: record.verdict or {} for record in records}
    return [
        Ruled(
            key,
            label,
            says_right(verdicts.get(key, {})),
            verdicts.get(key, {}).get("rating"),
            lengths.get(key),
        )
        for key, label in labels.items()
    ]


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
    decided = [(one.said, one.label.is_right) for one in ruled if one.label.is_right is not None]
    pairs = [(said, truth) for said, truth in decided if said is not None and truth is not None]
    errors = count_errors(pairs)
    agreeing = errors.true_accepts + errors.true_rejects
    missing = len(decided) - len(pairs)
    rated = [
        (one.rating, one.label.rating)
        for one in ruled
        if one.rating is not None and one.label.rating is not None
    ]
    return {
        "labelled": len(ruled),
        "split": sum(bool(one.label.right) and one.label.is_right is None for one in ruled),
        "judged": len(pairs),
        "missing": missing,
        "agreement": _write_share(agreeing, len(pairs)),
        # Where it would lie if all that is missing were against people, or with them.
        "bounds": [FULL * n / len(decided) for n in (agreeing, agreeing + missing)]
        if decided
        else None,
        "kappa": _write_figure(pairs, cohen_kappa),
        "false_accepts": _write_share(
            errors.false_accepts, errors.false_accepts + errors.true_rejects
        ),
        "false_rejects": _write_share(
            errors.false_rejects, errors.false_rejects + errors.true_accepts
        ),
        "prevalence": errors.prevalence,
        "ratings": {
            "same": percent_agreement(rated).value,
            "weighted_kappa": _write_figure(rated, weighted_kappa),
        },
    }


def _write_share(part: int, whole: int) -> dict[str, Any]:
    mean = Mean.of_right_or_wrong([FULL] * part + [0.0] * (whole - part))
    return {"value": mean.value, "low": mean.low, "high": mean.high, "count": whole}


def _write_figure(
    pairs: Sequence[tuple[Any, Any]], figure: Callable[[Sequence[tuple[Any, Any]]], Figure]
) -> dict[str, Any]:
    found = figure(pairs)
    drawn = bootstrap(pairs, lambda some: figure(some).value, seed=SEED, samples=SAMPLES)
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
