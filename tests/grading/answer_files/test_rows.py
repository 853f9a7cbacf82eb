"""Whichever way a file holds its rows, they come out the same, and each bad one is named."""

import codecs
import json
import math
from random import Random

import pytest

from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.rows import BrokenOff, Format, Row
from tests.grading.answer_files.files import as_lines, open_file, pack, read, read_values

ROWS = [{"id": "C1", "response": "½ m v²\n“x”"}, {"id": "C2", "response": ""}]
TABLE = 'id,response\r\nC1,"½ m v²\n“x”"\r\nC2,\r\n'
TEXTS = {
    "JSON": (Format.JSON, json.dumps(ROWS)),
    "JSON with Chinese as it is": (Format.JSON, json.dumps(ROWS, ensure_ascii=False)),
    "indented JSON": (Format.JSON, json.dumps(ROWS, indent=4)),
    "a list in an object": (Format.JSON, json.dumps({"model": "A", "results": ROWS})),
    "a list in an indented object": (Format.JSON, json.dumps({"results": ROWS}, indent=1)),
    "a list in an object in an object": (Format.JSON, json.dumps({"v": 1, "data": {"rows": ROWS}})),
    "JSON lines": (Format.JSONL, as_lines(*ROWS).decode()),
    "JSON lines of Windows": (Format.JSONL, as_lines(*ROWS).decode().replace("\n", "\r\n")),
    "JSON lines without the last line end": (Format.JSONL, as_lines(*ROWS).decode()[:-1]),
    "indented objects": (Format.JSON, "\n".join(json.dumps(row, indent=2) for row in ROWS)),
    "CSV": (Format.CSV, TABLE),
    "CSV with semicolons": (Format.CSV, TABLE.replace(",", ";")),
    "CSV with tabs": (Format.CSV, TABLE.replace(",", "\t")),
    "CSV without the last line end": (Format.CSV, TABLE[:-2]),
}
ENCODINGS = {
    "UTF-8": lambda text: text.encode(),
    "UTF-8 with its mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16 LE": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
}


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("written", TEXTS)
def test_each_format_is_known_by_its_contents(written, encoding, is_packed):
    expected, text = TEXTS[written]
    content = ENCODINGS[encoding](text)
    found = open_file(pack(content) if is_packed else content, "answers.txt")
    assert found.format == expected
    assert [row.values for row in found] == ROWS
    # And once more from the beginning, as who guesses first and reads then does.
    assert [row.values for row in found.head(1)] == ROWS[:1]
    assert [row.values for row in found] == ROWS


def test_gzip_may_be_several_files_and_be_filled_up_with_zeros():
    content = pack(as_lines(ROWS[0])) + pack(as_lines(ROWS[1])) + bytes(512)
    assert read_values(content) == ROWS


def test_reading_says_how_many_bytes_of_the_file_it_has_used():
    noise = Random(1)
    content = pack(as_lines(*({"x": noise.randbytes(99).hex()} for _ in range(20_000))))
    found = open_file(content)
    consumed = []
    for _row in found:
        consumed.append(found.consumed)
    assert consumed == sorted(consumed)
    assert consumed[0] < len(content) / 2
    assert consumed[-1] == len(content)


# --- Numbers --------------------------------------------------------------------------------


def test_objects_of_a_list_are_counted_from_one():
    assert [row.number for row in read(b"[{}, {}, {}]")] == [1, 2, 3]


def test_lines_are_counted_as_an_editor_counts_them():
    content = b'\n\n{"id": 1}\n \r\n\n{"id": 2}\n\n'
    assert read(content, "a.jsonl") == [Row(3, {"id": 1}), Row(6, {"id": 2})]


def test_rows_of_a_table_are_counted_as_a_spreadsheet_counts_them():
    content = b'id,response\n1,"a\nb\n\nc"\n\n,\n2,d\n'
    assert read(content) == [
        Row(2, {"id": "1", "response": "a\nb\n\nc"}),
        Row(5, {"id": "2", "response": "d"}),
    ]


# --- Rows that can't be read ----------------------------------------------------------------


def test_a_broken_line_is_left_out_and_those_behind_it_are_read():
    content = b'{"id": 1}\n{"id": 2, \n[3]\n{"id" 4}\n{"id": 5}\n'
    assert read(content) == [
        Row(1, {"id": 1}),
        Row(2, fault="it is not JSON (a field name in double quotes is expected)"),
        Row(3, fault="it is not an object {…}"),
        Row(4, fault="it is not JSON (a colon is expected)"),
        Row(5, {"id": 5}),
    ]


