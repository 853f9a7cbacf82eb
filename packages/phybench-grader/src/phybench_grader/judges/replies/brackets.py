"""
Finding the verdict in double brackets that a reply ends with, among those that it only quotes.

Who is judged may write brackets, and a judge may speak of them. So what is quoted does not count,
nor does anything where two that are the judge's own differ. Where a verdict stands in what was
judged, or that speaks to the judge, a verdict counts only right before the token of its call, at
the end of the reply; of a prompt that asks for no token, only another one than stands there.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from typing import TypeVar

from phybench_grader.judges.judgement import Flag, Judgement
from phybench_grader.judges.prompts.filling import Prompt
from phybench_grader.judges.reasons import Reason

Verdict = TypeVar("Verdict")
Read = Callable[[str], Judgement[Verdict]]
"""Reads what stands between two double brackets."""

LABELS = (
    r"rating|score|grade|(?:gesamt)?bewertung|(?:gesamt)?note|punkte|punktzahl|(?:kokonais)?arvosana"
    r"|arvio|pisteet|评分"
)
BEFORE_LABELS = r"(?:my|the|final|overall|gesamt|lopullinen)"
BRACKET = re.compile(r"\[\[([^\[\]]*)\]\]")
_BARE = re.compile(
    rf"[\W_]*(?:{BEFORE_LABELS}\s+)*(?:{LABELS}|verdict|preference)?[\W_]*(?:/\s*10)?[\W_]*",
    re.IGNORECASE,
)
"""What is left of a line that gives a verdict and says nothing else."""
_QUOTED = re.compile(
    r"“[^”“]*[”“]|„[^“”]*[“”]|”[^”]*”|\"[^\"]*\"|«[^»]*»|»[^«]*«|`[^`]*`|「[^」]*」|『[^』]*』|‘[^’]*’"
    r"|(?<!\w)'[^']*'(?!\w)"
)
_TAIL = 200
"""How many characters behind the last verdict are looked at for a token."""


def normalise(text: str) -> str:
    """Write lookalikes as what they look like, without characters that nobody sees."""
    text = unicodedata.normalize("NFKC", text)
    return "".join(one for one in text if unicodedata.category(one) != "Cf")


def list_verdicts(text: str, read: Read[Verdict]) -> set[Verdict]:
    """List the verdicts in double brackets that stand in a text, however they are written."""
    found = (read(one[1]).verdict for one in BRACKET.finditer(normalise(text)))
    return {one for one in found if one is not None}


def is_suspect(prompt: Prompt | None, standing: Collection[object]) -> bool:
    """Tell whether a verdict has to show that it was not taken over from what was judged."""
    return bool(standing) or (prompt is not None and Flag.INJECTION_SUSPECTED in prompt.flags)


def is_tied(behind: str, prompt: Prompt | None) -> bool:
    """
    Tell whether a reply that goes on so behind its verdict ends with the token of its call.

    No words stand between them: a reply that quotes a verdict and then says the token gives none.
    """
    token = prompt.token if prompt else ""
    if not token or len(behind) > _TAIL:
        return False
    return re.fullmatch(rf"(?:\s*/\s*10)?[\W_]*{re.escape(token)}[\W_]*", behind) is not None


def find_verdict(
    text: str, read: Read[Verdict], prompt: Prompt | None, standing: Collection[Verdict]
) -> Judgement[Verdict] | None:
    """
    Find the verdict in double brackets that a reply gives; None where it has no brackets.

    `standing` are the verdicts that stand in what was judged.
    """
    brackets = list(BRACKET.finditer(text))
    if not brackets:
        return None
    must_be_tied = is_suspect(prompt, standing)
    last_is_tied = is_tied(text[brackets[-1].end() :], prompt)
    read_ones = [(one, read(one[1])) for one in brackets]
    quoted = set(_list_quoted(text, prompt, tied=brackets[-1].start() if last_is_tied else -1))
    own = [
        judgement
        for one, judgement in read_ones
        if one.start() not in quoted
        and (judgement.verdict not in standing or (last_is_tied and one is brackets[-1]))
    ]
    judgement = own[-1] if own else Judgement[Verdict].missing(Reason.UNTIED)
    if judgement.verdict is not None:
        others = {one.verdict for one in own} - {None, judgement.verdict}
        if others:
            judgement = Judgement.missing(Reason.CONFLICTING_VERDICTS, path=judgement.path)
        elif must_be_tied and prompt is not None and prompt.token and not last_is_tied:
            judgement = Judgement.missing(Reason.UNTIED, path=judgement.path)
    if any(one.verdict in standing for _bracket, one in read_ones if one.verdict is not None):
        judgement = judgement.flagged(Flag.INJECTION_SUSPECTED)
    return judgement


def _list_quoted(text: str, prompt: Prompt | None, *, tied: int) -> Iterator[int]:
    """
    List where brackets begin that the reply quotes: from its prompt, or in quotation marks.

    The one at `tied`, which the token follows, may stand in quotation marks.
    """
    said = _collapse(f"{prompt.system}\n{prompt.user}") if prompt else ""
    token = prompt.token if prompt else ""
    place = 0
    for line in text.splitlines(keepends=True):
        places = [found.start() for found in BRACKET.finditer(line)]
        if places:
            rest = BRACKET.sub("", line)
            is_bare = _BARE.fullmatch(rest.replace(token, "") if token else rest) is not None
            is_from_prompt = not is_bare and _collapse(line) in said
            spans = [] if is_bare else [found.span() for found in _QUOTED.finditer(line)]
            if line.lstrip().startswith(">"):
                spans = [(-1, len(line))]
            for one in places:
                is_marked = any(start < one < end for start, end in spans)
                if is_from_prompt or (is_marked and place + one != tied):
                    yield place + one
        place += len(line)


def _collapse(text: str) -> str:
    return " ".join(text.split())
