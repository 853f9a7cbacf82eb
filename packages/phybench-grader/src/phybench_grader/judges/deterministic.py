"""
The deterministic stage: whether a response's answer matches the ground truth, where no model need
be asked.

It answers match, mismatch or undecided, and takes the last rather than be wrong: what is not surely
one answer of the ground truth's kind stays undecided. A string never mismatches, since it may be
said in other words; an expression goes to the symbolic judge.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from phybench_grader.judges.boxes import is_of_something_else
from phybench_grader.judges.cues import LOOKS_BACK, RUN_ON, SECOND_THOUGHT, TAKEN_BACK
from phybench_grader.judges.location import Location, locate
from phybench_grader.judges.options import (
    fold,
    list_alone,
    read_label,
    read_numbered_options,
    read_option,
    read_options,
)
from phybench_grader.judges.quantities import may_be_rounded, names_number, read_number
from phybench_grader.judges.statements import Statement
from phybench_grader.judges.texts import is_same_text
from phybench_grader.judges.truth import (
    TRUTH_WORDS,
    TruthKind,
    asks_for_no_number,
    infer_kind,
    may_be_no_number,
    may_turn_round,
    read_truth_value,
)
from phybench_grader.reading.reading import JudgeError
from phybench_grader.verdict.grade import GradedAnswer, Verdict, grade

STAGE_VERSION = "2.2"
"""Raise it with any change that can move a verdict."""
MAX_CHARACTERS = 50_000
"""Longest response that is looked at; a longer one stays undecided."""

ENOUGH_OF_QUESTION = 60
"""Characters of a question by which it is known again."""
WORDS_OF_PUSHBACK = 3
"""Words up to which something in a run-on may only push back: “Try harder.”"""
WORDS_OF_SECOND_THOUGHT = 10
"""Words of a question that may ask about the answer just given; a new one takes more."""

_RELATION = re.compile(
    r"[<>≤≥≠≈∝~≪≫]|\\(?:n?leq?|n?geq?|neq?|not|approx|sim|simeq|propto|equiv|to|ll|gg|lt|gt|in|pm|mp)"
    r"(?![A-Za-z])"
)
_NAMED = re.compile(
    r"(?:\\?[A-Za-z]+|\\(?:mathrm|text)\{\w+\})'*(?:_(?:\{[^{}=]*\}|\\?\w+))?'*(?:\([^()=]*\))?"
    r"\s*=[^=]*\Z"
)
"""A name, perhaps of a function, before the one equals sign."""

_RATIO = re.compile(r"(\d+)\s*/\s*(\d+)|\\[dt]?frac\{(\d+)\}\{(\d+)\}")

_SAID_OF_ITSELF = re.compile(
    r"\bconclusion\b.*\W(?:true|false|(?:in)?correct|right|wrong|(?:in)?valid|sound)\W*\Z"
    r"|\b(?:my|our)\b.*\W(?:(?:in)?correct|right|wrong)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What may say how good an answer or an argument is, and not what the answer is."""
_ASKS_SOMETHING = re.compile(
    r"\d\s*[-+*/×÷^=]|\b(?:what|who|whom|whose|when|where|which|why|how|was|question|wer|wo|wann"
    r"|mikä|kuka)\b",
    re.IGNORECASE,
)
"""What makes even a few words a question of their own."""

_CUE = re.compile(
    r"\b(?:is|ist|lautet|on|answer|antwort|vastaus|conclusion)\b|答案[是为]?|[{>]", re.IGNORECASE
)

SymbolicJudge = Callable[[str, str], GradedAnswer]
"""Grades an answer against a reference, or raises `JudgeError`."""


class RuleOutcome(StrEnum):
    """What the stage says."""

    MATCH = "MATCH"
    MISMATCH = "MISMATCH"
    UNDECIDED = "UNDECIDED"


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """What the deterministic stage made of one response."""

    outcome: RuleOutcome
    kind: TruthKind
    rule: str
    """How the answer was found (see `Location.rule`)."""
    reason: str = ""
    """The code of why it is undecided."""
    extracted: str = ""
    start: int | None = None
    end: int | None = None
    """Where the answer stands in the response; None where there is none."""
    is_run_on: bool = False
    """Whether the response ran on into questions of its own, which were cut off."""

    @property
    def is_cut_off(self) -> bool:
        """Tell whether the response was cut off in its thinking, and so has no answer."""
        return self.rule == "truncated"

    @property
    def is_correct(self) -> bool | None:
        """Tell whether the answer is right; None where the stage does not decide."""
        if self.outcome is RuleOutcome.UNDECIDED:
            return None
        return self.outcome is RuleOutcome.MATCH


