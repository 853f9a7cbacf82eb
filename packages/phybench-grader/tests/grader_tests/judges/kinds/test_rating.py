"""Ratings read out of replies, row by row of the table of what replies look like."""

from decimal import Decimal

import pytest

from phybench_grader.judges.judgement import Flag
from phybench_grader.judges.kinds.rating import read_rating
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.reply import JudgeReply

NONE = ()
LENIENT = (Flag.LENIENT_PARSE,)
FALLBACK = (Flag.FALLBACK_PARSE,)
MULTIPLE = (Flag.MULTIPLE_RATINGS,)


@pytest.mark.parametrize(
    ("reply", "rating", "flags"),
    [
        ("Rating: [[5]]", "5", NONE),
        ("[[10]]", "10", NONE),
        ("[[1]]", "1", NONE),
        ("Arvosana: [[4]]", "4", NONE),
        ("Bewertung: [[4]].", "4", NONE),
        ("[[7.5]]", "7.5", (Flag.NON_INTEGER,)),
        ("[[7,5]]", "7.5", (Flag.NON_INTEGER,)),
        ("[[7.0]]", "7.0", NONE),
        ("[[ 7 ]]", "7", LENIENT),
        ("[[**7**]]", "7", LENIENT),
        ("[[7/10]]", "7", LENIENT),
        ("[[rating: 7]]", "7", LENIENT),
        ("[[Arvosana: 7,5]]", "7.5", (Flag.LENIENT_PARSE, Flag.NON_INTEGER)),
        ("[[７]]", "7", LENIENT),
        ("Rating: [7]", "7", FALLBACK),
        ("It is fine.\nRating: 7", "7", FALLBACK),
        ("Gut.\n\nBewertung: 7/10", "7", FALLBACK),
        ("**Arvosana:** 7", "7", FALLBACK),
        ("Gesamtbewertung: 7/10", "7", FALLBACK),
        ("Kokonaisarvosana: 7,5", "7.5", (Flag.FALLBACK_PARSE, Flag.NON_INTEGER)),
        ('e.g. "Rating: [[5]]". My rating: [[9]]', "9", MULTIPLE),
        ("<think>maybe [[3]]</think> Rating: [[8]]", "8", NONE),
        ("maybe [[3]]</think> Rating: [[8]]", "8", NONE),
        ("The matrix [[1, 0], [0, 1]] is fine. Rating: [[8]]", "8", NONE),
        ("It is an [[8]], as I said: [[8]]", "8", MULTIPLE),
        ("Rating: [[7]]/10", "7", NONE),
        (b"Rating: [[8]]", "8", NONE),
        (b"\xff\xfe Rating: [[8]]", "8", NONE),
    ],
)
def test_a_rating_on_the_scale_is_read(reply, rating, flags):
    judgement = read_rating(reply)

    assert judgement.verdict == Decimal(rating)
    assert judgement.flags == set(flags)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("[[0]]", Reason.OUT_OF_RANGE),
        ("[[11]]", Reason.OUT_OF_RANGE),
        ("[[100]]", Reason.OUT_OF_RANGE),
        ("[[10.5]]", Reason.OUT_OF_RANGE),
        ("[[" + "9" * 400 + "]]", Reason.OUT_OF_RANGE),
        ("[[" + "9" * 5_000 + "]]", Reason.OUT_OF_RANGE),
        ("GRADE [[8]] and in the end, final [[12]]", Reason.OUT_OF_RANGE),
        ("Rating: 11", Reason.OUT_OF_RANGE),
        ("[[7/5]]", Reason.AMBIGUOUS),
        ("[[7-8]]", Reason.AMBIGUOUS),
        ("[[-3]]", Reason.AMBIGUOUS),
        ("[[8]] [[7-8]]", Reason.AMBIGUOUS),
        ("[[7 8]]", Reason.AMBIGUOUS),
        *(
            (text, Reason.CONFLICTING_VERDICTS)
            for text in (
                "Rating: [[7]] out of [[10]]",
                "[[7]]/[[10]]",
                "Bewertung: [[7]] von [[10]]",
                "Rating: [[7]], on a scale of [[1]] to [[10]]",
                "[[3]] for style and [[9]] for accuracy",
                "The matrix [[1]] is singular. Rating: [[8]]",
                "I change it from [[6]] to [[8]]",
                "Rating: 3\nSo it is.\nRating: 9",
            )
        ),
        ("[[٧]]", Reason.NO_VERDICT),
        ("[[seven]]", Reason.NO_VERDICT),
        ("[[]]", Reason.NO_VERDICT),
        ("[[rating]]", Reason.NO_VERDICT),
        ("[[arvosana]]", Reason.NO_VERDICT),
        ("[[8]] as in [[rating]]", Reason.NO_VERDICT),
        ("I'd say 7.", Reason.NO_VERDICT),
        ("7", Reason.NO_VERDICT),
        ("Rating: 7\nThank you.", Reason.NO_VERDICT),
        ("Rating: ٧", Reason.NO_VERDICT),
        ("", Reason.EMPTY),
        (" \n", Reason.EMPTY),
        (None, Reason.EMPTY),
        ("<think>[[8]]</think>", Reason.EMPTY),
        ("<think>[[8]]", Reason.TRUNCATED),
        ("I'm sorry, I can't judge this.", Reason.REFUSAL),
        (JudgeReply("", is_refusal=True), Reason.REFUSAL),
        (JudgeReply("Rating: [[8]]", is_refusal=True), Reason.REFUSAL),
        (JudgeReply("Rating: [[8]] but th", finish_reason="length"), Reason.TRUNCATED),
        (JudgeReply("Answer", finish_reason="length"), Reason.TRUNCATED),
        (JudgeReply("", finish_reason="length"), Reason.TRUNCATED),
        (JudgeReply("", finish_reason="content_filter"), Reason.CONTENT_FILTERED),
        ("x" * 70_000 + "[[8]]", Reason.RESPONSE_TOO_LARGE),
    ],
)
def test_anything_else_has_no_rating_and_says_why(reply, reason):
    judgement = read_rating(reply)

    assert (judgement.verdict, judgement.reason) == (None, reason)
