"""Cells of tables: no formula of a spreadsheet, and back as they were typed."""

import re
from numbers import Number

_STARTS_A_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def defuse(value: object) -> object:
    """
    Put an apostrophe before what a spreadsheet would take for a formula, and before its like.

    >>> defuse("-m g h"), defuse("'-m"), defuse("m - 1"), defuse(None)
    ("'-m g h", "''-m", 'm - 1', '')
    """
    if value is None:
        return ""
    if isinstance(value, Number):
        return value
    # Anything else is written as its text: a row that is named by people, for example.
    text = str(value)
    return "'" + text if _STARTS_A_FORMULA.match(text) else text


def restore(cell: str) -> str:
    """
    Take off the apostrophe that `defuse` put there.

    >>> restore("'-m g h"), restore("''-m"), restore("'tis")
    ('-m g h', "'-m", "'tis")
    """
    return cell[1:] if cell.startswith("'") and _STARTS_A_FORMULA.match(cell) else cell