@dataclass(frozen=True, slots=True)
class Truth:
    """A ground truth with all that reading an answer beside it needs."""

    text: str
    kind: TruthKind
    question: str
    options: Mapping[str, str]
    symbolic: SymbolicJudge
    is_typed: bool = False
    """Whether the item says its kind, or it was inferred."""


def decide(
    response: str,
    ground_truth: str,
    *,
    question: str = "",
    kind: TruthKind | None = None,
    symbolic: SymbolicJudge = grade,
) -> RuleVerdict:
    r"""
    Decide whether a response matches the ground truth, or leave it undecided.

    Args:
        question: where the options of a multiple choice and its polarity are read from; a word of
            it in the reason for an answer is no doubt.
        kind: of the ground truth; inferred where it is None.
        symbolic: grades expressions; whoever must not be kept waiting gives one with a deadline.

    >>> decide("Let me see. So the answer is (B).", "(B)").outcome.value
    'MATCH'
    >>> decide(r"<think>7</think> \boxed{41}", "42").outcome.value
    'MISMATCH'
    >>> verdict = decide("The answer is probably 42.", "42")
    >>> verdict.outcome.value, verdict.reason
    ('UNDECIDED', 'unreadable')
    """
    options = read_options(question)
    is_typed = kind is not None
    kind = kind or infer_kind(ground_truth, options)
    if kind is TruthKind.OPTION and not options:
        options = read_numbered_options(question)
    truth = Truth(ground_truth.strip(), kind, question, options, symbolic, is_typed)
    if len(response) > MAX_CHARACTERS:
        return RuleVerdict(RuleOutcome.UNDECIDED, kind, "not_searched", "too_long")
    location = locate(response, question)
    if location.final.has_no_answer:
        return RuleVerdict(RuleOutcome.MISMATCH, kind, location.rule)
    last = location.last
    if last is None:
        return RuleVerdict(RuleOutcome.UNDECIDED, kind, location.rule, "no_statement")
    outcome, reason = _compare(location, last, truth)
    if location.is_run_on and _asks_again(response, location, question):
        outcome, reason = RuleOutcome.UNDECIDED, "goes_on"
    end = last.end
    if _keeps_mark(kind, last) and response.startswith(last.mark, end):
        end += len(last.mark)
    return RuleVerdict(
        outcome,
        kind,
        location.rule,
        reason,
        response[last.start : end],
        last.start,
        end,
        is_run_on=location.is_run_on,
    )


def _keeps_mark(kind: TruthKind, last: Statement) -> bool:
    """Tell whether an exclamation mark behind an answer is part of it, or only its sentence's."""
    is_closed = kind in (TruthKind.OPTION, TruthKind.BOOLEAN, TruthKind.PLAUSIBILITY)
    return last.is_exclaimed and not is_closed


def _asks_again(response: str, location: Location, question: str) -> bool:
    """Tell whether what was cut off is about the same question, and so a second try at it."""
    cut = response[location.final.start + len(location.final.text) :]
    asked = RUN_ON.sub("", cut, count=1).strip().partition("\n")[0]
    if TAKEN_BACK.search(asked) or LOOKS_BACK.search(asked):
        return True
    if len(asked.split()) <= WORDS_OF_PUSHBACK and not _ASKS_SOMETHING.search(asked):
        return True
    if len(asked.split()) <= WORDS_OF_SECOND_THOUGHT and SECOND_THOUGHT.search(asked):
        return True
    opening = fold(question)[:ENOUGH_OF_QUESTION]
    return bool(opening) and opening in fold(cut)


def _compare(location: Location, last: Statement, truth: Truth) -> tuple[RuleOutcome, str]:
    if location.doubt:
        return RuleOutcome.UNDECIDED, location.doubt
    if not last.text:
        if len(location.statements) == 1 and not re.sub(r"\\boxed|\W", "", location.final.text):
            return RuleOutcome.MISMATCH, ""
        return RuleOutcome.UNDECIDED, "empty_statement"
    if _is_contradicted(location, last, truth):
        return RuleOutcome.UNDECIDED, "several_statements"
    if last.rule == "boxed" and is_of_something_else(location.lead, truth.question):
        return RuleOutcome.UNDECIDED, "leads_elsewhere"
    is_concluded = location.lead.strip() != ""
    if not is_concluded and _SAID_OF_ITSELF.search(f"{location.cue} {last.text}"):
        return RuleOutcome.UNDECIDED, "other_words"
    if _names_another(location, last, truth):
        return RuleOutcome.UNDECIDED, "names_another"
    match truth.kind:
        case TruthKind.OPTION:
            return _compare_options(last, truth)
        case TruthKind.BOOLEAN | TruthKind.PLAUSIBILITY:
            return _compare_truth_values(last, truth)
        case TruthKind.NUMBER:
            return _compare_numbers(last, truth)
        case TruthKind.EXPRESSION:
            return _compare_expressions(last, truth)
        case TruthKind.STRING:
            return _compare_strings(location, last, truth)


