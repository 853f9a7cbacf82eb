"""
The semantic matcher: whether the answer of a long response is the ground truth.

Its reply is one JSON object with a verdict, a score of the reasoning and a kind of error. The
verdict comes first: a right answer has a score of 4 or 5, a wrong one of 1 to 3. A right answer by
wrong steps or made-up facts has a 4 and names them, and a flawless one has neither. What doesn't go
with the verdict goes, and the verdict stays. Rules may decide before it is asked.
"""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from phybench_grader.judges.combination import Mode, RuleNegative
from phybench_grader.judges.deterministic import RuleVerdict
from phybench_grader.judges.items import Item
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.kinds.kind import (
    JudgeKind,
    Manner,
    Option,
    Shown,
    Written,
    gettext_noop,
)
from phybench_grader.judges.panel import vote
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
from phybench_grader.judges.thoughts import Thinking, find_final

KEYS = ("id", "is_correct", "extracted_answer", "reasoning_score", "error_type", "comment")
VERDICT = ("is_correct", "reasoning_score")
"""What has to be the same in several objects for them to be one verdict."""
NEVER_IN_BRACKETS = ("id", "reasoning_score", "error_type", "comment")
"""
Fields of which one such as `<a whole number from 1 to 5>` shows that the form was sent back
unfilled. An extracted answer may well be `<x, y>`.
"""
LEAST_OF_CORRECT = 4
"""Lowest reasoning score of a right answer; a wrong one has less."""
FLAWLESS = 5
"""The reasoning score that leaves nothing to be said against the way to a right answer."""

MODES = (
    (Mode.CASCADE, gettext_noop("rules first, then the model where the rules can’t decide")),
    (
        Mode.MODEL_WITH_RULE_CHECK,
        gettext_noop("the model; a person decides where the rules disagree"),
    ),
    (Mode.MODEL_ONLY, gettext_noop("the model only")),
    (Mode.RULE_ONLY, gettext_noop("the rules only, without a model or cost")),
)

_WORDS = {"true": True, "yes": True, "false": False, "no": False}


class ErrorType(StrEnum):
    """What went wrong in the response, as the judge names it."""

    NONE = "none"
    FORMAT_ERROR = "format_error"
    HALLUCINATION = "hallucination"
    WRONG_LOGIC = "wrong_logic"
    NO_ANSWER = "no_answer"


SPURIOUS = frozenset({ErrorType.HALLUCINATION, ErrorType.WRONG_LOGIC})
"""What is wrong with the way to an answer, which may be right all the same."""
ERRORS = {
    ErrorType.NONE: gettext_noop("none"),
    ErrorType.FORMAT_ERROR: gettext_noop("not in the form asked for"),
    ErrorType.HALLUCINATION: gettext_noop("made up"),
    ErrorType.WRONG_LOGIC: gettext_noop("wrong reasoning"),
    ErrorType.NO_ANSWER: gettext_noop("no answer"),
}
"""What the judge says went wrong in an answer."""


@dataclass(frozen=True, slots=True)
class SemanticVerdict:
    """Whether the response's answer is the ground truth, and how good its reasoning is."""

    is_correct: bool
    extracted_answer: str = ""
    reasoning_score: int | None = None
    """From 1 to 5; None where the judge gave none that can stand."""
    error_type: ErrorType | None = None
    comment: str = ""


