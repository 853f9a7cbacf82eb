r"""
Where a verbose response has its answer, and what keeps that answer from being definite.

The last statement counts (`statements`). Whatever in its sentence, before it or after it takes
from it (a negation, a hedge, a condition, somebody else's words, a correction, a text that simply
goes on) is its `doubt`, and nothing is decided by it.
"""

import re
from dataclasses import dataclass

from grading.judges.cues import (
    AFTERTHOUGHT,
    ASKED_OF_PEOPLE,
    CLOSINGS,
    CORRECTION,
    EXPLAINS,
    FRAME,
    FROM_AFAR,
    GROUNDS,
    INSTRUCTION,
    RETRACTION,
    RUN_ON,
    SAID_BY_PEOPLE,
    SPEAKS_OF_ITSELF,
    SPOKEN,
    STAGED,
    TAKEN_BACK,
    find_doubt,
)
from grading.judges.markup import cut_closing
from grading.judges.statements import MAX_STATEMENTS, PHRASE, Statement, find_statements
from grading.judges.thoughts import Final, Thinking, find_final
from grading.judges.unmeant import DISCARDS, NOT_KEPT, forbids_truth, only_gives_reason

MAX_EXPLANATION = 600
"""Longest text after an answer that is looked through, in characters."""
WORDS_OF_SCRAP = 2
"""Words up to which what stands before an answer belongs to it: “Except this.”"""
WORDS_OF_REASON = 5
"""Words from which on a sentence before a conclusion may be its reason."""
WORDS_OF_SENTENCE = 3
"""Words from which on something behind an explanation is a sentence of it."""
MAX_HEAD = 2_000
"""How much text before an answer is looked at, in characters."""
MAX_TAIL = 4 * MAX_EXPLANATION
"""How much text behind an answer is looked at, in characters."""

_BOUNDARY = re.compile(r"(?<![.!?])[.!?…]++[*_\"'”’)\]$`]*\s+|[。！？]|\n+")
_CONNECTIVE = (
    r"(?:so then|so|thus|hence|therefore|finally|consequently|accordingly|overall|ultimately"
    r"|clearly|and|in conclusion|to conclude|in summary|in short|as a result|for (?:this|these)"
    r" reasons?|based on (?:this|that|the above)(?: analysis| reasoning)?"
    r"|(?:wait|no|actually|correction|hmm+|oops|sorry|yes)(?=\s*[,.:;!…])"
    r"|also|daher|somit|folglich|deshalb|siis|joten|所以|因此|故"
    r"|step \d+|that means|this means|it follows that|we conclude that|i conclude that)(?![a-z])"
)
_GAP = r"[\s,:.!*_…]*+"
_PLAIN_HEAD = re.compile(rf"[\s*_#\-]*(?:{_CONNECTIVE}{_GAP})*", re.IGNORECASE)
_REASON_HEAD = re.compile(
    rf"[\s*_#\-]*(?:{_CONNECTIVE}{_GAP})?(?:since|because|given that|after (?:looking at|checking"
    rf"|considering|reviewing|weighing|evaluating|analy[sz]ing))\b[^:;]{{1,300}},"
    rf"\s*(?:{_CONNECTIVE}{_GAP})*",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"[\s*_]*(?:so|thus|hence|therefore|also|daher|siis|joten)\b", re.IGNORECASE
)
_INTERJECTIONS = re.compile(rf"\A[\s*_]*(?:{_CONNECTIVE}[\s,:.!…]++)+", re.IGNORECASE)
_TELLS = re.compile(
    rf"[\s*_#\-]*(?:{_CONNECTIVE}|we|i|it|there|this|that|now|then|let|by|from|using|since|because"
    r"|first|next|as|after|wir|es|das|daraus|me|se|tästä|我们|由)\b",
    re.IGNORECASE,
)
"""How a sentence begins that tells something, and is no title."""
_SET_BEFORE_BOX = re.compile(
    r"(?:\\[\[(]|\\begin\{\w+\*?\}|\\q?quad|\\displaystyle|\\(?:implies|Rightarrow|therefore)"
    r"|\\[,;!]|[\s$&*])+\Z"
)
_LEADS_TO_BOX = re.compile(
    r"(?:(?<![<>!~≈≠:])=|\b(?:is|are|get|obtain|find|finds|gives?|yields?|therefore|thus"
    r"|hence|conclude|equals|again|answer|result|solution|value|conclusion|summary"
    r"|ist|lautet|on|also|somit)"
    r"[\s*_]*[,:：]?|是|为|得|antwort:|vastaus:|答案[:：])\Z",
    re.IGNORECASE,
)
_OPERATOR_BEFORE_BOX = re.compile(
    r"[-+/^<>≠≈~±(|!{]\Z|\\(?:neq?|not|neg|lnot|approx|sim|times|cdot|pm|mp|le|ge|leq|geq|lt|gt)\Z"
)
_WORD = re.compile(r"\w+")
_QUOTES = "\"“„»'‘「"
_STRUCK_OUT = re.compile(r"~~|<!--|<(?:del|s|strike)>", re.IGNORECASE)
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
        return self.before[_find_boundary(self.before) :]

    @property
    def explanation(self) -> str:
        """What follows the last statement but for what closes it, and for courtesy."""
        if self.last is None:
            return ""
        before = self.final.text[: self.last.start - self.final.start]
        return _cut_after(self.after, before, self.last)

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
        sentences = _BOUNDARY.split(between.lstrip(" \t\r\n*_.$"))
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
        return Location(final, doubt="no_statement")
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
        doubt = _find_doubt(response, begin, found[-1], question)
    return Location(final, found, doubt, is_run_on)


