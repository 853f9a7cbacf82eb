"""
What keeps a statement of a response from being definite, in its sentence, before it and after it.

A negation, a hedge, a condition, somebody else's words, a correction, a text that simply goes on:
where one is found, nothing is decided by the statement.
"""

import re

from phybench_grader.judges.cues import (
    AFTERTHOUGHT,
    ASKED_OF_PEOPLE,
    CLOSINGS,
    CORRECTION,
    DENIES,
    EXPLAINS,
    FROM_AFAR,
    GROUNDS,
    INSTRUCTION,
    NOT_MEANT,
    SAID_BY_PEOPLE,
    SPEAKS_OF_ITSELF,
    SPOKEN,
    STAGED,
    TAKEN_BACK,
    find_doubt,
)
from phybench_grader.judges.markup import cut_closing
from phybench_grader.judges.statements import PHRASE, Statement
from phybench_grader.judges.unmeant import DISCARDS, NOT_KEPT, forbids_truth, only_gives_reason

MAX_EXPLANATION = 600
"""Longest text after an answer that is looked through, in characters."""
WORDS_OF_SCRAP = 2
"""Words up to which what stands before an answer belongs to it: “Except this.”"""
WORDS_OF_REASON = 5
"""Words from which on a sentence before a conclusion may be its reason."""
WORDS_SHARED = 3
"""Longer words that a reason shares with the question, from which on it is about that."""
NAMES_SHARED = 2
"""Words with a capital letter that a reason shares with the question, from which on the same."""
STEM = 6
"""Letters by which two words are held for forms of one."""
WORDS_OF_DENIAL = 6
"""Words up to which a sentence may do nothing but deny what stands behind it: “It is a myth.”"""
WORDS_OF_SENTENCE = 3
"""Words from which on something behind an explanation is a sentence of it."""
MAX_HEAD = 2_000
"""How much text before an answer is looked at, in characters."""
MAX_TAIL = 4 * MAX_EXPLANATION
"""How much text behind an answer is looked at, in characters."""
BOUNDARY = re.compile(r"(?<![.!?])[.!?…]++[*_\"'”’)\]$`]*\s+|[。！？]|\n+")
_CONNECTIVE = (
    r"(?:so then|so|thus|hence|therefore|finally|consequently|accordingly|overall|ultimately"
    r"|clearly|and|in conclusion|to conclude|in summary|in short|as a result|for (?:this|these)"
    r" reasons?|based on (?:this|that|the above)(?: analysis| reasoning)?"
    r"|(?:wait|no|actually|correction|hmm+|oops|sorry|yes)(?=\s*[,.:;!…])"
    r"|also|daher|somit|folglich|deshalb|siis|joten|所以|因此|故"
    r"|step \d+|that means|this means|it follows that|we conclude that|i conclude that)(?![a-z])"
)
_GAP = r"[\s,:.!*_…]*+"
PLAIN_HEAD = re.compile(rf"[\s*_#\-]*(?:{_CONNECTIVE}{_GAP})*", re.IGNORECASE)
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
SET_BEFORE_BOX = re.compile(
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
_LONG_WORD = re.compile(r"\w{4,}")
_NAME = re.compile(r"\b[A-Z]\w{2,}")
_LETTER = re.compile(r"\W*([A-Z])\W*")
_QUOTES = "\"“„»'‘「"


def find_doubt_of(response: str, begin: int, statement: Statement, question: str) -> str | None:
    """
    Name what keeps a statement from being definite, if anything does.

    Args:
        begin: where the text that may say so begins, e.g. behind a statement that is taken back.
        question: whose own words, in the reason for an answer, take nothing from it.
    """
    before = response[max(begin, statement.opens - MAX_HEAD) : statement.opens]
    if "?" in statement.mark or "？" in statement.mark:
        return "question"
    if len(statement.mark.strip()) > 1:
        return "unfinished"
    if statement.rule == "open_box":
        return "open_box"
    rest = cut_after(response[statement.closes :], response[: statement.start], statement)
    if statement.rule == "boxed":
        return _doubt_before_box(before) or _doubt_behind_box(response, statement, rest)
    if statement.rule == "answer_tag":
        boundary = find_boundary(before)
        doubt = _doubt_of_head(before[boundary:]) or _doubt_before(before[:boundary])
        return doubt or _doubt_after(rest)
    if statement.rule == "whole":
        return None
    if statement.rule == "last_line":
        return _doubt_of_line(before)
    cue = response[statement.opens : statement.start]
    return _doubt_of_cue(before, cue, statement, question) or _doubt_after(rest)


def cut_after(after: str, before: str, statement: Statement) -> str:
    """Cut off what closes a statement, and courtesy behind it."""
    if len(after) > MAX_TAIL:
        return after
    rest = cut_closing(after, before, may_stop="." not in statement.mark)
    while courtesy := CLOSINGS.match(rest):
        rest = cut_closing(rest[courtesy.end() :], before, may_stop=False)
    return rest


def _doubt_of_cue(before: str, cue: str, statement: Statement, question: str) -> str | None:
    boundary = find_boundary(before)
    head = before[boundary:]
    if any(part.lstrip().startswith(">") for part in (head, cue)):
        return "quotation"
    if statement.rule == "phrase":
        if any(mark in head for mark in _QUOTES):
            return "quotation"
        if doubt := _doubt_of_head(head):
            return doubt
    concludes = _CONCLUDES.match(head if head.strip() else cue) is not None
    reasons = before[:boundary]
    if concludes:
        sentence = reasons[find_boundary(reasons.rstrip(" \t\r\n。！？")) :]
        if any(not _is_asked(afar.group(), question) for afar in FROM_AFAR.finditer(reasons)):
            return "attribution"
        subject = _leave_out_subject(sentence, statement.text, question)
        reasons = reasons[: len(reasons) - len(sentence)] + subject
    return _doubt_before(reasons, concludes=concludes)


def _leave_out_subject(sentence: str, answer: str, question: str) -> str:
    """
    Leave out of a reason what the question speaks of itself, and what people would say to it.

    A reason speaks of the question where it has other words of it as well, or says which option the
    answer is: “the sarcastic line is (A)”. A word alone may be meant of the answer.
    """
    if len(sentence.split()) < WORDS_OF_REASON or SPEAKS_OF_ITSELF.search(sentence):
        return sentence
    if ASKED_OF_PEOPLE.search(question):
        sentence = SAID_BY_PEOPLE.sub("", sentence)
    letter = _LETTER.fullmatch(answer)
    says_which = letter and re.search(rf"\bis \(?{letter[1]}\b", sentence)
    if not (says_which or _is_about(STAGED.sub("", sentence), question)):
        return sentence
    return STAGED.sub(lambda word: "" if _is_asked(word[0], question) else word[0], sentence)


def _is_about(sentence: str, question: str) -> bool:
    """Tell whether a sentence shares some longer words or some names with a question."""
    words = set(_LONG_WORD.findall(question.casefold()))
    names = set(_NAME.findall(question))
    return (
        len(words.intersection(_LONG_WORD.findall(sentence.casefold()))) >= WORDS_SHARED
        or len(names.intersection(_NAME.findall(sentence))) >= NAMES_SHARED
    )


def _is_asked(text: str, question: str) -> bool:
    """Tell whether a question has all words of a text, by how they begin: sarcasm, sarcastic."""
    asked = {word[:STEM] for word in _WORD.findall(question.casefold())}
    return asked.issuperset(word[:STEM] for word in _WORD.findall(text.casefold()))


def _doubt_of_head(head: str) -> str | None:
    """Look at what stands in a sentence before “the answer is”: a link or a reason is fine."""
    if PLAIN_HEAD.fullmatch(head):
        return None
    doubt = find_doubt(head) or ("attribution" if NOT_MEANT.search(head) else None)
    return doubt or (None if _REASON_HEAD.fullmatch(head) else "leads_elsewhere")


def _doubt_before_box(before: str) -> str | None:
    bare = SET_BEFORE_BOX.sub("", before)
    if _OPERATOR_BEFORE_BOX.search(bare):
        return "leads_elsewhere"
    if bare.endswith((".", "。", "!")):
        return _doubt_before(bare, is_bare=True)
    boundary = find_boundary(bare)
    head = bare[boundary:]
    if only_gives_reason(head):
        return "leads_elsewhere"
    if not PLAIN_HEAD.fullmatch(head):
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
    sentence = bare[find_boundary(bare.rstrip("。！？")) :]
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
    denies = len(scrap.split()) <= WORDS_OF_DENIAL and DENIES.match(scrap)
    if denies and not concludes and (doubt := find_doubt(scrap)):
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
    if NOT_MEANT.search(rest):
        return "attribution"
    return "negation" if NOT_KEPT.search(rest) else find_doubt(rest)


def _doubt_of_line(before: str) -> str | None:
    """A last line in bold says nothing by itself: “The worst of all.” before it is its title."""
    bare = before.rstrip()
    sentence = bare[find_boundary(bare) :]
    is_led_to = bool(_LEADS_TO_BOX.search(sentence))
    if not is_led_to and (bare.endswith((":", "：")) or not _TELLS.match(sentence)):
        return "leads_elsewhere"
    return _doubt_before(before, is_bare=True) or find_doubt(sentence)


def _is_of_sentences(text: str) -> bool:
    """Tell whether a text is of whole sentences; a scrap behind them may be meant otherwise."""
    _, *others = BOUNDARY.split(text)
    is_whole = all(len(one.split()) >= WORDS_OF_SENTENCE for one in others if one.strip())
    return is_whole and (not others or text.endswith((".", "!", "。", "！")))


def _find_end(text: str) -> int:
    """Return where the first sentence of `text` ends."""
    boundary = BOUNDARY.search(text)
    return boundary.start() if boundary else len(text)


def find_boundary(before: str) -> int:
    """Return where the last sentence of `before` begins, which may still be empty."""
    return max((one.end() for one in BOUNDARY.finditer(before)), default=0)
