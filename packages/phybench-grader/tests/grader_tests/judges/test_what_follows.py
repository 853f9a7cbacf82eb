"""What follows an answer is part of it, but for white space, closing markup and one full stop."""

import re
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phybench_grader.judges.cues import CLOSINGS, RUN_ON
from phybench_grader.judges.deterministic import RuleOutcome, TruthKind, decide
from phybench_grader.judges.markup import Span, cut_closing, unwrap

SIGNS = "()[]{}<>!?.,:;*_$`\"'\\/|+-=~^%&# \n" + "ab12¬。！"
TRUTHS = st.one_of(
    st.text(alphabet="()[]{}<> ", min_size=1, max_size=12),
    st.text(alphabet=string.ascii_lowercase + " ", min_size=1, max_size=12),
    st.text(alphabet=SIGNS, min_size=1, max_size=8),
    st.text(min_size=1, max_size=6),
).filter(lambda text: text.strip() != "")
ADDED = st.one_of(
    st.text(alphabet=SIGNS, min_size=1, max_size=6),
    st.text(min_size=1, max_size=4),
    st.sampled_from(
        ["!", ")", "]", "\n)", "\n!", "..", ". .", ".\n.", "*", "**", "$", "\\]", "\n\n1"]
    ),
)
PREFIXES = [
    "The answer is ",
    "So the answer is: ",
    "Answer: ",
    "## Answer\n\n",
    "",
    "**",
    "$",
    "We look.\n\n",
]


def adds_something(added: str) -> bool:
    """Tell whether a text is more than white space and one full stop directly behind an answer."""
    return re.fullmatch(r"[.。]?\s*", added) is None


def is_set_phrase(added: str) -> bool:
    return CLOSINGS.search(added) is not None or RUN_ON.search(added) is not None


@settings(max_examples=120)
@given(truth=TRUTHS, added=ADDED, prefix=st.sampled_from(PREFIXES))
@example(truth=") ]", added="\n) ]", prefix="The answer is ")
@example(truth="] )", added=")", prefix="The answer is ")
@example(truth="a", added=". .", prefix="Answer: ")
@example(truth="a", added="**", prefix="Answer: ")
@example(truth="a b c", added=",", prefix="Answer: ")
@example(truth="ab", added=" because c", prefix="Answer: ")
def test_a_string_with_something_added_is_never_that_string(truth, added, prefix):
    if not adds_something(added) or is_set_phrase(added):
        return
    truth = truth.strip()
    response = prefix + truth + added
    if prefix and cut_closing(added, prefix + truth) == "":
        return  # markup that the prefix or the truth opened, and this closes
    verdict = decide(response, truth, kind=TruthKind.STRING)

    assert verdict.outcome is not RuleOutcome.MATCH, (response, verdict)


@settings(max_examples=100)
@given(truth=TRUTHS, added=ADDED)
def test_a_tag_holds_the_whole_answer_and_nothing_behind_it_is_cut(truth, added):
    if not adds_something(added) or is_set_phrase(added) or "<" in truth + added:
        return
    truth = truth.strip()
    inside = decide(f"<answer>{truth}{added}</answer>", truth, kind=TruthKind.STRING)
    behind = decide(f"<answer>{truth}</answer>{added}", truth, kind=TruthKind.STRING)

    assert cut_closing(added, truth) == "" or inside.outcome is not RuleOutcome.MATCH
    assert cut_closing(added, "") == "" or behind.outcome is not RuleOutcome.MATCH


@settings(max_examples=100)
@given(number=st.integers(-999, 999), added=ADDED, prefix=st.sampled_from(PREFIXES))
def test_a_number_with_something_added_matches_only_as_a_number_of_the_same_value(
    number, added, prefix
):
    if not adds_something(added) or is_set_phrase(added):
        return
    response = f"{prefix}{number}{added}"
    if cut_closing(added, prefix) == "" or re.match(r"[.,。]?[0\s]*[.。]?\s*\Z|/1\b", added):
        return
    verdict = decide(response, str(number))

    assert verdict.outcome is not RuleOutcome.MATCH or verdict.extracted != str(number), response


@pytest.mark.parametrize(
    ("truth", "response"),
    [
        (") ]", "The answer is ) ]\n) ]"),
        ("] )", "<answer>] )</answer>)"),
        ("] )", "The answer is ] ))."),
        ("24", "The answer is 24.\n!"),
        ("24", "24!"),
        ("24", r"$\boxed{24}!$"),
        ("24", r"\boxed{24})"),
        ("apple", "The answer is apple!"),
        ("apple", "The answer is **apple**!"),
        ("apple", "The answer is apple.)"),
        ("apple", "The answer is apple. ."),
        ("apple", "The answer is apple**"),
        ("apple", "Answer: apple\n---"),
        (r"m g h", r"The answer is $m g h$!"),
        (r"\frac{m}{2}", r"$\boxed{\frac{m}{2}}$)"),
        (r"\frac{m}{2}", "$\\boxed{\\frac{m}{2}}$\n!"),
    ],
)
def test_a_sign_behind_an_answer_is_part_of_it(truth, response):
    assert decide(response, truth).outcome is RuleOutcome.UNDECIDED


@pytest.mark.parametrize(
    ("truth", "response"),
    [
        (") ]", "The answer is ) ].\n"),
        (") ]", "**The answer is ) ].**"),
        (") ]", "**The answer is ) ]**."),
        ("apple!", "The answer is apple!"),
        ("apple.", "The answer is apple."),
        ("apple", "The answer is **apple.**"),
        ("apple", "The answer is `apple`."),
        ("apple", 'Answer: "apple."'),
        ("apple", "```\nThe answer is apple\n```"),
        ("apple", "The answer is apple. I hope it is correct."),
        ("apple", "The answer is apple.\n\nI hope this helps! ∎"),
        ("24", "\\[\n\\boxed{24}\n\\]"),
        ("24", r"\begin{align} x &= \boxed{24} \\ \end{align}"),
        ("24", "The final answer is $24$. I hope it is correct."),
    ],
)
def test_white_space_closing_markup_one_full_stop_and_courtesy_are_no_part_of_it(truth, response):
    assert decide(response, truth).outcome is RuleOutcome.MATCH


@given(text=st.text(alphabet=SIGNS, max_size=30))
@settings(max_examples=100)
def test_unwrapping_takes_off_at_most_one_full_stop_and_never_grows(text):
    span = unwrap(text, Span(0, len(text)))

    assert 0 <= span.start <= span.end <= len(text)
    assert not text.endswith("..") or span.of(text) == "" or span.end == len(text)
