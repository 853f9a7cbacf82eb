"""Items are read line by line; one that is of no use is named by its line, and it alone."""

import itertools
import json

import pytest

from grading.judging.engine.choices import Choices
from grading.judging.engine.items import (
    NOTHING,
    BadItems,
    list_complaints,
    parse_items,
    say_fault,
)
from grading.judging.engine.rows import LONGEST_RESPONSE, LONGEST_TEXT
from phybench_grader.judges import TruthKind
from phybench_grader.judges.items import Item, Turn
from phybench_grader.judges.kinds import KINDS
from phybench_grader.numbers.sentences import Sentence
from tests.grading.judging.engine.conftest import item

SEMANTIC = KINDS["SEMANTIC"]
RATING = KINDS["RATING"]
PAIRWISE = KINDS["PAIRWISE"]
FINE = '{"id": 1, "question": "Q?", "response": "A."}'


def refuse(content: str | bytes) -> str:
    given = content.encode() if isinstance(content, str) else content
    with pytest.raises(BadItems) as refused:
        parse_items(given, SEMANTIC)
    return str(refused.value)


def read(row: object, kind=RATING, choices: Choices = NOTHING) -> Item:
    """Read one row, beside one that is fine: it may be refused, and its file is not."""
    row = json.dumps({"id": 2, **row}) if isinstance(row, dict) else row
    fine = {"id": 1, "question": "Q?", "first": "A.", "second": "B.", "response": "A."}
    return parse_items(f"{json.dumps(fine)}\n{row}\n".encode(), kind, choices).items[1]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "not JSON at column 1: a value is expected."),
        ("[]", "not an object {…}."),
        ("9" * 10_000, "JSON that can’t be read: write a plain object."),
        ('{"question": "Q?"}', "it has no “id”"),
        ('{"id": true, "question": "Q?"}', "it has no “id”"),
        ('{"id": " ", "question": "Q?"}', "it has no “id”"),
        ('{"id": 2, "response": "A."}', "it has no “question”."),
        ('{"id": 2, "question": 7}', "its “question” is not text: write it in quotation marks."),
        (
            '{"id": 2, "question": "Q?", "response": 7}',
            "its “response” is not text: write it in quotation marks.",
        ),
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
        (
            '{"id": 2, "question": "Q?", "response": "a", "completion": "b"}',
            "its “response” and its “completion” differ: keep one of them.",
        ),
        ('{"id": "1", "question": "Q?"}', "the same id as line 1, 1: give each its own."),
    ],
)
def test_a_bad_line_is_one_item_that_is_refused_by_its_line_and_no_other_is(line, says):
    listed = parse_items(f"{FINE}\n\n{line}\n{FINE.replace('1', '3')}\n".encode(), SEMANTIC)
    assert [bool(one.refused) for one in listed.items] == [False, True, False]
    assert len({one.key for one in listed.items}) == 3
    assert say_fault(listed.items[1].refused).startswith(f"Line 3: {says}")
    assert listed.complaints == [listed.items[1].refused]


def test_a_refused_item_has_its_id_or_else_its_line_and_never_the_id_of_another():
    rows = [7, {"id": "x"}, {"id": "line 2", "question": "Q?"}, {"id": "line 2"}]
    lines = [FINE, *map(json.dumps, rows)]
    items = parse_items("\n".join(lines).encode(), SEMANTIC).items
    assert [one.id for one in items] == [1, "line 2 (unusable)", "x", "line 2", "line 5"]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"turns": "Q?"}, "its “turns” is not a list of objects"),
        ({"messages": {"role": "user"}}, "its “messages” is not a list of objects"),
        ({"messages": ["Q?"]}, "its “messages” is not a list of objects"),
        ({"turns": [{"question": "Q?"}]}, "one of its “turns” has no question or no response"),
        ({"messages": [{"role": "user"}]}, "one of its messages has no role, or no content"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image"}]}]},
            "one of its messages has no role, or no content that is text: write “content” as"
            " one text",
        ),
        (
            {"messages": [{"role": "tool", "content": "42"}], "response": "A."},
            "its chat has a message by “tool”: allowed roles are user, assistant and system",
        ),
        (
            {"messages": [{"role": "assistant", "content": "Hi!"}], "response": "A."},
            "its chat has an answer before the first question: remove the answer",
        ),
        ({"messages": []}, "its chat contains no question"),
        ({"turns": []}, "its chat contains no question"),
        (
            {"turns": [{"question": "Q?", "response": "A."}], "response": "B."},
            "its chat ends with an answer that differs from its “response”: keep one of them",
        ),
        (
            {"turns": [{"question": "Q?", "response": "A."}], "question": "Another?"},
            "its “question” is not in its chat: leave it out",
        ),
        (
            {
                "turns": [{"question": "Q?", "response": "A."}],
                "messages": [{"role": "user", "content": "Q?"}],
            },
            "its “turns” and its “messages” differ: keep one of them",
        ),
    ],
)
def test_a_chat_that_can_not_be_used_is_refused_with_the_reason(row, says):
    assert say_fault(read(row).refused).startswith(f"Line 2: {says}")


