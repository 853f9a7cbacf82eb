"""The six rules that people learn cover all that is checked, and their examples are true."""

import pytest

from curation.problems.checks import check
from phybench_grader.authoring.rule_book import SIX_RULES, find_rule
from phybench_grader.numbers.sentences import RULES

STATEMENT = r"Of $v$, $h$, $m$, $k$, $R$, $a$, $q$, $E$, $n$ and $g$."


def list_broken(rule, example: str) -> set[str]:
    answer, statement = ("m", example + " $m$") if rule.is_of_text else (example, STATEMENT)
    return {one.code for one in check(answer, statement).broken}


def test_each_code_belongs_to_one_rule():
    codes = [code for rule in SIX_RULES for code in rule.codes]
    assert len(codes) == len(set(codes))
    assert set(RULES) <= set(codes)
    assert find_rule("no such code") is None


@pytest.mark.parametrize("rule", SIX_RULES, ids=lambda rule: rule.title)
def test_a_good_example_breaks_nothing_and_a_bad_one_breaks_its_rule(rule):
    assert list_broken(rule, rule.good) == set()
    broken = list_broken(rule, rule.bad)
    assert broken
    assert broken <= rule.codes
