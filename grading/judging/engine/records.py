"""What is kept of a judged item: one JSON object, with a verdict or a reason, never both."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from phybench_grader.judges import Effect, Flag, Judgement, Reason, Retry, RuleVerdict
from phybench_grader.judges.kinds import KINDS, of_verdict
from phybench_grader.judges.kinds.kind import JudgeKind


class RecordStatus(StrEnum):
    """How far the work on an item got."""

    SCORED = "scored"
    UNSCORED = "unscored"
    """A judge was asked, and there is no verdict."""
    SKIPPED = "skipped"
    """Something is lacking that a judge needs."""
    PENDING = "pending"
    """The run was stopped before, for a reason that is not the item's."""


STATUSES = {
    Effect.UNSCORED: RecordStatus.UNSCORED,
    Effect.SKIPPED: RecordStatus.SKIPPED,
    Effect.PENDING: RecordStatus.PENDING,
    Effect.PAUSE_ENDPOINT: RecordStatus.PENDING,
    Effect.FAIL_RUN: RecordStatus.PENDING,
}
SPOKEN = frozenset({Reason.POSITION_INCONSISTENT, Reason.NO_CONSENSUS})
"""
Reasons by which a judge has said what it has to say. Asking again until it says something else
would be choosing its verdict.
"""
DOUBTFUL_FLAGS = frozenset({Flag.INJECTION_SUSPECTED, Flag.INCONSISTENT, Flag.STAGES_DISAGREE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What became of one item. Its fields are those of the output's objects."""

    id: int | str
    kind: str
    metric: str = ""
    """What the kind's values are called among other metrics."""
    higher_is_better: bool | None = True
    """None of a pair, of whose answers a higher value favours the first."""
    status: RecordStatus
    verdict: dict[str, Any] | None = None
    stage: str | None = None
    """Whose word the verdict is: the rules' or a model's."""
    rule: dict[str, Any] | None = None
    """What the rules said, by which of them, and where in the response."""
    path: str = ""
    """How the verdict was read."""
    flags: tuple[str, ...] = ()
    unscored_reason: str | None = None
    message: str = ""
    votes: tuple[dict[str, Any], ...] = ()
    """What each judge said each time, where there are several."""
    attempts: int = 0
    calls: int = 0
    tokens: int = 0
    cost: str = "0"
    """In the currency of the prices, as a decimal number."""
    estimated_calls: int = 0
    """Of the calls, those whose tokens were guessed."""
    seconds: float = 0.0
    input_hash: str = ""
    config_hash: str = ""
    versions: dict[str, str] | None = None

    def __post_init__(self) -> None:
        if (self.verdict is None) == (self.unscored_reason is None):
            raise ValueError("a record has a verdict or a reason, and not both")

    def to_json(self) -> dict[str, Any]:
        """Write it as an object; a verdict that returns the id has that of the item."""
        row = asdict(self)
        if self.verdict is not None and of_verdict(self.verdict).returns_id:
            row["verdict"] = {"id": self.id, **self.verdict}
        return row

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> "Record":
        """Take back what `to_json` gave; `ValueError` or `TypeError` if it is not that."""
        verdict = row.get("verdict")
        if verdict is not None:
            # It is the record's, which has it already.
            verdict = {name: value for name, value in verdict.items() if name != "id"}
        record = cls(
            **{
                **row,
                "verdict": verdict,
                "status": RecordStatus(row.get("status", "")),
                "flags": tuple(row.get("flags", ())),
                "votes": tuple(row.get("votes", ())),
            }
        )
        if record.unscored_reason is not None:
            Reason(record.unscored_reason)
        return record

    @property
    def key(self) -> str:
        return str(self.id)

    @property
    def reason(self) -> Reason | None:
        return None if self.unscored_reason is None else Reason(self.unscored_reason)

    def list_doubts(self) -> list[str]:
        """List why a person should look at it, by codes."""
        kind = KINDS[self.kind.upper()]
        return list_doubts(kind, flags=self.flags, reason=self.unscored_reason, votes=self.votes)

    @property
    def is_finished(self) -> bool:
        """Tell whether a resumed run leaves the item alone."""
        return self.status is RecordStatus.SCORED or self.reason in SPOKEN


def list_doubts(
    kind: JudgeKind[Any],
    *,
    flags: Iterable[str],
    reason: str | None,
    votes: Iterable[Mapping[str, Any]],
) -> list[str]:
    """
    List why a person should look at what judges said of an item, by codes; empty if none need to.

    A judge that was heard and gave no verdict is for a person. Nobody rules on what compares two
    answers, so there its run shows the reason.
    """
    doubts = [flag for flag in flags if flag in DOUBTFUL_FLAGS]
    if reason and not kind.compares and _is_for_a_person(Reason(reason)):
        doubts.append(reason)
    heard = [vote["verdict"] for vote in votes if vote.get("verdict") is not None]
    if len({of_verdict(verdict).take_side(verdict) for verdict in heard}) > 1:
        doubts.append("VOTES_DISAGREE")
    return doubts


def _is_for_a_person(reason: Reason) -> bool:
    is_unreadable = reason.rule.retry is Retry.REMINDED
    return is_unreadable or reason in SPOKEN or reason is Reason.UNDECIDED


def tell_outcome(judgement: Judgement[Any]) -> dict[str, Any]:
    """Write a judgement without its verdict: status, reason, flags and how it was read."""
    reason = judgement.reason
    return {
        "status": RecordStatus.SCORED if reason is None else STATUSES[reason.rule.effect],
        "unscored_reason": None if reason is None else reason.value,
        "message": "" if reason is None else reason.message,
        "flags": tuple(sorted(judgement.flags)),
        "path": judgement.path,
    }


def tell_rule(rule: RuleVerdict | None) -> dict[str, Any] | None:
    """Write what the rules said, with the place in the response."""
    if rule is None:
        return None
    return {
        "outcome": rule.outcome.lower(),
        "type": rule.kind.lower(),
        "rule": rule.rule,
        "reason": rule.reason,
        "extracted": rule.extracted,
        "start": rule.start,
        "end": rule.end,
    }


def tell_halt(reason: Reason) -> dict[str, Any]:
    """Write that an item waits, whatever the reason: it is the run's, not the item's."""
    return {**tell_outcome(Judgement.missing(reason)), "status": RecordStatus.PENDING}