def say(*texts: str) -> list[dict[str, str]]:
    """Write a chat of users and assistants in turn."""
    roles = itertools.cycle(["user", "assistant"])
    return [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]


@pytest.mark.parametrize("answer", ["response", "completion"])
def test_the_seeds_shape_has_the_last_answer_apart(answer):
    item = read({"messages": say("Q1?", "A1.", "Q2?"), answer: "A2."})
    assert item.turns == (Turn("Q1?", "A1."), Turn("Q2?", "A2."))
    assert (item.question, item.response, item.refused) == ("Q2?", "A2.", None)


@pytest.mark.parametrize("kind", [SEMANTIC, KINDS["PROCESS"]])
def test_a_judge_of_one_turn_sees_the_question_of_a_chat_with_what_the_system_said(kind):
    chat = [{"role": "system", "content": "Be brief."}, *say("Q?", "A.")]
    item = read({"messages": chat}, kind)
    assert item.question == "System message:\nBe brief.\n\nUser's message:\nQ?"
    assert item.response == "A."


def test_a_judge_of_two_answers_takes_no_chat():
    item = read({"messages": say("Q?", "A.")}, PAIRWISE)
    assert "this judge compares two answers: write “question”, “first” and" in say_fault(
        item.refused
    )


def test_a_chat_that_ends_with_a_question_has_no_response():
    item = read({"messages": say("Q1?", "A1.", "Q2?")})
    assert (item.question, item.response, item.turns, item.refused) == ("Q2?", None, (), None)


@pytest.mark.parametrize(
    ("row", "language"),
    [
        ({"language": "de"}, "de"),
        ({"language": "FI-fi"}, "fi"),
        ({"language": "en", "subject": "de_math"}, "en"),
        ({"subject": "de"}, "de"),
        ({"subject": "de_math"}, "de"),
        ({"subject": "fi.coding"}, "fi"),
        ({"subject": "dense matter"}, None),
        ({"subject": "decision_making"}, None),
        ({"subject": "fields"}, None),
        ({"subject": "finance"}, None),
        ({}, None),
    ],
)
def test_language_or_subject_choose_the_prompt_and_a_topic_does_not(row, language):
    given = {"question": "Q?", "response": "A.", **row}
    assert read(given, choices=Choices(language=True)).language == language
    # Where the configuration has chosen, the item is the same whatever it says.
    assert read(given).language is None


def test_a_language_without_a_prompt_is_no_fault_of_the_item():
    row = {"question": "Q?", "response": "A.", "language": "sv"}
    item = read(row, choices=Choices(language=True))
    assert (item.refused, item.other_language) == (None, "sv")
    assert read(row).other_language == ""


def test_what_can_be_read_of_a_refused_item_is_kept_to_be_shown():
    item = read({"question": "Q?", "response": "A.", "ground_truth": "4", "type": "odd"})
    assert item.refused
    assert (item.question, item.response, item.references) == ("Q?", "A.", ("4",))


LONG = "x" * (LONGEST_TEXT + 1)
LONG_RESPONSE = "x" * (LONGEST_RESPONSE + 1)


@pytest.mark.parametrize(
    ("row", "name", "kind"),
    [
        ({"question": LONG, "response": "A."}, "question", RATING),
        ({"question": "Q?", "response": "A.", "reference": ["a", LONG]}, "reference", RATING),
        ({"question": "Q?", "response": LONG_RESPONSE}, "response", RATING),
        ({"question": "Q?", "first": "A.", "second": LONG_RESPONSE}, "second", PAIRWISE),
        ({"turns": [{"question": LONG, "response": "A."}]}, "turns", RATING),
        (
            {"messages": [
                {"role": "user", "content": "Q?"}, {"role": "assistant", "content": LONG},
                {"role": "user", "content": "Q2?"}, {"role": "assistant", "content": "A2."},
            ]},
            "messages",
            RATING,
        ),
    ],
)  # fmt: skip
def test_an_item_with_a_text_too_long_to_be_sent_is_skipped_with_its_length(row, name, kind):
    refused = read(row, kind).refused
    assert refused.code == "row_of_line"
    what = dict(refused.values)["what"]
    most, count = (f"{LONGEST_TEXT:,}", f"{LONGEST_TEXT + 1:,}")
    if name in ("response", "second"):
        most, count = (f"{LONGEST_RESPONSE:,}", f"{LONGEST_RESPONSE + 1:,}")
    assert what == Sentence.of("row_too_long", name=name, count=count, most=most)