def read_semantic(
    reply: str | bytes | JudgeReply | None, *, token: str = "", asks_for_score: bool = True
) -> Judgement[SemanticVerdict]:
    r"""
    Read the semantic matcher's reply; `token` is what its object has to bear, if one was asked for.

    >>> read = read_semantic(r'{"is_correct": true, "extracted_answer": "\sqrt{2}"}')
    >>> read.verdict.is_correct, read.verdict.extracted_answer
    (True, '\\sqrt{2}')
    >>> read_semantic('{"comment": "fine"}').reason.value
    'schema'
    """
    found = find_object(JudgeReply.of(reply), KEYS, verdict=VERDICT, token=token)
    if isinstance(found, Reason):
        return Judgement.missing(found)
    fields = found.fields
    if any(is_placeholder(fields.get(key)) for key in NEVER_IN_BRACKETS):
        return Judgement.missing(Reason.NO_VERDICT, path=found.path)
    flags = set(found.flags)
    is_correct = _read_verdict(fields.get("is_correct"), flags)
    if is_correct is None:
        return Judgement.missing(Reason.SCHEMA, *flags, path=found.path)
    extracted = read_text(fields.get("extracted_answer"))
    score = _read_score(fields, is_correct, flags)
    if not asks_for_score:
        flags.discard(Flag.SCORE_MISSING)
    error = _read_error_type(fields, is_correct, extracted, flags)
    if score == FLAWLESS and error in SPURIOUS:
        # Which of the two is meant can't be told.
        flags.add(Flag.INCONSISTENT)
        score = error = None
    verdict = SemanticVerdict(
        is_correct=is_correct,
        extracted_answer=extracted,
        reasoning_score=score,
        error_type=error,
        comment=read_text(fields.get("comment")),
    )
    return Judgement(verdict=verdict, flags=frozenset(flags), path=found.path)


def _read_verdict(value: object, flags: set[Flag]) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().casefold() in _WORDS:
        flags.add(Flag.COERCED)
        return _WORDS[value.strip().casefold()]
    return None


def _read_score(fields: dict[str, Any], is_correct: bool, flags: set[Flag]) -> int | None:
    value = fields.get("reasoning_score")
    number = read_number(value)
    if number is None or number[0] not in (1, 2, 3, 4, 5):
        flags.add(Flag.SCORE_MISSING)
        return None
    if not isinstance(value, int):
        flags.add(Flag.COERCED)
    score = int(number[0])
    if is_correct != (score >= LEAST_OF_CORRECT):
        flags.add(Flag.INCONSISTENT)
        return None
    return score


def _read_error_type(
    fields: dict[str, Any], is_correct: bool, extracted: str, flags: set[Flag]
) -> ErrorType | None:
    try:
        error = ErrorType(str(fields.get("error_type")).strip().casefold())
    except ValueError:
        flags.add(Flag.ERROR_TYPE_MISSING)
        return None
    # An answer in the wrong form, and one by wrong steps, may be right or wrong.
    if error is ErrorType.NO_ANSWER:
        is_fitting = not is_correct and not extracted.strip()
    else:
        is_fitting = is_correct or error is not ErrorType.NONE
    if not is_fitting:
        flags.add(Flag.INCONSISTENT)
        return None
    return error


# --- The kind -------------------------------------------------------------------------------


