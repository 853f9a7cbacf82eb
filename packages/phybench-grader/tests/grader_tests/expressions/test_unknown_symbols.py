"""Symbols that a problem does not have are named, with the one that may be meant."""

import pytest

from phybench_grader import grade, read
from phybench_grader.reading.question import Question
from phybench_grader.statement.unknown import list_unknown


def find(text, *declared, statement=""):
    question = Question.of(declared)
    if statement:
        question = Question(question.domains, statement=statement)
    return list_unknown(text, read(text, declared=question), question)


@pytest.mark.parametrize(
    ("text", "meant", "mended"),
    [
        ("w^2 R", r"\omega", r"\omega^2 R"),
        ("R w t", r"\omega", r"R \omega t"),
        ("Rwt", r"\omega", r"R\omega t"),
        (r"\sin(wt)/w", r"\omega", r"\sin(\omega t)/\omega"),
        (r"\Omega R", r"\omega", r"\omega R"),
        ("r t", "R", "R t"),
        (r"\frac{w}{2}", r"\omega", r"\frac{\omega}{2}"),
        ("v t", "v_0", "v_0 t"),
        ("v^2 t", "v_0", "v_0^2 t"),
    ],
)
def test_one_that_looks_like_another_is_mended_wherever_it_stands(text, meant, mended):
    [unknown] = find(text, r"\omega", "R", "t", "v_0")

    assert (unknown.meant, unknown.mended) == (meant, mended)


@pytest.mark.parametrize("text", ["q R", r"\theta R", "x_2"])
def test_one_that_looks_like_no_other_is_only_named(text):
    [unknown] = find(text, r"\omega", "R")

    assert (unknown.meant, unknown.mended) == ("", "")
    assert str(unknown.message).endswith("is not a symbol of this problem.")


def test_the_statement_says_as_well_what_is_a_symbol():
    assert find("m g", statement="A mass $m$ falls.") == []
    assert [one.latex for one in find("m g x", statement="A mass $m$ falls.")] == ["x"]


def test_where_nothing_is_known_of_the_symbols_nothing_is_said():
    assert find("q R") == []


def test_constants_of_nature_and_primed_symbols_need_no_introduction():
    assert find(r"\hbar c R'", "R") == []


def test_a_wrong_answer_s_grade_names_them():
    notes = [str(note) for note in grade("w R", r"\omega R + 1").notes]

    assert r"$w$ is not a symbol of this problem: did you mean $\omega$?" in notes


def test_a_right_answer_s_grade_names_none():
    assert grade("R + q - q", "R").notes == ()
