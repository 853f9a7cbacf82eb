"""How far apart reviews are is a figure of pairs: of one review, or no solve, there is none."""

import pytest

from curation.reviewing.rounds.models import RoundDisagreement

FIGURES = dict.fromkeys(("total", "recommendations", "answers", "solves"), 0.0)


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"reject": 1}, set()),
        ({"reject": 1, "accept": 1}, {"total", "recommendations", "answers"}),
        ({"reject": 1, "differing": 1}, {"total", "solves"}),
        ({"accept": 2, "agreeing": 1}, set(FIGURES)),
    ],
)
def test_what_nothing_was_compared_for_has_no_figure(counts, told):
    parts = RoundDisagreement(**FIGURES, **counts).parts
    assert parts == {name: value if name in told else None for name, value in FIGURES.items()}
