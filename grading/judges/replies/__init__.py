"""Reading what a judge replied: every reply gives a verdict or a reason, whatever it holds."""

from grading.judges.replies.pairwise import PairVerdict, Preference, combine_orders, read_preference
from grading.judges.replies.process import ProcessVerdict, read_process
from grading.judges.replies.rating import read_rating
from grading.judges.replies.reply import PARSER_VERSION, Reply
from grading.judges.replies.semantic import ErrorType, SemanticVerdict, read_semantic

__all__ = [
    "PARSER_VERSION",
    "ErrorType",
    "PairVerdict",
    "Preference",
    "ProcessVerdict",
    "Reply",
    "SemanticVerdict",
    "combine_orders",
    "read_preference",
    "read_process",
    "read_rating",
    "read_semantic",
]
