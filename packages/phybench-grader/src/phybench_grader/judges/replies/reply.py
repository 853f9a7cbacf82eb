"""A judge's reply as it came, and what speaks against reading it at all."""

import re
from dataclasses import dataclass

from phybench_grader.judges.reasons import Reason
from phybench_grader.judges.thoughts import Thinking, find_final

PARSER_VERSION = "2.0"
"""Raise it with any change that can move what is read out of a reply."""
MAX_CHARACTERS = 65_536
"""Longest reply that is read."""

_REFUSAL = re.compile(
    r"\s*(?:i['’]m sorry|i am sorry|sorry|i can(?:no|['’])t|i(?: am|['’]m) (?:un|not )able"
    r"|as an ai|es tut mir leid|ich kann (?:das |dies )?nicht|en voi|pahoittelen)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """
    What the endpoint returned: the text, and how it says that the text ended.

    The reasoning that an endpoint returns in a field of its own is not part of it.
    """

    text: str | None
    finish_reason: str = "stop"
    is_refusal: bool = False
    """Whether the endpoint itself marked it as a refusal."""

    @classmethod
    def of(cls, reply: "str | bytes | JudgeReply | None") -> "JudgeReply":
        """Make it of whatever stands for a reply; bytes are read as UTF-8, as far as they are."""
        if isinstance(reply, JudgeReply):
            return reply
        if isinstance(reply, bytes):
            reply = reply.decode("utf-8", errors="replace")
        return cls(reply)

    @property
    def is_cut_off(self) -> bool:
        return self.finish_reason == "length"

    def find_text(self) -> str | Reason:
        """
        Give the text after any thinking, or the reason why there is none to read.

        >>> JudgeReply.of("<think>[[3]]</think> [[8]]").find_text()
        ' [[8]]'
        >>> JudgeReply.of(None).find_text().value
        'empty'
        """
        if self.is_refusal:
            return Reason.REFUSAL
        if self.finish_reason == "content_filter":
            return Reason.CONTENT_FILTERED
        text = self.text or ""
        if len(text) > MAX_CHARACTERS:
            return Reason.RESPONSE_TOO_LARGE
        final = find_final(text)
        if final.thinking is Thinking.UNCLOSED:
            return Reason.TRUNCATED
        if final.has_no_answer:
            return Reason.TRUNCATED if self.is_cut_off else Reason.EMPTY
        return final.text

    def explain_silence(self, text: str) -> Reason:
        """Say why a text that holds no verdict has none."""
        if self.is_cut_off:
            return Reason.TRUNCATED
        return Reason.REFUSAL if _REFUSAL.match(text) else Reason.NO_VERDICT
