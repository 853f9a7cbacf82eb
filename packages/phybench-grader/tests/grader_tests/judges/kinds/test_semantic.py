"""The semantic matcher's JSON, in all the ways in which judges get it wrong."""

import json

import pytest

from phybench_grader.judges.judgement import Flag
from phybench_grader.judges.kinds.semantic import ErrorType, SemanticVerdict, read_semantic
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.reply import JudgeReply

GOOD = {
    "comment": "Right.",
    "extracted_answer": "B",
    "is_correct": True,
    "reasoning_score": 5,
    "error_type": "none",
    "id": "q1",
}


def write(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def read_flags(text: str) -> set[Flag]:
    return set(read_semantic(text, token="q1").flags)


def test_a_clean_reply_is_read_whole_and_without_a_flag():
    judgement = read_semantic(write(), token="q1")

    assert judgement.verdict == SemanticVerdict(True, "B", 5, ErrorType.NONE, "Right.")
    assert (judgement.path, judgement.flags) == ("json", frozenset())


@pytest.mark.parametrize(
    ("text", "path", "flag"),
    [
        (f"```json\n{write()}\n```", "fenced", Flag.FENCED),
        (f"```json\n{write()}\n", "fenced", Flag.FENCED),
        (f"Here it is:\n{write()}\nAnything else?", "scanned", Flag.SURROUNDED),
        (f"The set {{x}} and \\frac{{a}}{{b}}: {write()}", "scanned", Flag.SURROUNDED),
    ],
)
def test_an_object_is_found_in_a_fence_and_amid_prose(text, path, flag):
    judgement = read_semantic(text, token="q1")

    assert judgement.verdict is not None
    assert judgement.path == path
    assert flag in judgement.flags


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\frac{1}{2}", r"\frac{1}{2}"),
        (r"\sqrt{2}", r"\sqrt{2}"),
        (r"\boxed{3}", r"\boxed{3}"),
        (r"\theta \nu \rho \beta", r"\theta \nu \rho \beta"),
        (r"\text{no} \times \nabla \neq", r"\text{no} \times \nabla \neq"),
        (r"\\frac{1}{2}", r"\frac{1}{2}"),
        (r"\underline{x}", r"\underline{x}"),
        (r"\{x\} \(y\) \% \,", r"\{x\} \(y\) \% \,"),
        (r"a\nThe rest\tand", "a\nThe rest\tand"),
        (r"\u00e9 \/ \"q\"", 'é / "q"'),
    ],
)
def test_latex_that_was_not_escaped_survives(written, read):
    text = '{"is_correct": false, "extracted_answer": "' + written + '"}'

    assert read_semantic(text).verdict.extracted_answer == read


@pytest.mark.parametrize("swallowed", ["\x0crac{1}{2} + \x08eta", r"\u000crac{1}{2} + \u0008eta"])
def test_a_control_character_shows_that_latex_was_read_as_an_escape_and_is_given_back(swallowed):
    judgement = read_semantic('{"is_correct": true, "extracted_answer": "' + swallowed + '"}')

    assert judgement.verdict.extracted_answer == r"\frac{1}{2} + \beta"
    assert Flag.LATEX_REPAIRED in judgement.flags


@pytest.mark.parametrize(
    ("text", "flag"),
    [
        (write().replace("}", ",}"), Flag.JSON_REPAIRED),
        (write(comment="x").replace('"x"', '"one\ntwo"'), Flag.JSON_REPAIRED),
        (f"{write()} {write()}", Flag.REPEATED_VERDICT),
        (write(is_correct="true"), Flag.COERCED),
        (write(is_correct="Yes"), Flag.COERCED),
        (write(reasoning_score="5"), Flag.COERCED),
        (write(reasoning_score=5.0), Flag.COERCED),
        (write(reasoning_score=6), Flag.SCORE_MISSING),
        (write(reasoning_score=True), Flag.SCORE_MISSING),
        (write(reasoning_score="high"), Flag.SCORE_MISSING),
        (write(error_type="sloppy"), Flag.ERROR_TYPE_MISSING),
        (write(reasoning_score=3), Flag.INCONSISTENT),
        (write(error_type="wrong_logic"), Flag.INCONSISTENT),
        (write(error_type="no_answer"), Flag.INCONSISTENT),
        (write(reasoning_score=4, error_type="no_answer"), Flag.INCONSISTENT),
        (write(is_correct=False, reasoning_score=4), Flag.INCONSISTENT),
        (write(is_correct=False, reasoning_score=2, error_type="none"), Flag.INCONSISTENT),
        (write(is_correct=False, reasoning_score=2, error_type="no_answer"), Flag.INCONSISTENT),
    ],
)
def test_what_had_to_be_mended_or_dropped_is_flagged_and_the_verdict_stands(text, flag):
    judgement = read_semantic(text, token="q1")

    assert judgement.verdict is not None
    assert flag in judgement.flags


@pytest.mark.parametrize(
    ("is_correct", "score", "kept"),
    [(True, 4, 4), (True, 5, 5), (True, 3, None), (False, 3, 3), (False, 1, 1), (False, 4, None)],
)
def test_a_score_stands_only_where_it_goes_with_the_verdict(is_correct, score, kept):
    error = "none" if is_correct else "wrong_logic"
    judgement = read_semantic(write(is_correct=is_correct, reasoning_score=score, error_type=error))

    assert judgement.verdict.is_correct is is_correct
    assert judgement.verdict.reasoning_score == kept
    assert judgement.asks_again is (kept is None)


