"""Items are read line by line; what can't be understood is named by its line and refused."""

import json

import pytest

from grading.judges import TruthKind
from grading.judges.items import Turn
from grading.judges.kinds import KINDS
from grading.judges.prompts import Variant
from grading.judging.engine.items import BadItems, parse_items
from tests.grading.judging.engine.conftest import item

SEMANTIC = Variant(KINDS["SEMANTIC"], has_reference=True)
RATING = Variant(KINDS["RATING"], turns=2)
FINE = '{"id": 1, "question": "Q?", "response": "A."}'


def refuse(content: str | bytes, variant: Variant = SEMANTIC) -> str:
    given = content.encode() if isinstance(content, str) else content
    with pytest.raises(BadItems) as refused:
        parse_items(given, variant)
    return str(refused.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "not JSON at column 1: Expecting value."),
        ("[]", "not an object {…}."),
        ("9" * 10_000, "JSON that can’t be read: write a plain object."),
        ('{"question": "Q?"}', "it has no “id”"),
        ('{"id": true, "question": "Q?"}', "it has no “id”"),
        ('{"id": " ", "question": "Q?"}', "it has no “id”"),
        ('{"id": 2, "response": "A."}', "it has no “question”."),
        ('{"id": 2, "question": 7}', "its “question” is not text."),
        ('{"id": 2, "question": "Q?", "response": 7}', "its “response” is not text."),
        (
            '{"id": 2, "question": "Q?", "type": "guess"}',
            "its “type” is not one of option, boolean",
        ),
        (
            '{"id": 2, "question": "Q?", "ground_truth": 7}',
            "its reference answer is neither a text nor",
        ),
        (
            '{"id": 2, "question": "Q?", "reference": ["a", 7]}',
            "its reference answer is neither a text",
        ),
        (
            '{"id": 2, "question": "Q?", "reference": "a", "ground_truth": "b"}',
            "its “ground_truth” and its “reference” differ: keep one of them.",
        ),
        ('{"id": "1", "question": "Q?"}', "the same id as line 1, 1: give each its own."),
    ],
)
def test_a_bad_line_is_named(line, says):
    assert refuse(f"{FINE}\n\n{line}\n").startswith(f"Line 3: {says}")


@pytest.mark.parametrize(
    ("turns", "says"),
    [
        ("Q?", "its “turns” are not a list of objects."),
        ([{"question": "Q?"}], "one of its “turns” has no question or no response."),
        ([{"role": "user"}], "its “turns” are messages, and one has no role or no content."),
        (
            [{"question": "Q?", "response": "A."}] * 3,
            "it has 3 turns, and the configuration’s “turns” is 2.",
        ),
    ],
)
def test_turns_that_can_not_be_understood_are_named(turns, says):
    assert refuse(json.dumps({"id": 1, "question": "Q?", "turns": turns}) + "\n", RATING) == (
        f"Line 1: {says}"
    )


def test_a_file_that_was_cut_in_half_says_so():
    assert refuse(f"{FINE}\n{FINE[:20]}") == (
        "Line 2: the file ends in the middle of this line and is incomplete: fetch or write it "
        "again."
    )


def test_a_last_line_without_its_break_is_fine():
    assert [one.id for one in parse_items(FINE.encode(), SEMANTIC)] == [1]


def test_many_bad_lines_are_counted():
    assert refuse("x\n" * 30).splitlines()[-1] == "… and 20 more."


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\n \n", "This file contains no items."),
        (b"\xff\xfe", "This is not a text file in UTF-8. Save it as JSON lines."),
    ],
)
def test_a_file_without_items_is_refused(content, says):
    assert refuse(content) == says


def test_items_are_what_the_file_says():
    row = item("a", type="number", ground_truth=["7"], model="M")
    [read] = parse_items(b"\xef\xbb\xbf" + json.dumps(row).encode(), SEMANTIC)
    assert (read.id, read.type, read.references, read.model) == ("a", TruthKind.NUMBER, ("7",), "M")


def test_a_line_may_hold_separators_that_are_no_line_breaks():
    row = json.dumps(item(1, response="a\u2028b\x85c"), ensure_ascii=False)
    [read] = parse_items(row.encode(), SEMANTIC)
    assert read.response == "a\u2028b\x85c"


def test_what_no_file_can_keep_is_replaced():
    row = json.dumps(item(1, response="a\ud800b\x00"))
    [read] = parse_items(row.encode(), SEMANTIC)
    assert read.response == "a�b�"


def test_of_an_item_without_turns_question_and_response_are_the_one():
    [read] = parse_items(FINE.encode(), RATING)
    assert read.turns == (Turn("Q?", "A."),)


@pytest.mark.parametrize("name", ["question", "response", "ground_truth", "type", "model"])
def test_an_items_hash_is_of_all_that_is_judged(name):
    values = {"type": "string"}
    row = item(1, type="number", model="M")
    changed = {**row, name: values.get(name, f"other {row[name]}")}
    hashes = {
        parse_items(json.dumps(one).encode(), SEMANTIC)[0].input_hash for one in (row, changed)
    }
    assert len(hashes) == 2


def test_an_empty_response_is_not_a_missing_one():
    rows = (item(1, response=""), item(1, response=None))
    hashes = {parse_items(json.dumps(row).encode(), SEMANTIC)[0].input_hash for row in rows}
    assert len(hashes) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--output", "{items}"], "is used by items: write to another file."),
        (["--attempts", "{output}"], "is used by --output: write to another file."),
        (["--attempts", "{config}"], "is used by --config: write to another file."),
        (["--output", "{folder}"], "is not a file."),
        (["--output", "{folder}/none/o.jsonl"], "No such file or directory"),
        (["--allow", "everything"], "--allow: 'everything' does not appear to be"),
    ],
)
def test_wrong_use_is_refused_before_any_call(files, options, says):
    files.configure(mode="rule_only")
    files.list_items(item(1))
    before = sorted(files.folder.iterdir())
    names = vars(files)
    done = files.judge(*(option.format(**names) for option in options))
    assert done.status == 2
    assert says in done.err
    assert sorted(files.folder.iterdir()) == before


@pytest.mark.parametrize("name", ["config", "items"])
def test_files_that_are_not_there_are_named(files, name):
    files.configure(mode="rule_only")
    files.list_items(item(1))
    path = getattr(files, name)
    path.unlink()
    done = files.judge()
    assert (done.status, done.err) == (2, f"{path}: No such file or directory")
