"""Models of one family are told by their names."""

import pytest

from phybench_grader.judges.families import are_kin, find_families


@pytest.mark.parametrize(
    ("judge", "solver"),
    [
        ("gpt-4o", "openai/gpt-5-mini"),
        ("o3", "gpt-4o-2024-08-06"),
        ("claude-opus-4-1", "anthropic/claude-3-5-sonnet"),
        ("gemini-2.5-pro", "google/gemma-3-27b-it"),
        ("Qwen/QwQ-32B", "qwen2.5-72b-instruct"),
        ("deepseek-reasoner", "DeepSeek-R1-Distill-Llama-70B"),
        ("meta-llama/Llama-3.3-70B", "DeepSeek-R1-Distill-Llama-70B"),
        ("mixtral-8x7b", "mistral-large"),
    ],
)
def test_models_of_one_family_are_told_by_their_names(judge, solver):
    assert are_kin(judge, solver)


@pytest.mark.parametrize(
    ("judge", "solver"),
    [
        ("gpt-4o", "claude-opus-4-1"),
        ("our-judge", "our-judge-2"),
        ("gpt-4o", ""),
        ("gpt-4o", "Maria Solo1"),
        ("phi-4", "sophia"),
        ("yi-large", "tyi-large"),
    ],
)
def test_no_others_are(judge, solver):
    assert not are_kin(judge, solver)


def test_a_name_that_nobody_knows_has_no_family():
    assert find_families("fake-steady") == frozenset()
