"""
The rating judge: an answer, in one to three turns, rated from 1 to 10 as `[[n]]`.

The last bracket of a reply counts, and it alone: one that is no rating on the scale leaves the
reply without a verdict, since an earlier one may be an example, a matrix or the candidate's own.
Nor is there one where the last is the end of the scale, as in “[[7]] out of [[10]]”.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal

from grading.judges.canaries import BY_NAME
from grading.judges.chats import write_question
from grading.judges.items import Item, Turn
from grading.judges.judgement import Flag, Judgement
from grading.judges.kinds.kind import JudgeKind, Manner, Shown, Written, gettext_noop
from grading.judges.panel import join_ratings
from grading.judges.prompts import (
    Prompt,
    PromptLanguage,
    Variant,
    fill_capped,
)
from grading.judges.reasons import Reason
from grading.judges.replies.reply import JudgeReply

LOWEST, HIGHEST = Decimal(1), Decimal(10)
MOST_OF_WRONG = 4
"""Highest rating that a wrong answer may get."""
LEAST_OF_RIGHT = 6
"""Lowest rating that a right answer may get."""
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


def read_rating(
    reply: str | bytes | JudgeReply | None, *, candidate: str = ""
) -> Judgement[Decimal]:
    """
    Read the rating that a reply ends with.

    `candidate` is what was judged: a rating in brackets that stands in both is flagged.

    >>> read_rating('An example is "Rating: [[5]]". Mine is [[9]]').verdict
    Decimal('9')
    >>> read_rating("Rating: [[8]] or rather [[12]]").reason.value
    'out_of_range'
    """
    reply = JudgeReply.of(reply)
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


def _read_bracket(raw: str, reply: JudgeReply, text: str) -> Judgement[Decimal]:
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


def _read_labelled(reply: JudgeReply, text: str) -> Judgement[Decimal]:
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


def _has_all(references: Sequence[str], count: int) -> bool:
    return len(references) >= count and all(one.strip() for one in references[:count])


# --- The kind -------------------------------------------------------------------------------


class Rating(JudgeKind[Decimal]):
    code = "RATING"
    place = 2
    scale = (1.0, 10.0)
    field = "rating"
    metric = "single_judgement"
    languages = tuple(PromptLanguage)
    most_turns = 3
    needs_reference = False

    name = gettext_noop("rating judge")
    does = gettext_noop("Rates each answer from 1 to 10.")
    says = (gettext_noop("%(value)s of 10"),) * 2
    shown = (Shown("rating", gettext_noop("Rating, 1 to 10")),)
    helps: Mapping[str, str] = {
        "language": gettext_noop("German and Finnish are only for the rating judge.")
    }
    right_from = gettext_noop("A rating of 6 or more counts as right")
    paths: Mapping[str, str] = {
        "rating": gettext_noop("the last [[rating]]"),
        "labelled": gettext_noop("the last line with a label"),
    }

    def list_needed(self, variant: Variant) -> frozenset[str]:
        if variant.turns == 1:
            names = {"question", "answer"}
        else:
            turns = range(1, variant.turns + 1)
            names = {f"{name}_{number}" for name in ("question", "answer") for number in turns}
        if variant.has_reference:
            names |= {f"ref_answer_{number}" for number in range(1, variant.turns + 1)}
        return frozenset(names)

    def name_template(self, variant: Variant) -> str:
        turns = ("one-turn", "two-turns", "three-turns")[variant.turns - 1]
        return f"rating.{variant.language}.{turns}{'-reference' if variant.has_reference else ''}"

    def fill(self, item: Item, manner: Manner) -> Prompt | Reason:
        """Which template is used is the configuration's choice, never that of the item."""
        variant, turns = manner.template.variant, self._list_turns(item)
        if len(turns) > variant.turns:
            return Reason.TOO_MANY_TURNS
        if len(turns) < variant.turns:
            return Reason.MISSING_TURN
        if variant.has_reference and not _has_all(item.references, variant.turns):
            return Reason.MISSING_REFERENCE
        values: dict[str, str] = {}
        for number, turn in enumerate(turns, start=1):
            suffix = "" if variant.turns == 1 else f"_{number}"
            question = write_question(turn, variant.language)
            values |= {f"question{suffix}": question, f"answer{suffix}": turn.answer}
            if variant.has_reference:
                values[f"ref_answer_{number}"] = item.references[number - 1]
        answers = {name for name in values if name.startswith("answer")}
        return fill_capped(manner.template, values, answers, manner.max_candidate)

    def read(self, reply: JudgeReply, item: Item, manner: Manner) -> Judgement[Decimal]:
        return read_rating(
            reply, candidate="\n".join(turn.answer for turn in self._list_turns(item))
        )

    def _list_turns(self, item: Item) -> Sequence[Turn]:
        return item.turns or (Turn(item.question, item.response or ""),)

    def join(self, voices: Sequence[Judgement[Decimal]], *, quorum: int) -> Judgement[Decimal]:
        return join_ratings(voices, quorum=quorum)

    def write(self, verdict: Decimal) -> dict[str, float]:
        return {"rating": float(verdict)}

    def says_right(self, written: Written) -> bool:
        return bool(written["rating"] >= LEAST_OF_RIGHT)

    def measure_sureness(self, written: Written) -> float:
        """Measure how far a rating is from the middle of the scale."""
        low, high = self.scale
        return float(abs(2 * written["rating"] - low - high) / (high - low))

    def passes(self, canary: str, written: Written) -> bool:
        if BY_NAME[canary].is_correct:
            return self.says_right(written)
        return bool(written["rating"] <= MOST_OF_WRONG)


KIND = Rating()
