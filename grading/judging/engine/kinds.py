"""
What differs between the four judges: what one is asked about an item, how several are joined, and
how a verdict is written and counted.
"""

import secrets
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from decimal import Decimal
from functools import partial
from typing import Any, Protocol

from grading.judges import Judgement, Reason, join_ratings, vote
from grading.judges.prompts import (
    Family,
    Prompt,
    Turn,
    ask_pairwise,
    ask_process,
    ask_rating,
    ask_semantic,
)
from grading.judges.replies import (
    PairVerdict,
    ProcessVerdict,
    Reply,
    SemanticVerdict,
    combine_orders,
    read_preference,
    read_process,
    read_rating,
    read_semantic,
)
from grading.judging.engine.configuration import Configuration
from grading.judging.engine.items import Item

Verdict = SemanticVerdict | Decimal | ProcessVerdict | PairVerdict


class Ask(Protocol):
    """Puts one prompt to one judge, and reads what comes."""

    def __call__(
        self, prompt: Prompt, read: Callable[[Reply], Judgement[Any]], *, order: str = ""
    ) -> Judgement[Any]: ...


Hear = Callable[[Ask], Judgement[Any]]
"""Hears one judge about one item, in as many prompts as it takes."""

SCALES = {
    Family.SEMANTIC: (0.0, 1.0),
    Family.RATING: (1.0, 10.0),
    Family.PROCESS: (0.0, 100.0),
    Family.PAIRWISE: (0.0, 1.0),
}
"""The lowest and the highest value of a verdict."""


def prepare(item: Item, configuration: Configuration) -> Hear | Reason:
    """Say what is to be asked about an item, or why there is nothing to ask."""
    if reason := _find_lack(item, configuration):
        return reason
    match configuration.family:
        case Family.SEMANTIC:
            return _prepare_semantic(item, configuration)
        case Family.RATING:
            return _prepare_rating(item, configuration)
        case Family.PROCESS:
            return _prepare_process(item, configuration)
        case Family.PAIRWISE:
            return _prepare_pairwise(item, configuration)


def _find_lack(item: Item, configuration: Configuration) -> Reason | None:
    """Say what is lacking that the prompts don't look for themselves."""
    judging = {judge.model for judge in configuration.judges}
    if judging & {item.model, item.second_model}:
        return Reason.SELF_JUDGE
    if configuration.family is Family.PAIRWISE:
        has_all = item.first is not None and item.second is not None
    else:
        has_all = item.response is not None or bool(item.turns)
    return None if has_all else Reason.RESPONSE_ERRORED


def _prepare_semantic(item: Item, configuration: Configuration) -> Hear | Reason:
    # The judge sends it back, which shows that it answers to this and not to something else.
    call = item.call or secrets.token_hex(4)
    prompt = ask_semantic(
        item_id=call,
        question=item.question,
        response=item.response or "",
        ground_truth=item.references[0] if item.references else "",
        includes_thinking=configuration.includes_thinking,
        template=configuration.template,
        limit=configuration.max_candidate,
    )
    if isinstance(prompt, Reason):
        return prompt
    asks_for_id = "id" in configuration.template.placeholders
    read = partial(read_semantic, expected_id=call if asks_for_id else None)
    return lambda ask: ask(prompt, read)


def _prepare_rating(item: Item, configuration: Configuration) -> Hear | Reason:
    turns = item.turns or (Turn(item.question, item.response or ""),)
    prompt = ask_rating(
        turns=turns,
        references=item.references,
        template=configuration.template,
        limit=configuration.max_candidate,
    )
    if isinstance(prompt, Reason):
        return prompt
    read = partial(read_rating, candidate="\n".join(turn.answer for turn in turns))
    return lambda ask: ask(prompt, read)


def _prepare_process(item: Item, configuration: Configuration) -> Hear | Reason:
    prompt = ask_process(
        question=item.question,
        solution=item.response or "",
        reference_solution=item.reference_solution,
        reference_answer=item.references[0] if item.references else "",
        template=configuration.template,
        limit=configuration.max_candidate,
    )
    if isinstance(prompt, Reason):
        return prompt
    return lambda ask: ask(prompt, read_process)


