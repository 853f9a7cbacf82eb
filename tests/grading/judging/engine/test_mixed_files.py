"""
One file with items of three languages, chats of one to three turns, and items that can't be used:
one run, in which each is asked about in its own way, or skipped with its own reason.
"""

import re
from collections import Counter

import pytest

from tests.grading.endpoints import steps
from tests.grading.judging.engine.conftest import item, semantic
from tests.grading.judging.mixed import (
    ASKED,
    BAD,
    LANGUAGES,
    MIXED,
    SKIPPED,
    list_mixed,
    rate,
    tell,
    turns,
)


def test_a_mixed_file_is_one_run_in_which_each_item_is_asked_about_in_its_own_way(files, serve):
    server = serve(rate)
    files.configure(server, **MIXED)
    files.list_items(*list_mixed())

    done = files.judge(canaries=True)

    assert Counter(map(tell, server.requests)) == ASKED
    summary = done.summary
    assert (summary["items"], summary["scored"], summary["skipped"]) == (25, 18, 7)
    assert (summary["mean"], summary["calls"], done.status) == (7.0, 18 + 15, 1)
    assert summary["canaries"] == {"passed": 15, "failed": 0, "missing": 0, "rate": 1.0}
    assert summary["reasons"] == SKIPPED
    assert {call["template"] for call in files.calls() if not call["canary"]} == {
        f"rating/{language}/{count}{reference}"
        for language in LANGUAGES
        for count in ("one-turn", "two-turns", "three-turns")
        for reference in ("", "-reference")
    }
    # The same again asks nothing anew.
    files.judge(canaries=True)
    assert len(server.requests) == 33


def test_each_item_that_can_not_be_used_says_why_and_the_file_is_taken(files, serve):
    files.configure(serve(rate), **MIXED)
    files.list_items(*list_mixed())

    done = files.judge()

    said = dict(files.column("id", "message"))
    assert all(says in said[row["id"]] for row, _roles, says in BAD)
    assert said["line 25"].startswith("Line 25: it has no “id”")
    assert said["four"].startswith("The chat has more turns than the judge looks at")
    assert said["four"].endswith("This judge looks at up to 3 turns.")
    assert said["swedish"].startswith("The judge has no prompt in the language of this item")
    assert [line for line in done.err.splitlines() if line.startswith("Line ")] == [
        said[name] for name in ("tool", "greeting", "line 25")
    ]


def test_an_item_that_was_put_right_is_judged_and_its_old_record_goes(files, serve):
    server = serve(rate)
    files.configure(server, kind="rating", with_reference=False)
    fine = {"id": 1, "question": "Q?", "response": "A."}
    files.list_items(fine, {"question": "Q?", "response": "A."})
    assert files.judge().summary["scored"] == 1
    assert files.column("id", "unscored_reason") == [(1, None), ("line 2", "bad_item")]

    files.list_items(fine, {**fine, "id": 2})

    assert files.judge().status == 0
    assert files.column("id", "status") == [(1, "scored"), (2, "scored")]
    assert len(server.requests) == 2


def test_unknown_fields_are_named_once_and_the_items_judged(files, serve):
    files.configure(serve(rate), kind="rating", with_reference=False)
    rows = [
        {"id": n, "question": "Q?", "response": "A.", "note": 1, "Response": "x"} for n in (1, 2)
    ]
    files.list_items(*rows)

    done = files.judge()

    assert done.status == 0
    assert done.err.splitlines() == [
        "Unknown fields are ignored (number of items in brackets): note (2), Response (2)."
    ]


@pytest.mark.parametrize(
    ("fields", "category", "references"),
    [
        ({}, "math", 1),
        ({}, "Reasoning ", 1),
        ({}, "coding", 1),
        ({}, "arena-hard", 1),
        ({}, "writing", 0),
        ({}, None, 1),
        ({"reference_categories": ["writing"]}, "writing", 1),
        ({"reference_categories": ["writing"]}, "math", 0),
        ({"reference_categories": []}, "math", 0),
        ({"with_reference": True}, "writing", 1),
        ({"with_reference": False}, "math", 0),
    ],
)
def test_a_category_decides_on_the_reference_unless_the_configuration_has(
    files, serve, fields, category, references
):
    server = serve(rate)
    files.configure(server, kind="rating", **fields)
    row = {"id": 1, "question": "Q?", "response": "A.", "reference": "R."}
    files.list_items({**row, "category": category})
    assert files.judge().status == 0
    [request] = server.requests
    assert tell(request) == ("en", 1, references)


