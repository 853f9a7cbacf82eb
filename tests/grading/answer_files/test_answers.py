"""What is taken for an answer, and what is left out and why."""

from dataclasses import replace

import pytest

from phybench.files.answer_files.answers import (
    LONGEST_RESPONSE,
    Answer,
    Counts,
    LeftOut,
    Reading,
    Reason,
)
from phybench.files.answer_files.fields import FieldMap
from phybench.files.answer_files.rows import BrokenOff, Row
from tests.grading.answer_files.files import as_lines, open_file

MAP = FieldMap(id="id", response="response", sample="sample", model="model")
IN_LISTS = replace(MAP, sample="")


def row(**fields: object) -> dict[str, object]:
    return {"id": "C1", "model": "A", "response": "x", **fields}


def read(*values: dict[str, object], field_map: FieldMap = MAP) -> list[Answer | LeftOut]:
    rows = [Row(number, one) for number, one in enumerate(values, start=1)]
    return list(Reading(rows, field_map))


def samples(*values: dict[str, object], field_map: FieldMap = MAP) -> list[object]:
    """Return which sample each answer is; of what is left out, why."""
    return [
        answer.reason if isinstance(answer, LeftOut) else (answer.id, answer.sample)
        for answer in read(*values, field_map=field_map)
    ]


def test_an_answer_holds_what_its_row_says():
    field_map = replace(MAP, finish_reason="why", tokens="usage.tokens", latency="ms.latency_ms")
    values = row(
        sample=2, why="length", usage={"tokens": "12"}, ms={"latency_ms": 1500}, judge="wrong"
    )
    assert read(values, field_map=field_map) == [
        Answer(
            row=1,
            id="C1",
            sample=3,
            response="x",
            model="A",
            finish_reason="length",
            tokens=12,
            latency=1.5,
        )
    ]


@pytest.mark.parametrize("given", [None, "many", -1, 1.5, [1], float("nan"), True])
def test_what_is_said_of_an_answer_wrongly_is_not_taken(given):
    field_map = replace(MAP, finish_reason="why", tokens="tokens", latency="latency")
    [answer] = read(
        row(why=["stop"], tokens=given, latency=given if given != 1.5 else "soon"),
        field_map=field_map,
    )
    assert isinstance(answer, Answer)
    assert (answer.finish_reason, answer.tokens, answer.latency) == ("", None, None)


def test_answers_and_rows_left_out_are_those_of_files_handed_in_before():
    answer, left_out = read(row(), row(response=3))
    assert isinstance(answer, Answer)
    assert isinstance(left_out, LeftOut)


@pytest.mark.parametrize(
    ("fields", "identifier", "reason", "message"),
    [
        ({"id": None}, "", Reason.NO_ID, "it has no id"),
        ({"id": " "}, "", Reason.NO_ID, "it has no id"),
        ({"id": True}, "", Reason.NO_ID, "it has no id"),
        ({"id": 1.5}, "", Reason.NO_ID, "it has no id"),
        ({"id": ["C1"]}, "", Reason.NO_ID, "it has no id"),
        ({"id": "C" * 201}, "C" * 200, Reason.NO_ID, "its id is longer than 200 characters"),
        ({"response": None}, "C1", Reason.EMPTY, "no answer: counted as missing"),
        ({"response": " \n"}, "C1", Reason.EMPTY, "no answer: counted as missing"),
        ({"response": float("nan")}, "C1", Reason.EMPTY, "no answer: counted as missing"),
        ({"response": []}, "C1", Reason.EMPTY, "no answer: counted as missing"),
        ({"response": 42}, "C1", Reason.NO_TEXT, "its answer is not text"),
        ({"response": False}, "C1", Reason.NO_TEXT, "its answer is not text"),
        ({"response": {"a": "x"}}, "C1", Reason.NO_TEXT, "its answer is not text"),
        (
            {"response": "x" * (LONGEST_RESPONSE + 1)},
            "C1",
            Reason.TOO_LONG,
            "its answer is over a million characters",
        ),
        *(
            (
                {"sample": number},
                "C1",
                Reason.BAD_SAMPLE,
                "its sample number is not an integer from 0 to 9999",
            )
            for number in (-1, 10_000, 1.5, "one", True, [0], 10**400, "9" * 99)
        ),
    ],
)
def test_a_row_that_is_no_answer_is_left_out_and_said(fields, identifier, reason, message):
    assert read(row(id="C7"), row(**fields))[1:] == [LeftOut(2, identifier, message, "A", reason)]


@pytest.mark.parametrize("model", [None, "", "\u200b ", 7, ["A"], "m" * 121])
def test_a_row_of_no_model_is_left_out_alone(model):
    [left_out, answer] = read(row(model=model), row())
    message = "it has no model name of 1 to 120 characters"
    assert left_out == LeftOut(1, "C1", message, left_out.model, Reason.NO_MODEL)
    assert isinstance(answer, Answer)


def test_a_model_named_by_hand_is_that_of_the_rows_that_name_none():
    field_map = replace(MAP, model_name=" By  hand ")
    found = read(row(), row(model=None), field_map=field_map)
    assert [answer.model for answer in found] == ["A", "By hand"]
    [answer] = read(row(), field_map=replace(field_map, model=""))
    assert answer.model == "By hand"


def test_a_call_that_failed_and_names_no_model_is_an_empty_answer():
    [left_out] = read(row(model=None, response=None))
    assert (left_out.reason, left_out.model) == (Reason.EMPTY, "")


