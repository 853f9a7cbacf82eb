import json

import pytest

from curation.texts.titles import make_title
from tests.shared import find_published


@pytest.mark.parametrize(
    ("statement", "title"),
    [
        (r"Two discs \(A\) and \(B\) touch.", "Two discs A and B touch."),
        (r"The index is $n_{1}$, the angle $\theta_0$.", "The index is n1, the angle θ0."),
        (r"Given $$\int_0^1 x\,dx$$ find more.", "Given … find more."),
        (r"Given \[\frac{a}{b}\] and \[c\].", "Given … and …."),
        (r"A force $F=\frac{k}{r^2}+\alpha r$ acts.", "A force … acts."),
        ("A wave $e^{i(kx-", "A wave"),
        (r"A wave \(e^{i", "A wave"),
        ("## Part 1\n\n---\n\nA **heavy** rod", "Part 1 A heavy rod"),
        ("Please solve the following physics problem: A rod falls.", "A rod falls."),
        (r"A \"smart\" rod", 'A "smart" rod'),
        ("word " * 40, " ".join(["word"] * 16) + "…"),
        ("x" * 200, "x" * 79 + "…"),
        ("$$E = m c^2$$", ""),
    ],
)
def test_a_title_is_plain_text_cut_at_a_word(statement, title):
    assert make_title(statement) == title


def test_a_hostile_statement_does_not_keep_the_title_busy():
    assert len(make_title(r"\begin{a}" * 20_000 + "$$" * 20_001)) <= 80


def test_published_statements_have_fitting_titles():
    rows = json.loads(find_published("with-answers-50.json").read_text())
    titles = [make_title(row["content"]) for row in rows]
    assert all(10 < len(title) <= 80 for title in titles)
    assert not any(mark in title for title in titles for mark in "$\\{}")
