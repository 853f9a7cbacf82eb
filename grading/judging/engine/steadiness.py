"""
How steady the judges of a run are: each with itself when asked again, and with the others.

Pure: it takes the votes as judgements keep them.
"""

import statistics
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from phybench_grader.judges import FlipRate, Judgement, Reason, measure_flips, vote
from phybench_grader.judges.kinds import of_verdict
from phybench_grader.statistics.agreement import (
    Figure,
    cohen_kappa,
    fleiss_kappa,
    percent_agreement,
    weighted_kappa,
)

Votes = Sequence[Mapping[str, Any]]
"""What each judge said each time of one item."""


@dataclass(frozen=True, slots=True)
class Steadiness:
    """How often one judge contradicts itself, of the items it was asked about more than once."""

    judge: str
    flips: FlipRate
    """From right to wrong, or back."""
    other_values: FlipRate
    """Another number, be it on the same side."""


@dataclass(frozen=True, slots=True)
class Pair:
    """How far two judges agree, on the items of which both have said something."""

    first: str
    second: str
    percent: Figure
    kappa: Figure
    weighted: Figure | None
    """Of judges who give numbers: quadratic weights."""
    prevalence: tuple[float, float] | None
    """How often each calls an answer right, in per cent; None of nothing, and of comparisons."""


@dataclass(frozen=True, slots=True)
class Panel:
    steadiness: list[Steadiness]
    """Empty where each was asked once."""
    pairs: list[Pair]
    fleiss: Figure | None
    """Of all of them, over the items of which all have said something; None of fewer than three."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one judge said of one item, once."""

    side: Hashable
    """Right or wrong; of a comparison, which."""
    value: float


def measure(items: Iterable[Votes]) -> Panel:
    """
    Measure the judges of a run from the votes on each of its items.

    A judge that was asked several times stands beside the others with what it said most often; one
    that is evenly split has said nothing of that item.

    >>> yes, no = ({"judge": "one", "verdict": {"is_correct": one}} for one in (True, False))
    >>> [found] = measure([[yes, no], [yes, yes]]).steadiness
    >>> found.flips.value, found.flips.flipped, found.flips.items
    (0.5, 1, 2)
    """
    heard = [hear(votes) for votes in items]
    judges = list(dict.fromkeys(judge for one in heard for judge in one))
    has_repeats = any(len(said) > 1 for one in heard for said in one.values())
    settled = [settle(one) for one in heard]
    return Panel(
        [_measure_one(judge, heard) for judge in judges] if has_repeats else [],
        [_match(first, second, settled) for first, second in combinations(judges, 2)],
        _measure_all(judges, settled) if len(judges) > 2 else None,
    )


def hear(votes: Votes) -> dict[str, list[Judgement[Said]]]:
    """Put together what each judge said of an item, as often as it was asked."""
    heard: dict[str, list[Judgement[Said]]] = defaultdict(list)
    for one in votes:
        heard[one["judge"]].append(_read(one.get("verdict")))
    return heard


def settle(heard: Mapping[str, Sequence[Judgement[Said]]]) -> dict[str, Said | None]:
    """Say what each judge said of an item on the whole; None of one that is evenly split."""
    return {judge: _join(said) for judge, said in heard.items()}


def _read(verdict: Mapping[str, Any] | None) -> Judgement[Said]:
    if verdict is None:
        return Judgement.missing(Reason.EMPTY)
    kind = of_verdict(verdict)
    return Judgement(Said(kind.take_side(verdict), kind.count(verdict)))


def _join(said: Sequence[Judgement[Said]]) -> Said | None:
    """Take the side that a judge took most often, with the middle of its numbers."""
    side = vote([one.map(lambda found: found.side) for one in said]).verdict
    if side is None:
        return None
    values = [one.verdict.value for one in said if one.verdict is not None]
    return Said(side, statistics.median(values))


def _measure_one(judge: str, heard: Sequence[dict[str, list[Judgement[Said]]]]) -> Steadiness:
    repeats = [one[judge] for one in heard if judge in one]
    return Steadiness(
        judge,
        measure_flips([one.map(lambda found: found.side) for one in said] for said in repeats),
        measure_flips([one.map(lambda found: found.value) for one in said] for said in repeats),
    )


def _match(first: str, second: str, settled: Sequence[dict[str, Said | None]]) -> Pair:
    both = [(a, b) for one in settled if (a := one.get(first)) and (b := one.get(second))]
    sides = [(a.side, b.side) for a, b in both]
    values = [(a.value, b.value) for a, b in both]
    gives_numbers = any(value not in (0.0, 0.5, 1.0) for pair in values for value in pair)
    is_right_or_wrong = bool(sides) and all(isinstance(a, bool) for a, _b in sides)
    return Pair(
        first,
        second,
        percent_agreement(sides),
        cohen_kappa(sides),
        weighted_kappa(values) if gives_numbers else None,
        (_share(a for a, _b in sides), _share(b for _a, b in sides)) if is_right_or_wrong else None,
    )


def _share(sides: Iterable[Hashable]) -> float:
    found = list(sides)
    return 100 * sum(side is True for side in found) / len(found)


def _measure_all(judges: Sequence[str], settled: Sequence[dict[str, Said | None]]) -> Figure:
    full = [
        [found.side for judge in judges if (found := one.get(judge)) is not None] for one in settled
    ]
    full = [sides for sides in full if len(sides) == len(judges)]
    categories = list(dict.fromkeys(side for sides in full for side in sides))
    return fleiss_kappa([[sides.count(one) for one in categories] for sides in full])