def _is_contradicted(location: Location, last: Statement, truth: Truth) -> bool:
    """Tell whether an earlier statement says something else and is not taken back."""
    value = _name_value(last, truth)
    others = [one for one in location.statements[:-1] if _name_value(one, truth) != value]
    if others:
        return not location.takes_back(others[-1])
    letters = list_alone(location.before)
    return truth.kind is TruthKind.OPTION and any(one != value for one in letters)


def _names_another(location: Location, last: Statement, truth: Truth) -> bool:
    """Tell whether what is said around an answer names another one of its kind."""
    after = location.after
    match truth.kind:
        case TruthKind.OPTION:
            own = read_option(last.text, truth.options)
            letters = {one.upper() for one in re.findall(r"\b[A-HJ-Z]\b|\([A-Za-z]\)", after)}
            others = [text for letter, text in truth.options.items() if letter != own and text]
            is_named = any(fold(text) in fold(after) for text in others)
            return bool({one.strip("()") for one in letters} - {own}) or is_named
        case TruthKind.BOOLEAN | TruthKind.PLAUSIBILITY:
            is_turned = may_turn_round(location.explanation)
            is_named = TRUTH_WORDS.search(after) is not None or is_turned
            return is_named or _opens_otherwise(location, last)
        case TruthKind.NUMBER:
            return re.search(r"\d", after) is not None or names_number(after)
    return False


def _opens_otherwise(location: Location, last: Statement) -> bool:
    """Tell whether a response begins with a “Yes,” that is not what it ends with."""
    before = location.final.text[: last.opens - location.final.start]
    opening = re.match(r"\W*(\w+)\s*[,.:;!—–-]", before)
    is_truth_word = opening is not None and TRUTH_WORDS.fullmatch(opening[1]) is not None
    return is_truth_word and opening is not None and fold(opening[1]) != fold(last.text)


def _name_value(statement: Statement, truth: Truth) -> object:
    """Give what two statements are compared by; what can't be read stands for itself."""
    value: object = None
    match truth.kind:
        case TruthKind.OPTION:
            value = read_option(statement.text, truth.options)
        case TruthKind.BOOLEAN | TruthKind.PLAUSIBILITY:
            value = read_truth_value(statement.text, truth.kind, truth.text, truth.question)
        case TruthKind.NUMBER:
            value = _read_statement_number(statement, truth) or None
    return fold(statement.text) if value is None else value


def _compare_options(last: Statement, truth: Truth) -> tuple[RuleOutcome, str]:
    expected = read_label(truth.text, truth.options)
    given = read_option(last.text, truth.options)
    if expected is None or given is None:
        return RuleOutcome.UNDECIDED, "unreadable"
    return _settle(given == expected)


def _compare_truth_values(last: Statement, truth: Truth) -> tuple[RuleOutcome, str]:
    expected = read_truth_value(truth.text, truth.kind, truth.text)
    given = read_truth_value(last.text, truth.kind, truth.text, truth.question)
    if expected is None or given is None:
        return RuleOutcome.UNDECIDED, "unreadable"
    return _settle(given == expected)