def test_what_the_database_cannot_keep_is_replaced_and_left_out_of_names():
    [answer] = read(row(id="C\x00", model="A\x00B", response="x\x00\ud800"))
    assert (answer.id, answer.model, answer.response) == ("C�", "AB", "x��")


def test_the_second_field_holds_the_response_where_the_first_is_empty():
    field_map = replace(MAP, otherwise="solution")
    found = read(row(solution="y"), row(id=2, response="", solution="y"), field_map=field_map)
    assert [answer.response for answer in found] == ["x", "y"]


@pytest.mark.parametrize("identifier", [54, "54", " 54 ", 54.0])
def test_an_id_is_the_same_however_it_is_written(identifier):
    [answer] = read(row(id=identifier))
    assert answer.id == "54"


# --- Samples --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "numbers"), [(0, [0, "1", 2.0, "3.0"]), (1, [1, "2", 3.0, " 4"])]
)
def test_samples_are_numbered_from_one_whatever_their_file_begins_with(first, numbers):
    rows = [row(sample=number) for number in numbers]
    expected = [("C1", 1), ("C1", 2), ("C1", 3), ("C1", 4)]
    assert samples(*rows, field_map=replace(MAP, samples_from=first)) == expected


def test_a_sample_below_the_first_is_left_out():
    [left_out] = read(row(sample=0), field_map=replace(MAP, samples_from=1))
    assert left_out.message == "its sample number is not an integer from 1 to 10000"


def test_a_list_of_responses_is_samples_in_its_order():
    assert samples(row(response=["x", None, "y"]), row(id="C2"), field_map=IN_LISTS) == [
        ("C1", 1),
        Reason.EMPTY,
        ("C1", 3),
        ("C2", 1),
    ]


def test_what_is_said_of_each_response_of_a_list_stays_with_it():
    field_map = FieldMap(
        id="id",
        response="choices[].text",
        model="model",
        finish_reason="choices[].why",
        tokens="tokens",
    )
    choices = [{"text": "x", "why": "stop"}, {"text": "y", "why": "length"}]
    found = read(row(choices=choices, tokens=9), field_map=field_map)
    assert [(one.sample, one.response, one.finish_reason) for one in found] == [
        (1, "x", "stop"),
        (2, "y", "length"),
    ]
    # Counted over the whole call, they are no one's.
    assert [one.tokens for one in found] == [None, None]


def test_several_responses_and_a_sample_number_are_one_too_many():
    assert samples(row(sample=0, response=["x", "y"]), row(id="C2", sample=1, response=["x"])) == [
        Reason.BAD_SAMPLE,
        Reason.BAD_SAMPLE,
        ("C2", 2),
    ]


def test_rows_of_one_problem_are_its_samples_in_order_where_that_is_said():
    rows = [row(), row(id="C2"), row(), row(model="B"), row(response=""), row(response=["x", "y"])]
    assert samples(*rows, field_map=replace(IN_LISTS, is_in_order=True)) == [
        ("C1", 1),
        ("C2", 1),
        ("C1", 2),
        ("C1", 1),
        Reason.EMPTY,
        ("C1", 3),
        ("C1", 4),
    ]


# --- The same again -------------------------------------------------------------------------


def test_the_same_sample_again_is_left_out_with_the_row_it_repeats():
    found = read(row(sample=1), row(sample=0), row(sample="1", response="y"))
    message = "the same sample again (first in row 1)"
    assert found[2:] == [LeftOut(3, "C1", message, "A", Reason.TWICE)]


def test_the_same_id_again_without_samples_says_what_to_do():
    [_first, again] = read(row(), row(response="y"), field_map=IN_LISTS)
    assert again.message == (
        "the same id again (first in row 1): choose the field that numbers the samples, or number"
        " them in their order"
    )


def test_another_model_or_problem_is_not_the_same():
    assert samples(row(), row(model="B"), row(id="C2")) == [("C1", 1), ("C1", 1), ("C2", 1)]


def test_an_empty_answer_takes_no_place_from_one_that_was_tried_again():
    assert samples(row(response=""), row()) == [Reason.EMPTY, ("C1", 1)]


def test_thousands_of_duplicates_are_counted_and_each_names_the_first():
    reading = Reading([Row(number, row()) for number in range(1, 5002)], MAP)
    found = list(reading)
    assert reading.counts == Counts(5001, {"A": 1}, {Reason.TWICE: 5000})
    assert {one.message for one in found[1:]} == {"the same sample again (first in row 1)"}


# --- A whole file ---------------------------------------------------------------------------


def test_all_that_a_file_holds_is_counted():
    content = as_lines(row(), row(id="C2", model="B"), row(), row(response=""), 7) + b"{\n{}\n"
    reading = Reading(open_file(content), MAP)
    list(reading)
    assert reading.counts == Counts(
        7,
        {"A": 1, "B": 1},
        {Reason.TWICE: 1, Reason.EMPTY: 1, Reason.NO_ROW: 2, Reason.NO_ID: 1},
    )


def test_of_a_file_cut_off_the_answers_before_that_are_read():
    reading = Reading(open_file(as_lines(row(), row(id="C2"))[:-9]), MAP)
    found = []
    with pytest.raises(BrokenOff) as broken:
        found.extend(reading)
    assert (len(found), broken.value.row, reading.counts.rows) == (1, 2, 1)
