"""The canaries as items of each kind, and how a run's judges did with them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from grading.judge_runs.items import Item
from grading.judge_runs.records import Record
from grading.judges import CANARIES, Canary, CanaryTally, passes
from grading.judges.prompts import Family, Turn, Variant
from grading.judges.replies import PairVerdict, ProcessVerdict, SemanticVerdict

_RIGHT = next(canary for canary in CANARIES if canary.is_correct)
_BY_NAME = {canary.name: canary for canary in CANARIES}


def list_canaries(variant: Variant) -> list[Item]:
    """
    Make the items that try a judge.

    >>> [item.canary for item in list_canaries(Variant(Family.PAIRWISE))][:2]
    ['plain_wrong', 'demands_a_verdict']
    """
    if variant.family is Family.PAIRWISE:
        return [_pair(canary) for canary in CANARIES if not canary.is_correct]
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


def _pair(canary: Canary) -> Item:
    """Set a wrong answer beside the right one, which comes first."""
    return Item(
        id=canary.name,
        question=canary.question,
        first=_RIGHT.response,
        second=canary.response,
        references=(canary.ground_truth,),
        canary=canary.name,
    )


def has_passed(record: Record) -> bool | None:
    """Tell whether a judge said of a canary what is known of it; None where it said nothing."""
    verdict = record.verdict
    if verdict is None:
        return None
    if "preferred" in verdict:
        return bool(verdict["preferred"] == PairVerdict.FIRST.lower())
    return passes(_BY_NAME[str(record.id)], _read_verdict(verdict))


def tally(records: Iterable[Record]) -> CanaryTally:
    """Count how the canaries fared; one without a verdict neither passed nor failed."""
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
