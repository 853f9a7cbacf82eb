"""
Reading which of two solutions a judge prefers, and joining what it said in both orders.

Judges lean towards a place, so each pair is asked twice with the solutions exchanged. Only what the
judge says in both orders is its verdict.
"""

import re
import unicodedata
from enum import StrEnum

from grading.judges.judgement import Flag, Judgement
from grading.judges.reasons import Reason
from grading.judges.replies.reply import Reply

_BRACKET = re.compile(r"\[\[([^\[\]]*)\]\]")


class Preference(StrEnum):
    """Which solution one reply prefers, by its place in the prompt."""

    A = "A"
    B = "B"
    TIE = "TIE"


class PairVerdict(StrEnum):
    """Which of two solutions is better, whatever the order they were shown in."""

    FIRST = "FIRST"
    SECOND = "SECOND"
    TIE = "TIE"


def read_preference(reply: str | bytes | Reply | None) -> Judgement[Preference]:
    """
    Read the preference that a reply ends with: `[[A]]`, `[[B]]` or `[[tie]]`.

    >>> read_preference("B has a sign wrong. [[A]]").verdict.value
    'A'
    >>> read_preference("[[A]] or [[perhaps]]").reason.value
    'no_verdict'
    """
    reply = Reply.of(reply)
    text = reply.find_text()
    if isinstance(text, Reason):
        return Judgement.missing(text)
    if reply.is_cut_off:
        return Judgement.missing(Reason.TRUNCATED)
    brackets = _BRACKET.findall(text)
    if not brackets:
        return Judgement.missing(reply.explain_silence(text))
    given = unicodedata.normalize("NFKC", brackets[-1][:100]).strip("*_` \t\n").upper()
    if given not in Preference.__members__:
        is_both = re.fullmatch(r"[AB]\W+(?:\w+\W+)?[AB]", given) is not None
        return Judgement.missing(Reason.AMBIGUOUS if is_both else reply.explain_silence(text))
    others = {one.strip().upper() for one in brackets[:-1]} & set(Preference.__members__)
    flags = {Flag.MULTIPLE_RATINGS} if others - {given} else set()
    if given != brackets[-1].upper():
        flags.add(Flag.LENIENT_PARSE)
    return Judgement(verdict=Preference[given], flags=frozenset(flags), path="rating")


def combine_orders(
    shown: Judgement[Preference], exchanged: Judgement[Preference]
) -> Judgement[PairVerdict]:
    """
    Join the two replies about one pair: the first solution as A, then the first solution as B.

    A judge that changes its mind with the order, be it only from a win to a tie, has no verdict.

    >>> a, b = Judgement(Preference.A), Judgement(Preference.B)
    >>> combine_orders(a, b).verdict.value, combine_orders(a, a).reason.value
    ('FIRST', 'position_inconsistent')
    """
    flags = shown.flags | exchanged.flags
    for one in (shown, exchanged):
        if one.reason is not None:
            return Judgement(reason=one.reason, flags=flags)
    straight = {
        Preference.A: PairVerdict.FIRST,
        Preference.B: PairVerdict.SECOND,
        Preference.TIE: PairVerdict.TIE,
    }
    turned = {
        Preference.A: PairVerdict.SECOND,
        Preference.B: PairVerdict.FIRST,
        Preference.TIE: PairVerdict.TIE,
    }
    first = straight[shown.verdict] if shown.verdict else None
    second = turned[exchanged.verdict] if exchanged.verdict else None
    if first is None or first != second:
        return Judgement(reason=Reason.POSITION_INCONSISTENT, flags=flags)
    return Judgement(verdict=first, flags=flags, path="both_orders")
