"""Items of a file as rows keep them, and back: what was read is judged, whoever reads it later."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.utils.translation import gettext as _

from phybench_grader.judges import TruthKind
from phybench_grader.judges.items import Item, Turn
from phybench_grader.judges.prompts import PromptLanguage
from phybench_grader.numbers.sentences import Sentence

_EMPTY = (None, "", ())


def write_item(item: Item) -> dict[str, Any]:
    """
    Write an item as JSON has it; what it was not given is left out.

    >>> item = Item(id=7, question="Q?", response="", turns=(Turn("Q?", ""),))
    >>> read_item(write_item(item)) == item
    True
    """
    # An empty response was given all the same.
    kept = {"id", "response", "first", "second"}
    written = {
        name: value
        for name, value in asdict(item).items()
        if value not in _EMPTY or (name in kept and value is not None)
    }
    return {**written, "refused": item.refused.write()} if item.refused else written


def read_item(written: Mapping[str, Any]) -> Item:
    fields = dict(written)
    fields["references"] = tuple(fields.get("references", ()))
    fields["turns"] = tuple(Turn(**one) for one in fields.get("turns", ()))
    if fields.get("type"):
        fields["type"] = TruthKind(fields["type"])
    if fields.get("language"):
        fields["language"] = PromptLanguage(fields["language"])
    fields["refused"] = read_refusal(written)
    return Item(**fields)


def say_id(written: Mapping[str, Any]) -> str:
    """
    Name an item on a page; one that has no id is named by its line, in the reader's language.

    >>> from django.utils.translation import override
    >>> refused = {"code": "row_of_line", "line": "19", "what": {"code": "row_no_id"}}
    >>> with override("zh-hans"):
    ...     say_id({"id": "line 19", "refused": refused}), say_id({"id": "line 19"})
    ('第 19 行', 'line 19')
    """
    refusal = read_refusal(written)
    line = dict(refusal.values).get("line") if refusal else None
    name = str(written["id"])
    if line is None or name.partition(" (")[0] != f"line {line}":
        return name
    return _("line %(number)s") % {"number": line}


def read_refusal(written: Mapping[str, Any]) -> Sentence | None:
    """Return why a line is not judged; what an older row has in words says itself."""
    kept = written.get("refused")
    return Sentence.read(kept) if isinstance(kept, Mapping) else Sentence(kept) if kept else None
