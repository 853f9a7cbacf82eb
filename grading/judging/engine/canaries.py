"""How a run's items of known verdict fared: traps for the judge, and answers that hold nothing."""

from collections import Counter
from collections.abc import Iterable

from grading.judging.engine.records import Record
from phybench_grader.judges import CanaryTally
from phybench_grader.judges.empty_answers import EmptyTally, is_empty_answer, tally_empty
from phybench_grader.judges.kinds import of_verdict


def has_passed(record: Record) -> bool | None:
    """
    Tell whether judges said of a canary what is known of it; None where they said nothing.

    Where several came to no common verdict, one that was wrong is enough: it fell for the canary.
    An empty answer that one of several took for right was accepted, whatever the others said.
    """
    said = [vote["verdict"] for vote in record.votes if vote.get("verdict") is not None]
    if is_empty_answer(record.key):
        if any(of_verdict(one).says_right(one) for one in [*said, record.verdict] if one):
            return False
        return None if record.verdict is None else True
    if record.verdict is not None:
        return of_verdict(record.verdict).passes(record.key, record.verdict)
    fell = any(not of_verdict(verdict).passes(record.key, verdict) for verdict in said)
    return False if fell else None


def tally(records: Iterable[Record]) -> CanaryTally:
    """Count how the canaries fared; one of which nothing was said neither passed nor failed."""
    fared = Counter(has_passed(record) for record in records if not is_empty_answer(record.key))
    return CanaryTally(passed=fared[True], failed=fared[False], missing=fared[None])


def tally_empty_answers(records: Iterable[Record], *, is_needed: bool) -> EmptyTally:
    """Count how the empty answers fared; one of which nothing was said is missing."""
    found = [(one.key, has_passed(one)) for one in records if is_empty_answer(one.key)]
    return tally_empty(found, is_needed=is_needed)
