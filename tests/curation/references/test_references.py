"""What the symbol table says to whoever reads a problem."""

import pytest

from curation.texts.references.reference import SymbolRow


@pytest.mark.parametrize(
    ("sign", "low", "high", "said"),
    [
        ("positive", "", "", ""),
        ("positive", "1", "", "$1 < n$"),
        ("positive", "", r"\pi/2", r"$n < \pi/2$"),
        ("any", "-1", "1", "of either sign, $-1 < n < 1$"),
        ("positive_whole", "2", "", r"1, 2, 3, …, $2 \le n$"),
    ],
)
def test_a_range_is_said_as_a_physicist_writes_it(sign, low, high, said):
    assert SymbolRow("n", sign=sign, low=low, high=high).numbers == said
