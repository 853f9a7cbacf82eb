import json

import pytest

from phybench.files.json_list import NotAList, load, storable


def read(content: bytes) -> list:
    return load(
        content,
        largest=1024**2,
        too_large="Split it.",
        cut_off="Download it again.",
        holds="problems",
        example='[{"id": …}]',
    )


def test_a_list_is_read_with_or_without_a_byte_order_mark():
    assert read(b'[{"id": 1}, 2]') == [{"id": 1}, 2]
    assert read(b'\xef\xbb\xbf[{"id": 1}]') == [{"id": 1}]


WHOLE = json.dumps([{"id": 1, "content": "text", "answer": "m g h"}] * 3)


@pytest.mark.parametrize("length", range(1, len(WHOLE)))
def test_a_file_cut_anywhere_is_told_from_a_whole_one(length):
    with pytest.raises(NotAList) as refused:
        read(WHOLE[:length].encode())
    assert "cut off. Download it again." in str(refused.value) or "not JSON" in str(refused.value)


@pytest.mark.parametrize("length", [20, 30, 60, 100])
def test_a_file_cut_in_the_middle_is_called_that(length):
    with pytest.raises(NotAList, match=r"ends in the middle \(line 1\): it was cut off"):
        read(WHOLE[:length].encode())


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty."),
        (b" \n", "This file is empty."),
        (
            b"<!DOCTYPE html><html></html>",
            "This is not JSON: line 1, column 1: a value is expected.",
        ),
        (b"[1, two]", "This is not JSON: line 1, column 5: a value is expected."),
        (b'{"id": 1}', 'This file must be a JSON list: [{"id": …}].'),
        (b"[]", "This file holds no problems."),
        (b"\x89PNG\r\n\x1a\n", "This is not a text file in UTF-8. Save it as JSON."),
        (b"[" * 100_000, "This JSON is nested too deep to be a list of problems."),
        (b"[" + b"1" * 5000 + b"]", "This JSON holds a number of thousands of digits."),
        (b" " * 1024**2 + b"[]", "This file is larger than 1 MB. Split it."),
    ],
)
def test_what_is_no_such_list_is_refused_in_a_sentence(content, sentence):
    with pytest.raises(NotAList) as refused:
        read(content)
    assert str(refused.value) == sentence


def test_what_the_database_can_not_keep_is_replaced():
    [text] = read(rb'["a\u0000b\ud800c\ud835\udc5ad"]')
    assert storable(text) == "a\ufffdb\ufffdc\U0001d45ad"
