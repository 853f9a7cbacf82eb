r"""
Where a verbose response has its answer.

The last statement counts (`statements`). What keeps it from being definite is its `doubt`
(`doubts`), and nothing is decided by it.
"""

import re
from dataclasses import dataclass

from phybench_grader.judges.cues import (
    CORRECTION,
    FRAME,
    RETRACTION,
    RUN_ON,
)
from phybench_grader.judges.doubts import (
    BOUNDARY,
    PLAIN_HEAD,
    SET_BEFORE_BOX,
    cut_after,
    find_boundary,
    find_doubt_of,
)
from phybench_grader.judges.statements import MAX_STATEMENTS, Statement, find_statements
from phybench_grader.judges.thoughts import Final, Thinking, find_final

_STRUCK_OUT = re.compile(r"~~|<!--|\\begin\{comment\}|<(?:del|s|strike)>", re.IGNORECASE)
_HEADING = re.compile(r"^[^\n]{1,120}[:：][*_]*[ \t]*$|^#{1,6} [^\n]{1,120}$", re.MULTILINE)
_TAG = re.compile(
    r"(?<!`)[<◁](?P<closes>/?)(?P<name>[a-z][\w-]{2,40})(?:\s[^<>\n]{0,80})?(?<!/)[>▷]",
    re.IGNORECASE,
)
_TAGS_OF_FORM = frozenset(
    re.findall(
        r"\w+",
        "answer final final_answer response"
        " solution output result conclusion div span strong sub sup"
        " code pre table tbody thead tr th td center font small big mark details section article",
    )
)
"""Tags that show an answer, or only how it looks."""
_CHAT_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|\[/?INST\]|<</?SYS>>")


@dataclass(frozen=True, slots=True)
class Location:
    """Where a response has its answer: the last of its statements, if there is one."""

    final: Final
    statements: tuple[Statement, ...] = ()
    doubt: str | None = None
    """Why nothing should be decided by the last statement; None if it is definite."""
    is_run_on: bool = False
    """Whether it ran on into questions of its own, which were cut off."""

    @property
    def last(self) -> Statement | None:
        return self.statements[-1] if self.statements else None

    @property
    def after(self) -> str:
        """What follows the last statement."""
        return self.final.text[self.last.closes - self.final.start :] if self.last else ""

    @property
    def cue(self) -> str:
        """What leads to the last statement, from where it opens."""
        if self.last is None:
            return ""
        return self.final.text[
            self.last.opens - self.final.start : self.last.start - self.final.start
        ]

    @property
    def before(self) -> str:
        """What stands before the last statement."""
        return self.final.text[: self.last.opens - self.final.start] if self.last else ""

    @property
    def lead(self) -> str:
        """What stands before the last statement in its sentence."""
        return self.before[find_boundary(self.before) :]

    @property
    def explanation(self) -> str:
        """What follows the last statement but for what closes it, and for courtesy."""
        if self.last is None:
            return ""
        before = self.final.text[: self.last.start - self.final.start]
        return cut_after(self.after, before, self.last)

    @property
    def rule(self) -> str:
        """Say how the answer was found, or why there is none."""
        if self.final.has_no_answer:
            return "truncated" if self.final.thinking is Thinking.UNCLOSED else "no_answer"
        return self.last.rule if self.last else "no_statement"

    def takes_back(self, earlier: Statement) -> bool:
        """Tell whether the response corrects `earlier` before it makes its last statement."""
        if self.last is None or earlier is self.last:
            return False
        offset = self.final.start
        between = self.final.text[earlier.closes - offset : self.last.start - offset]
        sentences = BOUNDARY.split(between.lstrip(" \t\r\n*_.$"))
        # A box may stand within its sentence; phrases and labels were read to its end.
        beside = sentences[: 2 if earlier.rule == "boxed" else 1]
        return any(RETRACTION.search(one) for one in (*beside, *sentences[-2:]))


def locate(response: str, question: str = "") -> Location:
    r"""
    Find where a response states its answer.

    Args:
        question: whose own words, in the reason for an answer, take nothing from it.

    >>> found = locate(r"<think>A?</think> First \boxed{7}. Wait, no: \boxed{8}.")
    >>> found.last.text, found.rule, found.doubt
    ('8', 'boxed', None)
    >>> locate("The answer is not 7.").doubt is None
    True
    >>> locate("If x > 0, the answer is 7.").doubt
    'condition'
    """
    final = find_final(response)
    if final.has_no_answer:
        return Location(final)
    found = tuple(find_statements(response, final))
    if cut := _cut_run_on(response, final):
        response, final, found = cut
    is_run_on = cut is not None
    if not found:
        return Location(final, doubt="no_statement", is_run_on=is_run_on)
    if final.thinking is Thinking.UNCLEAR:
        doubt: str | None = "unclear_thinking"
    elif len(found) >= MAX_STATEMENTS:
        doubt = "too_many_statements"
    elif _CHAT_TOKEN.search(final.text):
        doubt = "chat_token"
    elif _STRUCK_OUT.search(final.text):
        doubt = "struck_out"
    elif _is_in_block(final.text[: found[-1].opens - final.start]):
        doubt = "in_block"
    elif _is_framed(final.text[: found[-1].opens - final.start]):
        doubt = "framed"
    else:
        begin = _find_beginning(response, final, found)
        doubt = find_doubt_of(response, begin, found[-1], question)
    return Location(final, found, doubt, is_run_on)


def _cut_run_on(response: str, final: Final) -> tuple[str, Final, tuple[Statement, ...]] | None:
    """Cut a response where it invents a question."""
    run_on = RUN_ON.search(response, final.start)
    if run_on is None:
        return None
    kept = response[: run_on.start()]
    shorter = Final(kept[final.start :], final.start, final.thinking)
    found = tuple(find_statements(kept, shorter))
    # A response may begin with the question; else what it invents is not its answer.
    return (kept, shorter, found) if found or shorter.text.strip() else None


def _is_in_block(before: str) -> bool:
    """Tell whether a tag was opened that says what stands in it, and not closed again."""
    open_: list[str] = []
    for tag in _TAG.finditer(before):
        name = tag["name"].casefold()
        if tag["closes"]:
            open_ = [one for one in open_ if one != name]
        elif name not in _TAGS_OF_FORM:
            open_.append(name)
    return bool(open_)


def _is_framed(before: str) -> bool:
    """Tell whether a heading says that what stands below it is somebody else's, or wrong."""
    return any(FRAME.search(heading.group()) for heading in _HEADING.finditer(before))


def _find_beginning(response: str, final: Final, found: tuple[Statement, ...]) -> int:
    """Return where the text before the last statement begins: behind one that is taken back."""
    if len(found) > 1:
        between = response[found[-2].closes : found[-1].opens]
        if CORRECTION.search(between) and PLAIN_HEAD.fullmatch(SET_BEFORE_BOX.sub("", between)):
            return found[-2].closes
    return final.start
