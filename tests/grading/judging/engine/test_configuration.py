"""A configuration is checked field by field; its identity is all that can move a judgement."""

import json
from pathlib import Path

import pytest

from grading.judging.engine import configuration
from grading.judging.engine.configuration import (
    parse_configuration,
    read_configuration,
)
from grading.judging.engine.documents import BadConfiguration
from phybench_grader.judges.kinds import KINDS

HERE = Path(__file__).parent
GOOD = {"kind": "semantic", "base_url": "https://api.example.com/v1", "model": "judge-1"}
RATING = {**GOOD, "kind": "rating"}


def identify(folder: Path = HERE, **fields: object) -> str:
    return read_configuration({**GOOD, **fields}, folder=folder).identity


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ([], "Write one JSON object {…}."),
        ({}, "kind: choose one of semantic, rating, process, pairwise."),
        ({**GOOD, "kind": "vibes"}, "kind: choose one of semantic, rating, process, pairwise."),
        ({**GOOD, "mode": "guess"}, "mode: choose one of cascade, rule_only, model_only,"),
        ({**RATING, "mode": "cascade"}, "mode: leave it out: only the semantic matcher has rules."),
        ({**GOOD, "mode": "rule_only"}, "mode: with rule_only, leave out base_url, model and"),
        ({"kind": "semantic"}, "model: write a text."),
        ({**GOOD, "model": " "}, "model: write a text."),
        ({**GOOD, "base_url": None}, "base_url: write a text."),
        ({**GOOD, "base_url": "ftp://x"}, "base_url: Begin the URL with https://"),
        ({**GOOD, "base_url": "https://u:p@x"}, "base_url: Leave user name and password out"),
        ({**GOOD, "language": "de"}, "language: There is no template for semantic, de,"),
        ({**RATING, "language": "sv"}, "language: choose one of en, de, fi, by_item."),
        ({**GOOD, "language": "by_item"}, "language: write en: this judge has prompts in no"),
        ({**RATING, "turns": 4}, "turns: write an integer from 1 to 3, or by_item."),
        ({**RATING, "turns": "many"}, "turns: write an integer from 1 to 3, or by_item."),
        ({**RATING, "turns": True}, "turns: write an integer from 1 to 3, or by_item."),
        ({**GOOD, "turns": 2}, "turns: write 1: only the rating judge looks at several turns."),
        ({**GOOD, "turns": "by_item"}, "turns: write 1: only the rating judge looks at several"),
        (
            {**RATING, "turns": "by_item", "template": "own.txt"},
            "template: leave it out: one template is for one language and one number of turns.",
        ),
        (
            {**RATING, "reference_categories": "math"},
            "reference_categories: write a list of texts, or [] for none.",
        ),
        (
            {**RATING, "includes_thinking": True},
            "includes_thinking: leave it out: only the semantic matcher can be shown it.",
        ),
        ({**GOOD, "with_reference": False}, "with_reference: write true: this judge compares"),
        ({**RATING, "with_reference": "no"}, "with_reference: write true or false."),
        (
            {**GOOD, "template": "none.txt"},
            "template: none.txt can't be opened (No such file or directory): put it beside",
        ),
        (
            {**GOOD, "template": "conftest.py"},
            "template: {ground_truth}, {question}, {response} are missing from the user",
        ),
        ({**GOOD, "repeats": 0}, "repeats: write an integer from 1 to 25."),
        ({**GOOD, "repeats": True}, "repeats: write an integer from 1 to 25."),
        ({**GOOD, "judges": []}, "judges: write base_url and model in each judge, or no judges."),
        ({"kind": "semantic", "judges": []}, "judges: write a list of 1 to 9 objects"),
        ({"kind": "semantic", "judges": [{}]}, "judges[1].model: write a text."),
        ({"kind": "semantic", "judges": [7]}, "judges[1]: write an object {…}."),
        (
            {"kind": "semantic", "judges": [{**GOOD, "kind": "x"}]},
            "judges[1].kind: this name is unknown here; known names are base_url, model, name.",
        ),
        (
            {"kind": "semantic", "judges": [{"base_url": "https://x", "model": "m"}] * 2},
            "judges: give each a “name” of its own.",
        ),
        ({**GOOD, "parameters": 3}, "parameters: write an object {…}."),
        ({**GOOD, "parameters": {"temperature": 3}}, "parameters.temperature: write a number from"),
        (
            {**GOOD, "parameters": {"stop": "x"}},
            "parameters.stop: this name is unknown here; known names are",
        ),
        ({**GOOD, "limits": {"calls": -1}}, "limits.calls: write an integer from 0"),
        (
            {**GOOD, "limits": {"call": 9}},
            "limits.call: this name is unknown here; known names are",
        ),
        ({**GOOD, "limits": {"money": "lots"}}, "limits.money: write an amount from 0"),
        ({**GOOD, "limits": {"money": "1"}}, "limits.money: write “prices” too"),
        ({**GOOD, "prices": {"prompt": -1}}, "prices.prompt: write an amount from 0"),
        (
            {**GOOD, "api_key": "sk-1"},
            "api_key: leave API keys out of the file: put the API key into an",
        ),
        (
            {**GOOD, "tempreture": 0},
            "tempreture: this name is unknown here; known names are base_url,",
        ),
    ],
)
def test_what_is_wrong_is_named_with_what_to_do(document, says):
    with pytest.raises(BadConfiguration) as refused:
        read_configuration(document, folder=HERE)
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "This is not JSON: line 1, column 1"),
        (b'{"kind": ', "This is not JSON: line 1, column 10"),
        (b"\xff\xfe", "Save it as text in UTF-8."),
        (b"[" * 100_000, "This JSON can’t be read"),
        (b"9" * 10_000, "This JSON can’t be read"),
    ],
)
def test_what_is_no_json_is_refused_in_a_sentence(content, says):
    with pytest.raises(BadConfiguration) as refused:
        parse_configuration(content, folder=HERE)
    assert str(refused.value).startswith(says)


