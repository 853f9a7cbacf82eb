"""
The process judge: how a solution fares beside the reference solution, in four scores.

The overall score is ours; what the judge calls its own is passed over.
"""

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from phybench_grader.judges.items import Item
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.kinds.kind import JudgeKind, Manner, Shown, Written, gettext_noop
from phybench_grader.judges.panel import join_ratings
from phybench_grader.judges.prompts import (
    Prompt,
    Variant,
    fill_capped,
)
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.json_objects import (
    find_object,
    is_placeholder,
    read_number,
    read_text,
)
from phybench_grader.judges.replies.reply import JudgeReply

WEIGHTS = {"answer": 0.5, "physics": 0.25, "mathematics": 0.15, "completeness": 0.1}
"""What each score contributes to the overall one."""
HIGHEST = 100.0
MIDDLE = 50.0
"""Of the score of the answer: below it for wrong answers, not for right ones."""


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


def read_process(
    reply: str | bytes | JudgeReply | None, *, token: str = ""
) -> Judgement[ProcessVerdict]:
    """
    Read the process judge's reply. Without all four scores there is no verdict.

    `token` is what its object has to bear, if one was asked for.

    >>> reply = '{"answer": 100, "physics": 90, "mathematics": 80, "completeness": 70}'
    >>> read_process(reply).verdict.overall
    91.5
    >>> read_process('{"answer": 100, "overall": 100}').reason.value
    'schema'
    """
    found = find_object(JudgeReply.of(reply), tuple(WEIGHTS), verdict=tuple(WEIGHTS), token=token)
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


# --- The kind -------------------------------------------------------------------------------


class Process(JudgeKind[ProcessVerdict]):
    code = "PROCESS"
    place = 3
    scale = (0.0, HIGHEST)
    field = "answer"
    metric = "process_score"

    name = gettext_noop("process judge")
    does = gettext_noop("Scores the whole solution from 0 to 100, beside the reference solution.")
    says = (gettext_noop("%(value)s of 100"),) * 2
    shown = (
        Shown("overall", gettext_noop("Overall, calculated by us")),
        Shown("answer", gettext_noop("Answer, 0 to 100")),
        Shown("physics", gettext_noop("Physics, 0 to 100")),
        Shown("mathematics", gettext_noop("Mathematics, 0 to 100")),
        Shown("completeness", gettext_noop("Completeness, 0 to 100")),
        Shown("comment", gettext_noop("Comment"), tells_key=True),
    )
    right_from = gettext_noop("and so does an answer score of 50 or more from the process judge")

    def list_needed(self, variant: Variant) -> frozenset[str]:
        return frozenset({"question", "reference_solution", "reference_answer", "solution"})

    def name_template(self, variant: Variant) -> str:
        return f"process.{variant.language}"

    def fill(self, item: Item, manner: Manner) -> Prompt | Reason:
        if not item.reference_solution.strip() or not item.reference.strip():
            return Reason.MISSING_REFERENCE
        values = {
            "question": item.question,
            "solution": item.response or "",
            "reference_solution": item.reference_solution,
            "reference_answer": item.reference,
        }
        return fill_capped(manner.template, values, {"solution"}, manner.max_candidate)

    def read(self, reply: JudgeReply, prompt: Prompt) -> Judgement[ProcessVerdict]:
        return read_process(reply, token=prompt.token)

    def join(
        self, voices: Sequence[Judgement[ProcessVerdict]], *, quorum: int
    ) -> Judgement[ProcessVerdict]:
        """Take the median of each score."""
        heard = [one.verdict for one in voices if one.verdict is not None]
        # How many were heard, why not, and the flags are as for ratings.
        counted = join_ratings(
            [one.map(lambda _verdict: Decimal(0)) for one in voices], quorum=quorum
        )
        return counted.map(
            lambda _zero: ProcessVerdict(
                **{
                    name: statistics.median(getattr(one, name) for one in heard) for name in WEIGHTS
                },
                comment=heard[0].comment,
            )
        )

    def write(self, verdict: ProcessVerdict) -> dict[str, Any]:
        return {**asdict(verdict), "overall": verdict.overall}

    def count(self, written: Written) -> float:
        return float(written["overall"])

    def says_right(self, written: Written) -> bool:
        return bool(written["answer"] >= MIDDLE)

    def measure_sureness(self, written: Written) -> float:
        """Measure how far the answer's score is from the one from which on it is right."""
        return float(abs(written["answer"] - MIDDLE) / MIDDLE)


KIND = Process()
