"""
Reading a rating, `[[n]]` from 1 to 10, out of a reply.

The last bracket counts, and it alone: one that is no rating on the scale leaves the reply without
a verdict, since an earlier one may be an example, a matrix or the candidate's own. Nor is there
one where the last is the end of the scale, as in “[[7]] out of [[10]]”.
"""

import re
import unicodedata
from decimal import Decimal

from grading.judges.judgement import Flag, Judgement
from grading.judges.reasons import Reason
from grading.judges.replies.reply import Reply

LOWEST, HIGHEST = Decimal(1), Decimal(10)
MAX_CONTENT = 1_000
"""How much text in brackets is looked at, in characters."""

_BRACKET = re.compile(r"\[\[([^\[\]]*)\]\]")
_STRICT = re.compile(r"\d{1,3}", re.ASCII)
_DECIMAL = re.compile(r"\d{1,3}[.,]\d{1,6}", re.ASCII)
_SCALE = re.compile(
    r"\[\[[^\[\]]{1,40}\]\]\s{0,3}(?:/|out\s+of|of|to|von|bis|kautta|[-–—])\s{0,3}\Z",
    re.IGNORECASE,
)
"""What stands before a last `[[10]]` that is the end of a scale."""
_LABELS = (
    r"rating|score|grade|(?:gesamt)?bewertung|(?:gesamt)?note|punkte|punktzahl|(?:kokonais)?arvosana"
    r"|arvio|pisteet|评分"
)
_LENIENT = re.compile(
    rf"(?:(?:{_LABELS})\s*[:=]?\s*)?(?P<number>\d{{1,3}}(?:[.,]\d{{1,6}})?)(?:\s*/\s*10)?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(r"[\d\s.,/+*−–-]*\d[\d\s.,/+*−–-]*", re.ASCII)
_LABELLED = re.compile(
    rf"[\s*_#>]*(?:(?:my|the|final|overall|gesamt|lopullinen)\s+)*(?:{_LABELS})[\s*_]*[:=][\s*_]*"
    r"(?:\[\s*(?P<boxed>\d{1,3}(?:[.,]\d{1,6})?)\s*\]|(?P<bare>\d{1,3}(?:[.,]\d{1,6})?))"
    r"(?:\s*/\s*10)?[\s*_.!]*",
    re.IGNORECASE | re.ASCII,
)


def read_rating(reply: str | bytes | Reply | None, *, candidate: str = "") -> Judgement[Decimal]:
    """
    Read the rating that a reply ends with.

    `candidate` is what was judged: a rating in brackets that stands in both is flagged.

    >>> read_rating('An example is "Rating: [[5]]". Mine is [[9]]').verdict
    Decimal('9')
    >>> read_rating("Rating: [[8]] or rather [[12]]").reason.value
    'out_of_range'
    """
    reply = Reply.of(reply)
    text = reply.find_text()
    if isinstance(text, Reason):
        return Judgement.missing(text)
    if reply.is_cut_off:
        # What was cut off may have been another rating.
        return Judgement.missing(Reason.TRUNCATED)
    found = list(_BRACKET.finditer(text))
    if not found:
        return _read_labelled(reply, text)
    brackets = [one[1] for one in found]
    judgement = _read_bracket(brackets[-1], reply, text)
    if judgement.verdict == HIGHEST and _SCALE.search(text[: found[-1].start()][-60:]):
        judgement = Judgement.missing(Reason.AMBIGUOUS, path=judgement.path)
    numbers = [one for one in brackets if re.search(r"\d", one)]
    if len(numbers) > 1:
        judgement = judgement.flagged(Flag.MULTIPLE_RATINGS)
    if any(f"[[{one}]]" in candidate for one in numbers):
        judgement = judgement.flagged(Flag.INJECTION_SUSPECTED)
    return judgement


def _read_bracket(raw: str, reply: Reply, text: str) -> Judgement[Decimal]:
    if len(raw) > MAX_CONTENT:
        is_number = raw.isascii() and raw.isdigit()
        return Judgement.missing(Reason.OUT_OF_RANGE if is_number else Reason.NO_VERDICT)
    content = _normalise(raw)
    found = _LENIENT.fullmatch(content) if content.isascii() else None
    if found:
        is_strict = _STRICT.fullmatch(raw) or _DECIMAL.fullmatch(raw)
        return _place(found["number"], set() if is_strict else {Flag.LENIENT_PARSE}, "rating")
    if content.isascii() and content.isdigit():
        return Judgement.missing(Reason.OUT_OF_RANGE)
    if _NUMERIC.fullmatch(content):
        return Judgement.missing(Reason.AMBIGUOUS)
    return Judgement.missing(reply.explain_silence(text))


def _normalise(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"\\text\s*|[{}$]", "", text).strip().strip("*_` ").strip()


def _read_labelled(reply: Reply, text: str) -> Judgement[Decimal]:
    """Take the last line for the rating where it says so."""
    lines = [line for line in text.splitlines() if line.strip()]
    line = unicodedata.normalize("NFKC", lines[-1]) if lines and len(lines[-1]) < 200 else ""
    found = _LABELLED.fullmatch(line)
    if found is None:
        return Judgement.missing(reply.explain_silence(text))
    return _place(found["boxed"] or found["bare"], {Flag.FALLBACK_PARSE}, "labelled")


def _place(number: str, flags: set[Flag], path: str) -> Judgement[Decimal]:
    value = Decimal(number.replace(",", "."))
    if not LOWEST <= value <= HIGHEST:
        return Judgement.missing(Reason.OUT_OF_RANGE, *flags, path=path)
    if value != value.to_integral_value():
        flags.add(Flag.NON_INTEGER)
    return Judgement(verdict=value, flags=frozenset(flags), path=path)
