"""Where in a response the graded part stands, for a page to mark it there."""

import json
import random
from pathlib import Path

import pytest

from phybench_grader import grade
from phybench_grader.statement.response import locate_answer

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("response", "graded"),
    [
        (r"So \boxed{ \frac{a}{b} }.", r"\frac{a}{b}"),
        (r"First \boxed{1}, then \boxed{2}.", "2"),
        (r"\boxed{1} was wrong.</think>It is \boxed{a}.", "a"),
        (r"\boxed{\boxed{x}}", r"\boxed{x}"),
        (r"So \boxed{\frac{a", r"\frac{a"),
        (r"So it is \\boxed{\\frac{a}{b}}.", r"\\frac{a}{b}"),
        ("Thus the speed is $v = a$ for $a > 0$. Good.", "$v = a$ for $a > 0$"),
        ("Thus we have\n$$v = a$$\nwhich is large.", "$$v = a$$"),
        ("Some words.\n\nAnswer: **$a + b$**", "$a + b$"),
        ("Some words.\n```\nAnswer: `a + b`\n```\n", "a + b"),
        ("It is this: <answer> m g h </answer> and no more", "m g h"),
        ("  m g h\n", "m g h"),
        ("**So** it is\n```latex\n$$a$$ or $$b$$\n```", "$$a$$ or $$b$$"),
        ("I think that this is what\n** v = a b **\n", "v = a b"),
    ],
)
def test_the_place_of_what_is_graded_is_told_in_the_response_as_it_was_given(response, graded):
    found = locate_answer(response)

    assert response[found.start : found.end] == graded


def test_a_grade_tells_the_place_also_of_what_it_can_not_read():
    judgement = grade(r"So \boxed{\foo{x}} it is", "x")

    assert (judgement.answer_start, judgement.answer_end) == (10, 17)


def test_what_was_found_in_one_piece_stands_at_its_place():
    texts = [case["answer"] for case in json.loads((HERE / "statements.json").read_text())]
    chance = random.Random(1)
    around = ["\n", "```\n", "**", " So ", "Answer: ", r"\[", r"\]", "$", r"\boxed{", "}", ". "]
    for _ in range(2_000):
        response = "".join(chance.choice([*around, chance.choice(texts)]) for _ in range(8))
        found = locate_answer(response)
        assert 0 <= found.start <= found.end <= len(response)
        if found.text and found.text in response and "\\text" not in found.text:
            assert set(found.text) <= set(response[found.start : found.end] + " ")


@pytest.mark.parametrize("piece", ["\\\\frac{a}{b} ", "**a** ", "`a` ", "```\n", r"\boxed{a} "])
def test_in_a_response_of_a_million_characters_the_last_counts(piece):
    response = piece * (1_000_000 // len(piece)) + r"$\boxed{b}$"
    found = locate_answer(response)

    assert (found.text, response[found.start : found.end]) == ("b", "b")