def _cut_run_on(response: str, final: Final) -> tuple[str, Final, tuple[Statement, ...]] | None:
    """Cut a response where it invents a question, if it has stated an answer before."""
    run_on = RUN_ON.search(response, final.start)
    if run_on is None:
        return None
    kept = response[: run_on.start()]
    shorter = Final(kept[final.start :], final.start, final.thinking)
    found = tuple(find_statements(kept, shorter))
    return (kept, shorter, found) if found else None


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
        if CORRECTION.search(between) and _PLAIN_HEAD.fullmatch(_SET_BEFORE_BOX.sub("", between)):
            return found[-2].closes
    return final.start


def _find_doubt(response: str, begin: int, statement: Statement, question: str) -> str | None:
    before = response[max(begin, statement.opens - MAX_HEAD) : statement.opens]
    if "?" in statement.mark or "？" in statement.mark:
        return "question"
    if len(statement.mark.strip()) > 1:
        return "unfinished"
    if statement.rule == "open_box":
        return "open_box"
    rest = _cut_after(response[statement.closes :], response[: statement.start], statement)
    if statement.rule == "boxed":
        return _doubt_before_box(before) or _doubt_behind_box(response, statement, rest)
    if statement.rule == "answer_tag":
        boundary = _find_boundary(before)
        doubt = _doubt_of_head(before[boundary:]) or _doubt_before(before[:boundary])
        return doubt or _doubt_after(rest)
    if statement.rule == "whole":
        return None
    if statement.rule == "last_line":
        return _doubt_of_line(before)
    cue = response[statement.opens : statement.start]
    return _doubt_of_cue(before, cue, statement.rule, question) or _doubt_after(rest)


def _cut_after(after: str, before: str, statement: Statement) -> str:
    """Cut off what closes a statement, and courtesy behind it."""
    if len(after) > MAX_TAIL:
        return after
    rest = cut_closing(after, before, may_stop="." not in statement.mark)
    while courtesy := CLOSINGS.match(rest):
        rest = cut_closing(rest[courtesy.end() :], before, may_stop=False)
    return rest


def _doubt_of_cue(before: str, cue: str, rule: str, question: str) -> str | None:
    boundary = _find_boundary(before)
    head = before[boundary:]
    if any(part.lstrip().startswith(">") for part in (head, cue)):
        return "quotation"
    if rule == "phrase":
        if any(mark in head for mark in _QUOTES):
            return "quotation"
        if doubt := _doubt_of_head(head):
            return doubt
    concludes = _CONCLUDES.match(head if head.strip() else cue) is not None
    reasons = before[:boundary]
    if concludes:
        sentence = reasons[_find_boundary(reasons.rstrip(" \t\r\n。！？")) :]
        reasons = reasons[: len(reasons) - len(sentence)] + _leave_out_subject(sentence, question)
    return _doubt_before(reasons, concludes=concludes)


def _leave_out_subject(sentence: str, question: str) -> str:
    """Leave out of a reason what the question speaks of itself, and what people would say to it."""
    if len(sentence.split()) < WORDS_OF_REASON or SPEAKS_OF_ITSELF.search(sentence):
        return sentence
    if ASKED_OF_PEOPLE.search(question):
        sentence = SAID_BY_PEOPLE.sub("", sentence)

    asked = frozenset(_WORD.findall(question.casefold()))

    def keep_others(words: re.Match[str]) -> str:
        return "" if asked.issuperset(_WORD.findall(words.group().casefold())) else words.group()

    return STAGED.sub(keep_others, sentence)


def _doubt_of_head(head: str) -> str | None:
    """Look at what stands in a sentence before “the answer is”: a link or a reason is fine."""
    if _PLAIN_HEAD.fullmatch(head):
        return None
    doubt = find_doubt(head)
    return doubt or (None if _REASON_HEAD.fullmatch(head) else "leads_elsewhere")


