"""Whatever a file unpacks to, reading it costs a bounded part of memory, and ends."""

import io
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from phybench.files.answer_files.answers import Reading
from phybench.files.answer_files.fields import FieldMap, list_fields
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.guessing import guess
from phybench.files.answer_files.rows import LIMITS, BrokenOff, Limits, Row, open_rows
from tests.grading.answer_files.files import as_lines, open_file, pack, read

MB = 1024**2
SMALL = Limits(sent=MB, unpacked=12 * MB, row=64 * 1024, rows=500)


def make_bomb(begin: bytes, again: bytes, size: int) -> bytes:
    """Pack what is much larger than it is ever held in memory."""
    packer = zlib.compressobj(9, wbits=31)
    piece = again * (MB // len(again))
    parts = [packer.compress(begin), *(packer.compress(piece) for _ in range(size // MB))]
    return b"".join([*parts, packer.flush()])


def read_all(content: bytes, limits: Limits) -> Exception | None:
    """Do with a file all that is done with one, and return what stops it."""
    try:
        found = open_rows(io.BytesIO(content), "", limits)
        rows = found.head()
        list_fields(rows)
        for _answer in Reading(found, guess(rows), most=limits.rows):
            pass
    except RefusedFile as why:
        return why
    return None


@pytest.mark.parametrize(
    ("begin", "again", "why"),
    [
        (b" ", b" ", "the file is larger than 12.0 MB unpacked"),
        (b"[", b" ", "the file is larger than 12.0 MB unpacked"),
        (b'[{"id": "', b"a", "it is longer than 64.0 KB"),
        (b"[", b"{},", "a file may have at most 500 rows"),
        (b'{"results": [', b"{},", "a file may have at most 500 rows"),
        (b'{"a": 1', b', "b": 1', "a file may have at most 500 rows"),
        (b'{"a": 1', b', "b": 1\n', "a file may have at most 500 rows"),
        (b"[{}, ", b"[", "it is nested too deep"),
        (b'{"id": 1}\n{"id": "', b"a", "the file is larger than 12.0 MB unpacked"),
        (b'{"id": 1}\n{}', b"\n", "the file is larger than 12.0 MB unpacked"),
        (b'{"id": 1}\n', b"{}\n", "a file may have at most 500 rows"),
        (b"id,response\n", b"\n", "a file may have at most 500 rows"),
        (b"id,response\n", b",", "it is longer than 64.0 KB"),
        (b"id,response\n", b'"', "it is longer than 64.0 KB"),
        (b"id,response\n", b'1,"\n\n\n\n\n\n\n\n"\n', "a file may have at most 500 rows"),
        (
            b'{"id": 1, "model": "A", "response": ["x"]}\n',
            b'{"id": 1, "model": "A", "response": ["", "", "", "", "", "", "", ""]}\n',
            "a file may have at most 500 answers",
        ),
    ],
)
def test_a_gzip_bomb_stops_at_a_limit_with_little_in_memory(begin, again, why):
    content = make_bomb(begin, again, 16 * MB)
    tracemalloc.start()
    try:
        stopped = read_all(content, SMALL)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(stopped, BrokenOff)
    assert stopped.why.replace("\xa0", " ") == why
    assert peak < 10 * MB


def test_zeros_are_no_text_however_many():
    content = pack(bytes(32 * MB)) * 96
    with pytest.raises(RefusedFile, match="This is not a text file"):
        open_file(content)


def test_a_file_larger_than_may_be_sent_is_read_up_to_there():
    rows = [{"id": number, "response": "x" * 10_000} for number in range(200)]
    found = open_file(as_lines(*rows), limits=SMALL)
    with pytest.raises(BrokenOff, match=r"the file is larger than 1\.0.MB"):
        list(found)
    assert found.consumed < 2 * MB


def test_a_line_longer_than_may_be_is_left_out_and_those_behind_it_are_read():
    limits = Limits(row=1000)
    content = as_lines({"id": 1}, {"id": 2, "x": "y" * 300_000}, {"id": 3}, {"id": "4" * 1000})
    content += b'{"id": "5' + b"5" * 300_000
    fault = "it is longer than 1000\xa0bytes"
    assert read(content, limits=limits) == [
        Row(1, {"id": 1}),
        Row(2, fault=fault),
        Row(3, {"id": 3}),
        Row(4, fault=fault),
        Row(5, fault=fault),
    ]


@pytest.mark.parametrize(
    "write",
    [
        lambda text: f'[{{"id": 1}}, {{"x": "{text}"}}, {{"id": 3}}]',
        lambda text: f'{{"a": [{{"id": 1}}, {{"x": "{text}"}}, {{"id": 3}}]}}',
        lambda text: f'id,x\n1,\n2,"{text}"\n3,\n',
    ],
    ids=["list", "in an object", "table"],
)
def test_behind_an_object_or_a_row_longer_than_may_be_nothing_is_read(
    write: Callable[[str], str],
):
    for length in (1000, 300_000):
        found = open_file(write("y" * length).encode(), limits=Limits(row=1000))
        with pytest.raises(BrokenOff, match="it is longer than 1000\xa0bytes"):
            list(found)
        assert len(found.head()) == 1


def test_a_row_as_long_as_may_be_is_read():
    row = {"id": 1, "x": ""}
    row["x"] = "y" * (1000 - len(str(row)))
    content = as_lines(row)
    assert len(content) == 1001
    assert read(content, limits=Limits(row=1000)) == [Row(1, row)]


def test_the_limits_are_those_of_an_evaluation_of_20_000_long_answers():
    assert (LIMITS.sent, LIMITS.unpacked, LIMITS.row) == (200 * MB, 2048 * MB, 5 * MB)


def test_of_rows_that_are_as_long_as_may_be_only_some_are_looked_at_beforehand():
    rows = [{"id": number, "x": "y" * 4 * MB} for number in range(8)]
    found = open_file(pack(as_lines(*rows)))
    assert 1 < len(found.head()) < 8


def test_more_responses_than_a_problem_may_have_samples_are_no_answers():
    [left_out] = Reading(
        [Row(1, {"id": 1, "r": ["x"] * 10_001})], FieldMap(id="id", response="r", model_name="A")
    )
    assert left_out.message == "it has too many responses"
