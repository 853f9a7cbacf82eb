"""Who says that they have no answer has given none: it is no product of the letters of that."""

import pytest

from phybench_grader import Verdict, grade, read
from phybench_grader.reading.reading import Unreadable

SAYING_NONE = [
    *("I don't know", "I don’t know.", "I dont know", "Sorry, I don't know how to do it", "idk"),
    *(
        "I do not know the answer",
        "dunno",
        "no idea",
        "No answer",
        "I give up",
        "I can't",
        "unknown",
    ),
    *("Ich weiß es nicht", "weiss nicht", "Keine Ahnung!", "Ich gebe auf", "kein Plan"),
    *("En tiedä", "en osaa", "En tiedä vastausta.", "Luovutan", "Ei aavistustakaan"),
    *("我不知道", "不知道。", "不会做", "无法确定", "对不起,我不知道"),
    *(r"\text{I don't know}", r"$\text{no idea}$", r"\text{En osaa}", r"\mathrm{idk}"),
]


@pytest.mark.parametrize("text", SAYING_NONE)
@pytest.mark.parametrize("wrapped", ["{}", r"\boxed{{{}}}", "I tried it.\n\nAnswer: {}"])
def test_to_say_that_there_is_no_answer_is_none(text, wrapped):
    graded = grade(wrapped.format(text), "d*k*n*o*w*t")

    assert graded.verdict is Verdict.UNREADABLE
    assert (graded.accuracy, graded.eed) == (0, 0)
    with pytest.raises(Unreadable) as refused:
        read(text)
    assert refused.value.reason == "no_answer"


@pytest.mark.parametrize(
    ("text", "reference"),
    [("idk", "i d k"), ("n/a", "n/a"), ("k n o w", "k n o w"), ("I d", "I d"), ("en o", "o e n")],
)
def test_a_product_of_the_problems_symbols_is_an_answer_whatever_it_spells(text, reference):
    declared = {one for one in text if one.isalpha()} - {"i", "e"}

    assert grade(text, reference, declared=declared).verdict is Verdict.CORRECT


def test_an_answer_beside_such_words_is_still_found():
    response = r"I don't know a shorter way. \boxed{\frac{m g}{k}}"

    assert grade(response, r"\frac{m g}{k}").verdict is Verdict.CORRECT
