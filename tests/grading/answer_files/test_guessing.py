"""The fields of files as harnesses write them are guessed right, and what is not sure is left."""

from dataclasses import replace

import pytest

from phybench.files.answer_files.answers import Answer, Reading
from phybench.files.answer_files.fields import FieldMap, list_fields
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.rows import Row
from tests.grading.answer_files.files import open_file
from tests.grading.answer_files.harnesses import HARNESSES


@pytest.mark.parametrize("name", HARNESSES)
def test_the_fields_of_each_harness_are_guessed_and_its_answers_read(name):
    harness = HARNESSES[name]
    found = open_file(harness.content)
    assert found.rows_in == harness.rows_in
    rows = found.head()
    guessed = guess(rows, remarks=found.remarks)
    assert guessed == harness.field_map
    field_map = guessed if guessed.model else replace(guessed, model_name="A model")
    assert field_map.find_faults({field.path for field in list_fields(rows)}) == {}

    given = [answer for answer in Reading(found, field_map) if isinstance(answer, Answer)]
    assert [(one.id, one.sample, one.model, one.response) for one in given] == [
        ("C1", 1, "A model", "x"),
        ("C2", 1, "A model", "y"),
    ]
    assert {one.finish_reason for one in given} == {"stop" if guessed.finish_reason else ""}
    assert {one.tokens for one in given} == {7 if guessed.tokens else None}
    assert {one.latency for one in given} == {2.5 if guessed.latency else None}


def guess_of(*values: dict[str, object], **more: object) -> FieldMap:
    return guess([Row(number, one) for number, one in enumerate(values, start=1)], **more)


# --- The id ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "path"),
    [
        ({"index": 3, "id": "C1"}, "id"),
        ({"id": "batch_1", "custom_id": "C1"}, "custom_id"),
        ({"id": 9, "problem_id": "C1"}, "problem_id"),
        ({"doc_id": 0, "doc": {"id": "C1"}}, "doc.id"),
        ({"response": {"id": "chatcmpl-1"}, "idx": 4}, "idx"),
        ({"id": {"a": 1}, "qid": "C1"}, "qid"),
        ({"id": 0.5, "qid": "C1"}, "qid"),
        ({"choices": [{"id": "C1"}]}, ""),
    ],
)
def test_the_id_is_that_of_the_problem_and_not_of_the_row(values, path):
    assert guess_of(values).id == path


def test_of_several_ids_the_one_whose_problems_are_known_is_taken():
    rows = [{"id": f"row-{number}", "index": number, "name": f"C{number}"} for number in range(9)]
    assert guess_of(*rows).id == "id"
    assert guess_of(*rows, known={"1", "2", "3"}).id == "index"
    assert guess_of(*rows, known={f"C{number}" for number in range(9)}).id == "name"
    assert guess_of(*rows, known={"something else"}).id == "id"


# --- The response ---------------------------------------------------------------------------


def test_a_reference_answer_is_not_taken_for_a_response():
    of_dataset = {"id": "C1", "question": "Which energy?", "answer": "m g h"}
    assert guess_of(of_dataset).response == ""
    assert guess_of(of_dataset | {"pred": "x"}).response == "pred"
    assert guess_of({"id": "C1", "answer": "x"}).response == "answer"
    assert guess_of({"id": "C1", "target": {"response": "x"}}).response == ""


def test_a_response_is_text():
    assert guess_of({"response": 3, "output": "x"}).response == "output"
    assert guess_of({"response": None, "output": "x"}, {"response": "x"}).response == "response"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (["x", "y"], "response[]"),
        ([["x", "y"]], "response[][]"),
        (
            [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "x"}],
            "response[-1].content",
        ),
    ],
)
def test_a_response_may_be_a_list(value, path):
    assert guess_of({"id": 1, "response": value}).response == path


# --- The sample and the model ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "first"),
    [([0, 1, 2], 0), ([1, 2, 3], 1), (["1", "2"], 1), ([1.0, 2.0], 1), ([3, 0], 0), ([5], 0)],
)
def test_samples_are_numbered_from_the_least_that_there_is(numbers, first):
    found = guess_of(*({"id": 1, "sample": number} for number in numbers))
    assert (found.sample, found.samples_from) == ("sample", first)


def test_epochs_are_numbered_from_one():
    found = guess_of({"id": 1, "epoch": 3})
    assert (found.sample, found.samples_from) == ("epoch", 1)


def test_what_is_no_number_numbers_no_samples():
    assert guess_of({"id": 1, "sample": "the first"}).sample == ""


def test_where_a_row_holds_several_responses_no_field_numbers_them():
    found = guess_of(
        {"id": 1, "run": 0, "completions": ["x"]}, {"id": 2, "completions": ["x", "y"]}
    )
    assert (found.response, found.sample) == ("completions[]", "")


def test_a_model_that_is_named_once_for_all_rows_is_taken_from_there():
    remarks = {"note": "x", "run.model_name": "A\u200b model"}
    assert guess_of({"id": 1}, remarks=remarks).model_name == "A model"
    found = guess_of({"id": 1, "model": "B"}, remarks=remarks)
    assert (found.model, found.model_name) == ("model", "")


def test_of_nothing_nothing_is_guessed():
    assert guess([]) == guess_of({}) == guess_of({"a": [[], {}], "b": None}) == FieldMap()


def test_a_name_that_ends_in_a_point_is_no_other_field() -> None:
    values = {"Nr.": "7", "problem_id": "C1", "model": "A", "response": "x"}
    found = guess([Row(1, values)])
    assert (found.id, found.response, found.model) == ("problem_id", "response", "model")
    assert (found.sample, found.finish_reason, found.tokens, found.latency) == ("", "", "", "")
