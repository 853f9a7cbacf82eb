"""What speaks against a key: pure rules over groups of answers and solvers."""

import pytest

from grading.disputes.keys.radar import (
    AnswerGroup,
    Doubt,
    Halves,
    Solved,
    compare_halves,
    find_doubts,
)
from phybench_grader.numbers.domains import Domain
from phybench_grader.verdict.clusters import group_answers


def key(*solvers: int) -> AnswerGroup:
    return AnswerGroup("k", frozenset(solvers), len(solvers), is_key=True)


def other(*solvers: int) -> AnswerGroup:
    return AnswerGroup("o", frozenset(solvers), len(solvers), is_key=False)


@pytest.mark.parametrize(
    ("groups", "doubts"),
    [
        ([key(1), other(2, 3)], [Doubt.OTHER_LEADS]),
        ([key(1, 2), other(3, 4)], []),
        ([key(1), other(2)], []),
        ([key(), other(2)], []),
        ([key(), other(2), other(3)], []),
        # Five answers of one model are one solver's.
        ([key(1), AnswerGroup("o", frozenset({2}), 5, is_key=False)], []),
        ([key(1, 2, 3), other(4, 5), other(6, 7)], []),
        ([], []),
    ],
)
def test_another_answer_leads_when_more_solvers_agree_on_it_than_on_the_key(groups, doubts):
    assert find_doubts(groups, []) == doubts


@pytest.mark.parametrize(("solvers", "says"), [(0, False), (2, False), (3, True), (9, True)])
def test_nobody_right_says_something_once_enough_have_tried(solvers, says):
    doubts = find_doubts([key()], [Solved(0.0, None)] * solvers)
    assert (Doubt.NOBODY_RIGHT in doubts) is says


STRONG, WEAK = (90.0, 80.0, 70.0), (30.0, 20.0, 10.0)


@pytest.mark.parametrize(
    ("here_strong", "here_weak", "says"),
    [(0.0, 100.0, True), (50.0, 70.0, True), (50.0, 69.0, False), (100.0, 0.0, False)],
)
def test_the_strong_failing_where_the_weak_do_not_is_a_doubt(here_strong, here_weak, says):
    solved = [
        *(Solved(here_strong, elsewhere) for elsewhere in STRONG),
        *(Solved(here_weak, elsewhere) for elsewhere in WEAK),
    ]
    assert (Doubt.STRONG_FAIL in find_doubts([key(1)], solved)) is says


def test_halves_leave_out_the_one_in_the_middle_and_who_answered_nothing_else():
    solved = [*(Solved(100.0, one) for one in (*STRONG, 50.0, *WEAK)), Solved(0.0, None)]
    assert compare_halves(solved) == Halves(strong=100.0, weak=100.0, each=3)


def test_too_few_or_equally_strong_solvers_are_not_compared():
    assert compare_halves([Solved(0.0, one) for one in (*STRONG, *WEAK[:2])]) is None
    assert compare_halves([Solved(0.0, 50.0)] * 8) is None


def test_equal_answers_are_one_group_however_they_are_written():
    answers = ["m g h", r"\boxed{hgm}", r"$\frac{m g h}{1}$", "2 m g h", "mgh + mgh", "{"]
    groups = group_answers(answers)
    assert [group.members for group in groups] == [(0, 1, 2), (3, 4)]


def test_what_is_declared_decides_which_answers_are_equal():
    pair = [r"\sqrt{x^2}", "x"]
    assert len(group_answers(pair)) == 1
    assert len(group_answers(pair, declared={"x": Domain(None, None)})) == 2
