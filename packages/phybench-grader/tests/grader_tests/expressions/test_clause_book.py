"""The kinds of clauses of a response: whoever adds one is told where it is still missing."""

import re
from itertools import combinations
from pathlib import Path

import pytest

from phybench_grader import JudgeError, Verdict, grade
from phybench_grader.numbers.sentences import SENTENCES
from phybench_grader.statement.clause_book import CLAUSE_BOOK, OBJECTIONS, ClauseKind, Objection

GUIDE = Path(__file__).parents[5] / "docs" / "grading.md"


def is_accepted(answer, key):
    try:
        return grade(answer, key).verdict is Verdict.CORRECT
    except JudgeError:
        return False


def test_every_kind_of_clause_is_in_the_book_once():
    assert [one.kind for one in CLAUSE_BOOK] == list(ClauseKind)


@pytest.mark.parametrize("one", CLAUSE_BOOK, ids=lambda one: one.kind)
def test_a_right_answer_with_the_clause_is_accepted_and_says_what_became_of_it(one):
    graded = grade(one.right, one.key)

    assert graded.verdict is Verdict.CORRECT
    assert one.note in [note.code for note in graded.notes]
    assert one.note in SENTENCES


@pytest.mark.parametrize("one", CLAUSE_BOOK, ids=lambda one: one.kind)
def test_its_twin_is_never_accepted(one):
    assert not is_accepted(one.twin, one.key)


@pytest.mark.parametrize("one", CLAUSE_BOOK, ids=lambda one: one.kind)
def test_each_of_its_words_opens_it_behind_a_right_answer_and_makes_no_wrong_one_right(one):
    for word in one.words if one.kind is not ClauseKind.UNIT else ():
        answer = rf"\sqrt{{2gh}}, \text{{ {word} }} h > 0"
        assert not is_accepted(answer.replace("2gh", "gh"), r"\sqrt{2gh}"), word


@pytest.mark.parametrize(("one", "other"), list(combinations(CLAUSE_BOOK, 2)))
def test_no_word_opens_two_kinds(one, other):
    # “valid” opens a condition, and inside and independent say where it holds.
    both = one.words & other.words
    assert both <= {"valid", "independent", "unless"}


@pytest.mark.parametrize("one", CLAUSE_BOOK, ids=lambda one: one.kind)
def test_the_guide_has_a_row_for_each_kind_with_its_examples(one):
    rows = [row for row in GUIDE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    row = next((row for row in rows if row.startswith(f"| *{one.kind.lower()}*")), "")

    assert one.says in row
    assert one.becomes in row
    assert [f"`{text}`" in re.sub(r"\s+", " ", row) for text in (one.right, one.twin)] == [True] * 2


def test_every_kind_of_objection_is_listed_once():
    assert [one.kind for one in OBJECTIONS] == list(Objection)


@pytest.mark.parametrize("one", OBJECTIONS, ids=lambda one: one.kind)
def test_an_objection_around_an_answer_leaves_it_to_a_person_and_its_twin_does_not(one):
    assert is_accepted(one.right, one.key)
    with pytest.raises(JudgeError) as left:
        grade(one.twin, one.key)
    assert left.value.reason == "remark"


BESIDE = {
    Objection.ALTERNATIVE: r"$\boxed{{v=\sqrt{{2gh}}}}$ {word} $v=\sqrt{{gh}}$",
    Objection.CORRECTION: r"$\boxed{{v=\sqrt{{2gh}}}}$. {word}: $v=\sqrt{{gh}}$",
    Objection.CONTRAST: r"$\boxed{{v=\sqrt{{2gh}}}}$, {word} $v=\sqrt{{gh}}$",
    Objection.SCALE: r"It is {word} $\boxed{{\sqrt{{2gh}}}}$",
    Objection.DENIAL: r"It is {word} $\boxed{{\sqrt{{2gh}}}}$",
    Objection.BOUND: r"It is {word} $\boxed{{\sqrt{{2gh}}}}$",
}


@pytest.mark.parametrize("one", OBJECTIONS, ids=lambda one: one.kind)
def test_each_of_its_words_raises_it(one):
    for word in one.words:
        assert not is_accepted(BESIDE[one.kind].format(word=word), one.key), word


@pytest.mark.parametrize("one", OBJECTIONS, ids=lambda one: one.kind)
def test_the_guide_has_a_row_for_each_objection(one):
    rows = GUIDE.read_text(encoding="utf-8").splitlines()
    row = next((row for row in rows if row.startswith(f"| *{one.kind.lower()}*")), "")

    assert one.says in row
    assert [f"`{text}`" in row for text in (one.right, one.twin)] == [True] * 2