@pytest.mark.parametrize("language", LANGUAGES)
def test_canaries_speak_the_language_of_the_run(files, serve, language):
    server = serve(rate)
    files.configure(server, kind="rating", language=language)
    files.list_items({"id": 1, "question": "Q?", "response": "A.", "reference": "R."})

    done = files.judge(canaries=True)

    assert done.summary["canaries"]["passed"] == 5
    question = {"en": "hangs from a spring", "de": "an einer Feder", "fi": "jousesta"}[language]
    assert sum(question in request.prompt for request in server.requests) == 5


def test_a_judge_of_one_turn_refuses_a_longer_chat_and_takes_one_of_one_turn(files, serve):
    server = serve(semantic)
    files.configure(server, mode="model_only")
    files.list_items(
        item(1, question=None, response=None, **turns(2)),
        item(2, question=None, response=None, **turns(1)),
    )
    files.judge()
    assert files.column("id", "unscored_reason") == [(1, "too_many_turns"), (2, None)]
    [request] = server.requests
    assert "user 1." in request.prompt


@pytest.mark.parametrize("item_id", [7, "7", "a\nb", "öl"])
def test_the_items_id_comes_back_as_it_was_given(files, serve, item_id):
    server = serve(semantic)
    files.configure(server, mode="model_only")
    files.list_items(item(item_id))
    files.judge()
    [record] = files.records()
    assert (record["id"], record["verdict"]["id"]) == (item_id, item_id)
    assert list(record["verdict"]) == [
        "id",
        "is_correct",
        "extracted_answer",
        "reasoning_score",
        "error_type",
        "comment",
    ]
    # What the judge sends back is drawn: an id such as "wrong_7" would tell it something.
    assert not re.search(rf"^id: {re.escape(str(item_id))}$", server.requests[0].prompt, re.M)


@pytest.mark.parametrize(
    ("kind", "reply", "metric", "higher_is_better"),
    [
        ("semantic", '{"is_correct": true, "id": "TOKEN"}', "semantic_match", True),
        ("rating", "[[7]]", "single_judgement", True),
        (
            "process",
            '{"answer": 9, "physics": 9, "mathematics": 9, "completeness": 9, "id": "TOKEN"}',
            "process_score",
            True,
        ),
        ("pairwise", "[[tie]]", "pairwise_preference", None),
    ],
)
def test_records_say_what_metric_they_are_of_and_whether_higher_is_better(
    files, serve, kind, reply, metric, higher_is_better
):
    files.configure(serve(lambda request: steps.answer(request, reply)), kind=kind)
    rows = [item(1, first="x", second="y", reference_solution="z"), item(2, question=None)]
    files.list_items(*rows)
    files.judge()
    assert files.column("metric", "higher_is_better") == [(metric, higher_is_better)] * 2
    assert files.column("status") == ["scored", "skipped"]


@pytest.mark.parametrize("error", ["wrong_logic", "hallucination"])
def test_a_right_answer_by_a_spurious_way_is_asked_about_once_and_keeps_its_error(
    files, serve, error
):
    server = serve(lambda request: semantic(request, reasoning_score=4, error_type=error))
    files.configure(server, mode="model_only")
    files.list_items(item(1))
    files.judge()
    [record] = files.records()
    verdict = record["verdict"]
    assert (verdict["is_correct"], verdict["reasoning_score"], verdict["error_type"]) == (
        True,
        4,
        error,
    )
    assert (record["flags"], len(server.requests)) == ([], 1)


@pytest.mark.parametrize("includes_thinking", [False, True])
def test_the_thinking_is_shown_with_a_prompt_that_says_so(files, serve, includes_thinking):
    server = serve(semantic)
    files.configure(server, mode="model_only", includes_thinking=includes_thinking)
    files.list_items(item(1, response="<think>Six and one.</think>It may well be 7."))
    files.judge()
    [request] = server.requests
    assert ("Six and one." in request.prompt) is includes_thinking
    assert ("neither as an answer nor as reasoning" in request.prompt) is not includes_thinking
    assert files.calls()[0]["template"] == (
        "semantic/en/thinking" if includes_thinking else "semantic/en"
    )
