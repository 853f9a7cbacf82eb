"""What the records of a run come to, with what is missing said beside every figure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from grading.endpoints import Cost
from grading.judging.engine import canaries
from grading.judging.engine.records import Record, RecordStatus
from grading.judging.engine.steadiness import hear
from phybench_grader.judges import Judgement, measure_flips, summarise
from phybench_grader.judges.kinds import count
from phybench_grader.judges.kinds.kind import JudgeKind


def sum_up(
    kind: JudgeKind[Any],
    records: Sequence[Record],
    *,
    tried: Iterable[Record] = (),
    spent: Cost,
    config_hash: str,
    needs_empty_answers: bool = True,
) -> dict[str, Any]:
    """
    Sum up a run as one JSON object.

    `tried` are the records of its items of known verdict; `spent` is what all its calls have cost
    so far. What waits is among `records`, and so among what is missing.
    """
    tried = list(tried)
    lowest, highest = kind.scale
    summary = summarise(map(_judge, records), float, lowest=lowest, highest=highest)
    statuses = Counter(record.status for record in records)
    fared = canaries.tally(tried)
    empty = canaries.tally_empty_answers(tried, is_needed=needs_empty_answers)
    repeats = (said for record in records for said in hear(record.votes).values())
    flips = measure_flips([one.map(lambda found: found.value) for one in said] for said in repeats)
    return {
        "kind": str(kind),
        "config_hash": config_hash,
        "items": summary.total,
        **{status.value: statuses[status] for status in RecordStatus},
        "reasons": {reason.value: number for reason, number in summary.unscored.items()},
        "mean": summary.mean,
        "lowest_mean": summary.low,
        "highest_mean": summary.high,
        "scale": [lowest, highest],
        "coverage": summary.coverage,
        "covers_enough": summary.may_rank(),
        "may_rank": summary.may_rank() and empty.may_rank,
        "by_rule": sum(record.stage == "rule" and record.verdict is not None for record in records),
        "by_model": sum(
            record.stage == "model" and record.verdict is not None for record in records
        ),
        "needs_ruling": sum(bool(record.list_doubts()) for record in records),
        "flags": dict(Counter(flag for record in records for flag in record.flags).most_common()),
        "flip_rate": flips.value,
        "calls": spent.calls,
        "tokens": spent.tokens,
        "cost": f"{spent.money:f}",
        "estimated_calls": spent.estimated,
        "canaries": {
            "passed": fared.passed,
            "failed": fared.failed,
            "missing": fared.missing,
            "rate": fared.rate,
        },
        "empty_answers": {
            "outcome": empty.outcome.lower(),
            "all": empty.all,
            "passed": empty.passed,
            "accepted": list(empty.accepted),
            "missing": empty.missing,
        },
    }


def _judge(record: Record) -> Judgement[float]:
    if record.verdict is None:
        return Judgement(reason=record.reason)
    return Judgement(count(record.verdict))
