"""
Write a filled checklist as Markdown and as JSON.

Pure: no Django, no database.
"""

import json
import re
import unicodedata
from collections.abc import Sequence

from grading.board.baselines.checklist.filling import SOURCE
from grading.board.baselines.checklist.items import Part

_MARKUP = re.compile(r"([\\`*_{}\[\]|~$#])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def write_markdown(parts: Sequence[Part], *, title: str, made_at: str) -> str:
    """Write it as a document with one table for each part."""
    lines = [
        f"# Study of people: {escape(title)}",
        "",
        f"Filled on {escape(made_at)} after the checklist of Wei and others ({SOURCE}); items in"
        " other words than theirs, part 6 besides.",
    ]
    for part in parts:
        lines += ["", f"## {escape(part.title)}", "", "| | Question | Answer |", "|---|---|---|"]
        lines += [
            f"| {item.number} | {escape(item.question)} | {escape(item.answer)} |"
            for item in part.items
        ]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    r"""
    Write any text so that it is only text in a cell of a table, with its line breaks.

    >>> print(escape("a | b\n<b>*c*</b> [d](e)"))
    a \| b<br>&lt;b&gt;\*c\*&lt;/b&gt; \[d\](e)
    """
    return "<br>".join(_escape_line(line) for line in text.splitlines())


def _escape_line(line: str) -> str:
    # Characters that show nothing, such as those that turn the direction of writing.
    shown = "".join(one for one in line if unicodedata.category(one) not in {"Cc", "Cf", "Cs"})
    escaped = _MARKUP.sub(r"\\\1", shown)
    return "".join(_ENTITIES.get(one, one) for one in escaped)


def write_json(parts: Sequence[Part], *, title: str, made_at: str) -> str:
    """Write it for programs: parts, and in them items with number, question and answer."""
    said = {
        "checklist": SOURCE,
        "study": title,
        "made_at": made_at,
        "parts": [
            {
                "title": part.title,
                "items": [
                    {
                        "number": item.number,
                        "question": item.question,
                        "answer": item.answer,
                        "is_reported": item.is_reported,
                    }
                    for item in part.items
                ],
            }
            for part in parts
        ],
    }
    return json.dumps(said, ensure_ascii=False, indent=2)
