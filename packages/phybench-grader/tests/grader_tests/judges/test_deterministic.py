"""The deterministic stage against answers made to mislead it: see the tables in cases."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader_tests.cases import try_each
from phybench_grader import JudgeError
from phybench_grader.judges.deterministic import RuleOutcome, RuleVerdict, TruthKind, decide
from phybench_grader.verdict.grade import GradedAnswer

FOLDER = Path(__file__).parent / "cases"


def read_cases(name: str) -> list[dict[str, Any]]:
    """Read a table; what stands above the cases of a family is said of all that don't say it."""
    families = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
    return [
        {"family": family, "question": rows.get("question", "")} | case
        for family, rows in families.items()
        for case in rows["cases"]
    ]


BIG_BENCH_HARD = read_cases("big_bench_hard.toml")
CASES = [
    *read_cases("deterministic.toml"),
    *BIG_BENCH_HARD,
    *read_cases("second_attack.toml"),
    *read_cases("third_attack.toml"),
]


def decide_case(case: dict[str, Any]) -> RuleVerdict:
    return decide(
        case["response"],
        case["truth"],
        question=case["question"],
        kind=TruthKind[case["type"].upper()] if "type" in case else None,
    )


def test_response_gets_the_outcome_of_the_table():
    def decide_it(case):
        assert decide_case(case).outcome.lower() == case["outcome"]

    try_each(CASES, decide_it)


def test_there_are_many_adversarial_cases_of_many_families():
    assert len(CASES) >= 150
    assert len({case["family"] for case in CASES}) >= 12


def test_each_task_of_big_bench_hard_has_cases_and_half_of_them_are_traps():
    assert len(BIG_BENCH_HARD) >= 150
    assert len({case["family"] for case in BIG_BENCH_HARD}) == 27
    assert sum(case.get("trap", False) for case in BIG_BENCH_HARD) >= len(BIG_BENCH_HARD) / 2


def test_no_case_is_a_wrong_match_and_at_most_one_in_a_hundred_is_a_wrong_mismatch():
    verdicts = [(case["reading"], decide_case(case).outcome) for case in CASES]
    matches = [reading for reading, outcome in verdicts if outcome is RuleOutcome.MATCH]
    mismatches = [reading for reading, outcome in verdicts if outcome is RuleOutcome.MISMATCH]

    assert [reading for reading in matches if reading != "match"] == []
    assert sum(reading != "mismatch" for reading in mismatches) <= 0.01 * len(verdicts)


def test_what_is_undecided_says_why_and_what_is_decided_does_not():
    reasons = {verdict.outcome: set() for verdict in map(decide_case, CASES)}
    for case in CASES:
        verdict = decide_case(case)
        reasons[verdict.outcome].add(verdict.reason)

    assert reasons[RuleOutcome.MATCH] == reasons[RuleOutcome.MISMATCH] == {""}
    assert all(reasons[RuleOutcome.UNDECIDED])


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


RUN_ON = (
    "Heat flows. So the answer is (B).\n\nQ: Which is next?\nA: We look. So the answer is (C).",
    "**Answer: B**\n\nQuestion: What is colder?\nAnswer: C",
    "The answer is (B).\n\nHuman: Thanks. And what is 2 + 2?\n\nAssistant: The answer is (C).",
    "B\n\nQ: Which of the two ends of the rod is the warmer one then?",
)


@pytest.mark.parametrize("response", RUN_ON)
def test_a_response_that_runs_on_is_cut_there_and_flagged(response):
    verdict = decide(response, "(B)")

    assert (verdict.outcome, verdict.is_run_on) == (RuleOutcome.MATCH, True)
    assert decide(response, "(C)").outcome is RuleOutcome.MISMATCH


@pytest.mark.parametrize(
    "response",
    [
        "Question: which?\nAnswer: (B)",
        "Q: How many are left?\nA: The answer is 5.\nQ: And in all?\nA: The answer is 7.",
        "The answer is (B).\nQuestion 2: and the other?\nThe answer is (C).",
        "We ask: is it so? The answer is (B).",
    ],
)
def test_what_takes_a_question_apart_is_no_run_on(response):
    assert not decide(response, "(C)").is_run_on


@pytest.mark.parametrize(
    "asked",
    [
        "Q: Are you sure?",
        "Human: Is that correct?",
        "Human: no, look at the rope",
        "Question: What about (C)?",
        "Question: wait, what of the rope?",
    ],
)
def test_a_run_on_that_asks_about_the_answer_is_a_second_thought(asked):
    response = f"So the answer is (B).\n\n{asked}\nA: No. So the answer is (C)."

    assert decide(response, "(B)").outcome is RuleOutcome.UNDECIDED
    assert decide(response, "(C)").outcome is RuleOutcome.UNDECIDED


