"""What kind of thing a ground truth is, and the words that say yes or no for it."""

import re
from collections.abc import Mapping
from enum import StrEnum


class TruthKind(StrEnum):
    """What is compared with what."""

    OPTION = "OPTION"
    BOOLEAN = "BOOLEAN"
    PLAUSIBILITY = "PLAUSIBILITY"
    NUMBER = "NUMBER"
    STRING = "STRING"
    EXPRESSION = "EXPRESSION"


_PAIRS = (("true", "false"), ("yes", "no"), ("correct", "incorrect"), ("valid", "invalid"))
_PLAUSIBLE = (("plausible", "implausible"), ("likely", "unlikely"), ("possible", "impossible"))
TRUTH_WORDS = re.compile(
    rf"\b(?:{'|'.join(word for pair in (*_PAIRS, *_PLAUSIBLE) for word in pair)})\b", re.IGNORECASE
)
"""Every word that may say yes or no."""
_WORD = "|".join(word for pair in (*_PAIRS, *_PLAUSIBLE) for word in pair)
_UPSIDE_DOWN = re.compile(
    r"""\b(?:in(?:valid|correct|consistent|compatible|accurate|conceivable|admissible|coherent)
    |im(?:plausible|possible|probable|proper)|ir(?:rational|regular|relevant)|il(?:legal|logical)
    |un(?!der|it|ion|iverse|til|less|i)[a-z]+|dis(?!t|c)[a-z]+|mis(?!s)[a-z]+|non-?[a-z]+
    |false(?:hood)?|wrong(?:ly)?|not|never|no|none|nobody|nothing|neither|nor|without|cannot
    |lie[sd]?|lying|liars?|myths?|hoax(?:es)?|fak(?:e|ed|es)|fiction(?:al)?|rumou?rs?|legends?
    |fail(?:s|ed|ure|ing)?|contradict\w*|conflict\w*|den(?:y|ies|ied)|refut\w*|reject\w*
    |rare(?:ly)?|seldom|hardly|scarcely|barely|odd|strange|weird|abnormal|anomal\w*|absurd
    |nonsens\w*|fallac\w*|errors?|erroneous\w*|faulty|flaw\w*|bad|broken|break(?:s|ing)?
    |opposite|contrary|reverse|lack(?:s|ing)?|absen\w+|except|exclude[sd]?|violat\w*|avoid\w*
    |prevent\w*|doubt\w*|dubious|question(?:able|ed)|refus\w*|forbid\w*|forg[eo]t\w*|less
    |debunk\w*|disput\w*|oppos\w*|challeng\w*|exaggerat\w*|pseudo\w*|bogus|sham|scam|fraud\w*
    |trick\w*|paradox\w*|illusions?|delusion\w*|superstition\w*|weak|cancel\w*|far\ from
    |rul(?:e[sd]?|ing)\ out|made[ -]up|negat\w*|conver(?:se|sely)|inver(?:se|sion|ted)|counter\w+
    |jok(?:e|es|ed|ing)|kidding|parod\w*|satir\w*|sarcas\w*|iron(?:y|ic|ical)|pranks?|fables?
    |fairy\ ?tales?|hallucinat\w*|invent(?:ed|ions?)|fabricat\w*|forger(?:y|ies)|forged|imagin\w*
    |pretend\w*|pretence|bluff\w*|impost[eo]rs?|decoys?|propaganda|conspirac\w*|bunk|ridiculous
    |ludicrous|far-fetched|too\ good|[a-z]{3,}less(?:ly)?|stop(?:s|ped)?|ceas\w*
    |lose[sd]?|lost)\b|n['’]t\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that may turn a question round. One too many costs a call to a model."""
_CHOICE = rf"(?:[-–*•]|\([A-Z]\)|[A-Z][.)])?\s*[\"“'*]*(?:{_WORD})\b[\"”'*]*"
_LISTED = re.compile(
    rf"\b(?:options|choices|answers?)\s*[:：]((?:\s*[,;/|]?\s*(?:or\s+)?{_CHOICE})+)", re.IGNORECASE
)
"""A list of the answers that a question offers."""
_OFFERED = re.compile(
    rf"\b(?:{_WORD})[\"”'*]*\s*(?:/|,|\||\bor\b)\s*(?:or\b\s*)?[\"“'*]*(?:{_WORD})\b(?!\s+that\b)",
    re.IGNORECASE,
)
"""Two answers that a question offers in passing: “true or false?”."""
_OPTION = re.compile(r"\(?[A-Z]\)?")
_NUMBER = re.compile(
    r"[-+−]?(?:\d+(?:\.\d+)?|\.\d+|\d{1,3}(?:,\d{3})+|\d+\s*/\s*\d+|\\frac\{\d+\}\{\d+\})"
)
_CODE = re.compile(r"0\d+")
"""Digits that begin with a zero are a code: no number is written so."""
_RATIO = re.compile(r"\d+\s*/\s*\d+")
_ASKS_FOR_NO_NUMBER = re.compile(r"\b(?:dates?|scores?|versions?|odds|ratios?)\b", re.IGNORECASE)
_MATHS = re.compile(r"\\[A-Za-z]+|[\^_={}]|[A-Za-z]\s*[*/+]\s*[A-Za-z0-9]")


def infer_kind(truth: str, options: Mapping[str, str]) -> TruthKind:
    r"""
    Infer the kind of a ground truth. A bare letter is an option only where the question has it.

    >>> [infer_kind(one, {}).value for one in ("(B)", "Yes", "-3/4", r"\frac{m}{2}", "B", "Bonn")]
    ['OPTION', 'BOOLEAN', 'NUMBER', 'EXPRESSION', 'STRING', 'STRING']
    >>> infer_kind("} ] )", {}).value
    'STRING'
    """
    bare = truth.strip().strip("$").strip()
    if _OPTION.fullmatch(bare) and (bare.startswith("(") == bare.endswith(")")):
        return TruthKind.OPTION if bare.startswith("(") or bare in options else TruthKind.STRING
    if read_truth_value(bare, TruthKind.BOOLEAN, bare) is not None:
        return TruthKind.BOOLEAN
    if read_truth_value(bare, TruthKind.PLAUSIBILITY, bare) is not None:
        return TruthKind.PLAUSIBILITY
    if _NUMBER.fullmatch(bare) and not _CODE.fullmatch(bare):
        return TruthKind.NUMBER
    # Braces with neither letter nor digit are signs to be given back as they are: “] } )”.
    is_maths = _MATHS.search(bare) is not None and any(sign.isalnum() for sign in bare)
    return TruthKind.EXPRESSION if is_maths else TruthKind.STRING


def may_be_no_number(truth: str, question: str = "") -> bool:
    """
    Tell whether a truth that looks like a number may as well be a date or a score.

    >>> may_be_no_number("12/25"), may_be_no_number("-3/4"), may_be_no_number("0.75")
    (True, False, False)
    >>> may_be_no_number("1.10", "Which version is it?")
    True
    """
    return bool(_RATIO.fullmatch(truth.strip("$ "))) or asks_for_no_number(question)


def asks_for_no_number(question: str) -> bool:
    """Tell whether a question asks for a date, a score or the like, which look like numbers."""
    return _ASKS_FOR_NO_NUMBER.search(question) is not None


def may_turn_round(text: str) -> bool:
    """
    Tell whether a text has a word that may turn a yes into a no.

    >>> may_turn_round("the story is a myth"), may_turn_round("the two forces balance")
    (True, False)
    """
    return _UPSIDE_DOWN.search(text) is not None


def read_truth_value(text: str, kind: TruthKind, truth: str, question: str = "") -> bool | None:
    """
    Read a whole text as yes or no, in words that fit the ground truth; None where it is neither.

    Words other than the ground truth's own pair are taken only where the question has no negative
    word, which would turn them round (“Is it false that …?”); the answers that it offers are none.
    Where it offers several pairs each stands for itself. “Valid” and “correct” are no answers to a
    plain yes-or-no question, “plausible” is one where that was asked.

    >>> read_truth_value("Incorrect", TruthKind.BOOLEAN, "False")
    False
    >>> read_truth_value("correct", TruthKind.BOOLEAN, "True", "Is it a myth that …?") is None
    True
    >>> read_truth_value("plausible", TruthKind.BOOLEAN, "yes", "Is this plausible?")
    True
    """
    word, own = text.strip().casefold(), truth.strip().casefold()
    pairs = [*_PAIRS, *_PLAUSIBLE]
    mine = next((pair for pair in pairs if own in pair), None)
    found = next((pair for pair in pairs if word in pair), None)
    if mine is None or found is None:
        return None
    if found != mine and not _may_stand_for(found, mine, kind, question):
        return None
    return word == found[0]


def _may_stand_for(
    found: tuple[str, str], mine: tuple[str, str], kind: TruthKind, question: str
) -> bool:
    """Tell whether the words of one pair may be an answer where those of another were asked for."""
    asked = _OFFERED.sub(" ", _LISTED.sub(" ", question))
    if _UPSIDE_DOWN.search(asked):
        return False
    offered = _read_words(" ".join(one[1] for one in _LISTED.finditer(question)))
    if offered & set(found) and offered & set(mine):
        return False
    in_passing = _read_words(" ".join(one.group() for one in _OFFERED.finditer(question)))
    if mine not in _PAIRS[:2] and set(mine) <= in_passing:
        return False  # “Valid or invalid?” “No.”
    if kind is TruthKind.PLAUSIBILITY:
        return True
    if found in _PLAUSIBLE:
        return mine == ("yes", "no") and found[0] in _read_words(asked)
    return mine != ("yes", "no") or found == ("true", "false")


def _read_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.casefold()))