def test_a_text_as_long_as_is_sent_is_judged():
    row = {"question": LONG[1:], "response": LONG_RESPONSE[1:]}
    assert read(row).refused is None


def test_unknown_fields_are_counted():
    rows = [{**json.loads(FINE), "id": number, "Response": "x", "note": 1} for number in (1, 2)]
    lines = "\n".join(map(json.dumps, [*rows, {**json.loads(FINE), "id": 3, "note": 2}]))
    listed = parse_items(lines.encode(), SEMANTIC)
    assert listed.unknown == {"Response": 2, "note": 3}
    assert listed.list_remarks() == [
        "Unknown fields are ignored (number of items in brackets): Response (2), note (3)."
    ]


def test_a_file_that_was_cut_in_half_says_so():
    listed = parse_items(f"{FINE}\n{FINE[:20]}".encode(), SEMANTIC)
    assert list_complaints(listed.complaints) == [
        "Line 2: the file ends in the middle of this line and is incomplete: fetch or write it "
        "again."
    ]


def test_a_last_line_without_its_break_is_fine():
    assert [one.id for one in parse_items(FINE.encode(), SEMANTIC).items] == [1]


def test_a_file_of_bad_lines_alone_is_refused_and_they_are_counted():
    assert refuse("x\n" * 30).splitlines()[-1] == "… and 20 more."


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\n \n", "This file contains no items."),
        (b"\xff\xfe", "This is not a text file in UTF-8. Save it as JSON lines."),
        (
            b"<html>\n<body>Sign in</body>",
            "This is a web page and not the file itself. Sign in to the site and download it "
            "again.",
        ),
    ],
)
def test_a_file_without_items_is_refused(content, says):
    assert refuse(content) == says


def test_items_are_what_the_file_says():
    row = item("a", type="number", ground_truth=["7"], model="M")
    [found] = parse_items(b"\xef\xbb\xbf" + json.dumps(row).encode(), SEMANTIC).items
    assert (found.id, found.type, found.references, found.model) == (
        "a",
        TruthKind.NUMBER,
        ("7",),
        "M",
    )


def test_a_line_may_hold_separators_that_are_no_line_breaks():
    row = json.dumps(item(2, response="a\u2028b\x85c"), ensure_ascii=False)
    assert read(row).response == "a\u2028b\x85c"


def test_what_no_file_can_keep_is_replaced():
    assert read(item(2, response="a\ud800b\x00")).response == "a�b�"


@pytest.mark.parametrize("name", ["question", "response", "ground_truth", "type", "model"])
def test_an_items_hash_is_of_all_that_is_judged(name):
    values = {"type": "string"}
    row = item(2, type="number", model="M")
    changed = {**row, name: values.get(name, f"other {row[name]}")}
    assert len({read(one, SEMANTIC).input_hash for one in (row, changed)}) == 2


def test_a_chats_hash_is_of_what_the_system_said_and_of_what_chooses_its_prompt():
    choices = Choices(language=True, categories=frozenset({"math"}))
    chat = say("Q?", "A.")
    system = [{"role": "system", "content": "Be brief."}, *chat]
    rows = [{}, {"messages": system}, {"language": "de"}, {"category": "math"}]
    hashes = {read({"messages": chat, **row}, RATING, choices).input_hash for row in rows}
    assert len(hashes) == len(rows)


def test_an_empty_response_is_not_a_missing_one():
    rows = (item(2, response=""), item(2, response=None))
    assert len({read(row, SEMANTIC).input_hash for row in rows}) == 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--output", "{items}"], "is used by items: write to another file."),
        (["--attempts", "{output}"], "is used by --output: write to another file."),
        (["--attempts", "{config}"], "is used by --config: write to another file."),
        (["--output", "{folder}"], "is not a file."),
        (["--output", "{folder}/none/o.jsonl"], "No such file or directory"),
        (["--allow", "everything"], "separated by commas"),
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