def _prepare_pairwise(item: Item, configuration: Configuration) -> Hear | Reason:
    prompts = ask_pairwise(
        question=item.question,
        first=item.first or "",
        second=item.second or "",
        reference=item.references[0] if item.references else None,
        template=configuration.template,
        limit=configuration.max_candidate,
    )
    if isinstance(prompts, Reason):
        return prompts
    shown, exchanged = prompts

    def hear(ask: Ask) -> Judgement[PairVerdict]:
        first = ask(shown, read_preference, order="first_as_a")
        if first.reason is not None:
            # Without one of the orders there is no verdict: the other need not be paid for.
            return first
        return combine_orders(first, ask(exchanged, read_preference, order="first_as_b"))

    return hear


def join(family: Family, voices: Sequence[Judgement[Any]]) -> Judgement[Any]:
    """Join what several judges said, or one several times; fewer than half are not enough."""
    if len(voices) == 1:
        return voices[0]
    quorum = len(voices) // 2 + 1
    match family:
        case Family.SEMANTIC:
            return _join_semantic(voices, quorum)
        case Family.RATING:
            return join_ratings(voices, quorum=quorum)
        case Family.PROCESS:
            return _join_process(voices, quorum)
        case Family.PAIRWISE:
            return vote(voices, quorum=quorum)


def _join_semantic(
    voices: Sequence[Judgement[SemanticVerdict]], quorum: int
) -> Judgement[SemanticVerdict]:
    """Take the majority's verdict, the first of its words, and the median of its scores."""
    joined = vote([one.map(lambda verdict: verdict.is_correct) for one in voices], quorum=quorum)
    heard = [one.verdict for one in voices if one.verdict is not None]

    def merge(is_correct: bool) -> SemanticVerdict:
        agreeing = [one for one in heard if one.is_correct is is_correct]
        scores = [one.reasoning_score for one in agreeing if one.reasoning_score is not None]
        return replace(
            agreeing[0], reasoning_score=statistics.median_low(scores) if scores else None
        )

    return joined.map(merge)


def _join_process(
    voices: Sequence[Judgement[ProcessVerdict]], quorum: int
) -> Judgement[ProcessVerdict]:
    """Take the median of each score."""
    heard = [one.verdict for one in voices if one.verdict is not None]
    # How many were heard, why not, and the flags are as for ratings.
    counted = join_ratings([one.map(lambda _verdict: Decimal(0)) for one in voices], quorum=quorum)
    return counted.map(
        lambda _zero: ProcessVerdict(
            answer=statistics.median(one.answer for one in heard),
            physics=statistics.median(one.physics for one in heard),
            mathematics=statistics.median(one.mathematics for one in heard),
            completeness=statistics.median(one.completeness for one in heard),
            comment=heard[0].comment,
        )
    )


def write_verdict(verdict: Verdict) -> dict[str, Any]:
    """
    Write a verdict as JSON has it.

    >>> write_verdict(Decimal("7.5")), write_verdict(PairVerdict.TIE)
    ({'rating': 7.5}, {'preferred': 'tie'})
    """
    match verdict:
        case Decimal():
            return {"rating": float(verdict)}
        case PairVerdict():
            return {"preferred": verdict.lower()}
        case ProcessVerdict():
            return {**asdict(verdict), "overall": verdict.overall}
        case SemanticVerdict():
            return asdict(verdict)


def count(verdict: dict[str, Any]) -> float:
    """
    Say which number a written verdict is in a mean; of a pair, the first one's share.

    >>> count({"rating": 7.5}), count({"preferred": "tie"})
    (7.5, 0.5)
    """
    if "preferred" in verdict:
        return {"first": 1.0, "tie": 0.5, "second": 0.0}[verdict["preferred"]]
    for name in ("is_correct", "rating", "overall"):
        if name in verdict:
            return float(verdict[name])
    raise KeyError("verdict")
