"""
The rating judge: an answer, in one to three turns, rated from 1 to 10 as `[[n]]`.

The last bracket of a reply that is its own counts (see `brackets`): one that is no rating on the
scale leaves the reply without a verdict, and so does another rating, be it of another aspect or the
end of the scale, as in “[[7]] out of [[10]]”.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from decimal import Decimal

from phybench_grader.judges.canaries import BY_NAME
from phybench_grader.judges.chats import write_question
from phybench_grader.judges.items import Item, Turn
from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.kinds.kind import JudgeKind, Manner, Shown, Written, gettext_noop
from phybench_grader.judges.panel import join_ratings
from phybench_grader.judges.prompts import (
    Prompt,
    PromptLanguage,
    Variant,
    fill_capped,
)
from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.replies.brackets import (
    BEFORE_LABELS,
    BRACKET,
    LABELS,
    find_verdict,
    is_suspect,
    is_tied,
    list_verdicts,
    normalise,
)
from phybench_grader.judges.replies.reply import JudgeReply

LOWEST, HIGHEST = Decimal(1), Decimal(10)
MOST_OF_WRONG = 4
"""Highest rating that a wrong answer may get."""
LEAST_OF_RIGHT = 6
"""Lowest rating that a right answer may get."""
MAX_CONTENT = 1_000
"""How much text in brackets is looked at, in characters."""

_STRICT = re.compile(r"\d{1,3}", re.ASCII)
_DECIMAL = re.compile(r"\d{1,3}[.,]\d{1,6}", re.ASCII)
_LENIENT = re.compile(
    rf"(?:(?:{LABELS})\s*[:=]?\s*)?(?P<number>\d{{1,3}}(?:[.,]\d{{1,6}})?)(?:\s*/\s*10)?",
    re.IGNORECASE,
)
_NUMERIC = re.compile(r"[\d\s.,/+*−–-]*\d[\d\s.,/+*−–-]*", re.ASCII)
_LABELLED = re.compile(
    rf"[\s*_#]*(?:{BEFORE_LABELS}\s+)*(?:{LABELS})[\s*_]*[:=][\s*_]*"
    r"(?:\[\s*(?P<boxed>\d{1,3}(?:[.,]\d{1,6})?)\s*\]|(?P<bare>\d{1,3}(?:[.,]\d{1,6})?))"
    r"(?:\s*/\s*10)?[\s*_.!]*",
    re.IGNORECASE | re.ASCII,
)


_SPOKEN_OF = re.compile(
    rf"(?<![^\W\d_])(?:{LABELS})\W{{0,9}}(?P<number>\d{{1,3}}(?:[.,]\d{{1,6}})?)", re.IGNORECASE
)


def read_rating(
    reply: str | bytes | JudgeReply | None, prompt: Prompt | None = None
) -> Judgement[Decimal]:
    """
    Read the rating that a reply to a prompt ends with.

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
    standing = _list_ratings(prompt.data) if prompt else set()
    judgement = find_verdict(text, _read_bracket, prompt, standing)
    if judgement is None:
        return _read_labelled(reply, text, prompt, standing)
    if judgement.reason is Reason.NO_VERDICT:
        return Judgement.missing(reply.explain_silence(text))
    if sum(re.search(r"\d", one) is not None for one in BRACKET.findall(text)) > 1:
        judgement = judgement.flagged(Flag.MULTIPLE_RATINGS)
    return judgement


def _list_ratings(data: str) -> set[Decimal]:
    """List the ratings that stand in what was judged, in brackets or behind a label."""
    labelled = (_place(one["number"], set(), "") for one in _SPOKEN_OF.finditer(normalise(data)))
    found = {one.verdict for one in labelled if one.verdict is not None}
    return found | list_verdicts(data, _read_bracket)


def _read_bracket(raw: str) -> Judgement[Decimal]:
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
    return Judgement.missing(Reason.NO_VERDICT)


def _normalise(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    return re.sub(r"\\text\s*|[{}$]", "", text).strip().strip("*_` ").strip()


def _read_labelled(
    reply: JudgeReply, text: str, prompt: Prompt | None, standing: set[Decimal]
) -> Judgement[Decimal]:
    """Take the last line for the rating where it says so, and no other says otherwise."""
    token = prompt.token if prompt else ""
    body, _token, behind = text.rpartition(token) if token else (text, "", "")
    has_token = bool(token) and is_tied(token + behind, prompt)
    lines = [line for line in (body if has_token else text).splitlines() if line.strip()]
    judgements = [_read_line(line.rstrip(" (")) for line in lines]
    judgement = judgements[-1] if judgements else None
    if judgement is None:
        return Judgement.missing(reply.explain_silence(text))
    if judgement.verdict is None:
        return judgement
    said = {one.verdict for one in judgements if one is not None and one.verdict is not None}
    if len(said) > 1:
        return Judgement.missing(Reason.CONFLICTING_VERDICTS, path=judgement.path)
    may_be_quoted = not has_token if token else judgement.verdict in standing
    if is_suspect(prompt, standing) and may_be_quoted:
        return Judgement.missing(Reason.UNTIED, path=judgement.path)
    return judgement


def _read_line(line: str) -> Judgement[Decimal] | None:
    """Read a line that is a rating with its label; None where it is not."""
    found = _LABELLED.fullmatch(unicodedata.normalize("NFKC", line)) if len(line) < 200 else None
    if found is None:
        return None
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

    def read(self, reply: JudgeReply, prompt: Prompt) -> Judgement[Decimal]:
        return read_rating(reply, prompt)

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