@pytest.mark.parametrize("error", [ErrorType.WRONG_LOGIC, ErrorType.HALLUCINATION])
def test_a_right_answer_by_a_spurious_way_keeps_its_error_and_is_not_asked_about_again(error):
    judgement = read_semantic(write(reasoning_score=4, error_type=error.value), token="q1")

    assert judgement.verdict == SemanticVerdict(True, "B", 4, error, "Right.")
    assert (judgement.flags, judgement.asks_again) == (frozenset(), False)


@pytest.mark.parametrize("error", [ErrorType.WRONG_LOGIC, ErrorType.HALLUCINATION])
def test_reasoning_that_is_flawless_and_wrong_is_neither_and_is_asked_about_again(error):
    judgement = read_semantic(write(reasoning_score=5, error_type=error.value), token="q1")

    assert (judgement.verdict.reasoning_score, judgement.verdict.error_type) == (None, None)
    assert judgement.verdict.is_correct is True
    assert judgement.asks_again


@pytest.mark.parametrize("is_correct", [True, False])
@pytest.mark.parametrize("error", ErrorType)
@pytest.mark.parametrize("score", [1, 2, 3, 4, 5])
def test_the_reading_takes_what_the_prompt_allows_and_nothing_else(is_correct, error, score):
    """The rules of the prompt, written down a second time."""
    if is_correct:
        allowed = {
            4: {"none", "format_error", "wrong_logic", "hallucination"},
            5: {"none", "format_error"},
        }
    else:
        wrong = {"format_error", "wrong_logic", "hallucination", "no_answer"}
        allowed = dict.fromkeys((1, 2, 3), wrong)
    extracted = "" if error is ErrorType.NO_ANSWER else "B"
    judgement = read_semantic(
        write(
            is_correct=is_correct,
            reasoning_score=score,
            error_type=error.value,
            extracted_answer=extracted,
        )
    )
    assert (Flag.INCONSISTENT not in judgement.flags) is (error.value in allowed.get(score, set()))
    assert judgement.verdict.is_correct is is_correct


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.EMPTY),
        (None, Reason.EMPTY),
        ("It is right.", Reason.NO_VERDICT),
        ("I cannot help with that", Reason.REFUSAL),
        (f"[{write()}]", Reason.SCHEMA),
        ("42", Reason.SCHEMA),
        ("{}", Reason.SCHEMA),
        ('{"verdict": true}', Reason.SCHEMA),
        ('{"comment": "no verdict", "id": "q1"}', Reason.SCHEMA),
        (write(is_correct=None), Reason.SCHEMA),
        (write(is_correct=1), Reason.SCHEMA),
        (write(is_correct="maybe"), Reason.SCHEMA),
        ('{"is_correct": NaN}', Reason.INVALID_JSON),
        ('{"is_correct": true, "is_correct": false}', Reason.INVALID_JSON),
        ('{"is_correct": true, "reasoning_score": Infinity}', Reason.INVALID_JSON),
        ('{"is_correct": true', Reason.INVALID_JSON),
        (JudgeReply('{"is_correct": true', finish_reason="length"), Reason.TRUNCATED),
        (JudgeReply("Let me", finish_reason="length"), Reason.TRUNCATED),
        (f"{write()} {write(is_correct=False)}", Reason.CONFLICTING_VERDICTS),
        (f"{write()} {write(reasoning_score=4)}", Reason.CONFLICTING_VERDICTS),
        (write(id="q2"), Reason.UNTIED),
        (write(id=None), Reason.UNTIED),
        (write(id=["q1"]), Reason.UNTIED),
        (write(id={"id": "q1"}), Reason.UNTIED),
        (f'{{"q1": {write(id="q2")}, "id": "q1"}}', Reason.SCHEMA),
        (f"```json\n{write()}\n``` or {write(is_correct=False)}", Reason.CONFLICTING_VERDICTS),
        ('{"quoted": ' + write() + ', "is_correct": fal', Reason.INVALID_JSON),
        (write(comment="<one short sentence>"), Reason.NO_VERDICT),
        (write(error_type="<one of the words above>"), Reason.NO_VERDICT),
        (write(reasoning_score="<1-5 integer based on rubric>"), Reason.NO_VERDICT),
        (write(id="<input_id>"), Reason.UNTIED),
        (write().replace('"q1"', "<input_id>"), Reason.INVALID_JSON),
        (f"<think>{write()}</think>", Reason.EMPTY),
        (f"<think>{write()}", Reason.TRUNCATED),
        (" " * 70_000 + write(), Reason.RESPONSE_TOO_LARGE),
        ('{"a":' * 5_000, Reason.INVALID_JSON),
        ("{" * 5_000, Reason.INVALID_JSON),
    ],
)
def test_a_reply_that_is_no_verdict_has_none_and_says_why(text, reason):
    judgement = read_semantic(text, token="q1")

    assert (judgement.verdict, judgement.reason) == (None, reason)


def test_an_answer_in_angle_brackets_is_no_form_that_was_sent_back():
    assert read_semantic(write(extracted_answer="<x, y>")).verdict.extracted_answer == "<x, y>"


def test_a_verdict_inside_the_judge_s_thinking_does_not_count():
    text = f"<think>{write(is_correct=False)}</think>{write()}"

    assert read_semantic(text).verdict.is_correct is True


def test_a_finished_object_counts_though_the_reply_was_cut_off_after_it():
    reply = JudgeReply(f"{write()} And so", finish_reason="length")
    judgement = read_semantic(reply, token="q1")

    assert judgement.verdict is not None
    assert Flag.TRUNCATED_AFTER_VERDICT in judgement.flags