def test_a_broken_first_line_hides_no_other():
    assert read(b'{"id": 1, "resp\n{"id": 2}\n')[1:] == [Row(2, {"id": 2})]


def test_what_follows_an_object_in_its_line_breaks_the_line_alone():
    content = b'{"id": 1}\n{"id": 2} {"id": 3}\n{"id": 4},\n{"id": 5}\n'
    assert [row.fault for row in read(content)] == [
        "",
        *["it is not JSON (the end is expected, but more follows)"] * 2,
        "",
    ]


def test_what_is_no_object_is_left_out_of_a_list():
    fault = "it is not an object {…}"
    assert read(b'[{"id": 1}, "x", [{}], {"id": 2}]') == [
        Row(1, {"id": 1}),
        Row(2, fault=fault),
        Row(3, fault=fault),
        Row(4, {"id": 2}),
    ]


COMMA = "it is not JSON (a comma or the end of the list or object is expected)"


@pytest.mark.parametrize(
    ("content", "row", "why"),
    [
        (b'[{"id": 1}, {"id" 2}, {}]', 2, "it is not JSON (a colon is expected)"),
        (b'[{"id": 1} {"id": 2}]', 2, COMMA),
        (b'[{"id": 1}, {"x": undefined}, {"id": 2}]', 2, "it is not JSON (a value is expected)"),
        (b'[{"id": 1}]\n[{"id": 2}]', 2, "more follows after the end of the JSON"),
        (b'{"a": [{"id": 1}, {"id" 2}]}', 2, "it is not JSON (a colon is expected)"),
        (b'{"a": [{"id": 1}] "b": 2}', 2, COMMA),
        (
            b'{"a": [{"id": 1}], b: 2}',
            2,
            "it is not JSON (a field name in double quotes is expected)",
        ),
        (b'{"a": [{"id": 1}], "b"; 2}', 2, "it is not JSON (a colon is expected)"),
        (
            '[{}, {"id": "é"}]'.encode("latin-1"),
            2,
            "it is not text in UTF-8; save the file as UTF-8",
        ),
        (
            "id,x\n1,y\n2,物理\n".encode("gb18030"),
            3,
            "it is not text in UTF-8; save the file as UTF-8",
        ),
    ],
)
def test_behind_a_broken_object_of_a_list_nothing_is_read(content, row, why):
    found = open_file(content)
    with pytest.raises(BrokenOff) as broken:
        list(found)
    assert (broken.value.row, broken.value.why) == (row, why)
    assert [one.number for one in found.head()] == list(range(2 if row == 3 else 1, row))
    assert str(broken.value) == f"Reading stopped at row {row}: {why}."


def test_a_row_of_a_table_with_other_cells_than_the_first_is_left_out():
    content = b'id,response\n1\n2,b,c\n3,"d"e\n4,f\n'
    assert read(content) == [
        Row(2, fault="it has 1 cell, but the first line names 2 columns"),
        Row(3, fault="it has 3 cells, but the first line names 2 columns"),
        Row(4, fault="it is not CSV (',' expected after '\"')"),
        Row(5, {"id": "4", "response": "f"}),
    ]


def test_a_quote_within_a_cell_is_a_sign_like_any():
    content = b'id\tresponse\n1\t5" pipe\n2\tx\n'
    assert read_values(content) == [
        {"id": "1", "response": '5" pipe'},
        {"id": "2", "response": "x"},
    ]


def test_a_cell_may_be_as_long_as_a_row():
    [row] = read_values(b"id,response\n1," + b"x" * 4_000_000 + b"\n")
    assert len(row["response"]) == 4_000_000


def test_two_columns_of_one_name_refuse_the_table():
    with pytest.raises(RefusedFile, match="Two columns are named “response”: keep one of them"):
        read(b"id,response, response\n1,x,y\n")


def test_columns_without_a_name_are_let_be():
    assert read_values(b",id,response,,\n0,C1,x,,\n") == [{"id": "C1", "response": "x"}]


# --- JSON that is not quite JSON ------------------------------------------------------------


def test_numbers_that_only_python_writes_are_read():
    [row] = read_values(b'[{"a": NaN, "b": Infinity, "c": -Infinity}]')
    assert math.isnan(row["a"])
    assert (row["b"], row["c"]) == (math.inf, -math.inf)


