"""
What each judge is asked about one item: the right template, filled with the right texts.

Where a reference or a turn is lacking there is no prompt but a reason, so that the item is seen to
be skipped. An empty answer is an answer; whether a solver's call failed is for the caller to know.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grading.judges.judgement import Flag
from grading.judges.prompts.candidate import MAX_CANDIDATE, cap
from grading.judges.prompts.filling import Prompt, fill
from grading.judges.prompts.templates import Family, Language, Template, Variant, get_template
from grading.judges.reasons import Reason
from grading.judges.thoughts import Thinking, find_final


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and the answer to it."""

    question: str
    answer: str


def ask_semantic(
    *,
    item_id: str,
    question: str,
    response: str,
    ground_truth: str,
    includes_thinking: bool = False,
    template: Template | None = None,
    limit: int = MAX_CANDIDATE,
) -> Prompt | Reason:
    """
    Ask whether a response's answer is the ground truth.

    What the response thought is left out, unless `includes_thinking`, where it surely ends.
    """
    if not ground_truth.strip():
        return Reason.MISSING_REFERENCE
    template = template or get_template(Variant(Family.SEMANTIC, has_reference=True))
    final = find_final(response)
    if final.thinking is Thinking.CLOSED and not includes_thinking:
        response = final.text.strip()
    values = {"question": question, "response": response, "ground_truth": ground_truth}
    if "id" in template.placeholders:
        values["id"] = item_id
    return _ask(template, values, {"response"}, limit)


def ask_rating(
    *,
    turns: Sequence[Turn],
    references: str | Sequence[str] = (),
    language: Language = Language.ENGLISH,
    turn_count: int = 1,
    has_reference: bool = False,
    template: Template | None = None,
    limit: int = MAX_CANDIDATE,
) -> Prompt | Reason:
    """
    Ask for a rating of the answer in the last of one or two turns.

    Which template is used is the configuration's choice (`language`, `turn_count`,
    `has_reference`), never that of the item. A single reference may be given as a string.

    Raises:
        ValueError: the item has more turns than the configuration looks at.

    >>> ask_rating(turns=[Turn("2+2?", "4")], references="4", has_reference=True).template.name
    'rating/en/one-turn-reference'
    >>> ask_rating(turns=[Turn("2+2?", "4")], has_reference=True).value
    'missing_reference'
    """
    variant = Variant(Family.RATING, language, turn_count, has_reference)
    if template is not None:
        variant = template.variant
    template = template or get_template(variant)
    if len(turns) > variant.turns:
        raise ValueError(f"{len(turns)} turns, of which {variant.turns} would be judged")
    if len(turns) < variant.turns:
        return Reason.MISSING_TURN
    given = [references] if isinstance(references, str) else list(references)
    if variant.has_reference and not _has_all(given, variant.turns):
        return Reason.MISSING_REFERENCE
    values: dict[str, str] = {}
    for number, turn in enumerate(turns, start=1):
        suffix = "" if variant.turns == 1 else f"_{number}"
        values |= {f"question{suffix}": turn.question, f"answer{suffix}": turn.answer}
        if variant.has_reference:
            values[f"ref_answer_{number}"] = given[number - 1]
    return _ask(template, values, {"answer", "answer_1", "answer_2"}, limit)


def ask_process(
    *,
    question: str,
    solution: str,
    reference_solution: str,
    reference_answer: str,
    template: Template | None = None,
    limit: int = MAX_CANDIDATE,
) -> Prompt | Reason:
    """Ask for the four scores of a solution beside the reference solution."""
    if not reference_solution.strip() or not reference_answer.strip():
        return Reason.MISSING_REFERENCE
    template = template or get_template(Variant(Family.PROCESS, has_reference=True))
    values = {
        "question": question,
        "solution": solution,
        "reference_solution": reference_solution,
        "reference_answer": reference_answer,
    }
    return _ask(template, values, {"solution"}, limit)


def ask_pairwise(
    *,
    question: str,
    first: str,
    second: str,
    reference: str | None = None,
    template: Template | None = None,
    limit: int = MAX_CANDIDATE,
) -> tuple[Prompt, Prompt] | Reason:
    """
    Ask which of two solutions is better, in both orders: the first one as A, then as B.

    A reference is used where one is given; a template that needs one asks for it.
    """
    template = template or get_template(
        Variant(Family.PAIRWISE, has_reference=reference is not None)
    )
    values = {"question": question}
    if template.variant.has_reference:
        if not (reference or "").strip():
            return Reason.MISSING_REFERENCE
        values["reference"] = reference or ""
    solutions = {"solution_a", "solution_b"}
    shown = values | {"solution_a": first, "solution_b": second}
    exchanged = values | {"solution_a": second, "solution_b": first}
    return (
        _ask(template, shown, solutions, limit),
        _ask(template, exchanged, solutions, limit),
    )


def select_turns(messages: Iterable[Mapping[str, str]]) -> list[Turn]:
    """
    Pair the users' messages of a chat with the answers, by role; a system message is neither.

    >>> chat = [("system", "Be brief."), ("user", "2+2?"), ("assistant", "4")]
    >>> select_turns([{"role": role, "content": text} for role, text in chat])
    [Turn(question='2+2?', answer='4')]
    """
    turns: list[Turn] = []
    question: str | None = None
    for message in messages:
        if message["role"] == "user":
            question = message["content"]
        elif message["role"] == "assistant" and question is not None:
            turns.append(Turn(question, message["content"]))
            question = None
    return turns


def _has_all(references: Sequence[str], count: int) -> bool:
    return len(references) >= count and all(one.strip() for one in references[:count])


def _ask(template: Template, values: dict[str, str], candidates: set[str], limit: int) -> Prompt:
    """Fill a template, with the candidates' texts cut to what may be sent and looked through."""
    flags = set() if template.is_fenced else {Flag.UNFENCED}
    sent = dict(values)
    for name in candidates & values.keys():
        candidate = cap(values[name], limit)
        sent[name] = candidate.text
        flags |= candidate.flags
    return fill(template, sent).flagged(*flags)
