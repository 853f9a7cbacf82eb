"""
The pairwise judge: which of two solutions is better.

Judges lean towards a place, so each pair is asked twice with the solutions exchanged. Only what the
judge says in both orders is its verdict.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from phybench_grader.judges.canaries import CANARIES, RIGHT_ONES, Canary
from phybench_grader.judges.items import Item
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.kinds.kind import (
    Ask,
    Hear,
    JudgeKind,
    Manner,
    Shown,
    Written,
    gettext_noop,
)
from phybench_grader.judges.panel import vote
from phybench_grader.judges.prompts import (
    Prompt,
    PromptLanguage,
    Variant,
    fill_capped,
)
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.brackets import find_verdict, list_verdicts
from phybench_grader.judges.replies.reply import JudgeReply

SAME_TWICE = "the_same_twice"
"""The canary that is one answer twice: neither can be the better one."""

_RIGHT_ONE = RIGHT_ONES[PromptLanguage.ENGLISH]


class Preference(StrEnum):
    """Which solution one reply prefers, by its place in the prompt."""

    A = "A"
    B = "B"
    TIE = "TIE"


class PairVerdict(StrEnum):
    """Which of two solutions is better, whatever the order they were shown in."""

    FIRST = "FIRST"
    SECOND = "SECOND"
    TIE = "TIE"


def read_preference(
    reply: str | bytes | JudgeReply | None, prompt: Prompt | None = None
) -> Judgement[Preference]:
    """
    Read the preference that a reply to a prompt ends with: `[[A]]`, `[[B]]` or `[[tie]]`.

    >>> read_preference("B has a sign wrong. [[A]]").verdict.value
    'A'
    >>> read_preference("[[A]] or [[perhaps]]").reason.value
    'no_verdict'
    """
    reply = JudgeReply.of(reply)
    text = reply.find_text()
    if isinstance(text, Reason):
        return Judgement.missing(text)
    if reply.is_cut_off:
        return Judgement.missing(Reason.TRUNCATED)
    standing = list_verdicts(prompt.data, _read_bracket) if prompt else set()
    judgement = find_verdict(text, _read_bracket, prompt, standing)
    if judgement is None or judgement.reason is Reason.NO_VERDICT:
        return Judgement.missing(reply.explain_silence(text))
    return judgement


def _read_bracket(raw: str) -> Judgement[Preference]:
    given = unicodedata.normalize("NFKC", raw[:100]).strip("*_` \t\n").upper()
    if given not in Preference.__members__:
        is_both = re.fullmatch(r"[AB]\W+(?:\w+\W+)?[AB]", given) is not None
        return Judgement.missing(Reason.AMBIGUOUS if is_both else Reason.NO_VERDICT)
    flags = {Flag.LENIENT_PARSE} if given != raw.upper() else set()
    return Judgement(verdict=Preference[given], flags=frozenset(flags), path="rating")


def combine_orders(
    shown: Judgement[Preference], exchanged: Judgement[Preference]
) -> Judgement[PairVerdict]:
    """
    Join the two replies about one pair: the first solution as A, then the first solution as B.

    A judge that changes its mind with the order, be it only from a win to a tie, has no verdict.

    >>> a, b = Judgement(Preference.A), Judgement(Preference.B)
    >>> combine_orders(a, b).verdict.value, combine_orders(a, a).reason.value
    ('FIRST', 'position_inconsistent')
    """
    flags = shown.flags | exchanged.flags
    for one in (shown, exchanged):
        if one.reason is not None:
            return Judgement(reason=one.reason, flags=flags)
    straight = {
        Preference.A: PairVerdict.FIRST,
        Preference.B: PairVerdict.SECOND,
        Preference.TIE: PairVerdict.TIE,
    }
    turned = {
        Preference.A: PairVerdict.SECOND,
        Preference.B: PairVerdict.FIRST,
        Preference.TIE: PairVerdict.TIE,
    }
    first = straight[shown.verdict] if shown.verdict else None
    second = turned[exchanged.verdict] if exchanged.verdict else None
    if first is None or first != second:
        return Judgement(reason=Reason.POSITION_INCONSISTENT, flags=flags)
    return Judgement(verdict=first, flags=flags, path="both_orders")


# --- The kind -------------------------------------------------------------------------------


class Pairwise(JudgeKind[PairVerdict]):
    code = "PAIRWISE"
    place = 4
    scale = (0.0, 1.0)
    field = "preferred"
    metric = "pairwise_preference"
    higher_is_better = None
    needs_reference = False
    compares = True

    name = gettext_noop("pairwise judge")
    does = gettext_noop("Compares two submissions and says which solution of each pair is better.")
    shown: tuple[Shown, ...] = ()
    helps: Mapping[str, str] = {
        "other": gettext_noop(
            "For the pairwise judge: another submission to this benchmark. Each pair "
            "is judged twice, with the solutions exchanged."
        )
    }
    uncalibrated = gettext_noop(
        "The pairwise judge is not included: it says which of two solutions is better, "
        "not whether either is right. Its run compares it with the grader."
    )
    paths: Mapping[str, str] = {"both_orders": gettext_noop("its verdicts in both orders")}

    def list_needed(self, variant: Variant) -> frozenset[str]:
        reference = {"reference"} if variant.has_reference else set()
        return frozenset({"question", "solution_a", "solution_b"} | reference)

    def name_template(self, variant: Variant) -> str:
        reference = "with-reference" if variant.has_reference else "free"
        return f"pairwise.{variant.language}.{reference}"

    def has_answer(self, item: Item) -> bool:
        return item.first is not None and item.second is not None

    def fill(self, item: Item, manner: Manner) -> Prompt | Reason:
        """A reference is used where the template asks for one."""
        values = {
            "question": item.question,
            "solution_a": item.first or "",
            "solution_b": item.second or "",
        }
        if manner.template.variant.has_reference:
            if not item.reference.strip():
                return Reason.MISSING_REFERENCE
            values["reference"] = item.reference
        solutions = {"solution_a", "solution_b"}
        return fill_capped(manner.template, values, solutions, manner.max_candidate)

    def read(self, reply: JudgeReply, prompt: Prompt) -> Judgement[Preference]:
        return read_preference(reply, prompt)

    def prepare(self, item: Item, manner: Manner) -> Hear | Reason:
        """Ask in both orders: the first one as A, then as B."""
        shown = self.fill(item, manner)
        exchanged = self.fill(replace(item, first=item.second, second=item.first), manner)
        if isinstance(shown, Reason) or isinstance(exchanged, Reason):
            return Reason.MISSING_REFERENCE

        def hear(ask: Ask) -> Judgement[PairVerdict]:
            first = ask(shown, self.read, order="first_as_a")
            if first.reason is not None:
                # Without one of the orders there is no verdict: the other need not be paid for.
                return first
            return combine_orders(first, ask(exchanged, self.read, order="first_as_b"))

        return hear

    def describe_reply(self, verdict: object) -> dict[str, str]:
        """Say which place one reply prefers: it shows whether a judge leans to one."""
        return {"preferred": verdict.value} if isinstance(verdict, Preference) else {}

    def join(
        self, voices: Sequence[Judgement[PairVerdict]], *, quorum: int
    ) -> Judgement[PairVerdict]:
        return vote(voices, quorum=quorum)

    def write(self, verdict: PairVerdict) -> dict[str, str]:
        return {"preferred": verdict.lower()}

    def count(self, written: Written) -> float:
        return {"first": 1.0, "tie": 0.5, "second": 0.0}[written["preferred"]]

    def says_right(self, written: Written) -> None:
        """Of neither answer: it only prefers one."""

    def take_side(self, written: Written) -> str:
        return str(written["preferred"])

    def list_canaries(
        self, turns: int, languages: Iterable[PromptLanguage] | None = None
    ) -> list[Item]:
        """Set each wrong answer beside the right one, which comes first, and that one twice."""
        wrong = [_pair(canary, canary.name) for canary in CANARIES if not canary.is_correct]
        return [*wrong, _pair(_RIGHT_ONE, SAME_TWICE)]

    def passes(self, canary: str, written: Written) -> bool:
        known = PairVerdict.TIE if canary == SAME_TWICE else PairVerdict.FIRST
        return bool(written["preferred"] == known.lower())

    def refuse_options(
        self, chosen: Mapping[str, Any], *, is_meant: bool
    ) -> Iterator[tuple[str, str]]:
        if is_meant and not chosen["other"]:
            yield (
                "other",
                gettext_noop("Choose the submission that the pairwise judge compares with."),
            )
        if chosen["other"] and not is_meant:
            sentence = gettext_noop(
                "Only the pairwise judge compares. Choose it, or leave this empty."
            )
            yield "other", sentence


def _pair(canary: Canary, name: str) -> Item:
    return Item(
        id=name,
        question=canary.question,
        first=_RIGHT_ONE.response,
        second=canary.response,
        references=(canary.ground_truth,),
        canary=name,
    )


KIND = Pairwise()
