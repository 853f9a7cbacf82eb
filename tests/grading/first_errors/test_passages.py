"""A passage is found in the response as it was handed in, and in no other."""

import pytest

from grading.samples.first_errors.passages import Found, NotOnce, NotThere, find_passage

RESPONSE = "So\r\nF = m a,\r\nand F = m a.\r\n"


@pytest.mark.parametrize(
    ("words", "start", "expected"),
    [
        ("and F", None, Found("and F", 14)),
        # As the page counts, each end of a line is one character.
        ("F = m a", 16, Found("F = m a", 18)),
        ("F = m a", 3, Found("F = m a", 4)),
        ("m a,\nand", None, Found("m a,\r\nand", 8)),
        ("m a,\r\nand", None, Found("m a,\r\nand", 8)),
        ("\n  F = m a, ", None, Found("F = m a,", 4)),
        (" F = m a", 15, Found("F = m a", 18)),
    ],
)
def test_words_are_found_where_they_stand(words, start, expected):
    assert find_passage(RESPONSE, words, start) == expected
    assert RESPONSE[expected.start :].startswith(expected.text)


@pytest.mark.parametrize("words", ["F = 2 m a", "", "  ", "f = m a"])
def test_words_that_stand_nowhere_are_no_passage(words):
    with pytest.raises(NotThere):
        find_passage(RESPONSE, words, 0)


@pytest.mark.parametrize("start", [None, 0, 999])
def test_words_that_occur_twice_need_their_place(start):
    with pytest.raises(NotOnce):
        find_passage(RESPONSE, "F = m a", start)


def test_rare_characters_count_as_one():
    assert find_passage("𝐅 = 1, 𝐅", "𝐅", 7) == Found("𝐅", 7)
