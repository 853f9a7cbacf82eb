import json

import pytest

from grading.answers.files import (
    LONGEST_RESPONSE,
    Answer,
    LeftOutRow,
    ModelAnswers,
    RefusedFile,
    parse,
)


def row(**fields: object) -> dict[str, object]:
    return {"id": 1, "model": "A model", "model_answer": "x", **fields}


def parse_rows(*rows: object) -> ModelAnswers:
    """Read a file of one model."""
    [answers] = parse(json.dumps(rows).encode()).values()
    return answers


WHOLE = json.dumps([row(), row(id=2, model_answer="y")])


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty."),
        (b"\xef\xbb\xbf", "This file is empty."),
        (b"[]", "This file holds no answers."),
        (b"<html><body>Not found</body></html>", "This is not JSON: line 1, column 1"),
        (b"id,model,answer\n1,a,x", "This is not JSON: line 1, column 1"),
        (b"\xff\xfe[\x00]\x00", "This is not a text file in UTF-8. Save it as JSON."),
        (WHOLE[:-20].encode(), "it was cut off. Fetch or write it again."),
        (WHOLE[: len(WHOLE) // 2].encode(), "it was cut off. Fetch or write it again."),
        (b'{"id": 1}', "This file must be a JSON list: ["),
        (b"[" * 100_000, "This JSON is nested too deep to be a list of answers."),
        (b"[1]", "Row 1 is not an object {…}."),
        (json.dumps([row(), "x"]).encode(), "Row 2 is not an object {…}."),
        (b" " * (20 * 1024**2 + 1), "larger than 20 MB. Hand it in in parts, by model."),
    ],
)
def test_what_is_no_such_file_is_refused_in_a_sentence(content, sentence):
    with pytest.raises(RefusedFile) as refused:
        parse(content)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("model", [None, "", "  ", 7, ["a"], "m" * 121])
def test_a_row_of_no_model_refuses_the_file(model):
    with pytest.raises(RefusedFile, match="Row 2 has no “model” of 1 to 120 characters"):
        parse_rows(row(), row(model=model))


def test_both_names_of_an_answer_are_read_and_a_byte_order_mark_is_not():
    content = json.dumps([row(), row(id="b", model_answer=None, model_solution=r"\boxed{y}")])
    assert parse(b"\xef\xbb\xbf" + content.encode()) == {
        "A model": ModelAnswers([Answer(1, "1", 1, "x"), Answer(2, "b", 1, r"\boxed{y}")])
    }


def test_a_file_of_two_models_is_parted():
    content = json.dumps([row(), row(model="Another"), row(id=2)]).encode()
    assert {name: len(one.answers) for name, one in parse(content).items()} == {
        "A model": 2,
        "Another": 1,
    }


@pytest.mark.parametrize(
    ("fields", "identifier", "message"),
    [
        ({"id": None}, "", "it has no id"),
        ({"id": ""}, "", "it has no id"),
        ({"id": True}, "", "it has no id"),
        ({"id": 1.5}, "", "it has no id"),
        ({"id": [1]}, "", "it has no id"),
        ({"model_answer": None}, "1", "no answer: counted as missing"),
        ({"model_answer": ""}, "1", "no answer: counted as missing"),
        ({"model_answer": 42}, "1", "its answer is not text"),
        ({"model_answer": ["x"]}, "1", "its answer is not text"),
        ({"model_answer": "x" * (LONGEST_RESPONSE + 1)}, "1", "over a million characters"),
        ({"repeat_index": -1}, "1", "repeat_index must be a number from 0"),
        ({"repeat_index": True}, "1", "repeat_index must be a number from 0"),
        ({"repeat_index": "0"}, "1", "repeat_index must be a number from 0"),
        ({"repeat_index": 10_000}, "1", "repeat_index must be a number from 0"),
    ],
)
def test_a_row_that_is_no_answer_is_left_out_and_said(fields, identifier, message):
    answers = parse_rows(row(id=7), row(**fields))
    [left_out] = answers.left_out
    assert (left_out.row, left_out.id) == (2, identifier)
    assert message in left_out.message
    assert [answer.id for answer in answers.answers] == ["7"]


def test_the_same_id_again_is_left_out_with_the_row_it_repeats():
    answers = parse_rows(row(id=5), row(id=6), row(id="5", model_answer="y"))
    assert [answer.row for answer in answers.answers] == [1, 2]
    assert answers.left_out == [
        LeftOutRow(
            3,
            "5",
            "the same id again (first in row 1); give each a repeat_index to hand in several",
        )
    ]


def test_several_answers_to_a_problem_are_its_samples():
    answers = parse_rows(row(repeat_index=0), row(repeat_index=1), row(repeat_index=7))
    assert [answer.sample for answer in answers.answers] == [1, 2, 8]
    assert answers.left_out == []


def test_a_response_of_a_megabyte_is_taken_whole():
    [answer] = parse_rows(row(model_answer="x" * LONGEST_RESPONSE)).answers
    assert len(answer.response) == LONGEST_RESPONSE


def test_what_the_database_cannot_keep_is_replaced():
    content = rb'[{"id": "1\u0000", "model": "A\u0000B", "model_answer": "x\u0000\ud800"}]'
    assert parse(content) == {"A�B": ModelAnswers([Answer(1, "1�", 1, "x��")])}


def test_an_answer_nested_deep_in_tex_is_text_like_any():
    [answer] = parse_rows(row(model_answer="{" * 50_000)).answers
    assert len(answer.response) == 50_000
