"""How the canaries of a run fared: items whose verdict is known, which try the judge itself."""

from collections import Counter
from collections.abc import Iterable

from grading.judges import CanaryTally
from grading.judges.kinds import of_verdict
from grading.judging.engine.records import Record


def has_passed(record: Record) -> bool | None:
    """
    Tell whether judges said of a canary what is known of it; None where they said nothing.

    Where several came to no common verdict, one that was wrong is enough: it fell for the canary.
    """
    if record.verdict is not None:
        return of_verdict(record.verdict).passes(record.key, record.verdict)
    said = [vote["verdict"] for vote in record.votes if vote.get("verdict") is not None]
    fell = any(not of_verdict(verdict).passes(record.key, verdict) for verdict in said)
    return False if fell else None


def tally(records: Iterable[Record]) -> CanaryTally:
    """Count how the canaries fared; one of which nothing was said neither passed nor failed."""
    fared = Counter(has_passed(record) for record in records)
    return CanaryTally(passed=fared[True], failed=fared[False], missing=fared[None])