@pytest.mark.parametrize("begin", ["[", ""])
def test_a_number_of_thousands_of_digits_stays_text(begin):
    digits = "7" * 10_000
    content = f'{begin}{{"id": 1, "seed": {digits}}}{"]" if begin else ""}'.encode()
    assert read_values(content, "a.jsonl") == [{"id": 1, "seed": digits}]


def test_of_fields_with_one_name_the_last_counts():
    assert read_values(b'[{"id": 1, "id": 2}]') == [{"id": 2}]


def test_commas_at_the_end_and_line_ends_in_quotes_harm_nobody():
    assert read_values(b'[{"a": "x\ny\tz"}, {"a": 1},\n]') == [{"a": "x\ny\tz"}, {"a": 1}]


@pytest.mark.parametrize("depth", [2000, 500_000])
def test_what_is_nested_too_deep_is_left_out_of_lines_and_ends_a_list(depth):
    deep = b'{"a": ' + b"[" * depth + b"]" * depth + b"}"
    lines = read(b'{"id": 1}\n' + deep + b'\n{"id": 2}\n')
    assert [row.fault for row in lines] == ["", "it is nested too deep", ""]
    with pytest.raises(BrokenOff, match="at row 2: it is nested too deep"):
        read(b'[{"id": 1}, ' + deep + b"]")


# --- Objects that hold the rows -------------------------------------------------------------


def test_of_several_lists_the_one_with_a_usual_name_is_read():
    few, many = [{"id": 1, "response": "x"}], [{"name": "scorer"}] * 3
    found = open_file(json.dumps({"scorers": many, "samples": few, "status": "ok"}).encode())
    assert found.rows_in == "samples"
    assert [row.values for row in found] == few


def test_of_lists_with_unusual_names_the_longest_is_read():
    content = json.dumps({"runs": [{}], "tries": [{"id": 1}, {"id": 2}]}).encode()
    assert open_file(content).rows_in == "tries"


def test_what_stands_beside_the_list_can_be_asked_for():
    content = {"run": {"model": "A"}, "steps": ["a"], "results": [{"id": 1}], "done": True}
    assert open_file(json.dumps(content).encode()).remarks == {"run.model": "A"}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (
            {"C1": {"response": "x"}, "C2": {"response": "y", "turns": [{"role": "user"}]}},
            [
                {"(key)": "C1", "response": "x"},
                {"(key)": "C2", "response": "y", "turns": [{"role": "user"}]},
            ],
        ),
        (
            {"C1": "x", "C2": "y"},
            [{"(key)": "C1", "(value)": "x"}, {"(key)": "C2", "(value)": "y"}],
        ),
        (
            {"C1": ["x", "y"], "C2": ["z"]},
            [{"(key)": "C1", "(value)": ["x", "y"]}, {"(key)": "C2", "(value)": ["z"]}],
        ),
        (
            {"C1": [{"text": "x"}], "C2": [{"text": "y"}], "C3": [{"text": "z"}]},
            [{"(key)": f"C{n}", "(value)": [{"text": text}]} for n, text in enumerate("xyz", 1)],
        ),
    ],
)
def test_an_object_with_a_field_for_each_problem_is_rows(answers, expected):
    assert read_values(json.dumps(answers).encode()) == expected


def test_a_list_in_one_of_several_objects_is_the_rows_though_they_are_alike():
    content = {"setup": {"name": "A"}, "run": {"name": "B", "results": [{"id": 1}, {"id": 2}]}}
    assert open_file(json.dumps(content).encode()).rows_in == "run.results"


def test_any_number_of_problems_may_have_a_field():
    answers = {f"C{number}": {"response": "x"} for number in range(1000)}
    assert len(read_values(json.dumps(answers).encode())) == 1000


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(
    "row",
    [
        {"id": "C1", "response": "x"},
        {
            "id": "C1",
            "messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "x"}],
        },
        {"id": "C1", "choices": [{"message": {"content": "x"}}, {"message": {"content": "y"}}]},
        {"id": "C1", "reply in full": "x"},
    ],
)
def test_an_object_alone_is_a_row(row, indent):
    assert read_values(json.dumps(row, indent=indent).encode()) == [row]


def test_one_line_of_a_file_that_is_named_lines_is_a_row_whatever_it_holds():
    content = as_lines({"tries": [{"text": "x"}]})
    assert read_values(content) == [{"text": "x"}]
    assert read_values(content, "ANSWERS.jsonl") == [{"tries": [{"text": "x"}]}]
    assert read_values(pack(content), "answers.ndjson.gz") == [{"tries": [{"text": "x"}]}]