class Semantic(JudgeKind[SemanticVerdict]):
    code = "SEMANTIC"
    place = 1
    scale = (0.0, 1.0)
    field = "is_correct"
    metric = "semantic_match"
    returns_id = True
    can_show_thinking = True
    has_rules = True
    is_yes_or_no = True

    name = gettext_noop("semantic matcher")
    does = gettext_noop("Says whether each answer is right or wrong.")
    says = (gettext_noop("judged right"), gettext_noop("judged wrong"))
    shown = (
        Shown(
            "is_correct",
            gettext_noop("Right"),
            words={True: gettext_noop("yes"), False: gettext_noop("no")},
        ),
        Shown("extracted_answer", gettext_noop("Answer found"), tells_key=True),
        Shown("reasoning_score", gettext_noop("Reasoning, 1 to 5")),
        Shown("error_type", gettext_noop("Kind of error"), words=ERRORS),
        Shown("comment", gettext_noop("Comment"), tells_key=True),
    )
    options = (
        Option(
            "mode",
            gettext_noop("Mode of the semantic matcher"),
            choices=MODES,
            initial=Mode.MODEL_WITH_RULE_CHECK,
        ),
        Option(
            "asks_on_mismatch",
            gettext_noop("Also ask the model where the rules find an answer wrong"),
            help=gettext_noop("For the mode in which the rules come first."),
        ),
        Option(
            "includes_thinking",
            gettext_noop("Also show the solver’s thinking to the semantic matcher"),
            help=gettext_noop("Otherwise blocks of thinking are left out."),
        ),
    )

    def list_needed(self, variant: Variant) -> frozenset[str]:
        return frozenset({"question", "response", "ground_truth"})

    def name_template(self, variant: Variant) -> str:
        return f"semantic.{variant.language}{'.thinking' if variant.includes_thinking else ''}"

    def list_variants(self) -> Iterator[Variant]:
        for variant in super().list_variants():
            yield variant
            yield replace(variant, includes_thinking=True)

    def fill(self, item: Item, manner: Manner) -> Prompt | Reason:
        """What the response thought is left out, unless it is asked for, where it surely ends."""
        if not item.reference.strip():
            return Reason.MISSING_REFERENCE
        response = item.response or ""
        final = find_final(response)
        shows_thinking = manner.template.variant.includes_thinking
        if final.thinking is Thinking.CLOSED and not shows_thinking:
            response = final.text.strip()
        values = {
            "question": item.question,
            "response": response,
            "ground_truth": item.reference,
        }
        return fill_capped(manner.template, values, {"response"}, manner.max_candidate)

    def read(self, reply: JudgeReply, prompt: Prompt) -> Judgement[SemanticVerdict]:
        words = prompt.template.system + prompt.template.user
        return read_semantic(reply, token=prompt.token, asks_for_score="reasoning_score" in words)

    def join(
        self, voices: Sequence[Judgement[SemanticVerdict]], *, quorum: int
    ) -> Judgement[SemanticVerdict]:
        """Take the majority's verdict, the first of its words, and the median of its scores."""
        joined = vote(
            [one.map(lambda verdict: verdict.is_correct) for one in voices], quorum=quorum
        )
        heard = [one.verdict for one in voices if one.verdict is not None]

        def merge(is_correct: bool) -> SemanticVerdict:
            agreeing = [one for one in heard if one.is_correct is is_correct]
            scores = [one.reasoning_score for one in agreeing if one.reasoning_score is not None]
            score = statistics.median_low(scores) if scores else None
            return replace(agreeing[0], reasoning_score=score)

        return joined.map(merge)

    def write(self, verdict: SemanticVerdict) -> dict[str, Any]:
        return asdict(verdict)

    def says_right(self, written: Written) -> bool:
        return written["is_correct"] is True

    def judge_by_rule(self, rule: RuleVerdict) -> Judgement[SemanticVerdict]:
        if rule.is_correct is None:
            return Judgement.missing(Reason.UNDECIDED, path=rule.rule)
        error = None if rule.extracted else ErrorType.NO_ANSWER
        return Judgement(
            verdict=SemanticVerdict(rule.is_correct, rule.extracted, error_type=error),
            flags=frozenset({Flag.RESPONSE_CUT_OFF} if rule.is_cut_off else ()),
            path=f"rule:{rule.rule}",
        )

    def refuse_options(
        self, chosen: Mapping[str, Any], *, is_meant: bool
    ) -> Iterator[tuple[str, str]]:
        if chosen["includes_thinking"] and not is_meant:
            yield "includes_thinking", gettext_noop("Only the semantic matcher uses this.")
        if chosen["asks_on_mismatch"] and not (is_meant and chosen["mode"] == Mode.CASCADE):
            yield (
                "asks_on_mismatch",
                gettext_noop("This is for the mode in which the rules come first."),
            )

    def asks_models(self, chosen: Mapping[str, Any]) -> bool:
        return bool(chosen["mode"] != Mode.RULE_ONLY)

    def write_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        negative = RuleNegative.ASK_MODEL if chosen["asks_on_mismatch"] else RuleNegative.FINAL
        return {
            "mode": chosen["mode"].lower(),
            "rule_negative": negative.lower(),
            "includes_thinking": chosen["includes_thinking"],
        }


KIND = Semantic()
