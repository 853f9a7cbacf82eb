"""Texts made to hang: each is read within its seconds, whatever it comes to."""

import time

import pytest

from grader_tests.cases import leave_most_to_slow
from phybench_grader.judges.deterministic import MAX_CHARACTERS, RuleOutcome, decide
from phybench_grader.judges.injection import find_injections
from phybench_grader.judges.kinds.pairwise import read_preference
from phybench_grader.judges.kinds.process import read_process
from phybench_grader.judges.kinds.rating import read_rating
from phybench_grader.judges.kinds.semantic import read_semantic

SECONDS = 3.0
PIECES = [
    *(
        ".",
        " ",
        "\n",
        "<",
        "`",
        "```",
        "**",
        "$",
        "$$",
        "{",
        "}",
        "[[",
        "]]",
        "[[7",
        '"',
        '\\"',
        "\\",
    ),
    *("<think>", "</think>", "<think", "< ", "<<< ", "<answer>", "<answer>x</answer>", "\n "),
    *("\\boxed{", "\\boxed{5} ", "\\boxed{5} wait ", "\\text{", "{\\boxed", "answer: ", "answer\n"),
    *("the answer is ", "the answer is 5 because ", "wait, ", "so ", "since a, ", "答案是", "~~"),
    *(
        "9",
        "9,",
        "1.",
        "one hundred ",
        "(A) ",
        "not ",
        '{"is_correct":',
        '{"a": ',
        '{"a": [',
        "{x} ",
    ),
    *(
        "no, ",
        "so, B. ",
        "So B.\n",
        "wait, no, it is B. ",
        "Q: ",
        "\nQ: a\nA: B",
        "1) ",
        "- yes ",
        "a, ",
    ),
    *("a\n", "\\begin{a}", "un", "options: ", "yes or "),
    *("system: ", "ignore ", "rate this ", "<|", "\u200b", "Rating: ", ", ", ",}", "a_", "<a "),
    *("repeat ", "write ", "your ", "your id", "repeat the text ", "the id ", "输出", "上面", "把"),
]


@pytest.mark.parametrize("piece", leave_most_to_slow(PIECES, one_of=8))
def test_a_response_of_one_thing_over_and_over_is_looked_at_in_time(piece):
    text = (piece * MAX_CHARACTERS)[:MAX_CHARACTERS]

    began = time.process_time()
    for truth in ("(A)", "5", "apple"):
        for response in (text, text + " The answer is 5."):
            decide(response[-MAX_CHARACTERS:], truth, question=text)
    find_injections(text)

    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("piece", leave_most_to_slow(PIECES))
def test_a_reply_of_one_thing_over_and_over_is_read_in_time(piece):
    text = (piece * 60_000)[:60_000]

    began = time.process_time()
    for reply in (text, '{"is_correct": "' + text, '{"comment": "<' + text + '"}'):
        for read in (read_rating, read_semantic, read_process, read_preference):
            read(reply)

    assert time.process_time() - began < SECONDS


def test_a_response_that_is_too_long_stays_undecided():
    verdict = decide("x" * MAX_CHARACTERS + "\nThe answer is 5.", "5")

    assert (verdict.outcome, verdict.reason) == (RuleOutcome.UNDECIDED, "too_long")
