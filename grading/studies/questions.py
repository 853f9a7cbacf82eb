"""
Questions of eligibility and background, as an admin types them: one a line.

What stands in brackets at the end says how it is answered:

>>> read_questions("Your university?\\nDo you study physics? [must be yes]\\nYear? [1 | 2 | 3]")
... # doctest: +NORMALIZE_WHITESPACE
[{'ask': 'Your university?', 'kind': 'TEXT'},
 {'ask': 'Do you study physics?', 'kind': 'YES', 'needs_yes': True},
 {'ask': 'Year?', 'kind': 'CHOICE', 'choices': ['1', '2', '3']}]
"""

import re
from collections.abc import Iterable

IN_BRACKETS = re.compile(r"^(?P<ask>.*?)\s*\[(?P<how>[^\[\]]*)\]$")
KINDS: dict[str, dict[str, object]] = {
    "must be yes": {"kind": "YES", "needs_yes": True},
    "yes/no": {"kind": "YES"},
    "number": {"kind": "NUMBER"},
}


def read_questions(text: str) -> list[dict[str, object]]:
    """Read the questions of a study; what is in no known brackets belongs to the question."""
    lines = (line.strip() for line in text.splitlines())
    return [_read(line) for line in lines if line]


def _read(line: str) -> dict[str, object]:
    found = IN_BRACKETS.match(line)
    if found and found["how"].strip() in KINDS:
        return {"ask": found["ask"], **KINDS[found["how"].strip()]}
    if found and "|" in found["how"]:
        choices = [one.strip() for one in found["how"].split("|") if one.strip()]
        return {"ask": found["ask"], "kind": "CHOICE", "choices": choices}
    return {"ask": line, "kind": "TEXT"}


def write_questions(questions: Iterable[dict[str, object]]) -> str:
    """Write questions as they are typed."""
    return "\n".join(_write(one) for one in questions)


def _write(question: dict[str, object]) -> str:
    match question:
        case {"ask": ask, "choices": list(choices)}:
            return f"{ask} [{' | '.join(map(str, choices))}]"
        case {"ask": ask, "kind": "NUMBER"}:
            return f"{ask} [number]"
        case {"ask": ask, "kind": "YES", "needs_yes": True}:
            return f"{ask} [must be yes]"
        case {"ask": ask, "kind": "YES"}:
            return f"{ask} [yes/no]"
        case _:
            return str(question["ask"])