def test_a_reference_is_asked_for_unless_the_configuration_says_otherwise():
    assert read_configuration(RATING, folder=HERE).variant.has_reference
    free = read_configuration({**RATING, "with_reference": False}, folder=HERE)
    assert not free.variant.has_reference


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "model_only"},
        {"rule_negative": "ask_model"},
        {"includes_thinking": True},
        {"model": "judge-2"},
        {"base_url": "https://api.example.com/v2"},
        {"parameters": {"temperature": 0.5}},
        {"parameters": {"max_tokens": 500}},
        {"parameters": {"seed": 1}},
        {"parameters": {"response_format": {"type": "json_object"}}},
        {"repeats": 3},
        {"max_candidate": 10_000},
    ],
)
def test_what_can_change_a_judgement_is_another_identity(fields):
    assert identify(**fields) != identify()


@pytest.mark.parametrize(
    "fields",
    [
        {"mode": "CASCADE"},
        {"parameters": {"temperature": 0}},
        {"limits": {"calls": 10, "requests_per_minute": 5, "attempts": 2, "seconds_per_call": 9}},
        {"prices": {"prompt": "1"}},
    ],
)
def test_how_fast_and_how_far_a_run_goes_is_none(fields):
    assert identify(**fields) == identify()


def test_another_text_of_a_template_is_another_identity(tmp_path):
    path = tmp_path / "own.txt"
    identities = set()
    for text in ("{question} {response} {ground_truth}", "{question} {response} {ground_truth} "):
        path.write_text(text)
        identities.add(identify(tmp_path, template="own.txt"))
    assert len(identities) == 2


@pytest.mark.parametrize("name", ["RUN_VERSION", "STAGE_VERSION", "PARSER_VERSION"])
def test_another_version_of_the_code_is_another_identity(monkeypatch, name):
    before = identify()
    monkeypatch.setattr(configuration, name, "next")
    assert identify() != before


def test_ratings_have_an_identity_for_each_language_turn_and_reference():
    identities = {
        read_configuration({**RATING, **fields}, folder=HERE).identity
        for fields in ({}, {"language": "de"}, {"turns": 2}, {"with_reference": False})
    }
    assert len(identities) == 4


@pytest.mark.parametrize(
    "fields",
    [
        {"language": "by_item"},
        {"turns": "by_item"},
        {"reference_categories": ["math"]},
        {"with_reference": True},
    ],
)
def test_what_is_left_to_the_items_is_another_identity(fields):
    identities = {
        read_configuration({**RATING, **one}, folder=HERE).identity for one in ({}, fields)
    }
    assert len(identities) == 2


def test_an_identity_is_of_values_that_json_can_write():
    mixed = {"kind": "rating", "language": "by_item", "turns": "by_item"}
    for fields in [*({"kind": str(kind)} for kind in KINDS.values()), mixed]:
        described = read_configuration({**GOOD, **fields}, folder=HERE).describe()
        assert json.loads(json.dumps(described)) == described
