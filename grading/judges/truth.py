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
_UPSIDE_DOWN = re.compile(
    r"\b(?:in(?:valid|correct)|im(?:plausible|possible)|un(?:true|likely)|false|wrong|not|never|no)"
    r"\b|n['’]t\b",
    re.IGNORECASE,
)
_OPTION = re.compile(r"\(?[A-Z]\)?")
_NUMBER = re.compile(
    r"[-+−]?(?:\d+(?:\.\d+)?|\.\d+|\d{1,3}(?:,\d{3})+|\d+\s*/\s*\d+|\\frac\{\d+\}\{\d+\})"
)
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
    if _NUMBER.fullmatch(bare):
        return TruthKind.NUMBER
    # Braces with neither letter nor digit are signs to be given back as they are: “] } )”.
    is_maths = _MATHS.search(bare) is not None and any(sign.isalnum() for sign in bare)
    return TruthKind.EXPRESSION if is_maths else TruthKind.STRING


def read_truth_value(text: str, kind: TruthKind, truth: str, question: str = "") -> bool | None:
    """
    Read a whole text as yes or no, in words that fit the ground truth; None where it is neither.

    Words other than the ground truth's own pair are taken only where the question has no negative
    word, which would turn them round (“Is it false that …?”). “Valid” and “correct” are no answers
    to a plain yes-or-no question.

    >>> read_truth_value("Incorrect", TruthKind.BOOLEAN, "False")
    False
    >>> read_truth_value("correct", TruthKind.BOOLEAN, "True", "Is it false that …?") is None
    True
    """
    word, own = text.strip().casefold(), truth.strip().casefold()
    pairs = [*_PAIRS, *_PLAUSIBLE] if kind is TruthKind.PLAUSIBILITY else list(_PAIRS)
    mine = next((pair for pair in pairs if own in pair), None)
    found = next((pair for pair in pairs if word in pair), None)
    if mine is None or found is None:
        return None
    if found != mine:
        is_turned = _UPSIDE_DOWN.search(question) is not None
        is_odd = kind is TruthKind.BOOLEAN and mine == ("yes", "no") and found != ("true", "false")
        if is_turned or is_odd:
            return None
    return word == found[0]
