"""Tables as CSV: what people typed can't become a spreadsheet's formula, and comes back whole."""

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from django.http import HttpResponse, StreamingHttpResponse

from phybench.files.cells import defuse

CONTENT_TYPE = "text/csv; charset=utf-8"
A_PIECE = 1000
"""Rows that are written and sent together."""


def csv_response(
    name: str, header: Iterable[str], rows: Iterable[Iterable[object]]
) -> HttpResponse:
    """Answer with a table as a file."""
    response = HttpResponse(write_csv(header, rows), content_type=CONTENT_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def stream_csv(
    name: str, header: Iterable[str], rows: Iterable[Iterable[object]]
) -> StreamingHttpResponse:
    """
    Answer with a table that grows without end, sent while it is read.

    The page's language is no longer set then: rows hold nothing that is translated.
    """
    response = StreamingHttpResponse(write_csv(header, rows), content_type=CONTENT_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def write_csv(header: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Write a table in pieces of many rows each."""
    lines = chain([header], ([defuse(value) for value in row] for row in rows))
    while piece := list(islice(lines, A_PIECE)):
        text = io.StringIO()
        csv.writer(text).writerows(piece)
        yield text.getvalue()
