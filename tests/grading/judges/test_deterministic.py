"""The deterministic stage against answers made to mislead it: see cases/deterministic.toml."""

import tomllib
from pathlib import Path

from grading.expressions import GradedAnswer, JudgeError
from grading.judges.deterministic import RuleOutcome, RuleVerdict, TruthKind, decide
from grading.judging.words import UNDECIDED
from tests.cases import try_each

FAMILIES = tomllib.loads(
    (Path(__file__).parent / "cases" / "deterministic.toml").read_text(encoding="utf-8")
)
CASES = [{"family": name} | case for name, family in FAMILIES.items() for case in family["cases"]]


def decide_case(case: dict[str, str]) -> RuleVerdict:
    return decide(
        case["response"],
        case["truth"],
        question=case.get("question", ""),
        kind=TruthKind[case["type"].upper()] if "type" in case else None,
    )


def test_response_gets_the_outcome_of_the_table():
    def decide_it(case):
        assert decide_case(case).outcome.lower() == case["outcome"]

    try_each(CASES, decide_it)


def test_there_are_many_adversarial_cases_of_many_families():
    assert len(CASES) >= 150
    assert len(FAMILIES) >= 12


def test_no_case_is_a_wrong_match_and_at_most_two_in_a_hundred_are_wrong_mismatches():
    verdicts = [(case["reading"], decide_case(case).outcome) for case in CASES]
    matches = [reading for reading, outcome in verdicts if outcome is RuleOutcome.MATCH]
    mismatches = [reading for reading, outcome in verdicts if outcome is RuleOutcome.MISMATCH]

    assert [reading for reading in matches if reading != "match"] == []
    assert sum(reading != "mismatch" for reading in mismatches) <= 0.02 * len(verdicts)


def test_what_is_undecided_says_why_and_what_is_decided_does_not():
    reasons = {verdict.outcome: set() for verdict in map(decide_case, CASES)}
    for case in CASES:
        verdict = decide_case(case)
        reasons[verdict.outcome].add(verdict.reason)

    assert reasons[RuleOutcome.MATCH] == reasons[RuleOutcome.MISMATCH] == {""}
    assert reasons[RuleOutcome.UNDECIDED] <= UNDECIDED.keys()


def test_what_the_symbolic_judge_can_t_grade_is_undecided_and_never_wrong():
    def fail(answer: str, reference: str) -> GradedAnswer:
        raise JudgeError("timeout", "It took too long.")

    verdict = decide(r"\boxed{mgh}", "mgh", kind=TruthKind.EXPRESSION, symbolic=fail)

    assert (verdict.outcome, verdict.reason) == (RuleOutcome.UNDECIDED, "symbolic")


def test_a_ground_truth_with_grouped_thousands_is_one_number():
    assert decide("The answer is -1234.", "-1,234").outcome is RuleOutcome.MATCH
    assert decide("The answer is -1235.", "-1,234").outcome is RuleOutcome.MISMATCH


def test_the_answer_is_found_at_its_place_in_the_whole_response():
    response = "<think>A</think> So the answer is **(B)**."
    verdict = decide(response, "(B)")

    assert (verdict.extracted, verdict.rule) == ("(B)", "phrase")
    assert response[verdict.start : verdict.end] == "(B)"
