"""Tables as CSV: what people typed can't become a spreadsheet's formula, and comes back whole."""

import csv
import re
from collections.abc import Iterable

from django.http import HttpResponse

_STARTS_A_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def csv_response(
    name: str, header: Iterable[str], rows: Iterable[Iterable[object]]
) -> HttpResponse:
    """Answer with a table as a file."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    writer = csv.writer(response)
    writer.writerow(header)
    for row in rows:
        writer.writerow([defuse(value) for value in row])
    return response


def defuse(value: object) -> object:
    """
    Put an apostrophe before what a spreadsheet would take for a formula, and before its like.

    >>> defuse("-m g h"), defuse("'-m"), defuse("m - 1"), defuse(None)
    ("'-m g h", "''-m", 'm - 1', '')
    """
    if value is None:
        return ""
    if isinstance(value, str) and _STARTS_A_FORMULA.match(value):
        return "'" + value
    return value


def restore(cell: str) -> str:
    """
    Take off the apostrophe that `defuse` put there.

    >>> restore("'-m g h"), restore("''-m"), restore("'tis")
    ('-m g h', "'-m", "'tis")
    """
    return cell[1:] if cell.startswith("'") and _STARTS_A_FORMULA.match(cell) else cell