def _doubt_before_box(before: str) -> str | None:
    bare = _SET_BEFORE_BOX.sub("", before)
    if _OPERATOR_BEFORE_BOX.search(bare):
        return "leads_elsewhere"
    if bare.endswith((".", "。", "!")):
        return _doubt_before(bare, is_bare=True)
    boundary = _find_boundary(bare)
    head = bare[boundary:]
    if only_gives_reason(head):
        return "leads_elsewhere"
    if not _PLAIN_HEAD.fullmatch(head):
        if doubt := find_doubt(_INTERJECTIONS.sub("", head)):
            return doubt
        phrase = PHRASE.search(head + " ")
        if phrase and (doubt := _doubt_of_head(head[: phrase.start()])):
            return doubt
        if not _LEADS_TO_BOX.search(head):
            return "leads_elsewhere"
        if STAGED.search(head):
            return "attribution"
    return _doubt_before(bare[:boundary])


def _doubt_behind_box(response: str, statement: Statement, rest: str) -> str | None:
    """See that nothing belongs to the box from the right: a unit, a factor, half a sentence."""
    if rest:
        after = response[statement.closes :]
        skipped = after[: len(after) - len(rest)]
        if not re.search(r"[\n.。]", skipped) and not _INTERJECTIONS.match(rest):
            return "goes_on"
    return _doubt_after(rest)


def _doubt_before(before: str, *, concludes: bool = False, is_bare: bool = False) -> str | None:
    """
    Look at the sentence before the one that states the answer, or concludes it with a “so”.

    Args:
        is_bare: whether the answer stands alone, and nothing says that it is one.
    """
    bare = before.rstrip()
    # What ends in “。” has no space behind it that would make a boundary elsewhere.
    sentence = bare[_find_boundary(bare.rstrip("。！？")) :]
    if not sentence.strip():
        return None
    if not concludes and (FROM_AFAR.search(bare) or INSTRUCTION.search(sentence)):
        return "attribution"
    if forbids_truth(_INTERJECTIONS.sub("", sentence)):
        return "attribution"
    if is_bare and DISCARDS.search(sentence):
        return "negation"
    scrap = _INTERJECTIONS.sub("", sentence + " ")
    if len(scrap.split()) <= WORDS_OF_SCRAP and (doubt := find_doubt(scrap)):
        return doubt
    staged = GROUNDS.sub("", sentence) if concludes else sentence
    if STAGED.search(staged) or (SPOKEN.search(sentence) and not concludes):
        return "attribution"
    if bare.endswith((":", "：")) and not _LEADS_TO_BOX.search(sentence):
        return "leads_elsewhere"
    if not re.search(r"[.!?。！？…\]$*)}]\Z", bare):
        # A line that has no end runs on into the statement.
        return find_doubt(_INTERJECTIONS.sub("", sentence))
    return None


def _doubt_after(rest: str) -> str | None:
    """Look at all that follows: reasons are fine, anything else may take the answer back."""
    if not rest:
        return None
    rest = CLOSINGS.sub("", rest).lstrip(" \t\r\n*_-").rstrip(' \t\r\n*_$`"”’')
    if len(rest) > MAX_EXPLANATION or not EXPLAINS.match(rest) or not _is_of_sentences(rest):
        return "goes_on"
    first = rest[: _find_end(rest)]
    if CORRECTION.search(first) or TAKEN_BACK.search(rest) or AFTERTHOUGHT.search(rest):
        return "correction"
    return "negation" if NOT_KEPT.search(rest) else find_doubt(rest)


def _doubt_of_line(before: str) -> str | None:
    """A last line in bold says nothing by itself: “The worst of all.” before it is its title."""
    bare = before.rstrip()
    sentence = bare[_find_boundary(bare) :]
    is_led_to = bool(_LEADS_TO_BOX.search(sentence))
    if not is_led_to and (bare.endswith((":", "：")) or not _TELLS.match(sentence)):
        return "leads_elsewhere"
    return _doubt_before(before, is_bare=True) or find_doubt(sentence)


def _is_of_sentences(text: str) -> bool:
    """Tell whether a text is of whole sentences; a scrap behind them may be meant otherwise."""
    _, *others = _BOUNDARY.split(text)
    is_whole = all(len(one.split()) >= WORDS_OF_SENTENCE for one in others if one.strip())
    return is_whole and (not others or text.endswith((".", "!", "。", "！")))


def _find_end(text: str) -> int:
    """Return where the first sentence of `text` ends."""
    boundary = _BOUNDARY.search(text)
    return boundary.start() if boundary else len(text)


def _find_boundary(before: str) -> int:
    """Return where the last sentence of `before` begins, which may still be empty."""
    return max((one.end() for one in _BOUNDARY.finditer(before)), default=0)
