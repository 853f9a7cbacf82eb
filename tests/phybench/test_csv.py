"""Tables as files: whole, and sent while they are read where they may be long."""

import csv
import io
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
from django.utils.translation import gettext_lazy

from grading.solvers.models import Organisation
from phybench.pages.csv import A_PIECE, csv_response, stream_csv

HEADER = ["name", "formula", "note"]
ROWS = [["Ada", "-m g h", None], ["Bo", 'a, "b"', "two\nlines"]]


def test_a_table_reads_the_same_sent_at_once_or_in_pieces():
    at_once, in_pieces = csv_response("it", HEADER, ROWS), stream_csv("it", HEADER, ROWS)
    assert b"".join(in_pieces) == at_once.content
    assert list(csv.reader(io.StringIO(at_once.content.decode()))) == [
        HEADER,
        ["Ada", "'-m g h", ""],
        ["Bo", 'a, "b"', "two\nlines"],
    ]
    for response in (at_once, in_pieces):
        assert response["Content-Disposition"] == 'attachment; filename="it.csv"'
        assert response["Content-Type"] == "text/csv; charset=utf-8"


def test_the_first_rows_are_sent_before_the_last_are_read():
    read = 0

    def count() -> Iterator[list[object]]:
        nonlocal read
        for number in range(3 * A_PIECE):
            read += 1
            yield [number]

    response = stream_csv("it", ["number"], count())
    assert read == 0
    first = next(iter(response))
    assert first.startswith(b"number\r\n0\r\n")
    assert read < 2 * A_PIECE
    assert len(b"".join(response).split()) + len(first.split()) == 3 * A_PIECE + 1


def test_a_table_without_rows_has_its_header():
    assert b"".join(stream_csv("it", HEADER, [])) == b"name,formula,note\r\n"


def test_what_is_named_by_people_is_no_formula_where_it_is_given_as_it_is():
    """Some rows have an organisation or a panel in place of its name."""
    rows = [[Organisation(name="=1+1"), gettext_lazy("@sum"), -2.5, np.int64(-3), Decimal("-1.5")]]
    response = csv_response("it", [], rows)
    assert response.content.decode().split("\r\n")[1] == "'=1+1,'@sum,-2.5,-3,-1.5"
