"""
Reading a chat: which questions were asked, and what was answered to each.

Nothing of a chat is left out in silence. What follows each other from one side is one message, a
system's message belongs to the next answer, and a chat of which it is unclear what is to be judged
is refused with the reason.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from phybench_grader.judges.items import Turn
from phybench_grader.judges.prompts.templates import PromptLanguage

_BREAK = "\n\n"
_LABELS = {
    PromptLanguage.ENGLISH: ("System message:", "User's message:"),
    PromptLanguage.GERMAN: ("Systemnachricht:", "Nachricht des Nutzers:"),
    PromptLanguage.FINNISH: ("Järjestelmäviesti:", "Käyttäjän viesti:"),
}


class ChatFault(StrEnum):
    """Why a chat can't be judged."""

    EMPTY = "empty"
    """There is no question in it."""
    UNKNOWN_ROLE = "unknown_role"
    """Somebody speaks who is neither user, assistant nor system."""
    ANSWER_FIRST = "answer_first"
    """It begins with an answer, so that it is unclear to what."""
    TWO_LAST_ANSWERS = "two_last_answers"
    """It ends with an answer, and another one is given beside it."""
    AFTER_THE_ANSWER = "after_the_answer"
    """A system message follows the last answer."""
    NO_ANSWER = "no_answer"
    """It ends with a question, and no answer is given beside it."""


class BadChat(ValueError):
    """A chat that is not judged; `fault` says why, and `role` who spoke, if that is the matter."""

    def __init__(self, fault: ChatFault, role: str = "") -> None:
        super().__init__(fault.value)
        self.fault = fault
        self.role = role


@dataclass(slots=True)
class _Open:
    """A turn that is being read."""

    system: list[str] = field(default_factory=list)
    question: list[str] = field(default_factory=list)
    answer: list[str] = field(default_factory=list)

    def close(self) -> Turn:
        return Turn(*(_BREAK.join(part) for part in (self.question, self.answer, self.system)))


def read_chat(messages: Iterable[Mapping[str, str]], last: str | None) -> tuple[Turn, ...]:
    """
    Pair the questions of a chat with the answers. `last` is the last answer, if it stands apart.

    Raises:
        BadChat: it is unclear what was answered to what.

    >>> chat = [("system", "Be brief."), ("user", "2+2?"), ("assistant", "4"), ("user", "3+3?")]
    >>> for turn in read_chat([{"role": role, "content": text} for role, text in chat], "6"):
    ...     print(turn)
    Turn(question='2+2?', answer='4', system='Be brief.')
    Turn(question='3+3?', answer='6', system='')
    """
    turns: list[Turn] = []
    turn = _Open()
    for message in messages:
        role = message["role"].strip().casefold()
        if role == "assistant":
            if not turn.question:
                raise BadChat(ChatFault.ANSWER_FIRST)
            turn.answer.append(message["content"])
        elif role in ("user", "system", "developer"):
            if turn.answer:
                turns.append(turn.close())
                turn = _Open()
            (turn.question if role == "user" else turn.system).append(message["content"])
        else:
            raise BadChat(ChatFault.UNKNOWN_ROLE, role)
    if not turn.question:
        raise BadChat(ChatFault.AFTER_THE_ANSWER if turns else ChatFault.EMPTY)
    _add_last(turn, last)
    return (*turns, turn.close())


def _add_last(turn: _Open, last: str | None) -> None:
    if not turn.answer:
        if last is None:
            raise BadChat(ChatFault.NO_ANSWER)
        turn.answer.append(last)
    elif last is not None and _BREAK.join(turn.answer).strip() != last.strip():
        # One may be a draft, the beginning or a repetition of the other.
        raise BadChat(ChatFault.TWO_LAST_ANSWERS)


def write_question(turn: Turn, language: PromptLanguage = PromptLanguage.ENGLISH) -> str:
    """
    Write what a judge is shown as the question: what the system said stands before it.

    >>> write_question(Turn("2+2?", "4"))
    '2+2?'
    >>> print(write_question(Turn("2+2?", "4", "Be brief.")))
    System message:
    Be brief.
    <BLANKLINE>
    User's message:
    2+2?
    """
    if not turn.system:
        return turn.question
    system, user = _LABELS[language]
    return f"{system}\n{turn.system}{_BREAK}{user}\n{turn.question}"
