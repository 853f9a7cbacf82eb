"""What was answered, made fit to be sent: not longer than it may be, and looked through."""

from dataclasses import dataclass

from phybench_grader.judges.injection import Sign, find_injections
from phybench_grader.judges.judgement import Flag

MAX_CANDIDATE = 24_000
"""Longest text of one answer that is sent, in characters, the note in its middle included."""

_NOTE = "\n\n[… {cut:,} characters were left out here by the judging system …]\n\n"
_NOTE_ROOM = 120


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer as it is sent."""

    text: str
    cut: int = 0
    """How many characters were left out of its middle."""
    signs: tuple[Sign, ...] = ()
    """What in it speaks to the judge, found in the whole text."""

    @property
    def flags(self) -> frozenset[Flag]:
        flags = {Flag.CANDIDATE_CUT} if self.cut else set()
        return frozenset(flags | ({Flag.INJECTION_SUSPECTED} if self.signs else set()))


def cap(text: str, limit: int = MAX_CANDIDATE) -> Candidate:
    """
    Look an answer through, and cut its middle out where it is too long.

    The tail is the larger part: the conclusion stands there.

    >>> capped = cap("a" * 600 + "b" * 600, limit=400)
    >>> capped.cut, len(capped.text) <= 400, capped.text[0], capped.text[-1]
    (920, True, 'a', 'b')
    """
    signs = find_injections(text)
    if len(text) <= limit:
        return Candidate(text, signs=signs)
    if limit <= 2 * _NOTE_ROOM:
        raise ValueError(f"an answer is cut to more than {2 * _NOTE_ROOM} characters")
    room = limit - _NOTE_ROOM
    head = room // 3
    tail = room - head
    cut = len(text) - room
    return Candidate(text[:head] + _NOTE.format(cut=cut) + text[-tail:], cut, signs)
