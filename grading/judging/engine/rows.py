"""
Make an item of one object of a file: a question with its response, a chat, or a pair.

An object that can't be used is refused with the reason; its item is then skipped, and no other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from grading.judging.engine.choices import Choices, find_language, read_language, simplify
from phybench.files.json_list import storable
from phybench_grader.judges import TruthKind
from phybench_grader.judges.chats import BadChat, ChatFault, read_chat, write_question
from phybench_grader.judges.items import Item, Turn
from phybench_grader.judges.kinds.kind import JudgeKind
from phybench_grader.numbers.sentences import Sentence

LONGEST_ID = 200
LONGEST_TEXT = 50_000
"""
Characters of a question, of an earlier turn, or of a reference: they are sent whole. An item with a
longer one is skipped and says so.
"""
LONGEST_RESPONSE = 400_000
"""
Characters of a response, thinking among them. Of what is left without it a configuration sends
`max_candidate`, with a note where the middle was left out.
"""
LONGEST_NAME = 60
"""Characters of a name in a file that a message repeats."""


def shorten(name: str) -> str:
    """
    Write a name of a file so that a message can hold it.

    >>> shorten("a" * 100) == "a" * 60 + "…"
    True
    """
    cut = storable(name)
    return cut if len(cut) <= LONGEST_NAME else f"{cut[:LONGEST_NAME]}…"


class BadRow(Exception):
    """An object that is not judged; `fault` says what is wrong, by a code of `FAULTS`."""

    def __init__(self, fault: Sentence) -> None:
        super().__init__(fault.code)
        self.fault = fault


def _clean(given: object) -> object:
    return storable(given) if isinstance(given, str) else given


def _as_list(given: object) -> object:
    return [given] if isinstance(given, str) else given


def _as_kind(given: object) -> object:
    return (
        TruthKind.__members__.get(given.strip().upper()) or given
        if isinstance(given, str)
        else given
    )


def _check_id(given: object) -> object:
    if not 0 < len(str(given).strip()) <= LONGEST_ID:
        raise ValueError(given)
    return _clean(given)


Text = Annotated[str, BeforeValidator(_clean)]
References = Annotated[list[Text], BeforeValidator(_as_list)]
Id = Annotated[int | str, BeforeValidator(_check_id)]


class _Row(BaseModel):
    """One object of the file. What else stands there is named to whoever runs it."""

    model_config = ConfigDict(strict=True)

    id: Id
    question: Text = ""
    response: Text | None = None
    completion: Text | None = None
    ground_truth: References | None = None
    reference: References | None = None
    type: Annotated[TruthKind | None, BeforeValidator(_as_kind)] = None
    reference_solution: Text = ""
    first: Text | None = None
    second: Text | None = None
    model: Text = ""
    second_model: Text = ""
    language: Text = ""
    subject: Text = ""
    category: Text = ""
    turns: Any = None
    messages: Any = None

    @model_validator(mode="before")
    @classmethod
    def leave_out_nulls(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in given.items() if value is not None}


class _Exchange(BaseModel):
    question: Text
    response: Text


class _Message(BaseModel):
    role: Text
    content: Text


_ID: TypeAdapter[int | str] = TypeAdapter(Id, config=ConfigDict(strict=True))
_EXCHANGES = TypeAdapter(list[_Exchange])
_MESSAGES = TypeAdapter(list[_Message])
_SAME = (("ground_truth", "reference"), ("response", "completion"), ("turns", "messages"))
"""Names of one and the same thing."""


def list_unknown(given: Mapping[str, Any]) -> list[str]:
    """List the fields that no judge looks at."""
    return [name for name in given if name not in _Row.model_fields]


def find_id(given: Mapping[str, Any]) -> int | str | None:
    """Return the id of an object that may have nothing else of use."""
    try:
        return _ID.validate_python(given.get("id"))
    except ValidationError:
        return None


def read_row(given: Mapping[str, Any], kind: JudgeKind[Any], choices: Choices) -> Item:
    """
    Make the item that a kind of judge looks at.

    Raises:
        BadRow: it can't be used.
    """
    try:
        row = _Row.model_validate(given)
    except ValidationError as error:
        raise BadRow(_explain(str(error.errors()[0]["loc"][0]))) from None
    for one, other in _SAME:
        values = [given[name] for name in (one, other) if given.get(name) is not None]
        if len(values) == 2 and values[0] != values[1]:
            raise BadRow(Sentence.of("row_differ", one=one, other=other))
    _check_lengths(row)
    item = Item(
        id=row.id,
        question=row.question,
        response=row.completion if row.response is None else row.response,
        references=tuple(row.ground_truth or row.reference or ()),
        type=row.type,
        reference_solution=row.reference_solution,
        first=row.first,
        second=row.second,
        model=row.model,
        second_model=row.second_model,
        **(_read_language(row) if choices.language else {}),
        category=simplify(row.category) if choices.categories is not None else "",
    )
    item = _add_chat(item, row, kind)
    if not item.question.strip():
        raise BadRow(Sentence("row_no_question"))
    return item


def refuse_row(given: Mapping[str, Any], item_id: int | str, fault: Sentence) -> Item:
    """Make the item of an object that can't be used, with what its page shows of it."""
    question, response, completion = (
        storable(text) if isinstance(text := given.get(name), str) else None
        for name in ("question", "response", "completion")
    )
    references = _as_list(given.get("ground_truth") or given.get("reference"))
    listed = references if isinstance(references, list) else []
    return Item(
        id=item_id,
        question=question or "",
        response=completion if response is None else response,
        references=tuple(storable(one) for one in listed if isinstance(one, str)),
        refused=fault,
    )


