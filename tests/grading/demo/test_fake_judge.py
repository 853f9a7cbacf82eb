"""The fake endpoint as a judge: it replies in the form asked for; the hasty one fails at times."""

import json

import pytest

from grader_tests.judges.kinds.asking import ask_pairwise, ask_process, ask_rating, ask_semantic
from grading.demo.fake_answers import make_script
from grading.demo.fake_endpoint import Request
from phybench_grader.judges import CANARIES, Judgement
from phybench_grader.judges.items import Turn
from phybench_grader.judges.kinds.pairwise import combine_orders
from phybench_grader.judges.prompts import PromptLanguage
from phybench_grader.judges.replies.reply import JudgeReply

RIGHT, WRONG = CANARIES[0], CANARIES[1]


def ask(script, prompt, model="fake-steady"):
    """Have it judge, and read its reply as the one to this call; None where the call failed."""
    body = json.dumps({"model": model, "messages": prompt.messages}).encode()
    step = script(Request("POST", "/v1/chat/completions", {}, body))
    head, _blank, content = step.sent.partition(b"\r\n\r\n")
    if b" 200 " not in head.split(b"\r\n")[0]:
        return None
    reply = JudgeReply(json.loads(content)["choices"][0]["message"]["content"])
    return prompt.template.variant.kind.read(reply, prompt)


def match(canary):
    return ask_semantic(
        question=canary.question,
        response=f"{canary.response}",
        ground_truth=canary.ground_truth,
    )


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)
def test_the_steady_one_passes_every_canary(canary):
    judgement = ask(make_script(), match(canary))
    assert judgement.verdict.is_correct is canary.is_correct
    assert judgement.flags == frozenset()


def test_it_rates_and_marks_as_it_is_asked_to():
    for canary, is_high in ((RIGHT, True), (WRONG, False)):
        rated = ask(
            make_script(),
            ask_rating(
                turns=[Turn(canary.question, canary.response)],
                references=[canary.ground_truth],
                has_reference=True,
            ),
        )
        assert (rated.verdict >= 6) is is_high
        marked = ask(
            make_script(),
            ask_process(
                question=canary.question,
                solution=canary.response,
                reference_solution="It balances.",
                reference_answer=canary.ground_truth,
            ),
        )
        assert (marked.verdict.answer >= 50) is is_high


@pytest.mark.parametrize("language", PromptLanguage)
def test_of_two_turns_it_rates_the_second_in_each_language(language):
    turns = [Turn("And before?", "None."), Turn(RIGHT.question, RIGHT.response)]
    prompt = ask_rating(
        turns=turns,
        references=["none", RIGHT.ground_truth],
        language=language,
        turn_count=2,
        has_reference=True,
    )
    assert ask(make_script(), prompt).verdict >= 6


def compare(script, first, second, model="fake-steady"):
    """Have a pair judged in both orders; None where a call failed."""
    prompts = ask_pairwise(
        question=RIGHT.question,
        first=first.response,
        second=second.response,
        reference=RIGHT.ground_truth,
    )
    told = [ask(script, prompt, model) for prompt in prompts]
    return None if None in told else combine_orders(*told)


@pytest.mark.parametrize(
    ("first", "second", "preferred"),
    [(RIGHT, WRONG, "FIRST"), (WRONG, RIGHT, "SECOND"), (RIGHT, RIGHT, "TIE")],
)
def test_of_a_pair_it_prefers_the_right_one_whichever_comes_first(first, second, preferred):
    assert compare(make_script(), first, second).verdict == preferred


def test_the_hasty_one_leans_at_times_to_what_comes_first():
    script = make_script()
    said = [compare(script, WRONG, RIGHT, "fake-hasty") for _time in range(60)]
    reasons = [one.reason for one in said if one is not None]
    assert "position_inconsistent" in reasons
    assert None in reasons, "at times it has a verdict"


def test_the_hasty_one_fails_at_times_and_is_talked_round():
    script = make_script()
    told = [ask(script, match(CANARIES[2]), "fake-hasty") for _time in range(100)]
    said: list[Judgement] = [one for one in told if one]
    assert 0 < told.count(None) < 40, "some calls fail"
    assert any(one.verdict is None for one in said), "some replies can't be read"
    assert any(one.verdict is not None and one.verdict.is_correct for one in said)
