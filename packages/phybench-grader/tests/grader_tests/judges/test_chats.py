"""Chats are read whole, or refused with the reason: nothing of one is left out in silence."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phybench_grader.judges.chats import BadChat, ChatFault, read_chat, write_question
from phybench_grader.judges.items import Turn
from phybench_grader.judges.prompts import PromptLanguage

CASES = tomllib.loads((Path(__file__).parent / "cases" / "chats.toml").read_text())["chat"]
ROLES = st.sampled_from(["user", "assistant", "system"])


def write(messages):
    return [{"role": role, "content": text} for role, text in messages]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_chat_is_read_or_refused_as_the_case_says(case):
    messages = write(case["messages"])
    if "fault" in case:
        with pytest.raises(BadChat) as refused:
            read_chat(messages, case.get("last"))
        assert refused.value.fault == case["fault"]
    else:
        turns = tuple(Turn(*turn) for turn in case["turns"])
        assert read_chat(messages, case.get("last")) == turns


def test_every_fault_has_a_case():
    assert {case["fault"] for case in CASES if "fault" in case} == set(ChatFault)


@given(st.lists(ROLES, max_size=8), st.sampled_from([None, "<last>"]))
def test_whatever_the_order_of_roles_each_text_is_in_a_turn_or_the_chat_is_refused(roles, last):
    texts = [f"<{number}>" for number in range(len(roles))]
    try:
        turns = read_chat(write(zip(roles, texts, strict=True)), last)
    except BadChat:
        return
    read = "".join(f"{turn.system}{turn.question}{turn.answer}" for turn in turns)
    assert all(read.count(text) == 1 for text in [*texts, *([last] if last else [])])
    assert all(turn.question and turn.answer for turn in turns)


@pytest.mark.parametrize(
    ("language", "label"),
    [
        (PromptLanguage.ENGLISH, "System message:"),
        (PromptLanguage.GERMAN, "Systemnachricht:"),
        (PromptLanguage.FINNISH, "Järjestelmäviesti:"),
    ],
)
def test_what_the_system_said_is_shown_before_the_question_in_the_prompt_s_language(
    language, label
):
    written = write_question(Turn("q", "a", "be brief"), language)
    assert written.startswith(f"{label}\nbe brief\n\n")
    assert written.endswith("\nq")
