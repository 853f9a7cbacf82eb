"""Whatever comes back, a reply is a verdict within range or a reason: never an exception."""

import json
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from phybench_grader.judges.deterministic import decide
from phybench_grader.judges.injection import find_injections
from phybench_grader.judges.judgement import Judgement
from phybench_grader.judges.kinds.pairwise import read_preference
from phybench_grader.judges.kinds.process import read_process
from phybench_grader.judges.kinds.rating import read_rating
from phybench_grader.judges.kinds.semantic import read_semantic
from phybench_grader.judges.replies.reply import JudgeReply

PIECES = st.sampled_from(
    [
        *("[[", "]]", "7", "0", "11", "7.5", ",", "-", "/10", "Rating: ", "A", "B", "tie", "\n"),
        *("<think>", "</think>", "```json", "```", "{", "}", '"is_correct"', ":", "true", "false"),
        *('"reasoning_score"', "5", '"answer"', '"physics"', '"mathematics"', '"completeness"'),
        *(
            "\\frac",
            "\\",
            '"',
            "null",
            "NaN",
            "1e999",
            "[",
            "]",
            " ",
            "９",
            "٧",
            "\\boxed{",
            "\ud800",
        ),
        *("The answer is ", "not ", "(B)", "wait", "<answer>", "</answer>", "Answer:", "**", "$"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))
FIELDS = st.dictionaries(
    st.sampled_from(
        [
            *("is_correct", "reasoning_score", "error_type", "comment", "id", "extracted_answer"),
            *("answer", "physics", "mathematics", "completeness", "overall"),
        ]
    ),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
        lambda inner: st.lists(inner, max_size=3),
        max_leaves=4,
    ),
)
REPLIES = st.one_of(
    TEXTS,
    st.binary(),
    FIELDS.map(json.dumps),
    st.builds(
        JudgeReply, st.none() | TEXTS, st.sampled_from(["stop", "length", "odd"]), st.booleans()
    ),
)


def has_one(judgement: Judgement) -> bool:
    return (judgement.verdict is None) != (judgement.reason is None)


@settings(max_examples=100)
@given(REPLIES)
def test_any_reply_gives_a_verdict_in_range_or_a_reason(reply):
    rating = read_rating(reply)
    assert has_one(rating)
    assert rating.verdict is None or Decimal(1) <= rating.verdict <= Decimal(10)

    semantic = read_semantic(reply, token="q")
    assert has_one(semantic)
    if semantic.verdict is not None and semantic.verdict.reasoning_score is not None:
        allowed = (4, 5) if semantic.verdict.is_correct else (1, 2, 3)
        assert semantic.verdict.reasoning_score in allowed

    process = read_process(reply)
    assert has_one(process)
    assert process.verdict is None or 0 <= process.verdict.overall <= 100

    assert has_one(read_preference(reply))


@settings(max_examples=100)
@given(TEXTS, st.sampled_from(["(B)", "True", "no", "7", "plain words"]))
def test_any_response_is_decided_or_left_undecided(response, truth):
    verdict = decide(response, truth, question="Which? (A) one (B) two")

    assert verdict.is_correct in (True, False, None)
    if verdict.start is not None:
        assert 0 <= verdict.start <= verdict.end <= len(response)
    find_injections(response)
