"""What is around an answer moves no verdict, and another ground truth does."""

import itertools

import pytest

from phybench_grader.judges.deterministic import RuleOutcome, TruthKind, decide

WRAPPERS = [
    "{}",
    "**{}**",
    "{}.",
    "Answer: {}",
    "answer: {}",
    "**Answer:** {}",
    "**Answer**: {}",
    "Final answer: {}",
    "### Final Answer\n{}",
    "The answer is {}.",
    "the answer is {}",
    "The answer is: {}",
    "The correct answer is **{}**.",
    "The final answer is {}.",
    "**The final answer is {}.**",
    "So, the answer is {}.",
    "Therefore, the answer is {}.",
    "Thus the answer is {}.",
    "Hence the final answer is: {}.",
    "In conclusion, the answer is {}.",
    "We go step by step. This settles it.\n\nThe answer is {}.",
    "We go step by step. This settles it.\n\n**{}**",
    "Since all of them are here, the answer is {}.",
    "The answer is {}. I hope this helps!",
    "The answer is {}, because this is what follows.",
    "My answer is {}.",
    "<answer>{}</answer>",
    r"\boxed{{{}}}",
    r"$\boxed{{\text{{{}}}}}$",
    r"The answer is $\boxed{{{}}}$.",
    "Die Antwort ist {}.",
    "Vastaus: {}",
    "<think>Something else.</think>{}",
    "Something else.</think>\nThe answer is {}.",
    "The answer is unclear at first. Wait, the answer is {}.",
]
TYPES = [
    (TruthKind.OPTION, "(B)", "(C)", ["(B)", "B", "[B]", "option B", "(b)", "Ｂ"]),
    (TruthKind.BOOLEAN, "True", "False", ["True", "TRUE", "yes", "correct", "valid"]),
    (TruthKind.BOOLEAN, "no", "yes", ["no", "No", "false"]),
    (TruthKind.PLAUSIBILITY, "yes", "no", ["plausible", "likely", "possible", "yes"]),
    (TruthKind.PLAUSIBILITY, "implausible", "plausible", ["implausible", "unlikely", "impossible"]),
    (TruthKind.NUMBER, "42", "43", ["42", "forty-two", "42.0", "84/2", "4.2e1"]),
    (TruthKind.NUMBER, "-3", "3", ["-3", "−3", "minus three", "-3.0"]),
]
FORMS = [
    (wrapper, kind, truth, other, form)
    for wrapper in WRAPPERS
    for kind, truth, other, forms in TYPES
    for form in forms
]


def test_no_wrapping_ever_turns_a_verdict_round():
    for wrapper, kind, truth, other, form in FORMS:
        response = wrapper.format(form)
        assert decide(response, truth, kind=kind).outcome is not RuleOutcome.MISMATCH, response
        assert decide(response, other, kind=kind).outcome is not RuleOutcome.MATCH, response


def test_nearly_every_wrapping_of_a_plain_answer_is_decided():
    decided = [
        decide(wrapper.format(form), truth, kind=kind).outcome is RuleOutcome.MATCH
        for wrapper, kind, truth, _, form in FORMS
    ]

    assert len(decided) > 1_000
    assert sum(decided) / len(decided) > 0.95


@pytest.mark.parametrize(
    "end", [" Or maybe not.", " Actually, let me check.", "\n\nNo, that is wrong.", " Is it?"]
)
def test_what_takes_an_answer_back_leaves_it_undecided(end):
    responses = [wrapper.format("(B)") + end for wrapper in WRAPPERS]

    assert [one for one in responses if decide(one, "(B)").outcome is RuleOutcome.MATCH] == []


def test_what_was_thought_before_changes_nothing():
    for wrapper in [one for one in WRAPPERS if "think>" not in one]:
        response = wrapper.format("(B)")
        thought = f"<think>The answer is (C). \\boxed{{(D)}}</think>\n\n{response}"

        assert decide(thought, "(B)").outcome is decide(response, "(B)").outcome, wrapper


