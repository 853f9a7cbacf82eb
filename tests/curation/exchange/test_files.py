"""Files of problems: each format, each way in which one can be broken."""

import csv
import io
import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.exchange.rows import PROBLEMS, parse
from curation.texts.schema import FIELDS
from phybench.files import json_list
from phybench.files import problem_files as files
from phybench.files.cells import defuse
from phybench.files.problem_files import Refused, read
from tests.shared import find_published

ROW = {
    "id": "a-1",
    "title": "A falling ball",
    "domain": "MECHANICS",
    "difficulty": "HIGH_SCHOOL",
    "statement": "A ball of mass $m$ falls.\n\nHow far?",
    "quantity": "E",
    "answer": "-m g h",
    "symbols": [{"latex": "m", "meaning": "mass", "unit": "kg"}],
    "must_accept": ["-g m h", "-h m g"],
    "must_reject": ["m g h"],
    "solution": 'Energy, "kept"; so it is.',
}


def to_csv(*rows: dict, delimiter: str = ",") -> str:
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow([json.dumps(one) if isinstance(one, list) else one for one in row.values()])
    return file.getvalue()


def parse_text(text: str):
    return parse(read(text.encode(), PROBLEMS).rows)


SAME = {
    "a list": json.dumps([ROW, {**ROW, "id": "a-2"}], indent=1),
    "lines": f"{json.dumps(ROW)}\n\n{json.dumps({**ROW, 'id': 'a-2'})}\n",
    "commas": to_csv(ROW, {**ROW, "id": "a-2"}),
    "semicolons": to_csv(ROW, {**ROW, "id": "a-2"}, delimiter=";"),
    "tabs": to_csv(ROW, {**ROW, "id": "a-2"}, delimiter="\t"),
}


@pytest.mark.parametrize("form", SAME)
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_format_says_the_same(form, mark):
    first, second = parse_text(mark + SAME[form])
    assert (first.number, first.id, first.faults) == (1, "a-1", ())
    assert (second.number, second.id, second.faults) == (2, "a-2", ())
    assert first.values == second.values
    assert {name: first.values[name] for name in ROW if name not in {"id", "symbols"}} == {
        name: value for name, value in ROW.items() if name not in {"id", "symbols"}
    }
    assert first.values["symbols"] == [
        {"latex": "m", "meaning": "mass", "unit": "kg", "sign": "positive", "low": "", "high": ""}
    ]


def test_a_row_knows_the_line_where_it_begins():
    assert [row.line for row in parse_text(SAME["a list"])] == [2, 26]
    assert [row.line for row in parse_text(SAME["lines"])] == [1, 3]
    # A statement of three lines before it.
    assert [row.line for row in parse_text(SAME["commas"])] == [2, 5]


def test_published_files_are_read_under_our_names():
    with_answers = parse(read(find_published("with-answers-50.json").read_bytes(), PROBLEMS).rows)
    assert len(with_answers) == 50
    assert not any(row.faults for row in with_answers)
    assert {*with_answers[0].values} == {"domain", "statement", "solution", "answer"}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty."),
        (b"\xef\xbb\xbf \n", "This file is empty."),
        (b"[]", "This file holds no problems."),
        (b"id,statement\n", "This file holds no problems."),
        (b'[\n{"id": 1, "statement": "A b', "ends in the middle (line 2): it was cut off."),
        (b'[{"id": 1, "statement": "A"},', "ends in the middle (line 1): it was cut off."),
        (b'{"id": 1, "title": "A"}\n{"id": 2, "ti', "ends in the middle (line 2): it was cut off."),
        (b'id,statement\n1,A\n2,"half a', "that begins in line 3: it was cut off, or a quote"),
        (b'id,statement\n1,"A "ball" falls"\n', "Line 2 is not CSV"),
        (b'{"54": {"content": "A"}}', "must be a JSON list"),
        (b'{\n "id": 1,\n "title": "A"\n}', "must be a JSON list"),
        (b'{\n "id": 1\n}\n{\n "id": 2\n}', "line 4: write each object on one line"),
        (b"[" * 200_000, "nested too deep"),
        (b'[{"id": ' + b"9" * 5000 + b"}]", "thousands of digits"),
        (b"<html>Not found</html>", "neither JSON nor a table of problems"),
        (b"just words", "neither JSON nor a table of problems"),
        ("id,statement\n1,Ångström\n".encode("latin-1"), "Line 2 is not text in UTF-8"),
        ("id,statement\n1,A\n".encode("utf-16"), "This is a file in UTF-16. Save it as"),
        (b"PK\x03\x04 and so on", "This is a file in Excel. Save it as"),
        (b"id,title,statement,id\n1,A,B,2\n", "Two columns are named “id”"),
    ],
)
def test_a_file_that_can_not_be_read_is_refused_whole_and_says_what_to_do(content, sentence):
    with pytest.raises(Refused) as refusal:
        read(content, PROBLEMS)
    assert sentence in str(refusal.value)


