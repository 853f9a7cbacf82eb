"""The deterministic stage and the model together: whom is asked, and whose word counts."""

from functools import partial

import pytest

from phybench_grader.judges.combination import DecidingStage, Mode, RuleNegative, needs_model
from phybench_grader.judges.combination import combine as combine_any
from phybench_grader.judges.deterministic import decide
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.kinds.semantic import KIND, ErrorType, SemanticVerdict
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.truth import TruthKind

combine = partial(combine_any, speak=KIND.judge_by_rule)
MATCH = decide("The answer is 7.", "7")
MISMATCH = decide("The answer is 9.", "7")
UNDECIDED = decide("The answer may be 7.", "7")
RIGHT = Judgement(SemanticVerdict(True, "7", 5))
WRONG = Judgement(SemanticVerdict(False, "9", 2))
LOST = Judgement.missing(Reason.TIMEOUT)


@pytest.mark.parametrize(
    ("mode", "rule", "negative", "expected"),
    [
        (Mode.CASCADE, MATCH, RuleNegative.FINAL, False),
        (Mode.CASCADE, MISMATCH, RuleNegative.FINAL, False),
        (Mode.CASCADE, MATCH, RuleNegative.ASK_MODEL, False),
        (Mode.CASCADE, MISMATCH, RuleNegative.ASK_MODEL, True),
        (Mode.CASCADE, UNDECIDED, RuleNegative.FINAL, True),
        (Mode.RULE_ONLY, UNDECIDED, RuleNegative.FINAL, False),
        (Mode.MODEL_ONLY, None, RuleNegative.FINAL, True),
        (Mode.MODEL_WITH_RULE_CHECK, MATCH, RuleNegative.FINAL, True),
    ],
)
def test_a_model_is_asked_only_where_the_mode_needs_it(mode, rule, negative, expected):
    assert needs_model(mode, rule, negative) is expected


@pytest.mark.parametrize(
    ("mode", "rule", "model", "verdict", "stage"),
    [
        (Mode.CASCADE, MATCH, None, True, DecidingStage.RULE),
        (Mode.CASCADE, MISMATCH, None, False, DecidingStage.RULE),
        (Mode.CASCADE, UNDECIDED, RIGHT, True, DecidingStage.MODEL),
        (Mode.RULE_ONLY, MATCH, None, True, DecidingStage.RULE),
        (Mode.MODEL_ONLY, None, WRONG, False, DecidingStage.MODEL),
        (Mode.MODEL_WITH_RULE_CHECK, MATCH, RIGHT, True, DecidingStage.MODEL),
    ],
)
def test_the_stage_that_counts_gives_the_verdict(mode, rule, model, verdict, stage):
    found = combine(mode, rule=rule, model=model)

    assert found.judgement.verdict.is_correct is verdict
    assert found.stage is stage
    assert Flag.STAGES_DISAGREE not in found.judgement.flags


@pytest.mark.parametrize(
    ("mode", "rule", "model", "reason"),
    [
        (Mode.RULE_ONLY, UNDECIDED, None, Reason.UNDECIDED),
        (Mode.CASCADE, UNDECIDED, LOST, Reason.TIMEOUT),
        (Mode.MODEL_WITH_RULE_CHECK, MATCH, LOST, Reason.TIMEOUT),
        (Mode.MODEL_ONLY, None, LOST, Reason.TIMEOUT),
    ],
)
def test_a_stage_that_failed_leaves_the_judgement_missing(mode, rule, model, reason):
    assert combine(mode, rule=rule, model=model).judgement.reason is reason


def test_stages_that_disagree_are_left_to_a_person_and_both_are_kept():
    found = combine(Mode.MODEL_WITH_RULE_CHECK, rule=MISMATCH, model=RIGHT)

    assert Flag.STAGES_DISAGREE in found.judgement.flags
    assert found.judgement.verdict.is_correct is True
    assert (found.rule, found.model) == (MISMATCH, RIGHT)


