"""The words of the prompt, and the examples in docstrings."""

import doctest

import pytest

from grading.model_runs import prompt
from grading.runs import reservations


@pytest.mark.parametrize("module", [prompt, reservations])
def test_examples_give_what_they_say(module):
    result = doctest.testmod(module)
    assert (result.failed, result.attempted > 0) == (0, True)


def test_another_word_is_another_version():
    """Raise the version with the words: what was asked is compared by its name."""
    assert (prompt.PROMPT, prompt.PROMPT_SHA256[:12]) == ("solve-1", "290372fba853")
