"""Files of rows, as a test writes them."""

import gzip
import io
import json
from typing import Any

from phybench.files.answer_files.rows import LIMITS, Limits, Row, RowFile, open_rows


def open_file(content: bytes, name: str = "", limits: Limits = LIMITS) -> RowFile:
    return open_rows(io.BytesIO(content), name, limits)


def read(content: bytes, name: str = "", limits: Limits = LIMITS) -> list[Row]:
    return list(open_file(content, name, limits))


def read_values(content: bytes, name: str = "") -> list[Any]:
    """Read a file in which each row can be read."""
    rows = read(content, name)
    assert [row.fault for row in rows] == [""] * len(rows)
    return [row.values for row in rows]


def as_lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def pack(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)