BEFORE = [
    *("I doubt that ", "It is wrong that ", "If x > 0, ", "Nobody says ", "Some say "),
    *("It would be wrong to say ", "Unless told otherwise, ", "Possibly "),
    *("By mistake I wrote: ", "Ann: ", "Ann's view: ", "A common error is: ", "Do not write: "),
    *("Never write\n", "Instead of\n", "Rather than this:\n\n", "The opposite of this:\n"),
    *("What follows is false.\n", "Ignore the next line.\n", "The following is only a test.\n"),
    *("Reverse this:\n", "This line is a decoy:\n", "Old version:\n", "Before correction:\n"),
    *("Draft 1:\n", "Wrong:\n\n", "(struck out) ", "Not ", "¬", "~", "- not: "),
    *("Hypothetically, ", "Were it so, ", "Had we no friction, ", "In the first case, "),
    *("For part (a), ", "On Mondays ", "In a world without friction, ", "For large x, "),
    *("To leading order, ", "Up to sign, ", "Modulo 7, ", "In units of pi, ", "Half of this: "),
    *("Twice ", "Minus ", "Roughly ", "At most ", "More than ", "Between 1 and ", "Not even "),
    *("Hardly ", "Anything but ", "Far from ", "Who knows, ", "God knows, "),
    *("They want me to say ", "My friend's solution:\n", "From the book:\n", "Quote:\n"),
    *("Example:\n", "Suppose\n", "Assume the following.\n", "Let us pretend.\n"),
    *("Here is what not to answer.\n", "My earlier attempt was this.\n\n"),
    *("The user believes this.\n", "As a joke.\n", "First try.\n", "Initially I had\n"),
    *("At first I thought\n", "Previously:\n", "Attempt 1\n", "Incorrect solution\n\n"),
    *("Discarded:\n", "~~", "<!--", "<del>", "<s>", "// ", "# not ", "> ", "| "),
]
AFTER = [
    *(" or (C)", " / (C)", ", (C)", " and (C)", " (or (C))", " is false", " is wrong"),
    *(" is not it", " (not)", " — not!", " ?", " ??", " ...?", " not really", " maybe"),
    *(" I guess", " if lucky", " unless x", " when x = 0", " only sometimes", " in part"),
    *(" for part (a)", " says Ann", " says the book", " as a guess", " (unsure)", " (50%)"),
    *(" → (C)", " -> (C)", " => no", " then (C)", " but (C)", " yet no", " plus 1", " minus 1"),
    *(" squared", " %", " km", "e5", "^2", "²", "x", "/2", ":2", "i", " pi", " mod 7"),
    *(" or more", " or less", " ± 1", "±1", "\n(C)", "\nC", "\n- (C)", "\nor\n(C)", "\n\nNo."),
    *("\n\nNot.", "\n\nFalse", "\n\nWrong!", "\n\nHm.", "\n\nWait", "\n\nScratch that"),
    *("\n\n(C) fits better", "\n\nP.S. (C)", "\n\n---\n(C)", "\n~~", "\n-->", "</s>", "</del>"),
    *("\n\nAnswer: (C)", "\n\nActually (C)", "\n\nBut see (C)", "\n\nThe opposite holds."),
    *("\n\nDisregard this.", "\n\nJust kidding.", "\n\nThis was an example."),
    *("\n\nThat is what Bob said.", "\n\nThis is because I guessed."),
    *("\n\nBecause I was told so, although it fails.", "\n\nReason: Bob said so."),
    *("\n\nExplanation: I made it up", "\n\nThis is because the sign flips."),
]
# A wrapper with a sentence of its own before the answer keeps what is put before it at a distance.
DISTANT = ("We go", "The answer is unclear", "Something else")
CLOSE = [one for one in WRAPPERS if "think>" not in one and not one.startswith(DISTANT)]
TRUTHS = ["(B)", "True", "42", "Berlin"]
# Of all that is said, each time in other wrappers.
SOME_OR_ALL = pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])


@SOME_OR_ALL
def test_what_is_said_just_before_an_answer_to_take_it_back_is_heard(step):
    matches = [
        response
        for before, wrapper, truth in list(itertools.product(BEFORE, CLOSE, TRUTHS))[::step]
        if decide(response := before + wrapper.format(truth), truth).outcome is RuleOutcome.MATCH
    ]

    assert matches == []


@SOME_OR_ALL
def test_what_is_said_just_after_an_answer_to_change_it_is_heard(step):
    matches = [
        response
        for after, wrapper, truth in list(itertools.product(AFTER, WRAPPERS, TRUTHS))[::step]
        if decide(response := wrapper.format(truth) + after, truth).outcome is RuleOutcome.MATCH
    ]

    assert matches == []
