"""Every code of the judges has words for people, and every amount is written alike."""

import doctest
import re
from pathlib import Path

import pytest
from django.utils.translation import override

from grader_tests.judges.test_deterministic import CASES, decide_case
from grading import endpoints
from grading.board.templatetags import grading as tags
from grading.judging import words
from grading.judging.engine import conversation, records
from grading.judging.judgements import doubts
from grading.judging.runs import work
from grading.runs import forms as calling
from phybench_grader.judges import Flag, Reason, RuleOutcome
from phybench_grader.judges.kinds import KINDS
from phybench_grader.judges.kinds.semantic import ERRORS, ErrorType


@pytest.mark.parametrize(
    ("codes", "table"),
    [
        (set(Flag), words.FLAGS),
        (set(Reason), words.REASONS),
        ({one.lower() for one in RuleOutcome}, words.OUTCOMES),
        (set(ErrorType), ERRORS),
    ],
)
def test_each_code_has_words(codes, table):
    assert codes == set(table)
    assert all(str(text).strip() for text in table.values())


def test_what_the_client_says_of_a_failed_call_is_said_of_the_judgement():
    for code, rule in endpoints.RULES.items():
        if code.value not in ("truncated", "empty"):
            assert Reason(code.value).message == rule.message


@pytest.mark.parametrize("module", [tags, calling])
def test_amounts_are_written_as_the_examples_say(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_no_code_means_two_things():
    assert not {str(one) for one in Reason} & {str(one) for one in Flag}
    assert not {str(one) for one in Reason} & set(words.OF_RUNS)
    assert not {str(one) for one in Flag} & set(words.DOUBTS)


def find_written(module, pattern: str) -> set[str]:
    found = set(re.findall(pattern, Path(module.__file__).read_text()))
    assert found
    return found


def test_each_doubt_has_words():
    told = find_written(doubts, r'doubts\.append\("(\w+)"\)')
    told |= find_written(records, r'doubts\.append\("(\w+)"\)')
    assert told == set(words.DOUBTS)
    assert all(words.say(one) != one for one in told | records.DOUBTFUL_FLAGS)


def test_each_reason_of_a_run_has_words():
    told = find_written(work, r'(?:_fail|halt)\(item, "(\w+)"')
    told |= find_written(work, r'Halt\("(\w+)"')
    told |= {f"budget_{what}" for what in ("calls", "tokens", "money")}
    assert told <= set(words.OF_RUNS)


def test_each_purpose_of_a_call_has_words():
    assert find_written(conversation, r'_purpose = "(\w+)"') == set(words.PURPOSES)


def test_each_rule_that_finds_an_answer_has_words():
    verdicts = [decide_case(case) for case in CASES]
    assert {verdict.rule for verdict in verdicts} <= set(words.RULES)
    undecided = {one.reason for one in verdicts if one.outcome is RuleOutcome.UNDECIDED}
    assert undecided <= words.UNDECIDED.keys()


def test_a_response_that_is_too_long_for_the_rules_is_told_in_words():
    rule = {"outcome": "undecided", "rule": "not_searched", "reason": "too_long"}
    with override("en"):
        said = words.say_rule(rule)
    assert said == "undecided: no answer was looked for; the response is too long"


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_each_trap_item_has_words(kind):
    with override("en"):
        assert not [
            one.canary for one in kind.list_canaries(1) if "_" in words.say_trap(one.canary)
        ]


def test_a_code_that_is_no_more_is_shown_as_it_is():
    with override("en"):
        assert words.say("GONE") == "GONE"
        assert words.say_path("rule:boxed") == "the last box"
        assert words.say_path("rule:gone") == "gone"
