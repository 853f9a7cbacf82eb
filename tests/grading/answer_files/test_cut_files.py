"""Of a file that was cut off, the rows before the cut are read, and the row of the cut is said."""

import json
from functools import partial

import pytest

from phybench.files.answer_files.formats.json_rows import read_fields, read_list, read_list_of
from phybench.files.answer_files.formats.line_rows import read_lines
from phybench.files.answer_files.formats.row import LIMITS
from phybench.files.answer_files.formats.table_rows import read_table
from phybench.files.answer_files.formats.window import Window
from phybench.files.answer_files.rows import BrokenOff
from tests.grading.answer_files.files import as_lines, open_file, pack

ROWS = [{"id": number, "response": "x" * 500} for number in range(1, 6001)]


def read_whole(content: bytes) -> tuple[list[int], str]:
    """Return the numbers of the rows that can be read, and what is wrong then."""
    found = open_file(content)
    numbers = [row.number for row in found.head(len(ROWS))]
    with pytest.raises(BrokenOff) as broken:
        list(found)
    assert broken.value.row == numbers[-1] + 1
    return numbers, broken.value.why


@pytest.mark.parametrize("is_packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    "content",
    [json.dumps(ROWS).encode(), json.dumps({"a": 1, "results": ROWS}).encode(), as_lines(*ROWS)],
    ids=["JSON", "in an object", "JSON lines"],
)
def test_rows_before_the_cut_are_whole(content, is_packed):
    content = pack(content) if is_packed else content
    numbers, why = read_whole(content[: len(content) // 2])
    assert why == "the file was cut off"
    assert numbers == list(range(1, len(numbers) + 1))
    assert 0.4 * len(ROWS) < len(numbers) < 0.6 * len(ROWS)


def test_a_table_cut_off_within_a_row_is_told():
    table = "id,response\n" + "".join(f'{row["id"]},"{row["response"]}"\n' for row in ROWS)
    numbers, why = read_whole(table.encode()[: len(table) // 2])
    assert why == "a quote is opened in it and not closed"
    assert numbers == list(range(2, numbers[-1] + 1))
    assert read_whole(b"id,response,model\n1,x,A\n2,y") == ([2], "the file was cut off")


def test_a_file_cut_off_in_a_sign_of_several_bytes_is_told():
    content = '{"id": 1}\n{"id": "能'.encode()
    assert read_whole(content[:-1]) == ([1], "the file was cut off")


def test_a_little_gzip_cut_off_is_read_up_to_there():
    content = pack(b'[{"id": 1}, {"id": 2}]')
    assert read_whole(content[:-9]) == ([1], "the file was cut off")


@pytest.mark.parametrize(
    ("content", "numbers"),
    [
        (b'{"model": "A", "results": [{"id": 1}, {"id"', [1]),
        (b'{"C1": {"response": "x"}, "C2": {"response": "y"}, "C3": {"res', [1, 2]),
        (b'{\n "id": 1\n}\n{\n "id": 2', [1]),
    ],
)
def test_an_object_cut_off_gives_the_rows_before_that(content, numbers):
    assert read_whole(content) == (numbers, "the file was cut off")


@pytest.mark.parametrize(
    "content", [b"[", b'[{"id": 1', b'{"model": "A", "resul', b'{"id": 1', b'{"results": ["a", "b']
)
def test_of_a_file_cut_off_in_its_first_row_nothing_is_read(content):
    with pytest.raises(BrokenOff, match="at row 1: the file was cut off"):
        list(open_file(content))


def test_damaged_gzip_gives_what_comes_before_the_damage():
    content = pack(as_lines(*ROWS))
    numbers, why = read_whole(content[:-8] + bytes(8))
    assert why == "the compressed file is damaged; compress or download it again"
    assert len(numbers) > 5000


# --- Wherever it is cut ---------------------------------------------------------------------

LIST = (
    '[{"a": 1.5e-3, "b": "x\\u00e9\\n\\ud83d\\ude00\\"", "c": [true, null, -Infinity, NaN]},'
    ' {"d": {"e": 12}} , 3.25e10, "q"]'
)
OBJECT = '{"v": 2.5e+1, "m": "A", "n": {"k": [1.5, 2], "s": [{"a": 1.25}, {"b": 2}]}, "t": -3}'
LINES = '{"a": 1.5e-3, "b": "x\\u00e9"}\n\n {"d": {"e": 12}}\r\n{"x": tr\n{"z": 1}'
TABLE = 'id,response\r\n1,"a ""q""\n, x"\r\n\n2,b\n3,"z"x\n4,"",\n5,\n'
READERS = pytest.mark.parametrize(
    ("read", "text"),
    [
        (read_list, LIST),
        (read_fields, OBJECT),
        (partial(read_list_of, path="n.s"), OBJECT),
        (read_lines, LINES),
        (partial(read_table, delimiter=","), TABLE),
    ],
    ids=["list", "fields", "in an object", "lines", "table"],
)


def read_in_pieces(read, text: str, size: int) -> list[object]:
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    found: list[object] = []
    try:
        for row in read(Window(pieces, LIMITS)):
            # NaN is not equal to itself.
            found.append((row.number, str(row.values), row.fault))
    except BrokenOff as broken:
        found.append(str(broken))
    return found


@READERS
def test_in_whatever_pieces_a_file_comes_its_rows_are_the_same(read, text):
    whole = read_in_pieces(read, text, len(text))
    assert all(read_in_pieces(read, text, size) == whole for size in range(1, len(text)))


@READERS
def test_wherever_a_file_is_cut_the_rows_before_that_are_those_of_the_whole(read, text):
    whole = read_in_pieces(read, text, len(text))
    for cut in range(len(text)):
        found = read_in_pieces(read, text[:cut], 7)
        # Of a table and of lines the last row may seem whole where it is not.
        before = [one for one in found if isinstance(one, tuple)][:-1]
        assert before == whole[: len(before)]


@pytest.mark.parametrize("cut", range(1, len(LIST)))
def test_a_list_cut_anywhere_is_told_from_a_whole_one(cut):
    with pytest.raises(BrokenOff):
        list(read_list(Window([LIST[:cut]], LIMITS)))
