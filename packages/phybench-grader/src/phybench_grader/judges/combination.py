"""
Joining the deterministic stage and the model: whether a model need be asked, and whose word counts.

Where both were heard both are kept, and a disagreement is flagged for a person to look at.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from phybench_grader.judges.deterministic import RuleOutcome, RuleVerdict
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.truth import TruthKind


class Mode(StrEnum):
    """How the two stages work together."""

    CASCADE = "CASCADE"
    """
    The model is asked only where the rules do not decide. There is no reasoning score else.

    What the symbolic judge decided stands: where the model is asked all the same, its contrary word
    is a ticket for a person.
    """
    RULE_ONLY = "RULE_ONLY"
    MODEL_ONLY = "MODEL_ONLY"
    MODEL_WITH_RULE_CHECK = "MODEL_WITH_RULE_CHECK"
    """The model's word counts, and the rules say where to doubt it."""


class RuleNegative(StrEnum):
    """What a mismatch found by the rules is worth in a cascade."""

    FINAL = "FINAL"
    ASK_MODEL = "ASK_MODEL"


class DecidingStage(StrEnum):
    """Whose word a combined judgement is."""

    RULE = "RULE"
    MODEL = "MODEL"


@dataclass(frozen=True, slots=True)
class Combined:
    """What the stages said together, with both of them beside it."""

    judgement: Judgement[Any]
    stage: DecidingStage
    rule: RuleVerdict | None = None
    model: Judgement[Any] | None = None


def needs_rule(mode: Mode) -> bool:
    """Tell whether the deterministic stage runs at all."""
    return mode is not Mode.MODEL_ONLY


def needs_model(
    mode: Mode, rule: RuleVerdict | None, negative: RuleNegative = RuleNegative.FINAL
) -> bool:
    """
    Tell whether a model is to be asked, after what the rules said.

    >>> from phybench_grader.judges.deterministic import decide
    >>> needs_model(Mode.CASCADE, decide("The answer is 7.", "7"))
    False
    >>> needs_model(Mode.CASCADE, decide("The answer may be 7.", "7"))
    True
    """
    match mode:
        case Mode.RULE_ONLY:
            return False
        case Mode.CASCADE:
            return not _is_final(_expect(rule), negative)
        case Mode.MODEL_ONLY | Mode.MODEL_WITH_RULE_CHECK:
            return True


def combine(
    mode: Mode,
    *,
    rule: RuleVerdict | None = None,
    model: Judgement[Any] | None = None,
    negative: RuleNegative = RuleNegative.FINAL,
    speak: Callable[[RuleVerdict], Judgement[Any]],
) -> Combined:
    """
    Join what the stages said; `speak` makes the rules' word a judgement.

    Raises:
        ValueError: a stage that the mode rests on was not heard.
    """
    if needs_rule(mode):
        rule = _expect(rule)
    is_by_rule = mode is Mode.RULE_ONLY
    if mode is Mode.CASCADE:
        is_by_rule = _is_final(_expect(rule), negative) or _is_symbolic(_expect(rule))
    if is_by_rule:
        judgement = speak(_expect(rule))
        stage = DecidingStage.RULE
    elif model is None:
        raise ValueError(f"{mode}: the model was to be asked and was not")
    else:
        judgement, stage = model, DecidingStage.MODEL
    if rule and rule.is_run_on:
        judgement = judgement.flagged(Flag.RUN_ON)
    if rule and model and _disagree(rule, model):
        judgement = judgement.flagged(Flag.STAGES_DISAGREE)
    return Combined(judgement, stage, rule, model)


def _expect(rule: RuleVerdict | None) -> RuleVerdict:
    if rule is None:
        raise ValueError("the rules were to be asked and were not")
    return rule


def _is_final(rule: RuleVerdict, negative: RuleNegative) -> bool:
    if rule.outcome is RuleOutcome.MISMATCH:
        return negative is RuleNegative.FINAL
    return rule.outcome is RuleOutcome.MATCH


def _is_symbolic(rule: RuleVerdict) -> bool:
    """Tell whether the symbolic judge decided, whom no model overrules."""
    return (
        rule.kind is TruthKind.EXPRESSION and bool(rule.extracted) and rule.is_correct is not None
    )


def _disagree(rule: RuleVerdict, model: Judgement[Any]) -> bool:
    if rule.is_correct is None or model.verdict is None:
        return False
    return rule.is_correct is not model.verdict.is_correct