def test_a_stage_that_was_to_be_heard_and_was_not_is_an_error():
    with pytest.raises(ValueError, match="model was to be asked"):
        combine(Mode.CASCADE, rule=UNDECIDED)
    with pytest.raises(ValueError, match="rules were to be asked"):
        combine(Mode.MODEL_WITH_RULE_CHECK, model=RIGHT)


def test_a_response_without_an_answer_is_wrong_for_that_reason():
    found = combine(Mode.CASCADE, rule=decide("<think>7</think>", "7"))

    assert found.judgement.verdict == SemanticVerdict(False, error_type=ErrorType.NO_ANSWER)
    assert found.judgement.path == "rule:no_answer"
    assert found.judgement.flags == frozenset()


def test_a_response_that_breaks_off_in_its_thinking_is_wrong_and_flagged():
    found = combine(Mode.CASCADE, rule=decide("<think>It is 7, since", "7"))

    assert found.judgement.verdict == SemanticVerdict(False, error_type=ErrorType.NO_ANSWER)
    assert found.judgement.flags == {Flag.RESPONSE_CUT_OFF}


@pytest.mark.parametrize(
    ("mode", "model"), [(Mode.CASCADE, None), (Mode.MODEL_WITH_RULE_CHECK, RIGHT)]
)
def test_a_response_that_ran_on_is_flagged_whoever_judged_it(mode, model):
    ran_on = decide("The answer is 7.\n\nQ: How many pears are there now?\nA: 9", "7")

    assert Flag.RUN_ON in combine(mode, rule=ran_on, model=model).judgement.flags
    assert Flag.RUN_ON not in combine(mode, rule=MATCH, model=model).judgement.flags


EXPRESSION = TruthKind.EXPRESSION
SYMBOLIC_MISMATCH = decide(r"So $\boxed{2 a}$.", "a + b", kind=EXPRESSION)
SYMBOLIC_MATCH = decide(r"So $\boxed{b + a}$.", "a + b", kind=EXPRESSION)


def test_a_model_raises_a_ticket_against_a_symbolic_verdict_and_never_overrules_it():
    found = combine(
        Mode.CASCADE, rule=SYMBOLIC_MISMATCH, model=RIGHT, negative=RuleNegative.ASK_MODEL
    )

    assert found.judgement.verdict.is_correct is False
    assert found.stage is DecidingStage.RULE
    assert Flag.STAGES_DISAGREE in found.judgement.flags
    assert found.model is RIGHT, "what it said is kept"


def test_a_symbolic_verdict_stands_where_the_model_that_was_asked_failed():
    found = combine(
        Mode.CASCADE, rule=SYMBOLIC_MISMATCH, model=LOST, negative=RuleNegative.ASK_MODEL
    )

    assert found.judgement.verdict.is_correct is False
    assert Flag.STAGES_DISAGREE not in found.judgement.flags


def test_a_mismatch_of_other_rules_is_the_models_to_decide_where_it_is_asked():
    found = combine(Mode.CASCADE, rule=MISMATCH, model=RIGHT, negative=RuleNegative.ASK_MODEL)

    assert found.judgement.verdict.is_correct is True
    assert found.stage is DecidingStage.MODEL


def test_a_model_that_agrees_with_a_symbolic_verdict_raises_no_ticket():
    found = combine(
        Mode.CASCADE, rule=SYMBOLIC_MISMATCH, model=WRONG, negative=RuleNegative.ASK_MODEL
    )

    assert found.judgement.flags == frozenset()


def test_where_the_models_word_is_wanted_the_symbolic_verdict_is_beside_it_with_a_ticket():
    found = combine(Mode.MODEL_WITH_RULE_CHECK, rule=SYMBOLIC_MATCH, model=WRONG)

    assert (found.stage, found.rule) == (DecidingStage.MODEL, SYMBOLIC_MATCH)
    assert Flag.STAGES_DISAGREE in found.judgement.flags
