"""Whatever rows a program writes, in whichever format, they are read back as they were."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.grading.answer_files.files import as_lines, pack, read_values

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=60)
NAMES = st.text(min_size=1, max_size=12).map(str.strip).filter(bool)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
OBJECTS = st.lists(st.dictionaries(st.text(max_size=9), VALUES, max_size=4), min_size=1, max_size=5)
TABLES = st.lists(st.fixed_dictionaries({"id": TEXTS, "response": TEXTS}), min_size=1, max_size=5)
PACKED = pytest.mark.parametrize("send", [bytes, pack], ids=["plain", "gzip"])
# A file is unpacked before anything looks for its format.
PLAIN_IN_CI = pytest.mark.parametrize(
    "send", [bytes, pytest.param(pack, marks=pytest.mark.slow)], ids=["plain", "gzip"]
)
FEW = settings(max_examples=40)


@PLAIN_IN_CI
@FEW
@given(rows=OBJECTS, indent=st.sampled_from([None, 0, 2]), is_ascii=st.booleans())
def test_json(rows, indent, is_ascii, send):
    content = json.dumps(rows, indent=indent, ensure_ascii=is_ascii)
    assert read_values(send(content.encode(errors="surrogatepass"))) == rows


@PACKED
@FEW
@given(rows=OBJECTS)
def test_json_lines(rows, send):
    assert read_values(send(as_lines(*rows)), "answers.jsonl") == rows


@PLAIN_IN_CI
@FEW
@given(rows=OBJECTS, beside=st.dictionaries(st.text(max_size=9), st.integers() | TEXTS))
def test_json_in_an_object(rows, beside, send):
    content = json.dumps({**beside, "results": rows}, indent=1).encode()
    assert read_values(send(content)) == rows


@PACKED
# Before Python 3.13 a bare \r is put in quotes only where lines end in it, or all is.
@given(
    rows=TABLES,
    delimiter=st.sampled_from(",;\t"),
    ends=st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL)]),
)
def test_csv(rows, delimiter, ends, send):
    file = io.StringIO(newline="")
    line_end, quoting = ends
    writer = csv.DictWriter(
        file,
        ["id", "response"],
        delimiter=delimiter,
        lineterminator=line_end,
        quoting=quoting,
    )
    writer.writeheader()
    writer.writerows({"id": f"C{row['id']}", "response": row["response"]} for row in rows)
    assert read_values(send(file.getvalue().encode())) == [
        {"id": f"C{row['id']}", "response": row["response"]} for row in rows
    ]
