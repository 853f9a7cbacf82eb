"""
Fields within fields of a row, as dotted paths: `metadata.model`, `completions[]`.

`[]` is each of a list, `[-1]` the last one, of a conversation what the model said last, if nobody
has asked it anything since: what it said before may be an example in a prompt. A name that holds a
dot itself is found as it stands.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from phybench.files.json_list import storable

EACH, LAST = "[]", "[-1]"
MOST_NAMES, MOST_ITEMS, DEEPEST, LONGEST = 100, 3, 8, 200
"""What is looked at of one object and of one list, how deep, and how long a path may be."""
MOST_PATHS = 2000
_PARTS = ("content", "parts")
"""Lists whose items are parts of one text."""
_SAID = (None, "text", "output_text")
"""The types of parts that are said aloud: others are thought, called or shown."""
_SPEAKERS = (("role", "content"), ("role", "parts"), ("from", "value"))
"""The fields of a message that say whose it is, each with that which holds what was said."""
_MODELS = frozenset({"assistant", "model", "gpt", "chatgpt", "ai", "bot", "chatbot", "agent"})
"""Who speaks for the model in a conversation, as chat templates call it."""
_TOOLS = frozenset({"tool", "function", "ipython", "observation", "environment"})
"""Who says something without asking the model."""
_ENDS = re.compile(r"[.\[]")


def find(value: Any, path: str) -> list[Any]:
    """
    Return all that stands at a path; nothing of what somebody else than a model said in a list.

    >>> find({"choices": [{"text": "x"}, {"text": None}, {}]}, "choices[].text")
    ['x', None]
    >>> find({"a.b": 1, "a": {"b": 2}}, "a.b"), find({"a": {"b": {"c.d": 3}}}, "a.b.c.d")
    ([1], [3])
    >>> said = [{"role": "assistant", "content": "x"}, {"role": "user", "content": "Sure?"}]
    >>> find(said, "[-1].content"), find(said[1:], "[-1].content")
    ([], [])
    >>> find(said[:1], "[-1].content"), find(said, "[].content")
    (['x'], ['x'])
    """
    if not path:
        return [value]
    if isinstance(value, list):
        if path.startswith(LAST):
            items, rest = _find_last(value), _behind(path, LAST)
        elif path.startswith(EACH):
            items = [item for item in value if not _name_others(item)]
            rest = _behind(path, EACH)
        else:
            return []
        return [found for item in items for found in find(item, rest)]
    if path.startswith((EACH, LAST)):
        # Some write a list of one as that one alone.
        return find(value, _behind(path, LAST if path.startswith(LAST) else EACH))
    return _find_field(value, path) if isinstance(value, Mapping) else []


def _find_field(row: Mapping[str, Any], path: str) -> list[Any]:
    if path in row:
        return [row[path]]
    for end in _ENDS.finditer(path):
        name = path[: end.start()]
        if name in row and (found := find(row[name], _behind(path, name))):
            return found
    return []


def _behind(path: str, step: str) -> str:
    return path[len(step) :].removeprefix(".")


def list_paths(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the paths that lead to texts and numbers, each with what stands there."""
    return islice(_list_paths(row, "", 0), MOST_PATHS)


def _list_paths(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > DEEPEST or len(path) > LONGEST:
        return
    if isinstance(value, Mapping):
        # A name that can't be stored can't be chosen.
        for name in [one for one in list(value)[:MOST_NAMES] if storable(one) == one]:
            inner = f"{path}.{name}" if path else name
            yield from _list_paths(value[name], inner, depth + 1)
    elif isinstance(value, list) and join_parts(path, value) is None:
        if _is_conversation(value):
            for item in _find_last(value):
                yield from _list_paths(item, path + LAST, depth + 1)
        else:
            for item in value[:MOST_ITEMS]:
                yield from _list_paths(item, path + EACH, depth + 1)
    elif path:
        yield path, value


def _is_conversation(items: list[Any]) -> bool:
    last = items[-1] if items else None
    return isinstance(last, Mapping) and (
        {"role", "content"} <= last.keys() or {"from", "value"} <= last.keys()
    )


def _find_last(items: list[Any]) -> list[Any]:
    """Find the last item; of a chat the model's last, or none if a question follows it."""
    for item in reversed(items):
        others = _name_others(item)
        if not others:
            return [item]
        if not others <= _TOOLS:
            break
    return []


def _name_others(message: Any) -> set[str]:
    """Name those who wrote a message and are no model, as far as it says."""
    if not isinstance(message, Mapping):
        return set()
    speakers = [message.get(name) for name, said in _SPEAKERS if said in message]
    return {one.lower() for one in speakers if one and isinstance(one, str)} - _MODELS


def join_parts(path: str, value: Any) -> str | None:
    """
    Return the text that a message's parts make up, without what was thought; else nothing.

    >>> join_parts("message.content", [{"thinking": "Hm."}, {"text": "m"}, {"text": " g"}])
    'm g'
    >>> join_parts("output[].content", [{"type": "reasoning_text", "text": "Say m?"}])
    ''
    """
    is_of_parts = isinstance(value, list) and path.rpartition(".")[2] in _PARTS
    if not is_of_parts or not all(isinstance(part, Mapping) for part in value):
        return None
    said = [
        part.get("text") for part in value if not part.get("thought") and part.get("type") in _SAID
    ]
    return "".join(text for text in said if isinstance(text, str))