def _explain(name: str) -> Sentence:
    """Say what is wrong with a field, whatever it is."""
    match name:
        case "id":
            return Sentence("row_no_id")
        case "ground_truth" | "reference":
            return Sentence("row_reference")
        case "type":
            return Sentence.of("row_type", kinds=", ".join(kind.lower() for kind in TruthKind))
        case other:
            return Sentence.of("row_no_text", name=other)


def _check_lengths(row: _Row) -> None:
    """Refuse what is too long to be sent; a response is cut where it is sent, and says so."""
    for name in ("response", "completion", "first", "second"):
        _check_length(name, getattr(row, name) or "", LONGEST_RESPONSE)
    for name in ("question", "reference_solution"):
        _check_length(name, getattr(row, name), LONGEST_TEXT)
    for name in ("ground_truth", "reference"):
        for one in getattr(row, name) or ():
            _check_length(name, one, LONGEST_TEXT)


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise BadRow(
            Sentence.of("row_too_long", name=name, count=f"{len(text):,}", most=f"{most:,}")
        )


def _read_language(row: _Row) -> dict[str, Any]:
    """Read what an item says of its language; one without a prompt is no fault of the item."""
    if not row.language.strip():
        return {"language": find_language(row.subject)}
    language = read_language(row.language)
    return {"language": language, "other_language": "" if language else shorten(row.language)}


# --- Chats ----------------------------------------------------------------------------------


def _add_chat(item: Item, row: _Row, kind: JudgeKind[Any]) -> Item:
    """Read the chat, where there is one, for question and response as well."""
    given = row.messages if row.turns is None else row.turns
    if given is None:
        return item
    if kind.compares:
        raise BadRow(Sentence("row_compares"))
    name = "messages" if row.turns is None else "turns"
    if not isinstance(given, list) or not all(isinstance(one, Mapping) for one in given):
        raise BadRow(Sentence.of("row_no_objects", name=name))
    is_chat = name == "messages" or any("role" in one for one in given)
    try:
        turns = _read_messages(given, item.response) if is_chat else _read_exchanges(given)
    except ValidationError:
        raise BadRow(Sentence("row_message") if is_chat else Sentence("row_turn")) from None
    except BadChat as error:
        if error.fault is ChatFault.NO_ANSWER:
            # It is as good as an item without a response: there is nothing to judge.
            return replace(item, question=item.question or storable(given[-1]["content"]))
        raise BadRow(_say(error)) from None
    if not turns:
        raise BadRow(_say(BadChat(ChatFault.EMPTY)))
    _check_turns(name, turns)
    last = turns[-1]
    if item.response is not None and item.response.strip() != last.answer.strip():
        raise BadRow(_say(BadChat(ChatFault.TWO_LAST_ANSWERS)))
    if item.question.strip() and item.question.strip() not in [
        one.question.strip() for one in turns
    ]:
        raise BadRow(Sentence("row_other_question"))
    return replace(item, question=write_question(last), response=last.answer, turns=turns)


def _read_messages(given: list[Mapping[str, Any]], last: str | None) -> tuple[Turn, ...]:
    messages = [one.model_dump() for one in _MESSAGES.validate_python(given)]
    return read_chat(messages, last)


def _read_exchanges(given: list[Mapping[str, Any]]) -> tuple[Turn, ...]:
    exchanges = _EXCHANGES.validate_python(given)
    return tuple(Turn(one.question, one.response) for one in exchanges)


def _check_turns(name: str, turns: Sequence[Turn]) -> None:
    for turn in turns:
        for text in (turn.system, turn.question):
            _check_length(name, text, LONGEST_TEXT)
        # Those before the last are sent whole.
        _check_length(name, turn.answer, LONGEST_RESPONSE if turn is turns[-1] else LONGEST_TEXT)


def _say(error: BadChat) -> Sentence:
    """Say why a chat is not judged."""
    match error.fault:
        case ChatFault.UNKNOWN_ROLE:
            return Sentence.of("row_role", role=shorten(error.role))
        case ChatFault.ANSWER_FIRST:
            return Sentence("row_answer_first")
        case ChatFault.TWO_LAST_ANSWERS:
            return Sentence("row_two_last_answers")
        case ChatFault.AFTER_THE_ANSWER:
            return Sentence("row_after_the_answer")
        case _:
            return Sentence("row_no_chat")
