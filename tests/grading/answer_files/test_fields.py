"""What a person chooses from, what is wrong with what they chose, and how it is remembered."""

import json

import pytest

from phybench.files.answer_files.fields import MOST_FIELDS, Field, FieldMap, list_fields
from phybench.files.answer_files.paths import find
from phybench.files.answer_files.rows import Row

WHOLE = FieldMap(id="id", response="response", model="model")


def rows_of(*values: dict[str, object]) -> list[Row]:
    return [Row(number, one) for number, one in enumerate(values, start=1)]


def test_each_field_is_listed_with_the_first_example_that_is_not_empty():
    rows = rows_of(
        {"id": 1, "a.b": None, "x": {"y": [{"z": ""}, {"z": "first"}]}},
        {"id": 2, "a.b": True, "x": {"y": []}, "score": float("nan")},
        {"id": 3, "a.b": 0.5, "more": {"content": [{"text": "a"}, {"text": "b"}]}},
    )
    assert list_fields([*rows, Row(4, fault="it is not JSON")]) == [
        Field("id", "1", 3),
        Field("a.b", "true", 2),
        Field("x.y[].z", "first", 1),
        Field("score", "NaN", 1),
        Field("more.content", "ab", 1),
    ]


def test_an_example_is_one_short_line_that_can_be_kept():
    [field] = list_fields(rows_of({"response": "a \n\t b\x00" + "c" * 10**6}))
    assert field.example == "a b\N{REPLACEMENT CHARACTER}" + "c" * 75 + "…"
    assert len(field.example) == 80


def test_a_row_with_thousands_of_fields_is_cut():
    logprobs = {f"token {number}": {"a": number, "b": [number]} for number in range(5000)}
    assert 10 < len(list_fields(rows_of(logprobs))) <= MOST_FIELDS
    many = [{f"field {number}": 1} for number in range(1000)]
    assert len(list_fields(rows_of(*many))) == MOST_FIELDS


def test_what_lies_very_deep_is_not_listed():
    value: object = "x"
    for _depth in range(900):
        value = {"a": value}
    assert list_fields([Row(1, {"deep": value, "id": 1})]) == [Field("id", "1", 1)]


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b", [1]),
        ("a.c", [2]),
        ("deep.gpt-4.1.text", ["x"]),
        ("list[].a", [1, None]),
        ("list[-1].a", []),
        ("list[-1].b", [3]),
        ("list.a", []),
        ("texts[]", ["x", "y"]),
        ("one[]", ["x"]),
        ("one[-1]", ["x"]),
        ("none[]", []),
        ("none[-1]", []),
        ("nothing", []),
        ("one.more", []),
        ("nested[][]", [1, 2, 3]),
    ],
)
def test_a_path_leads_through_names_and_lists(path, found):
    row = {
        "a.b": 1,
        "a": {"b": "hidden by the name above", "c": 2},
        "deep": {"gpt-4.1": {"text": "x"}},
        "list": [{"a": 1}, {"a": None}, {"b": 3}],
        "texts": ["x", "y"],
        "one": "x",
        "none": [],
        "nested": [[1, 2], [3]],
    }
    assert find(row, path) == found


# --- What is wrong with a map ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("field_map", "faults"),
    [
        (WHOLE, {}),
        (FieldMap(id="id", response="response", model_name="A"), {}),
        (
            FieldMap(),
            {
                "id": "Choose the field that holds the problem’s id.",
                "response": "Choose the field that holds the response.",
                "model": "Choose the field that names the model, or type its name.",
            },
        ),
        (
            FieldMap(id="id", response="id", model="model", samples_from=2),
            {
                "response": "This field holds the problem’s id already.",
                "samples_from": "Samples are numbered from 0 or from 1.",
            },
        ),
        (
            FieldMap(id="id", response="response", model="model", tokens="usage.tokens"),
            {"tokens": "This file has no field “usage.tokens”."},
        ),
    ],
)
def test_an_id_and_a_response_and_a_model_are_needed(field_map, faults):
    assert field_map.find_faults({"id", "response", "model"}) == faults


def test_without_a_file_no_field_is_missing():
    assert WHOLE.find_faults() == {}


# --- Remembering it -------------------------------------------------------------------------


def test_a_map_comes_back_from_json_as_it_was():
    whole = FieldMap(id="a", response="b[]", samples_from=1, is_in_order=True, model_name="A")
    assert FieldMap.read(json.loads(json.dumps(whole.write()))) == whole


@pytest.mark.parametrize(
    "kept", [None, [], "x", {}, {"id": 3, "sample": None, "samples_from": True, "old": "x"}]
)
def test_what_is_not_understood_of_a_kept_map_is_left_out(kept):
    assert FieldMap.read(kept) == FieldMap()