def test_a_run_on_that_asks_the_same_question_again_is_a_second_try():
    question = "Which metal melts first when it is warmed?"
    again = f"So the answer is (B).\n\nQ: {question}\nA: So the answer is (C)."

    verdict = decide(again, "(B)", question=question)

    assert (verdict.outcome, verdict.is_run_on) == (RuleOutcome.UNDECIDED, True)


@pytest.mark.parametrize(
    ("between", "is_taken_back"),
    [
        (" Wait, no. ", True),
        (" I missed a sign. ", True),
        ("\n\nEdit: one sign has to change. ", True),
        (" We look at the rest of it. Actually, we have to turn it. ", True),
        (" Jamie and Patrick wait. ", False),
        (" They edit the film. ", False),
        (" She took the train instead. ", False),
        (" He missed the bus. ", False),
        (" All is well. Actually, it rained. They went on. ", False),
    ],
)
def test_taking_back_needs_its_word_beside_a_statement(between, is_taken_back):
    verdict = decide(f"The answer is (A).{between}The answer is (B).", "(B)")

    assert (verdict.outcome is RuleOutcome.MATCH) is is_taken_back


@pytest.mark.parametrize(
    "question",
    [
        "Is it a lie that the ice melts?",
        "Is it a myth that the ice melts?",
        "Is it unusual for ice to melt?",
        "Does the ice fail to melt?",
        "Does that contradict the law?",
        "Has it been debunked that the ice melts?",
        "Is it dubious that the ice melts?",
        "Is it false that the ice melts?",
        "Is it true or false that the ice melts?",
        "Isn't the ice melting?\nOptions:\n- Yes\n- No",
    ],
)
def test_a_question_that_turns_the_answer_round_leaves_yes_against_true_undecided(question):
    assert decide("The answer is yes.", "True", question=question).outcome is RuleOutcome.UNDECIDED
    assert decide("The answer is true.", "No", question=question).outcome is RuleOutcome.UNDECIDED
    assert decide("The answer is true.", "True", question=question).outcome is RuleOutcome.MATCH


@pytest.mark.parametrize(
    "listed",
    [
        "Options:\n- Yes\n- No",
        "Options: - Yes - No",
        "Answer: yes or no",
        "Options: Yes, No",
        "Yes or no?",
        "(yes/no)",
        "Choices:\n(A) Yes\n(B) No",
    ],
)
def test_answers_that_a_question_offers_do_not_turn_it_round(listed):
    question = f"Does the ice melt? {listed}"

    assert decide("The answer is true.", "Yes", question=question).outcome is RuleOutcome.MATCH
    assert decide("The answer is false.", "Yes", question=question).outcome is RuleOutcome.MISMATCH


@pytest.mark.parametrize(
    ("truth", "response", "question"),
    [
        ("2", "The answer is 50.", "How many? 1) 40 2) 50"),
        ("2", "The answer is 2.", "How many? 1) 40 2) 50"),
        ("2", "The answer is 2.", "How many?\n(1) 40\n(2) 50"),
        ("12/25", "The answer is 0.48.", ""),
        ("6/8", "The answer is 3/4.", ""),
        ("4/2", "The answer is 2.", ""),
        ("4/2", "The answer is 1.", ""),
        ("2", "The answer is 4/2.", "What was the score?"),
        ("1.10", "The answer is 1.1.", "Which version is it?"),
        ("50%", "The answer is 0.5.", ""),
        ("50%", "The answer is 50.", ""),
        ("007", "The answer is 7.", ""),
    ],
)
def test_what_only_looks_like_a_number_is_never_judged_by_value(truth, response, question):
    assert decide(response, truth, question=question).outcome is RuleOutcome.UNDECIDED


@pytest.mark.parametrize(
    ("kind", "response", "outcome"),
    [
        (TruthKind.OPTION, "The answer is 50.", RuleOutcome.MATCH),
        (TruthKind.OPTION, "The answer is (2).", RuleOutcome.MATCH),
        (TruthKind.OPTION, "The answer is 40.", RuleOutcome.MISMATCH),
        (TruthKind.NUMBER, "The answer is 2.", RuleOutcome.MATCH),
        (TruthKind.NUMBER, "The answer is 50.", RuleOutcome.MISMATCH),
    ],
)
def test_the_type_of_an_item_says_what_its_truth_is(kind, response, outcome):
    question = "How many? 1) 40 2) 50"

    assert decide(response, "2", question=question, kind=kind).outcome is outcome
