"""
Reading the process judge's reply: four scores from 0 to 100, of which we compute the overall one.

What the judge may call an overall score itself is passed over.
"""

from dataclasses import dataclass

from grading.judges.judgement import Flag, Judgement
from grading.judges.reasons import Reason
from grading.judges.replies.json_objects import (
    find_object,
    is_placeholder,
    read_number,
    read_text,
)
from grading.judges.replies.reply import Reply

WEIGHTS = {"answer": 0.5, "physics": 0.25, "mathematics": 0.15, "completeness": 0.1}
"""What each score contributes to the overall one."""
HIGHEST = 100.0


@dataclass(frozen=True, slots=True)
class ProcessVerdict:
    """
    How a solution fares beside the reference solution, each from 0 to 100.

    >>> ProcessVerdict(answer=100, physics=80, mathematics=60, completeness=40).overall
    83.0
    """

    answer: float
    physics: float
    mathematics: float
    completeness: float
    comment: str = ""

    @property
    def overall(self) -> float:
        """The weighted mean of the four."""
        scores = (self.answer, self.physics, self.mathematics, self.completeness)
        weighted = (score * weight for score, weight in zip(scores, WEIGHTS.values(), strict=True))
        return round(sum(weighted), 6)


def read_process(reply: str | bytes | Reply | None) -> Judgement[ProcessVerdict]:
    """
    Read the process judge's reply. Without all four scores there is no verdict.

    >>> reply = '{"answer": 100, "physics": 90, "mathematics": 80, "completeness": 70}'
    >>> read_process(reply).verdict.overall
    91.5
    >>> read_process('{"answer": 100, "overall": 100}').reason.value
    'schema'
    """
    found = find_object(Reply.of(reply), tuple(WEIGHTS), verdict=tuple(WEIGHTS))
    if isinstance(found, Reason):
        return Judgement.missing(found)
    if is_placeholder(found.fields.get("comment")):
        return Judgement.missing(Reason.NO_VERDICT, path=found.path)
    flags = set(found.flags)
    scores: dict[str, float] = {}
    for name in WEIGHTS:
        given = found.fields.get(name)
        number = read_number(given)
        if number is None:
            is_number = isinstance(given, int | float) and not isinstance(given, bool)
            reason = Reason.OUT_OF_RANGE if is_number else Reason.SCHEMA
            return Judgement.missing(reason, *flags, path=found.path)
        scores[name], is_coerced = number
        if is_coerced:
            flags.add(Flag.COERCED)
        if not 0 <= scores[name] <= HIGHEST:
            return Judgement.missing(Reason.OUT_OF_RANGE, *flags, path=found.path)
    if any(key.startswith("overall") for key in found.fields):
        flags.add(Flag.OVERALL_IGNORED)
    verdict = ProcessVerdict(**scores, comment=read_text(found.fields.get("comment")))
    return Judgement(verdict=verdict, flags=frozenset(flags), path=found.path)
