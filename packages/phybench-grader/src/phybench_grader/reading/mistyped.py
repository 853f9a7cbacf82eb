"""Commands of LaTeX that are mistyped by a letter or two, such as `\\alfa`."""

from __future__ import annotations

from phybench_grader.numbers.functions import FUNCTIONS
from phybench_grader.numbers.symbols import ACCENTS, SUBSCRIPT_COMMANDS
from phybench_grader.reading.vocabulary import ENVIRONMENTS, REFUSED, RELATIONS

_COMMANDS = frozenset(
    name
    for name in {"frac", "text", *FUNCTIONS, *ACCENTS, *SUBSCRIPT_COMMANDS, *REFUSED, *RELATIONS}
    if name.isalpha() and len(name) > 2 and name not in ENVIRONMENTS
) - {"unit", "qty", "end", "cal"}
"""What the reader of answers has a name for, where formulas can be displayed with it."""


def find_command(mistyped: str) -> str | None:
    r"""
    Return the known command that differs least, by at most two letters; by one if it is short.

    >>> find_command(r"\alfa"), find_command(r"\farc"), find_command(r"\foo")
    ('\\alpha', '\\frac', None)
    """
    name = mistyped.removeprefix("\\")
    most = 1 if len(name) < 4 else 2
    near = [known for known in _COMMANDS if abs(len(known) - len(name)) <= most]
    edits, _, meant = min(
        ((_count_edits(name, known), known[0] != name[:1], known) for known in near),
        default=(most + 1, True, ""),
    )
    return "\\" + meant if edits <= most else None


def _count_edits(one: str, other: str) -> int:
    """Count the letters to replace, add or remove that lead from one word to another."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, start=1):
        above, row = row, [number]
        for place, wanted in enumerate(other):
            replaced = above[place] + (letter != wanted)
            row.append(min(replaced, above[place + 1] + 1, row[-1] + 1))
    return row[-1]
