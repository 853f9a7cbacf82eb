"""Prompts for tests: each kind of judge asked about one item, in the way that is named."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from phybench_grader.judges.items import Item, Turn
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.prompts import (
    MAX_CANDIDATE,
    Prompt,
    PromptLanguage,
    Template,
    Variant,
    get_template,
)
from phybench_grader.judges.reasons import Reason


@dataclass(frozen=True)
class Manner:
    template: Template
    max_candidate: int = MAX_CANDIDATE


def ask(
    kind: str,
    item: Item,
    *,
    template: Template | None = None,
    has_reference: bool = True,
    language: PromptLanguage = PromptLanguage.ENGLISH,
    turn_count: int = 1,
    limit: int = MAX_CANDIDATE,
    includes_thinking: bool = False,
) -> Prompt | Reason:
    variant = Variant(KINDS[kind], language, turn_count, has_reference, includes_thinking)
    return KINDS[kind].fill(item, Manner(template or get_template(variant), limit))


def ask_semantic(*, question: str, response: str, ground_truth: str, **options: Any) -> Any:
    item = Item(id=1, question=question, response=response, references=(ground_truth,))
    return ask("SEMANTIC", item, **options)


def ask_rating(
    *,
    turns: Sequence[Turn],
    references: Sequence[str] = (),
    has_reference: bool = False,
    **options: Any,
) -> Any:
    item = Item(id=1, turns=tuple(turns), references=tuple(references))
    return ask("RATING", item, has_reference=has_reference, **options)


def ask_process(
    *, question: str, solution: str, reference_solution: str, reference_answer: str, **options: Any
) -> Any:
    item = Item(
        id=1,
        question=question,
        response=solution,
        reference_solution=reference_solution,
        references=(reference_answer,),
    )
    return ask("PROCESS", item, **options)


def ask_pairwise(
    *, question: str, first: str, second: str, reference: str | None = None, **options: Any
) -> Any:
    """Ask in both orders, as the judge does."""
    item = Item(
        id=1,
        question=question,
        first=first,
        second=second,
        references=() if reference is None else (reference,),
    )
    options = {"has_reference": reference is not None, **options}
    both = [
        ask("PAIRWISE", one, **options) for one in (item, replace(item, first=second, second=first))
    ]
    return both[0] if isinstance(both[0], Reason) else tuple(both)
