"""Only what a model said is an answer; where asking it failed there is none, and that is said."""

import json
from dataclasses import replace

import pytest

from phybench.files.answer_files.answers import Answer, Reading, Reason, match_configured
from phybench.files.answer_files.guessing import guess
from tests.grading.answer_files.files import open_file
from tests.grading.answer_files.harnesses import FAILING


@pytest.mark.parametrize("name", FAILING)
def test_no_prompt_no_thought_and_nothing_of_a_failed_call_is_an_answer(name: str) -> None:
    file = FAILING[name]
    rows = open_file(file.content)
    guessed = guess(rows.head(), remarks=rows.remarks)
    field_map = replace(guessed, model_name=guessed.model_name or file.model)
    assert field_map.find_faults() == {}
    read = list(Reading(rows, field_map))
    found = [one.response if isinstance(one, Answer) else one.reason for one in read]
    assert found == list(file.outcomes)


@pytest.mark.parametrize("name", FAILING)
def test_a_failed_call_is_named_with_its_problem_and_its_reason(name: str) -> None:
    file = FAILING[name]
    rows = open_file(file.content)
    guessed = guess(rows.head(), remarks=rows.remarks)
    for one in Reading(rows, replace(guessed, model_name=guessed.model_name or file.model)):
        if not isinstance(one, Answer) and one.reason is Reason.FAILED:
            assert one.id
            assert one.message.removeprefix("not answered, because it failed: ") not in (
                "",
                "error",
            )


def test_rows_that_name_no_model_are_no_configured_model_s_where_none_was_configured() -> None:
    assert match_configured({}, ["A"], {"": ["FAILED"]}) == {}


def test_where_all_chats_end_with_a_question_none_is_guessed_to_hold_the_answers() -> None:
    """What the model said in them are examples of a prompt; the replies are elsewhere, if any."""
    chat = [{"role": role, "content": role} for role in ("user", "assistant", "user")]
    rows = open_file(json.dumps([{"id": "C1", "messages": chat, "what it said": "x"}]).encode())
    assert guess(rows.head(), remarks=rows.remarks).response == ""


def test_a_prompt_is_no_answer_whatever_field_somebody_chooses() -> None:
    file = FAILING["Inspect, all samples failed"]
    rows = open_file(file.content)
    guessed = guess(rows.head(), remarks=rows.remarks)
    for path in ("messages[-1].content", "messages[].content"):
        read = Reading(rows, replace(guessed, response=path))
        assert not any(isinstance(one, Answer) for one in read)