def test_there_are_limits_of_size_and_of_rows():
    with pytest.raises(Refused, match=r"larger than 5 MB\. Split it"):
        read(b"[" + b" " * files.LARGEST_FILE, PROBLEMS)
    rows = json.dumps([{"id": number} for number in range(files.MOST_ROWS + 1)])
    with pytest.raises(Refused, match=r"5001 problems, more than 5000\. Split it"):
        read(rows.encode(), PROBLEMS)


def test_a_line_that_is_not_json_costs_only_itself():
    first, broken, third = parse_text(
        '{"id": 1, "title": "A"}\n{"id": 2,,}\n{"id": 3, "title": "B"}'
    )
    assert (first.faults, third.faults, third.line) == ((), (), 3)
    assert str(broken.faults[0]).startswith("this line is not JSON")


def test_a_row_with_too_few_cells_is_at_fault_and_the_others_are_not():
    first, short = parse_text("id,title,statement\n1,A,B\n2,A\n")
    assert first.faults == ()
    assert "it has 2 cells, but the first line names 3 columns" in str(short.faults[0])
    assert short.line == 3


def test_cells_that_a_spreadsheet_would_run_come_back_as_they_were():
    texts = ["=1+1", "+x", "-m g h", "@x", "'=x", "''-x", "'tis", "\tx", "m - 1"]
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(["id", "answer"])
    for number, text in enumerate(texts):
        cell = str(defuse(text))
        assert cell[0] not in "=+-@\t\r"
        writer.writerow([number, cell])
    found = [raw.values["answer"] for raw in read(file.getvalue().encode(), PROBLEMS).rows]
    assert found == texts


def test_a_megabyte_in_one_cell_is_refused_at_its_field():
    for text in (
        json.dumps([{"id": 1, "statement": "x" * 1024**2}]),
        to_csv({"id": "1", "statement": "x" * 1024**2}),
    ):
        [row] = parse_text(text)
        [fault] = row.faults
        assert (fault.field, fault.message) == (
            "statement",
            "it has 1048576 characters; at most 200000 can be kept",
        )


@pytest.mark.parametrize(
    ("values", "field", "message"),
    [
        ({"id": True}, "id", "it is neither a number nor a text"),
        ({"id": 1.5}, "id", "it is neither a number nor a text"),
        ({"id": "x" * 41}, "id", "it is not a printable text of at most 40 characters"),
        ({"id": "a\x00"}, "id", "it is not a printable text of at most 40 characters"),
        ({"answer": ["m g h"]}, "answer", "it is not text"),
        ({"answer": 7}, "answer", "it is not text"),
        ({"content": {}}, "statement", "it is not text"),
        (
            {"content": "A\x00b"},
            "statement",
            "it contains an invalid character (NUL or an unpaired surrogate)",
        ),
        (
            {"solution": "\ud800"},
            "solution",
            "it contains an invalid character (NUL or an unpaired surrogate)",
        ),
        (
            {"statement": "A", "content": "B"},
            "statement",
            "it is given twice, as “content” too: keep one of them",
        ),
        ({"title": "x" * 121}, "title", "it has 121 characters; at most 120 can be kept"),
        ({"must_accept": {"a": 1}}, "must_accept", "it is not a list of answers"),
        ({"must_accept": [1]}, "must_accept", "it is not text"),
        (
            {"symbols": "m"},
            "symbols",
            'it is not a list of objects such as {"latex": "v_0", "meaning": "speed"}',
        ),
        (
            {"symbols": [{"unit": "kg"}]},
            "symbols",
            "a symbol has no “latex”, its name as in a formula",
        ),
        (
            {"symbols": [{"latex": "m", "mass": "1"}]},
            "symbols",
            "a symbol has no field “mass”; its fields are latex, meaning, unit, sign, low, high",
        ),
        (
            {"symbols": [{"latex": "m", "sign": "odd"}]},
            "symbols",
            "the sign of m is “odd”; it can be positive, negative, any, positive_whole, whole",
        ),
        ({"symbols": [{"latex": f"x_{n}"} for n in range(41)]}, "symbols", "At most 40 symbols."),
    ],
)
def test_a_value_that_is_none_is_a_fault_at_its_field(values, field, message):
    [row] = parse_text(json.dumps([{"id": 1, "title": "A", **values}]))
    assert [(fault.field, fault.message) for fault in row.faults] == [(field, message)]