def _compare_numbers(last: Statement, truth: Truth) -> tuple[RuleOutcome, str]:
    if last.is_exclaimed:
        return RuleOutcome.UNDECIDED, "exclamation"
    if not truth.is_typed and truth.text.strip("$ ") in read_numbered_options(truth.question):
        return RuleOutcome.UNDECIDED, "numbered_options"
    if not truth.is_typed and may_be_no_number(truth.text, truth.question):
        is_same = _read_ratio(last.text, truth) == _read_ratio(truth.text, truth)
        return (RuleOutcome.MATCH, "") if is_same else (RuleOutcome.UNDECIDED, "may_be_no_number")
    expected = read_number(re.sub(r"\A([-−+])\s+", r"\1", truth.text.strip("$ ")))
    given = _read_statement_number(last, truth)
    if len(expected) > 1:
        expected = frozenset({max(expected, key=abs)})  # a ground truth has commas at thousands
    if not expected or not given:
        return RuleOutcome.UNDECIDED, "unreadable"
    (target,) = expected
    if target in given:
        is_grouped = "," in last.text and last.language == "en" and target.denominator == 1
        if len(given) == 1 or is_grouped:
            return RuleOutcome.MATCH, ""
        return RuleOutcome.UNDECIDED, "ambiguous_number"
    if _may_be_grouped(last, target):
        return RuleOutcome.UNDECIDED, "ambiguous_number"
    if any(may_be_rounded(value, target, last.text) for value in given):
        return RuleOutcome.UNDECIDED, "nearly_equal"
    if any(_differs_by_powers_of_ten(value, target) for value in given):
        # A percentage, or another unit than was meant.
        return RuleOutcome.UNDECIDED, "power_of_ten"
    return RuleOutcome.MISMATCH, ""


def _read_ratio(text: str, truth: Truth) -> list[str]:
    """Give the two numbers of a date, a score or a fraction, as they are written."""
    if asks_for_no_number(truth.question):
        return [text]
    found = _RATIO.fullmatch(text.strip("$ "))
    return [one for one in found.groups() if one] if found else [text]


def _read_statement_number(statement: Statement, truth: Truth) -> frozenset[Fraction]:
    text = statement.text
    if found := re.search(r"\bhow many ([a-z]+)", truth.question, re.IGNORECASE):
        text = re.sub(rf"\s{found[1]}\Z", "", text, flags=re.IGNORECASE)
    return read_number(text, has_decimal_comma=statement.language in ("de", "fi"))


def _differs_by_powers_of_ten(value: Fraction, target: Fraction) -> bool:
    if not value or not target:
        return False
    ratio = abs(value / target)
    larger = max(ratio.numerator, ratio.denominator)
    is_whole = min(ratio.numerator, ratio.denominator) == 1
    return is_whole and re.fullmatch("10+", str(larger)) is not None


def _may_be_grouped(statement: Statement, target: Fraction) -> bool:
    """Tell whether dots or commas in a number may group its thousands: `1.234` for 1234."""
    if not re.fullmatch(r"[-−]?\d{1,3}(?:[.,]\d{3})+", statement.text):
        return False
    return Fraction(re.sub(r"[.,]", "", statement.text).replace("−", "-")) == target


_WORDS = re.compile(r"(?<![\\A-Za-z])(?:[A-Za-z]{2,}\s+[A-Za-z\d]|[A-Za-z\d]\s+[A-Za-z]{2,})")


def _compare_expressions(last: Statement, truth: Truth) -> tuple[RuleOutcome, str]:
    if last.is_exclaimed:
        return RuleOutcome.UNDECIDED, "exclamation"
    if not (last.is_math or last.rule == "whole"):
        return RuleOutcome.UNDECIDED, "not_set_as_mathematics"
    if _RELATION.search(last.text) or ("=" in last.text and not _NAMED.match(last.text)):
        return RuleOutcome.UNDECIDED, "relation"
    try:
        judgement = truth.symbolic(last.text, truth.text)
    except JudgeError:
        return RuleOutcome.UNDECIDED, "symbolic"
    if judgement.verdict is Verdict.UNREADABLE:
        return RuleOutcome.UNDECIDED, "unreadable"
    is_correct = judgement.verdict is Verdict.CORRECT
    # “mg over k” is read as a product of letters, which is not what it says.
    if not is_correct and not last.is_math and _WORDS.search(last.text):
        return RuleOutcome.UNDECIDED, "words"
    return _settle(is_correct)


def _compare_strings(location: Location, last: Statement, truth: Truth) -> tuple[RuleOutcome, str]:
    if location.explanation:
        # A text has no end by itself: what is said behind it may belong to it.
        return RuleOutcome.UNDECIDED, "goes_on"
    if fold(truth.text) in fold(_CUE.split(location.cue)[-1]):
        return RuleOutcome.UNDECIDED, "leads_elsewhere"
    given = last.text + last.mark if last.is_exclaimed else last.text
    if is_same_text(given, truth.text, truth.question):
        return RuleOutcome.MATCH, ""
    return RuleOutcome.UNDECIDED, "other_words"


def _settle(is_equal: bool) -> tuple[RuleOutcome, str]:
    return (RuleOutcome.MATCH if is_equal else RuleOutcome.MISMATCH), ""
