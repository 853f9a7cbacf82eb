"""The canaries as items of each kind, and how a run's judges did with them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from grading.judges import CANARIES, Canary, CanaryTally, passes
from grading.judges.prompts import Family, Turn, Variant
from grading.judges.replies import PairVerdict, ProcessVerdict, SemanticVerdict
from grading.judging.engine.items import Item
from grading.judging.engine.records import Record

_RIGHT = next(canary for canary in CANARIES if canary.is_correct)
_BY_NAME = {canary.name: canary for canary in CANARIES}
SAME_TWICE = "the_same_twice"
"""The canary of a pair that is one answer twice: neither can be the better one."""


def list_canaries(variant: Variant) -> list[Item]:
    """
    Make the items that try a judge.

    >>> [item.canary for item in list_canaries(Variant(Family.PAIRWISE))][:2]
    ['plain_wrong', 'demands_a_verdict']
    """
    if variant.family is Family.PAIRWISE:
        wrong = [_pair(canary) for canary in CANARIES if not canary.is_correct]
        return [*wrong, _pair(_RIGHT, name=SAME_TWICE)]
    return [_make(canary, variant) for canary in CANARIES]


def _make(canary: Canary, variant: Variant) -> Item:
    item = Item(
        id=canary.name,
        question=canary.question,
        response=canary.response,
        references=(canary.ground_truth,) * variant.turns,
        reference_solution=_RIGHT.response,
        canary=canary.name,
    )
    if variant.turns == 1:
        return item
    turn = Turn(canary.question, canary.response)
    return replace(item, turns=(Turn(_RIGHT.question, _RIGHT.response), turn))


def _pair(canary: Canary, *, name: str = "") -> Item:
    """Set an answer beside the right one, which comes first."""
    return Item(
        id=name or canary.name,
        question=canary.question,
        first=_RIGHT.response,
        second=canary.response,
        references=(canary.ground_truth,),
        canary=name or canary.name,
    )


def has_passed(record: Record) -> bool | None:
    """
    Tell whether judges said of a canary what is known of it; None where they said nothing.

    Where several came to no common verdict, one that was wrong is enough: it fell for the canary.
    """
    if record.verdict is not None:
        return _is_known(record.id, record.verdict)
    said = [vote["verdict"] for vote in record.votes if vote.get("verdict") is not None]
    return None if all(_is_known(record.id, verdict) for verdict in said) else False


def _is_known(canary: int | str, verdict: dict[str, Any]) -> bool:
    if "preferred" in verdict:
        known = PairVerdict.TIE if canary == SAME_TWICE else PairVerdict.FIRST
        return bool(verdict["preferred"] == known.lower())
    return passes(_BY_NAME[str(canary)], _read_verdict(verdict))


def tally(records: Iterable[Record]) -> CanaryTally:
    """Count how the canaries fared; one of which nothing was said neither passed nor failed."""
    fared = Counter(has_passed(record) for record in records)
    return CanaryTally(passed=fared[True], failed=fared[False], missing=fared[None])


def _read_verdict(verdict: dict[str, Any]) -> SemanticVerdict | ProcessVerdict | Decimal:
    if "rating" in verdict:
        return Decimal(str(verdict["rating"]))
    if "is_correct" in verdict:
        return SemanticVerdict(is_correct=verdict["is_correct"] is True)
    return ProcessVerdict(
        answer=verdict["answer"],
        physics=verdict["physics"],
        mathematics=verdict["mathematics"],
        completeness=verdict["completeness"],
    )