@pytest.mark.parametrize("row", ["not an object", 7, None, [], {}, {"nothing": "known"}])
def test_a_row_that_is_no_problem_says_so(row):
    [found, other] = parse_text(json.dumps([row, ROW]))
    assert len(found.faults) == 1
    assert other.faults == ()


def test_the_second_of_two_rows_with_one_id_is_at_fault():
    first, second, third = parse_text(json.dumps([ROW, {**ROW, "answer": "0"}, {"title": "No id"}]))
    assert (first.faults, third.faults) == ((), ())
    assert [str(fault) for fault in second.faults] == [
        "id: the same id again (first in row 1): keep one of them"
    ]


def test_of_two_rows_without_an_id_that_say_the_same_the_second_is_at_fault():
    row = {"title": "A", "statement": "B"}
    first, second, third = parse_text(json.dumps([row, row, {**row, "statement": "C"}]))
    assert (first.faults, third.faults) == ((), ())
    assert str(second.faults[0]).startswith("id: the same title and statement again (first in row")


def test_a_field_that_is_absent_is_not_one_that_is_empty():
    [row] = parse_text(json.dumps([{"id": 1, "quantity": "", "answer": None, "must_accept": []}]))
    assert row.values == {"quantity": "", "must_accept": []}


def test_lists_in_cells_are_json_or_lines():
    [row] = parse_text('id,must_accept,symbols,must_reject\n1,"m g h\ng m h","[""m"", ""v_0""]",\n')
    assert row.values["must_accept"] == ["m g h", "g m h"]
    assert [one["latex"] for one in row.values["symbols"]] == ["m", "v_0"]
    assert row.values["must_reject"] == []


def test_fields_that_nobody_knows_are_named():
    file = read(
        json.dumps([{**ROW, "colour": "red"}, {**ROW, "colour": "", "x": 1}]).encode(), PROBLEMS
    )
    assert file.unknown == ["colour", "x"]


LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
BRANCH = LEAF | st.lists(LEAF, max_size=3) | st.dictionaries(st.text(), LEAF, max_size=3)
ANYTHING = BRANCH | st.lists(BRANCH, max_size=3)
ROWS = st.lists(
    ANYTHING | st.dictionaries(st.sampled_from([*FIELDS, "tag", "content", "\ud800"]), ANYTHING),
    min_size=1,
    max_size=4,
)


@given(ROWS)
def test_whatever_a_row_holds_is_told_in_what_the_database_can_keep(rows):
    file = read(json.dumps(rows).encode(), PROBLEMS)
    found = parse(file.rows)
    assert len(found) == len(rows)
    for row in found:
        assert not json_list.UNSTORABLE.search(json.dumps(asdict(row), ensure_ascii=False))
        assert row.faults or row.values or row.id


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "replace")))
def test_any_bytes_are_rows_or_are_refused_with_a_sentence(content):
    rows, refused = [], ""
    try:
        rows = parse(read(content, PROBLEMS).rows)
    except Refused as refusal:
        refused = str(refusal)
    assert rows or refused.endswith(".")
