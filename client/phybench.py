#!/usr/bin/env python3
r"""
Have models' answers graded by PHYBench curation, from the command line.

One file, for Python 3.9 and later, with nothing to install:

    export PHYBENCH_URL=https://phybench.example
    python3 phybench.py login
    python3 phybench.py check answers.jsonl
    python3 phybench.py submit answers.jsonl --wait
    python3 phybench.py results --csv > results.csv

The token is read from PHYBENCH_TOKEN, else from the file that `login` wrote; it is never an
argument, which others on the machine could read. Exit status: 0 graded, 1 some could not be graded,
2 refused.
"""

import argparse
import codecs
import csv
import getpass
import hashlib
import io
import json
import math
import os
import re
import stat
import sys
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Callable, NamedTuple

OLDEST_PYTHON = (3, 9)
if sys.version_info < OLDEST_PYTHON:
    # An older one can read this file, annotations in quotes, and must not go on.
    print(
        f"phybench.py needs Python 3.9 or newer, and this is Python {sys.version_info[0]}."
        f"{sys.version_info[1]}: start it with a newer one, e.g. python3.11 phybench.py --help.",
        file=sys.stderr,
    )
    sys.exit(2)

GRADED, NOT_ALL, REFUSED = 0, 1, 2
"""Exit statuses."""
NOT_WHOLE = {"incomplete", "cancelled"}
"""States of a submission of which not all is graded."""


class Refused(Exception):
    """What ends a command; the message says what to do."""


# --- What a file holds: as the server reads it -------------------------------------------------
#
# The server reads a file piece by piece and this reads it whole; what they come to is the same, and
# a test compares them (tests/client/test_check.py). What is decided by people, such as fields that
# somebody of your organisation chose before, only the server knows.

MOST_ROWS = 1_000_000
LONGEST_ROW = 5 * 1024**2
LARGEST_SENT, LARGEST_UNPACKED = 200 * 1024**2, 2 * 1024**3
LONGEST_RESPONSE = 1024 * 1024
LONGEST_ID, LONGEST_NAME = 200, 120
MOST_SAMPLES = 10_000
FIRST_ROWS, LARGEST_HEAD = 200, 16 * 1024**2
KEY, VALUE = "(key)", "(value)"
EMPTY, FAILED, TWICE = "EMPTY", "FAILED", "TWICE"


class Broken(Exception):
    """A file that can't be read from a row on; what came before it counts."""

    def __init__(self, row: int, why: str) -> None:
        super().__init__(f"Nothing can be read from row {row} on: {why}.")


class Stopped(Exception):
    """Nothing can be read from here on, and why."""


class Row(NamedTuple):
    number: int
    values: Mapping[str, Any]
    fault: str = ""


class Loaded(NamedTuple):
    """The text of a file, as far as it can be read."""

    text: str
    stopped: str
    """Why it ends before its end; empty where it does not."""


ENCODINGS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
OTHER_KINDS = (
    *(b"PAR1", b"ARROW1", b"FEA1", b"\x89HDF", b"\x93NUMPY", b"\x80\x02", b"\x80\x03"),
    *(b"\x80\x04", b"\x80\x05", b"SQLite format 3", b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG"),
    *(b"\xff\xd8\xff", b"GIF8", b"\x28\xb5\x2f\xfd", b"BZh", b"\xfd7zXZ", b"\x1f\x8b"),
    *(b"7z\xbc\xaf", b"Rar!", b"PK\x03\x04", b"PK\x05\x06"),
)
PAGE = re.compile(r"<(?:!doctype|html|head|body|\?xml|[a-z]+[\s>])", re.IGNORECASE)
PYTHON = re.compile(r"[\[{(]\s*(?:\{\s*)?'")


def load(path: Path) -> Loaded:
    try:
        if path.stat().st_size > LARGEST_SENT:
            raise Refused(f"{path} is larger than 200 MB. Compress it with gzip, or split it.")
        content = path.read_bytes()
    except OSError as why:
        raise Refused(f"{path}: {why.strerror}.") from None
    stopped = ""
    if content.startswith(b"\x1f\x8b"):
        content, stopped = gunzip(content)
    if content.startswith(OTHER_KINDS) or content[257:262] == b"ustar":
        raise Refused(f"{path} is not text. Write the answers as JSON, JSON lines or CSV.")
    mark, encoding = next((one for one in ENCODINGS if content.startswith(one[0])), (b"", "utf-8"))
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        text = decoder.decode(content[len(mark) :])
        decoder.decode(b"", final=not stopped)
    except UnicodeDecodeError as fault:
        if fault.reason != "unexpected end of data":
            text = fault.object[: fault.start].decode(encoding)
            stopped = stopped or "it is not text in UTF-8; save the file as UTF-8"
        else:
            stopped = stopped or "the file was cut off"
    beginning = text[:512].lstrip()
    if "\0" in beginning or PAGE.match(beginning):
        raise Refused(f"{path} is no file with answers.")
    if PYTHON.match(beginning) or beginning.startswith("version https://git-lfs"):
        raise Refused(f"{path} is not JSON. Write it with json.dump(…).")
    return Loaded(text, stopped)


def gunzip(content: bytes) -> tuple[bytes, str]:
    """Unpack gzip, also several files one behind the other; say why where it ends early."""
    unpacked: list[bytes] = []
    size = 0
    while content:
        member = zlib.decompressobj(31)
        try:
            piece = member.decompress(content, LARGEST_UNPACKED - size + 1)
        except zlib.error:
            return b"".join(unpacked), "the compressed file is damaged"
        unpacked.append(piece)
        size += len(piece)
        if size > LARGEST_UNPACKED:
            return b"".join(unpacked), "the file is larger than 2 GB unpacked"
        if not member.eof:
            return b"".join(unpacked), "the file was cut off"
        content = member.unused_data.lstrip(b"\0")
    return b"".join(unpacked), ""


DECODER = json.JSONDecoder(strict=False)
LONGEST_NUMBER = 4000


def read_whole_number(written: str) -> Any:
    return int(written) if len(written) < LONGEST_NUMBER else written


SLOWER = json.JSONDecoder(strict=False, parse_int=read_whole_number)
SPACES = re.compile(r"[ \t\r\n]*")


def decode_at(text: str, start: int) -> tuple[Any, int]:
    try:
        return DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return SLOWER.raw_decode(text, start)


class Window:
    """A text, and where in it the reading is."""

    def __init__(self, loaded: Loaded) -> None:
        self.text, self.stopped = loaded
        self.at = 0

    def peek(self) -> str:
        found = SPACES.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        if self.at == len(self.text):
            self.end()
        return self.text[self.at : self.at + 1]

    def end(self) -> None:
        if self.stopped:
            raise Stopped(self.stopped)

    def take(self) -> Any:
        try:
            value, end = decode_at(self.text, self.at)
        except RecursionError:
            raise Stopped("it is nested too deep") from None
        except json.JSONDecodeError as error:
            self.end()
            if ends_early(error):
                raise Stopped("the file was cut off") from None
            raise Stopped(f"it is not JSON ({error.msg})") from None
        if end + 2 >= len(self.text):
            # A number may go on, where the text was cut.
            self.end()
        if end - self.at > LONGEST_ROW:
            raise Stopped("it is longer than 5 MB")
        self.at = end
        return value

    def fields(self) -> Iterator[str]:
        self.at += 1
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            self.expect('"')
            name = self.take()
            self.expect(":")
            self.at += 1
            self.peek()
            yield name
            if self.closes("}"):
                return

    def elements(self) -> Iterator[Any]:
        self.at += 1
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            self.peek()
            yield self.take()
            if self.closes("]"):
                return

    def expect(self, sign: str) -> None:
        found = self.peek()
        if found != sign:
            raise Stopped(f"it is not JSON (Expecting {sign})" if found else "the file was cut off")

    def closes(self, sign: str) -> bool:
        found = self.peek()
        if found not in (",", sign):
            self.expect(",")
        self.at += 1
        if found == sign:
            return True
        if self.peek() == sign:
            self.at += 1
            return True
        return False


WORDS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
HALF = re.compile(r"[.eE][-+]?|\\?u[0-9a-fA-F]{0,4}")


def ends_early(error: json.JSONDecodeError) -> bool:
    rest = error.doc[error.pos : error.pos + 20].rstrip()
    return (
        not rest
        or "Unterminated" in error.msg
        or any(word.startswith(rest) for word in WORDS)
        or (error.pos + len(rest) >= len(error.doc.rstrip()) and bool(HALF.fullmatch(rest)))
    )


def number_values(values: Iterator[Any], window: Window, *, ends: bool = True) -> Iterator[Row]:
    number = 1
    try:
        for value in values:
            if number > MOST_ROWS:
                raise Stopped(f"a file may have at most {MOST_ROWS} rows")
            if isinstance(value, dict):
                yield Row(number, value)
            else:
                yield Row(number, {}, "it is not an object {…}")
            number += 1
        if ends and window.peek():
            raise Stopped("more follows after the end of the JSON")
    except Stopped as why:
        raise Broken(number, str(why)) from None


def read_list(window: Window) -> Iterator[Row]:
    window.peek()
    return number_values(window.elements(), window)


def read_objects(window: Window) -> Iterator[Row]:
    def values() -> Iterator[Any]:
        while window.peek():
            yield window.take()

    return number_values(values(), window, ends=False)


def read_list_of(path: str) -> Callable[[Window], Iterator[Row]]:
    def read(window: Window) -> Iterator[Row]:
        found = (value for where, value in walk(window) if where == (path, True))
        return number_values(found, window)

    return read


def read_fields(window: Window) -> Iterator[Row]:
    def values() -> Iterator[Any]:
        window.peek()
        for name in window.fields():
            value = window.take()
            yield {KEY: name, **value} if isinstance(value, dict) else {KEY: name, VALUE: value}

    return number_values(values(), window)


def read_lines(window: Window) -> Iterator[Row]:
    number = 1
    text = window.text
    while True:
        before = window.at
        found = SPACES.match(text, before)
        assert found is not None
        number += text.count("\n", before, found.end())
        window.at = found.end()
        if window.at == len(text):
            break
        if number > MOST_ROWS:
            raise Broken(number, f"a file may have at most {MOST_ROWS} rows")
        end = text.find("\n", window.at)
        is_last = end < 0
        if is_last and window.stopped:
            break
        line = text[window.at : len(text) if is_last else end]
        window.at += len(line)
        yield read_line(number, line, is_last=is_last)
    if window.stopped:
        raise Broken(number, window.stopped)


def read_line(number: int, line: str, *, is_last: bool) -> Row:
    if len(line) > LONGEST_ROW:
        return Row(number, {}, "it is longer than 5 MB")
    try:
        value, end = decode_at(line, 0)
        if line[end:].strip():
            raise json.JSONDecodeError("Extra data", line, end)
    except RecursionError:
        return Row(number, {}, "it is nested too deep")
    except json.JSONDecodeError as error:
        if is_last and ends_early(error):
            raise Broken(number, "the file was cut off") from None
        return Row(number, {}, f"it is not JSON ({error.msg})")
    if not isinstance(value, dict):
        return Row(number, {}, "it is not an object {…}")
    return Row(number, value)


Where = tuple[str, bool]


def walk(window: Window) -> Iterator[tuple[Where, Any]]:
    window.peek()
    return walk_object(window, "", 1)


def walk_object(window: Window, path: str, depth: int) -> Iterator[tuple[Where, Any]]:
    for name in window.fields():
        inner = f"{path}.{name}" if path else name
        sign = window.peek()
        if sign == "[":
            for value in window.elements():
                yield (inner, True), value
        elif sign == "{" and depth < 2:
            yield from walk_object(window, inner, depth + 1)
        else:
            yield (inner, False), window.take()


USUAL = frozenset(
    {
        *("answers", "completions", "data", "details", "entries", "evaluations", "examples"),
        *("generations", "instances", "items", "logs", "outputs", "predictions", "records"),
        *("request_states", "responses", "results", "rows", "samples", "submissions"),
        "example_level_metadata",
    }
)
MOST_KEPT, LONGEST_REMARK = 200, 200


class Survey:
    """What an object holds: its lists, and the texts beside them."""

    def __init__(self) -> None:
        self.lists: dict[str, int] = {}
        self.remarks: dict[str, str] = {}
        self.names: dict[str, None] = {}
        self.is_by_column = True
        self.kinds: set[str] = set()
        self.inner: dict[str, str] = {}
        self.is_alike = False

    def add(self, where: Where, value: Any) -> None:
        path, is_in_list = where
        name, _dot, deeper = path.partition(".")
        keep(self.names, name, None)
        if not is_in_list and not deeper:
            self.is_by_column = False
        if isinstance(value, dict) or deeper:
            self.kinds.add("objects" if is_in_list and not deeper else "object")
            keep(self.inner, deeper, self.inner.get(deeper, name))
            self.is_alike |= bool(deeper) and self.inner.get(deeper, name) != name
        else:
            self.kinds.add("text" if isinstance(value, str) else "other")
        if is_in_list and isinstance(value, dict):
            keep(self.lists, path, self.lists.get(path, 0) + 1)
        elif isinstance(value, str) and not is_in_list and len(value) <= LONGEST_REMARK:
            keep(self.remarks, path, value)

    def is_by_problem(self) -> bool:
        if len(self.names) < 2 or len(self.kinds) > 1:
            return False
        if self.kinds == {"objects"}:
            return len(self.names) > 2 and not USUAL & self.names.keys()
        heads = {path.partition(".")[0] for path in self.lists}
        if len(heads) == 1 and USUAL & {path.rpartition(".")[2] for path in self.lists}:
            return False
        return not heads or self.is_alike

    def find_rows(self) -> "str | None":
        if not self.lists or self.is_by_problem():
            return None

        def rank(path: str) -> tuple[int, bool, int]:
            return path.count("."), path.rpartition(".")[2] not in USUAL, -self.lists[path]

        return min(self.lists, key=rank)


def keep(kept: dict[str, Any], name: str, value: Any) -> None:
    if name in kept or (len(kept) < MOST_KEPT and len(name) <= LONGEST_REMARK):
        kept[name] = value


class Layout(NamedTuple):
    """How the rows lie in a file."""

    format: str
    read: Callable[[Window], Iterator[Row]]
    remarks: Mapping[str, str] = {}


def find_layout(loaded: Loaded, name: str) -> Layout:
    window = Window(loaded)
    try:
        sign = window.peek()
        if not sign:
            raise Refused(f"{name} is empty.")
    except Stopped as why:
        raise Broken(1, str(why)) from None
    if sign == "[":
        return Layout("json", read_list)
    if sign == "{":
        return find_layout_of_objects(window, loaded, name)
    delimiter = find_delimiter(window.text[window.at : window.at + 64 * 1024], name)
    return Layout("csv", read_table(delimiter))


def find_layout_of_objects(window: Window, loaded: Loaded, name: str) -> Layout:
    lines = Layout("jsonl", read_lines)
    lowered = name.lower()
    if lowered.endswith(".gz"):
        lowered = lowered[:-3]
    if lowered.endswith((".jsonl", ".ndjson")):
        return lines
    end = window.text.find("\n", window.at)
    end = len(window.text) if end < 0 else end
    if end - window.at <= LONGEST_ROW:
        is_whole = is_json(window.text[window.at : end])
        window.at = end
        try:
            follows = window.peek()
            if follows if is_whole else follows == "{":
                return lines
        except Stopped:
            pass
    return find_layout_of_object(loaded)


def is_json(line: str) -> bool:
    try:
        _value, end = decode_at(line, 0)
    except (ValueError, RecursionError):
        return False
    return not line[end:].strip()


def find_layout_of_object(loaded: Loaded) -> Layout:
    objects = Layout("json", read_objects)
    window = Window(loaded)
    try:
        window.peek()
        first = window.take()
        if window.peek() or is_row(first):
            return objects
    except Stopped:
        pass
    found = Survey()
    try:
        for where, value in walk(Window(loaded)):
            found.add(where, value)
    except Stopped as why:
        if not found.lists and not found.is_by_problem():
            raise Broken(1, str(why)) from None
    path = found.find_rows()
    if path:
        return Layout("json", read_list_of(path), found.remarks)
    if not {*IDS, *RESPONSES, *MODELS}.isdisjoint(found.names):
        if found.is_by_column:
            raise Refused("This table was written column by column. Write it row by row.")
        return objects
    return Layout("json", read_fields) if found.is_by_problem() else objects


# --- Tables -------------------------------------------------------------------------------------


def find_delimiter(beginning: str, name: str) -> str:
    counts = {one: count_cells(beginning.lstrip("\r\n"), one) for one in ",;\t|"}
    delimiter = max(counts, key=lambda one: counts[one])
    if counts[delimiter] < 2:
        raise Refused(
            f"{name} is neither JSON nor a table: the first line of a CSV names its columns, such"
            " as id, model, response."
        )
    return delimiter


def count_cells(beginning: str, delimiter: str) -> int:
    try:
        end = find_record_end(beginning, 0, delimiter)
        return len(split_record(beginning[:end], delimiter))
    except (csv.Error, Stopped):
        return 0


def find_record_end(text: str, at: int, delimiter: str) -> int:
    """Find where a row ends; line ends may stand in quotes, which open at a cell's beginning."""
    cell_end = re.compile(f"[{re.escape(delimiter)}\n]")
    while True:
        if text[at : at + 1] == '"':
            at = text.find('"', at + 1)
            while at >= 0 and text[at + 1 : at + 2] == '"':
                at = text.find('"', at + 2)
            if at < 0:
                raise Stopped("a quote is opened in it and not closed")
            at += 1
        found = cell_end.search(text, at)
        if found is None:
            return len(text)
        if found.group() == "\n":
            return found.start()
        at = found.end()


def split_record(record: str, delimiter: str) -> list[str]:
    if csv.field_size_limit() < len(record):
        csv.field_size_limit(len(record))
    return next(csv.reader([record], delimiter=delimiter, strict=True), [])


def read_table(delimiter: str) -> Callable[[Window], Iterator[Row]]:
    def read(window: Window) -> Iterator[Row]:
        text, number = window.text, 0
        header: list[str] | None = None
        try:
            while window.at < len(text):
                number += 1
                if number > MOST_ROWS:
                    raise Stopped(f"a file may have at most {MOST_ROWS} rows")
                end = find_record_end(text, window.at, delimiter)
                record, is_closed = text[window.at : end], end < len(text)
                if not is_closed:
                    window.end()
                window.at = end + 1
                if not record.strip(f"{delimiter} \r"):
                    continue
                if header is None:
                    header = check_header(split_record(record, delimiter))
                    continue
                yield read_record(number, record, header, delimiter, is_closed=is_closed)
            window.end()
        except (Stopped, csv.Error) as why:
            raise Broken(max(number, 1), str(why)) from None

    return read


def check_header(cells: list[str]) -> list[str]:
    header = [cell.strip() for cell in cells]
    for name, count in Counter(header).items():
        if name and count > 1:
            raise Refused(f"Two columns are named “{name[:80]}”: keep one of them.")
    return header


def read_record(
    number: int, record: str, header: list[str], delimiter: str, *, is_closed: bool
) -> Row:
    try:
        cells = split_record(record, delimiter)
    except csv.Error as error:
        return Row(number, {}, f"it is not CSV ({error})")
    if len(cells) == len(header):
        return Row(number, {name: cells[at] for at, name in enumerate(header) if name})
    if not is_closed and len(cells) < len(header):
        raise Stopped("the file was cut off")
    return Row(number, {}, f"it has {len(cells)} cells where there are {len(header)} columns")


# --- Fields within fields -----------------------------------------------------------------------

EACH, LAST = "[]", "[-1]"
MOST_NAMES, MOST_ITEMS, DEEPEST, LONGEST_PATH, MOST_PATHS = 100, 3, 8, 200, 2000
ENDS = re.compile(r"[.\[]")


def find(value: Any, path: str) -> list[Any]:
    """Return all that stands at a path such as `choices[].message.content`."""
    if not path:
        return [value]
    if isinstance(value, list):
        if path.startswith(LAST):
            items, rest = find_last(value), behind(path, LAST)
        elif path.startswith(EACH):
            items, rest = [one for one in value if not name_others(one)], behind(path, EACH)
        else:
            return []
        return [found for item in items for found in find(item, rest)]
    if path.startswith((EACH, LAST)):
        return find(value, behind(path, LAST if path.startswith(LAST) else EACH))
    if not isinstance(value, dict):
        return []
    if path in value:
        return [value[path]]
    for end in ENDS.finditer(path):
        name = path[: end.start()]
        if name in value:
            found = find(value[name], behind(path, name))
            if found:
                return found
    return []


def behind(path: str, step: str) -> str:
    rest = path[len(step) :]
    return rest[1:] if rest.startswith(".") else rest


def list_paths(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for count, found in enumerate(list_inner(row, "", 0)):
        if count >= MOST_PATHS:
            return
        yield found


def list_inner(value: Any, path: str, depth: int) -> Iterator[tuple[str, Any]]:
    if depth > DEEPEST or len(path) > LONGEST_PATH:
        return
    if isinstance(value, dict):
        for name in list(value)[:MOST_NAMES]:
            yield from list_inner(value[name], f"{path}.{name}" if path else name, depth + 1)
    elif isinstance(value, list) and join_parts(path, value) is None:
        last = value[-1] if value else None
        if isinstance(last, dict) and (
            {"role", "content"} <= last.keys() or {"from", "value"} <= last.keys()
        ):
            for item in find_last(value):
                yield from list_inner(item, path + LAST, depth + 1)
        else:
            for item in value[:MOST_ITEMS]:
                yield from list_inner(item, path + EACH, depth + 1)
    elif path:
        yield path, value


SAID = (None, "text", "output_text")
SPEAKERS = (("role", "content"), ("role", "parts"), ("from", "value"))
SPEAKING_MODELS = frozenset(
    {"assistant", "model", "gpt", "chatgpt", "ai", "bot", "chatbot", "agent"}
)
SPEAKING_TOOLS = frozenset({"tool", "function", "ipython", "observation", "environment"})


def find_last(items: list[Any]) -> list[Any]:
    """Find the last item; of a chat the model's last, or none if a question follows it."""
    for item in reversed(items):
        others = name_others(item)
        if not others:
            return [item]
        if not others <= SPEAKING_TOOLS:
            break
    return []


def name_others(message: Any) -> set[str]:
    """Name those who wrote a message and are no model, as far as it says."""
    if not isinstance(message, dict):
        return set()
    speakers = [message.get(name) for name, said in SPEAKERS if said in message]
    return {one.lower() for one in speakers if one and isinstance(one, str)} - SPEAKING_MODELS


def join_parts(path: str, value: Any) -> "str | None":
    """Return the text that a message's parts make up, without what was thought; else nothing."""
    is_of_parts = isinstance(value, list) and path.rpartition(".")[2] in ("content", "parts")
    if not is_of_parts or not all(isinstance(part, dict) for part in value):
        return None
    said = [
        part.get("text") for part in value if not part.get("thought") and part.get("type") in SAID
    ]
    return "".join(text for text in said if isinstance(text, str))


# --- Which field holds what ---------------------------------------------------------------------

IDS = (
    *("problem_id", "question_id", "custom_id", KEY, "id", "task_id", "prompt_id", "item_id"),
    *("example_id", "instance_id", "qid", "pid", "uid", "unique_id", "problem", "key"),
    *("question_number", "doc_id", "sample_id", "index", "idx", "number"),
)
PLAIN = frozenset({KEY, "id", "uid", "problem", "key", "index", "idx", "number"})
OF_A_PROBLEM = frozenset(
    {"doc", "instance", "metadata", "problem", "question", "item", "input", "sample"}
)
RESPONSES = (
    *("model_answer", "model_solution", "model_response", "model_output", "llm_response"),
    *("response", "response_text", "completion", "generated_text", "generation", "output"),
    *("prediction", "raw_output", "raw_response", "full_response", "output_text", "reply"),
    *("responses", "completions", "generations", "outputs", "predictions", "samples"),
    *("choices[].message.content", "choices[].text", "candidates[].content.parts"),
    *("completions[].text", "generations[].text", "outputs[].text", "responses[].text"),
    *("completions[].content", "generations[].content", "responses[].content"),
    *("message.content", "output[-1].content", "output[].content", "completion[-1].content"),
    *("response[-1].content", "resps", "filtered_resps", "generated_answer"),
    *("predicted_answer", "model_prediction", "pred", "answer", "solution", VALUE),
    *("text", "messages[-1].content", "convo[-1].content", "conversation[-1].content"),
    "conversations[-1].value",
)
OF_A_KEY = frozenset({"answer", "solution"})
STATEMENTS = ("content", "prompt", "problem", "question", "statement")
NOT_ANSWERED = frozenset(
    {
        *("arguments", "attachments", "doc", "events", "gold", "ground_truth", "input", "inputs"),
        *("instance", "judge", "judgement", "judgment", "metrics", "problem", "prompt", "question"),
        *("reference", "references", "request", "scores", "target"),
    }
)
SAMPLES = (
    *("repeat_index", "sample_index", "sample_idx", "sample_number", "sample_no", "sample_num"),
    *("sample", "epoch", "repeat", "rollout", "rollout_id", "generation_index", "attempt", "trial"),
    *("sample_id", "run", "run_index", "train_trial_index", "k"),
)
MODELS = ("model", "model_name", "model_id", "modelVersion", "engine", "deployment", "solver")
MOST_FIELDS = 300
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
WHOLE = re.compile(r"-?[0-9]{1,15}(?:\.0{1,5})?")
MANY_SPACES = re.compile(r"\s+")


def take_id(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        return ""
    return UNSTORABLE.sub("\ufffd", str(value).strip())


def take_number(value: Any) -> "int | None":
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    written = str(value).strip()
    return int(float(written)) if WHOLE.fullmatch(written) else None


def take_name(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    normal = unicodedata.normalize("NFKC", value)
    seen = "".join(sign for sign in normal if unicodedata.category(sign) != "Cf")
    return UNSTORABLE.sub("\ufffd", MANY_SPACES.sub(" ", seen).strip())


def is_missing(value: Any) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and math.isnan(value))


class FieldMap(NamedTuple):
    id: str = ""
    response: str = ""
    otherwise: str = ""
    sample: str = ""
    samples_from: int = 0
    is_in_order: bool = False
    model: str = ""
    model_name: str = ""


Values = dict[str, list[Any]]


def guess(rows: Iterable[Row], known: frozenset[str], remarks: Mapping[str, str]) -> FieldMap:
    rows = list(rows)
    values: Values = {}
    empty: dict[str, None] = {}
    for row in rows:
        for path, value in list_paths(row.values):
            if is_missing(value):
                if len(empty) < MOST_FIELDS:
                    empty[path] = None
            elif path in values or len(values) < MOST_FIELDS:
                values.setdefault(path, []).append(value)
    response = choose_response([path for path in values if has_text(values, path)], values)
    # Where all calls failed, no row holds a response.
    response = response or choose_response([path for path in empty if path not in values], values)
    has_several = any(len(find(row.values, response)) > 1 for row in rows if response)
    sample = "" if has_several else choose(values, SAMPLES, take_number)
    first = min((take_number(value) or 0 for value in values.get(sample, ())), default=0)
    is_pair = response == "model_answer" and "model_solution" in values
    model = choose(values, MODELS, take_name)
    named = choose({path: [text] for path, text in remarks.items()}, MODELS, take_name)
    return FieldMap(
        id=guess_id(values, known),
        response=response,
        otherwise="model_solution" if is_pair else "",
        sample=sample,
        samples_from=int(first == 1 or (first > 1 and sample == "epoch")),
        model=model,
        model_name=take_name(remarks[named])[:LONGEST_NAME] if named and not model else "",
    )


def is_row(values: Any) -> bool:
    found = guess([Row(1, values)], frozenset(), {}) if isinstance(values, dict) else FieldMap()
    return bool(found.id and found.response)


def matches(path: str, name: str) -> bool:
    before = path[: -len(name)] if path.endswith(name) else path
    return path == name or (before.endswith(".") and "[" not in before and path.endswith(name))


def choose(values: Values, names: Iterable[str], take: Callable[[Any], object]) -> str:
    found = [
        (path.count("."), rank, order, path)
        for rank, name in enumerate(names)
        for order, path in enumerate(values)
        if matches(path, name) and not any(take(value) in (None, "") for value in values[path])
    ]
    return min(found, default=(0, 0, 0, ""))[-1]


def strip_each(path: str) -> str:
    for _turn in range(2):
        path = path[: -len(EACH)] if path.endswith(EACH) else path
    return path


def choose_response(listed: Iterable[str], values: Values) -> str:
    states_problem = any(has_text(values, path) for path in STATEMENTS)
    bare = {path: strip_each(path) for path in listed}
    found = [
        (rank, path.count("."), order, path)
        for rank, name in enumerate(RESPONSES)
        for order, path in enumerate(bare)
        if matches(bare[path], name)
        and not NOT_ANSWERED & set(bare[path][: -len(name)].split("."))
        and not (name in OF_A_KEY and states_problem)
    ]
    return min(found, default=(0, 0, 0, ""))[-1]


def has_text(values: Values, path: str) -> bool:
    return any(
        isinstance(value, str) or join_parts(path, value) is not None
        for value in values.get(path, ())
    )


def guess_id(values: Values, known: frozenset[str]) -> str:
    def measure(path: str) -> float:
        return sum(take_id(value) in known for value in values[path]) / len(values[path])

    named = [
        (rank, path.count("."), order, path)
        for rank, name in enumerate(IDS)
        for order, path in enumerate(values)
        if names_problem(path, name) and all(take_id(value) for value in values[path])
    ]
    best = max((path for *_rank, path in sorted(named)), key=measure, default="")
    if not known or (best and measure(best)):
        return best
    others = [
        path
        for path in values
        if "[" not in path
        and all(isinstance(value, str) for value in values[path])
        and measure(path) >= 0.5
    ]
    return max(others, key=measure, default=best)


def names_problem(path: str, name: str) -> bool:
    before, _dot, last = path.rpartition(".")
    if path == name:
        return True
    is_named = last == name and "[" not in path
    return is_named and (name not in PLAIN or before.rpartition(".")[2] in OF_A_PROBLEM)


# --- Answers ------------------------------------------------------------------------------------

BOX = re.compile(r"\\f?boxed\b")


class Answer(NamedTuple):
    model: str
    id: str
    sample: int
    is_boxed: bool


class LeftOut(NamedTuple):
    model: str
    reason: str
    row: int
    message: str
    id: str = ""


class Reader:
    """The answers in some rows, in their order."""

    def __init__(self, field_map: FieldMap) -> None:
        self.map = field_map
        self.rows = 0
        self.seen: set[tuple[str, str, int]] = set()
        self.given: Counter[tuple[str, str]] = Counter()

    def read(self, row: Row) -> Iterator[Any]:
        self.rows += 1
        model = self.take_model(row.values)
        identifier = take_id(self.find(row, self.map.id))
        responses = self.list_responses(row)
        fault = find_fault(row, model, identifier, responses)
        if fault:
            yield LeftOut(model, fault[0], row.number, fault[1], identifier)
            return
        for position, response in enumerate(responses):
            yield self.take(row, model, identifier, response, position, len(responses))

    def take(
        self, row: Row, model: str, identifier: str, response: Any, position: int, count: int
    ) -> Any:
        def leave_out(reason: str, message: str) -> LeftOut:
            return LeftOut(model, reason, row.number, message, identifier)

        if is_missing(response):
            return leave_out(EMPTY, "no answer: counted as missing")
        if not isinstance(response, str):
            return leave_out("NO_TEXT", "its answer is not text")
        if len(response) > LONGEST_RESPONSE:
            return leave_out("TOO_LONG", "its answer is over a million characters")
        sample = self.number(row, model, identifier, position, count)
        if sample is None:
            return leave_out("BAD_SAMPLE", "its sample number is none")
        key = (model, identifier, sample)
        if key in self.seen:
            return leave_out(TWICE, "the same sample again")
        self.seen.add(key)
        return Answer(model, identifier, sample, bool(BOX.search(response)))

    def number(
        self, row: Row, model: str, identifier: str, position: int, count: int
    ) -> "int | None":
        given = self.find(row, self.map.sample)
        if is_missing(given):
            if self.map.sample or not self.map.is_in_order:
                return position + 1
            self.given[model, identifier] += 1
            return self.given[model, identifier]
        number, first = take_number(given), self.map.samples_from
        if count > 1 or number is None or not 0 <= number - first < MOST_SAMPLES:
            return None
        return number - first + 1

    def take_model(self, values: Mapping[str, Any]) -> str:
        found = find(values, self.map.model) if self.map.model else []
        return take_name(found[0] if found else None) or take_name(self.map.model_name)

    def find(self, row: Row, path: str) -> Any:
        found = find(row.values, path) if path else []
        return found[0] if found else None

    def list_responses(self, row: Row) -> list[Any]:
        empty: list[Any] = []
        for path in (self.map.response, self.map.otherwise):
            found: list[Any] = []
            for value in find(row.values, path) if path else ():
                text = join_parts(path, value)
                if text is None and isinstance(value, list):
                    found += value
                else:
                    found.append(value if text is None else text)
            if not all(map(is_missing, found)):
                return found
            empty = empty or found
        return empty or [None]


LONGEST_ERROR = 200
ERRORS = (
    *("error", "exception", "output.error", "response.error", "response.body.error"),
    *("result.error", "result.message.error"),
)
FAILURES: tuple[tuple[str, frozenset[Any]], ...] = (
    ("result.type", frozenset({"errored", "canceled", "expired"})),
    ("result.success", frozenset({False})),
)
OF_RESPONSES_API = ("", "response", "response.body", "body", "result")
NO_ERROR = frozenset({"", "none", "null", "nan", "false", "no", "n/a"})
NUMBER = re.compile(r"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?", re.IGNORECASE)


def find_failure(values: Mapping[str, Any]) -> str:
    """Say why asking failed, as the row says it; "" where it says nothing of that kind."""
    for path in ERRORS:
        for error in find(values, path):
            said = read_error(error)
            if said:
                return said
    for path, words in FAILURES:
        for word in find(values, path):
            if isinstance(word, (str, bool)) and word in words:
                return path if isinstance(word, bool) else word
    for status in find(values, "response.status_code"):
        if (take_number(status) or 0) >= 400:
            return str(take_number(status))
    found = (one for path in OF_RESPONSES_API for one in find(values, path))
    return next(filter(None, map(read_status, found)), "")


def read_status(response: Any) -> str:
    """Say why a response of the Responses API has no answer, where its status alone says so."""
    if not isinstance(response, dict):
        return ""
    output, status = response.get("output"), response.get("status")
    is_of_items = isinstance(output, list) and all(isinstance(item, dict) for item in output)
    if not is_of_items and response.get("object") != "response":
        return ""
    if status in ("failed", "cancelled") or (status == "incomplete" and not output):
        details = response.get("incomplete_details")
        reason = details.get("reason") if isinstance(details, dict) else None
        return take_name(reason)[:LONGEST_ERROR] or str(status)
    return ""


def read_error(error: Any) -> str:
    if isinstance(error, dict):
        inner = (error.get(name) for name in ("message", "error", "code", "type"))
        said = next(filter(None, map(read_error, inner)), "")
        return said or ("error" if error else "")
    text = take_name(error)[:LONGEST_ERROR]
    return "" if text.lower() in NO_ERROR or NUMBER.fullmatch(text) else text


def find_fault(
    row: Row, model: str, identifier: str, responses: list[Any]
) -> "tuple[str, str] | None":
    if row.fault:
        return "NO_ROW", row.fault
    if not identifier:
        return "NO_ID", "it has no id"
    if len(identifier) > LONGEST_ID:
        return "NO_ID", "its id is too long"
    failure = find_failure(row.values)
    if failure:
        return FAILED, f"not answered, because it failed: {failure}"
    if not model and all(map(is_missing, responses)):
        return EMPTY, "no answer: counted as missing"
    if not 0 < len(model) <= LONGEST_NAME:
        return "NO_MODEL", "it has no model name"
    if len(responses) > MOST_SAMPLES:
        return "BAD_SAMPLE", "it has too many responses"
    return None


EVALUATED = "eval.model"
"""Where the log of one evaluation names the model that it was to ask."""
ANSWERLESS = frozenset({FAILED, EMPTY})


class Checked(NamedTuple):
    """One file, as far as it was read."""

    name: str
    format: str
    rows: int
    field_map: FieldMap
    answers: list[Answer]
    left_out: list[LeftOut]
    broken: str


def check_file(
    path: Path,
    known: frozenset[str],
    *,
    model_name: str = "",
    fields: "dict[str, Any] | None" = None,
) -> Checked:
    """Read a file as the server does."""
    loaded = load(path)
    layout = find_layout(loaded, path.name)
    head: list[Row] = []
    try:
        for row in layout.read(Window(loaded)):
            head.append(row)
            if len(head) >= FIRST_ROWS:
                break
    except Broken as why:
        if not head:
            raise Refused(f"{path}: {why}") from None
    if not head:
        raise Refused(f"{path} holds no answers.")
    field_map = FieldMap(**fields) if fields else guess(head, known, layout.remarks)
    if model_name:
        field_map = field_map._replace(model_name=model_name)
    lacking = [
        what
        for what, is_there in (
            ("the problem’s id", field_map.id),
            ("the response", field_map.response),
            ("the model: name it with --model", field_map.model or field_map.model_name),
        )
        if not is_there
    ]
    if lacking:
        raise Refused(f"{path}: no field is known to hold {'; '.join(lacking)}.")
    reader, broken = Reader(field_map), ""
    answers: list[Answer] = []
    left_out: list[LeftOut] = []
    try:
        for row in layout.read(Window(loaded)):
            for one in reader.read(row):
                (answers if isinstance(one, Answer) else left_out).append(one)
    except Broken as why:
        broken = str(why)
    left_out = assign_failed_calls(layout.remarks, answers, left_out)
    return Checked(path.name, layout.format, reader.rows, field_map, answers, left_out, broken)


def assign_failed_calls(
    remarks: Mapping[str, str], answers: list[Answer], left_out: list[LeftOut]
) -> list[LeftOut]:
    """Give failed calls to the model that a log of one evaluation asked, if it alone answers."""
    asked = take_name(remarks.get(EVALUATED))
    models = {one.model for one in answers}
    reasons = {one.reason for one in left_out if one.model == asked}
    if not asked or asked in models or len(models) != 1 or not reasons <= ANSWERLESS:
        return left_out
    [model] = models
    return [one._replace(model=model) if one.model == asked else one for one in left_out]


LEFT_OUT = ("twice", "empty", "failed", "unusable")
"""What rows that are no answers are counted as."""


class Problems(NamedTuple):
    public: frozenset[str]
    hidden: frozenset[str]


def preview(files: list[Checked], problems: "Problems | None") -> dict[str, Any]:
    """Count what the files hold, under the names that the server’s preview uses."""
    models: dict[str, dict[str, Any]] = {}
    given: dict[str, Counter[str]] = defaultdict(Counter)
    seen: set[tuple[str, str, int]] = set()
    for file in files:
        for one in file.answers:
            of = models.setdefault(one.model, {"answers": 0, **dict.fromkeys(LEFT_OUT, 0)})
            key = (one.model, one.id, one.sample)
            if key in seen:
                of["twice"] += 1
                continue
            seen.add(key)
            of["answers"] += 1
            given[one.model][one.id] += 1
            is_known = problems is None or one.id in problems.public | problems.hidden
            of["unboxed"] = of.get("unboxed", 0) + (is_known and not one.is_boxed)
    others: dict[str, Counter[str]] = defaultdict(Counter)
    only = next(iter(models)) if len(models) == 1 else ""
    failed: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for left in file.left_out:
            # A call that failed often names no model: it is the only one's.
            model = only if left.reason in ANSWERLESS and not left.model else left.model
            if model not in models:
                others[model][left.reason] += 1
                continue
            name = {EMPTY: "empty", FAILED: "failed", TWICE: "twice"}.get(left.reason, "unusable")
            models[model][name] += 1
            if left.reason == FAILED:
                failed[model].add(left.id)
    failed_only = {
        name: of[FAILED] for name, of in sorted(others.items()) if name and set(of) == {FAILED}
    }
    for model, of in models.items():
        of["failed_ids"] = sorted(failed[model] - given[model].keys())
        if problems is not None:
            add_known(of, given[model], problems)
    return {
        "files": [
            {"name": one.name, "format": one.format, "rows": one.rows, "broken": one.broken}
            for one in files
        ],
        "unnamed": sum(sum(of.values()) for name, of in others.items() if name not in failed_only),
        "failed_only": failed_only,
        "models": [{"model": model, **models[model]} for model in sorted(models)],
    }


def add_known(of: dict[str, Any], given: Counter[str], problems: Problems) -> None:
    """Add what it takes the problems to know."""
    every = problems.public | problems.hidden
    answered = problems.public & given.keys()
    most = max((given[one] for one in answered), default=0)
    of["matched"] = sum(count for one, count in given.items() if one in every)
    of["unknown"] = of["answers"] - of["matched"]
    of["unknown_ids"] = sorted(one for one in given if one not in every)
    of["expected"], of["answered"] = len(problems.public), len(answered)
    of["missing"] = len(problems.public) - len(answered)
    of["missing_ids"] = sorted(problems.public - answered)
    of["lacking"] = sum(given[one] < most for one in answered)
    of["hidden_expected"] = len(problems.hidden)
    of["hidden_answered"] = len(problems.hidden & given.keys())


def read_problems(path: str) -> Problems:
    try:
        rows = json.loads(Path(path).read_text(encoding="utf-8"))
        parts = {str(row["id"]): row.get("part", "public") for row in rows}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as why:
        raise Refused(f"{path} is no list of problems ({why}): see “problems”.") from None
    hidden = frozenset(one for one, part in parts.items() if part == "hidden")
    return Problems(frozenset(parts) - hidden, hidden)


# --- The server ---------------------------------------------------------------------------------

AWAY = {502, 503}
"""The server, or its database, is being started: it is waited for."""
AWAY_SECONDS = 600.0
RETRIED = {429, 500, 504} | AWAY
TRIES = 6
LONGEST_WAIT = 120.0
"""Seconds between two tries, whatever the server asks for."""
TIMEOUT_SECONDS = 120
POLL_SECONDS = 2.0


class Problem(Refused):
    """What the server refused, and why."""

    def __init__(self, status: int, said: Mapping[str, Any]) -> None:
        self.status = status
        self.said = said
        self.kind = str(said.get("type", "")).rpartition("#")[2]
        super().__init__(str(said.get("detail") or said.get("title") or f"Status {status}."))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follow nothing: the token would go where another server says."""

    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


class Server:
    def __init__(self, url: str, token: str) -> None:
        self.url = check_url(url)
        self.token = token
        self.opener = urllib.request.build_opener(NoRedirect)

    def get(self, path: str, **query: Any) -> Any:
        asked = urllib.parse.urlencode({k: v for k, v in query.items() if v not in (None, "")})
        return self.ask("GET", f"{path}?{asked}" if asked else path)

    def post(self, path: str, sent: Any, key: str) -> Any:
        return self.ask("POST", path, json.dumps(sent).encode(), key=key)

    def put(self, path: str, sent: Any) -> Any:
        return self.ask("PUT", path, json.dumps(sent).encode())

    def delete(self, path: str) -> Any:
        return self.ask("DELETE", path)

    def send_file(self, path: str, file: Path, key: str, fields: Mapping[str, Any]) -> Any:
        headers = {"Content-Type": "application/octet-stream"}
        if fields:
            headers["X-Field-Map"] = json.dumps(fields)
        return self.ask("POST", path, file, key=key, headers=headers)

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        key: str = "",
        headers: "dict[str, str] | None" = None,
    ) -> Any:
        """Send a request until it is answered; what is sent twice is done once, by its key."""
        turn, waited = 0, 0.0
        while True:
            try:
                return self.ask_once(method, path, body, key, headers or {})
            except Problem as why:
                if why.status not in RETRIED and why.kind != "in-progress":
                    raise
                is_over = waited >= AWAY_SECONDS if why.status in AWAY else turn >= TRIES - 1
                refused, pause = Refused(str(why)), why.said.get("retry_after")
                if is_over:
                    raise
            except (OSError, EOFError) as error:
                reason = getattr(error, "reason", error)
                refused, pause = Refused(f"{self.url} can’t be reached: {reason}."), None
                if turn >= TRIES - 1:
                    raise refused from None
            wait = min(2.0**turn * 0.5, 30.0) if pause is None else min(float(pause), LONGEST_WAIT)
            say(f"{refused} Trying again in {wait:.0f} s.")
            time.sleep(wait)
            turn, waited = turn + 1, waited + wait

    def ask_once(
        self, method: str, path: str, body: Any, key: str, headers: Mapping[str, str]
    ) -> Any:
        sent = {
            "Accept": "application/json",
            "Authorization": f"Bearer {self.token}",
            "User-Agent": "phybench-client",
            "Content-Type": "application/json",
            **headers,
        }
        if key:
            sent["Idempotency-Key"] = key
        opened: Any = None
        try:
            if isinstance(body, Path):
                opened = Progress(body)
                sent["Content-Length"] = str(opened.size)
                body = opened
            request = urllib.request.Request(
                f"{self.url}/api/v1{path}", data=body, headers=sent, method=method
            )
            with self.opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                content = response.read()
                return json.loads(content) if content else None
        except urllib.error.HTTPError as error:
            raise read_problem(error) from None
        except json.JSONDecodeError:
            raise Refused(f"{self.url} is no server of PHYBench curation.") from None
        finally:
            if opened is not None:
                opened.close()


def read_problem(error: urllib.error.HTTPError) -> Problem:
    try:
        said = json.loads(error.read())
    except (ValueError, OSError):
        said = {}
    if not isinstance(said, dict):
        said = {}
    written = error.headers.get("Retry-After") or ""
    if written.isdigit():
        said["retry_after"] = int(written)
    return Problem(error.code, said)


class Progress(io.RawIOBase):
    """A file that says how much of it was sent, where somebody looks."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.file = path.open("rb")
        self.size = os.fstat(self.file.fileno()).st_size
        self.sent = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self.file.read(size if size and size > 0 else 64 * 1024)
        self.sent += len(piece)
        if sys.stderr.isatty() and self.size:
            end = "\n" if self.sent == self.size else ""
            line = f"\r{self.path.name}: {100 * self.sent // self.size} %"
            print(line, end=end, file=sys.stderr, flush=True)
        return piece

    def close(self) -> None:
        self.file.close()
        super().close()


LOOPBACK = {"localhost", "127.0.0.1", "::1"}


def check_url(url: str) -> str:
    """Return an address without its end; refuse one over which the token could be read."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise Refused(
            "Name the server with --url or PHYBENCH_URL, such as https://phybench.example"
        )
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise Refused(f"Use https: over {url} others could read the token.")
    return url.rstrip("/")


# --- The token ----------------------------------------------------------------------------------


def find_config() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "phybench" / "token.json"


def read_config() -> dict[str, str]:
    path = find_config()
    try:
        found = path.stat()
    except OSError:
        return {}
    if os.name == "posix" and stat.S_IMODE(found.st_mode) & 0o077:
        raise Refused(f"Others can read {path}. Revoke that token, and log in again.")
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {"url": str(kept["url"]), "token": str(kept["token"])}
    except (OSError, ValueError, KeyError, TypeError):
        raise Refused(f"{path} can’t be read: log in again.") from None


def write_config(url: str, token: str) -> Path:
    path = find_config()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A file that is there keeps its rights: it is made anew.
    path.unlink(missing_ok=True)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "w", encoding="utf-8") as file:
        json.dump({"url": url, "token": token}, file)
    return path


def connect(given: argparse.Namespace) -> Server:
    token = os.environ.get("PHYBENCH_TOKEN", "")
    url = given.url or os.environ.get("PHYBENCH_URL", "")
    if token:
        return Server(url, token)
    kept = read_config()
    if not kept:
        raise Refused("Log in first: phybench.py login; or set PHYBENCH_TOKEN.")
    if url and check_url(url) != kept["url"]:
        raise Refused(f"The token that is kept is for {kept['url']}: log in to {url}.")
    return Server(kept["url"], kept["token"])


# --- Commands -----------------------------------------------------------------------------------


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def show(given: argparse.Namespace, data: Any, lines: Iterable[str]) -> None:
    if given.json:
        print(json.dumps(data, ensure_ascii=False, indent=1))
        return
    for line in lines:
        print(line)


def login(given: argparse.Namespace) -> int:
    url = check_url(given.url or os.environ.get("PHYBENCH_URL", ""))
    say(f"Make a token at {url}/me/tokens/new/")
    if sys.stdin.isatty():
        token = getpass.getpass("Token: ").strip()
    else:
        token = sys.stdin.readline().strip()
    organisations = Server(url, token).get("/organisations")
    path = write_config(url, token)
    names = ", ".join(one["name"] for one in organisations) or "no organisation"
    show(
        given,
        {"url": url, "organisations": organisations, "file": str(path)},
        [f"Logged in, for {names}. The token is kept in {path}."],
    )
    return GRADED


def check(given: argparse.Namespace) -> int:
    problems = read_problems(given.problems) if given.problems else None
    known = problems.public | problems.hidden if problems else frozenset()
    fields = given.fields or None
    files = [
        check_file(Path(one), known, model_name=given.model, fields=fields) for one in given.files
    ]
    counted = preview(files, problems)
    show(given, counted, describe_preview(counted))
    is_broken = any(one.broken for one in files)
    matches_none = problems and any(not one["answered"] for one in counted["models"])
    return REFUSED if is_broken or matches_none or not counted["models"] else GRADED


def plural(number: int) -> str:
    return "" if number == 1 else "s"


def describe_preview(counted: Mapping[str, Any]) -> Iterator[str]:
    for file in counted.get("files", ()):
        rows = f"{file['rows']} row{plural(file['rows'])}"
        yield f"{file['name']}: {rows} ({file['format']}). {file['broken']}".rstrip()
    for one in counted["models"]:
        number = one.get("answers", one.get("matched", 0) + one.get("unknown", 0))
        yield f"{one['model']}: {number} answer{plural(number)}"
        if "expected" in one:
            yield f"  {one['answered']} of {one['expected']} problems answered"
        for name, text in (
            ("missing", "problem{s} without an answer"),
            ("lacking", "problem{s} with fewer answers than others"),
            ("unknown", "answer{s} to unknown ids"),
            ("twice", "given twice"),
            ("empty", "empty"),
            ("failed", "not answered, because asking failed"),
            ("unusable", "not usable"),
            ("unboxed", "without a box"),
        ):
            if one.get(name):
                ids = ", ".join(one.get("failed_ids", ())) if name == "failed" else ""
                yield f"  {one[name]} {text.format(s=plural(one[name]))}{ids and ': '}{ids}"
    for name, number in counted.get("failed_only", {}).items():
        yield f"{name}: only failed calls ({number}), no score"
    if counted["unnamed"]:
        rows = "1 row names" if counted["unnamed"] == 1 else f"{counted['unnamed']} rows name"
        yield f"{rows} no model that answers anything."


def describe_newer(draft: Mapping[str, Any]) -> Iterator[str]:
    """Say that a draft is to an older version, and what the newest has otherwise."""
    newer = draft.get("newer")
    if not newer:
        return
    yield (
        f"Made for version {draft['version']}, and graded on it: version {newer['version']} has"
        f" been published since. {newer['same']} of {newer['texts']} texts are the same."
    )
    for name, text in (("changed", "Other text"), ("gone", "Not there"), ("added", "New")):
        if newer[name]:
            yield f"  {text}: {', '.join(newer[name])}"


def find_benchmark(server: Server, given: argparse.Namespace) -> tuple[str, int]:
    """Return the benchmark that was named, or the only one, with its newest version."""
    found = [one for one in server.get("/benchmarks") if one["current_version"]]
    if given.benchmark:
        by_slug = [one for one in found if one["slug"] == given.benchmark]
        chosen = by_slug or [one for one in found if one.get("name") == given.benchmark]
    else:
        chosen = found
    slugs = ", ".join(one["slug"] for one in found)
    if not found:
        raise Refused("No benchmark has a published version yet.")
    if not chosen:
        raise Refused(f"There is no benchmark “{clean(given.benchmark)}”. There are: {slugs}.")
    if len(chosen) != 1:
        raise Refused(f"Name the benchmark with --benchmark: {slugs}.")
    return chosen[0]["slug"], chosen[0]["current_version"]


def problems(given: argparse.Namespace) -> int:
    server = connect(given)
    slug, number = find_benchmark(server, given)
    rows = server.get(f"/benchmarks/{slug}/versions/{given.version or number}/problems")
    print(json.dumps(rows, ensure_ascii=False, indent=1))
    return GRADED


def read_map(written: str) -> dict[str, Any]:
    """Read which field holds what, as it is given on the command line."""
    try:
        fields = json.loads(written)
        FieldMap(**fields)
    except (ValueError, TypeError):
        example = 'write JSON such as {"id": "nr", "response": "said"}'
        raise argparse.ArgumentTypeError(example) from None
    return dict(fields)


def hash_file(path: Path) -> str:
    hashed = hashlib.sha256()
    try:
        if path.stat().st_size > LARGEST_SENT:
            raise Refused(f"{path} is larger than 200 MB. Compress it with gzip, or split it.")
        with path.open("rb") as file:
            for piece in iter(lambda: file.read(1024 * 1024), b""):
                hashed.update(piece)
    except OSError as why:
        raise Refused(f"{path}: {why.strerror}.") from None
    return hashed.hexdigest()


def is_unmapped(draft: Mapping[str, Any]) -> Iterator[bool]:
    return (one["state"] == "choose_fields" for one in draft["parts"])


def make_key(*parts: Any) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def submit(given: argparse.Namespace) -> int:
    """Send the files and have them graded; sent again, it goes on where it was."""
    server = connect(given)
    slug, _number = find_benchmark(server, given)
    hashes = {hash_file(Path(one)): Path(one) for one in given.files}
    begun = {"benchmark": slug, "organisation": given.organisation}
    draft = find_draft(server, begun, make_key(begun, sorted(hashes), given.model), given)
    path = f"/drafts/{draft['id']}"
    if draft["state"] == "open":
        send_parts(server, draft, hashes, given)
        draft = wait_until_read(server, path)
        if not given.json:
            for line in [*describe_newer(draft), *describe_preview(draft["preview"])]:
                say(line)
        if draft["obstacle"]:
            # Nothing can be done with it here, and an organisation has room for ten.
            server.delete(path)
            hint = " Name them with --fields." if any(is_unmapped(draft)) else ""
            raise Refused(f"{draft['obstacle']}{hint} Nothing was kept.")
        if draft["graded_before"] and not given.again:
            raise Refused(
                f"The same files were graded before, as submission {draft['graded_before']}."
                " To have them graded once more: --again."
            )
        sent = {
            "version": draft["preview"]["version"],
            "is_named": given.named,
            "again": given.again,
            "mail": given.mail,
            "webhook": given.webhook,
        }
        server.post(f"{path}/grade", sent, make_key(path, sent, (draft["job"] or {}).get("id")))
        draft = {"state": "queuing"}
    else:
        say("These files were submitted before: this is what came of them.")
    if draft["state"] == "queuing":
        draft = wait_until_queued(server, path)
    return follow(server, given, draft["submissions"])


def find_draft(
    server: Server, begun: Mapping[str, Any], key: str, given: argparse.Namespace
) -> Any:
    """
    Return the draft of these files: the one that was begun before, where it is still there.

    A key is the files’, so the same command finds the same draft; after a draft that was discarded,
    or was graded and is meant to be graded again, the next key follows from that one.
    """
    while True:
        draft = server.post("/drafts", begun, key)
        try:
            found = server.get(f"/drafts/{draft['id']}")
        except Problem as why:
            if why.status != 404:
                raise
        else:
            if found["state"] != "graded" or not given.again:
                return found
        key = make_key(key, draft["id"])


def send_parts(
    server: Server, draft: Mapping[str, Any], hashes: Mapping[str, Path], given: argparse.Namespace
) -> None:
    path = f"/drafts/{draft['id']}/parts"
    there = {one["sha256"]: one for one in draft["parts"]}
    for sha256, file in hashes.items():
        part = there.get(sha256)
        if part is None:
            name = urllib.parse.quote(file.name[:200])
            key = make_key(path, sha256, given.fields)
            part = server.send_file(f"{path}?name={name}", file, key, given.fields)
        elif given.fields:
            part = server.put(f"{path}/{part['id']}", {**part["field_map"], **given.fields})
        if given.model and part["field_map"].get("model_name") != given.model:
            fields = {**part["field_map"], "model_name": given.model}
            server.put(f"{path}/{part['id']}", fields)


def wait_until_read(server: Server, path: str) -> Any:
    while True:
        draft = server.get(path)
        if not draft["is_reading"]:
            return draft
        time.sleep(POLL_SECONDS)


def wait_until_queued(server: Server, path: str) -> Any:
    """Wait until the answers of a draft are queued: the server does it after it has answered."""
    while True:
        draft = server.get(path)
        job = draft["job"] or {}
        if draft["state"] == "graded":
            return draft
        if draft["state"] == "open":
            raise Refused(job.get("detail") or "Nothing was queued. Run the same command again.")
        if sys.stderr.isatty() and job.get("of"):
            print(f"\r{job['done']} of {job['of']} queued", end="", file=sys.stderr, flush=True)
        time.sleep(POLL_SECONDS)


def follow(server: Server, given: argparse.Namespace, pks: Iterable[int]) -> int:
    """Show submissions, and where it is asked for, wait until they are graded."""
    shown = [server.get(f"/submissions/{pk}") for pk in pks]
    while given.wait and any(one["progress"]["waiting"] for one in shown):
        if sys.stderr.isatty():
            done = sum(one["progress"]["done"] for one in shown)
            total = sum(one["progress"]["total"] for one in shown)
            print(f"\r{done} of {total} graded", end="", file=sys.stderr, flush=True)
        time.sleep(POLL_SECONDS)
        shown = [server.get(f"/submissions/{one['id']}") for one in shown]
    show(given, shown, (line for one in shown for line in describe_submission(one)))
    return NOT_ALL if any(one["progress"]["state"] in NOT_WHOLE for one in shown) else GRADED


def describe_submission(one: Mapping[str, Any]) -> Iterator[str]:
    progress = one["progress"]
    yield (
        f"{one['model']}, submission {one['number']} (id {one['id']}): {progress['state']},"
        f" {progress['done']} of {progress['total']}"
    )
    counts = ", ".join(f"{count} {name.lower()}" for name, count in progress["counts"].items())
    yield f"  {counts}; {progress['missing']} missing"
    for name in ("accuracy", "eed"):
        figure, span = progress[name], progress[f"{name}_range"]
        if span:
            yield f"  {name} {span['low']:.1f} to {span['high']:.1f}: not all is graded"
        elif figure and figure["value"] is not None:
            yield f"  {name} {figure['value']:.1f}"
        else:
            yield f"  {name} –: nothing is graded"


def draft(given: argparse.Namespace) -> int:
    """Tell how far a draft is, and what it would come to."""
    found = connect(given).get(f"/drafts/{given.id}")
    lines = describe_preview(found["preview"]) if found["preview"] else ()
    obstacle = [found["obstacle"]] if found["obstacle"] else []
    show(given, found, [*describe_newer(found), *lines, *obstacle])
    return GRADED


def drafts(given: argparse.Namespace) -> int:
    """List the drafts of all your organisations that are not graded, newest first."""
    found = connect(given).get("/drafts")
    lines = [
        f"{one['id']}: {one['benchmark']}, version {one['version']}, begun {one['made_at'][:16]}"
        for one in found
    ]
    show(given, found, lines or ["There is no draft."])
    return GRADED


def discard(given: argparse.Namespace) -> int:
    """Delete drafts, once somebody says yes: what was uploaded for them is gone then."""
    server = connect(given)
    open_ones = {one["id"] for one in server.get("/drafts")}
    unknown = [str(pk) for pk in given.ids if pk not in open_ones]
    if unknown:
        raise Refused(
            f"There is no draft {', '.join(unknown)} that is not graded. Nothing was discarded;"
            " “drafts” lists those that are there."
        )
    ids = sorted(set(given.ids))
    named = ", ".join(map(str, ids))
    if not given.yes:
        if not sys.stdin.isatty():
            raise Refused(f"Nothing was discarded. To discard {named} without a question: --yes.")
        say(f"Discard {named} with all files? This can’t be undone. Type yes:")
        if sys.stdin.readline().strip().lower() != "yes":
            raise Refused("Nothing was discarded.")
    for pk in ids:
        server.delete(f"/drafts/{pk}")
    show(given, {"discarded": ids}, [f"Discarded: {named}."])
    return GRADED


def find_submissions(server: Server, given: argparse.Namespace) -> list[int]:
    if given.ids:
        return list(given.ids)
    newest = server.get("/submissions", limit=1)["items"]
    if not newest:
        raise Refused("Nothing was submitted yet.")
    return [newest[0]["id"]]


def status(given: argparse.Namespace) -> int:
    server = connect(given)
    return follow(server, given, find_submissions(server, given))


CSV_HEADER = ("id", "model", "sample", "status", "verdict", "accuracy", "eed", "reason")
STARTS_A_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def defuse(value: Any) -> Any:
    is_formula = isinstance(value, str) and STARTS_A_FORMULA.match(value)
    return f"'{value}" if is_formula else "" if value is None else value


def results(given: argparse.Namespace) -> int:
    server = connect(given)
    rows: list[dict[str, Any]] = []
    is_complete = True
    for pk in find_submissions(server, given):
        found = server.get(f"/submissions/{pk}")
        is_complete &= found["progress"]["state"] not in NOT_WHOLE
        cursor: str | None = ""
        while cursor is not None:
            page = server.get(f"/submissions/{pk}/results", cursor=cursor, limit=1000)
            rows += [{**one, "submission": pk, "model": found["model"]} for one in page["items"]]
            cursor = page["next"]
    if given.csv:
        writer = csv.writer(sys.stdout)
        writer.writerow([*CSV_HEADER, "key_corrected_since"])
        for one in rows:
            cells = [one["problem"], one["model"], one["sample"], one["status"], one["verdict"]]
            cells += [one["accuracy"], one["eed"], one["reason"]]
            cells.append("yes" if one["is_key_corrected"] else "no")
            writer.writerow([defuse(cell) for cell in cells])
    else:
        show(
            given,
            rows,
            (
                f"{one['problem']}\t{one['sample'] or ''}\t{one['verdict'] or one['status']}"
                f"\t{'' if one['eed'] is None else one['eed']}"
                for one in rows
            ),
        )
    return GRADED if is_complete else NOT_ALL


def leaderboard(given: argparse.Namespace) -> int:
    server = connect(given)
    slug, number = find_benchmark(server, given)
    board = server.get(
        f"/benchmarks/{slug}/versions/{given.version or number}/board", sort=given.sort
    )

    show(given, board, describe_board(board))
    return GRADED


BOARD_HEADINGS = ("Rank", "Solver", "Accuracy", "95 %", "EED", "95 %")


def describe_board(board: Mapping[str, Any]) -> Iterator[str]:
    """Write a board as a table; a figure that is not there is a dash."""
    yield f"{board.get('benchmark', '–')}, version {board.get('version', '–')}"
    groups = [*(board.get("studies") or ()), *filter(None, [board.get("people")])]
    cells = [list_cells(one, name_row(one)) for one in board.get("rows") or ()]
    cells += [list_cells(one, name_group(one)) for one in groups]
    if not cells:
        yield "This board has no answers yet."
        return
    table = [BOARD_HEADINGS, *cells]
    widths = [max(map(measure, column)) for column in zip(*table)]
    for written in table:
        padded = (cell + " " * (width - measure(cell)) for cell, width in zip(written, widths))
        yield "  ".join(padded).rstrip()


def list_cells(row: Mapping[str, Any], name: str) -> tuple[str, ...]:
    figures = (cell for name in ("accuracy", "eed") for cell in write_figure(row, name))
    return (write_range(row.get("rank_low"), row.get("rank_high"), ""), clean(name), *figures)


def name_row(row: Mapping[str, Any]) -> str:
    """Name a model, and say why its figures are ranges, if they are."""
    return f"{row.get('name') or '–'}{say_open(row)}"


def say_open(row: Mapping[str, Any]) -> str:
    counts = (row.get("waiting"), "still being graded"), (row.get("not_graded"), "not graded")
    said = ", ".join(f"{count} {words}" for count, words in counts if count)
    return f" ({said})" if said else ""


def name_group(people: Mapping[str, Any]) -> str:
    named = people.get("name") or people.get("study") or "People without a study"
    count = people.get("people")
    name = str(named) if count is None else f"{named} ({count} people)"
    return f"{name}{say_open(people)}"


def write_figure(row: Mapping[str, Any], name: str) -> tuple[str, str]:
    """Write a figure and its interval; where not all is graded, between what it can lie."""
    figure, span = row.get(name) or {}, row.get(f"{name}_range") or {}
    value = figure.get("value")
    if value is None or span:
        return write_range(span.get("low"), span.get("high"), ".1f"), "–"
    return f"{value:.1f}", write_range(figure.get("low"), figure.get("high"), ".1f")


def write_range(low: "float | None", high: "float | None", form: str) -> str:
    if low is None or high is None:
        return "–"
    ends = format(low, form), format(high, form)
    return ends[0] if ends[0] == ends[1] else "–".join(ends)


def clean(text: str) -> str:
    """Leave out what a terminal would obey."""
    return "".join(sign for sign in text if unicodedata.category(sign)[0] != "C")


def measure(text: str) -> int:
    """Count the columns that a terminal needs for a text: Chinese characters take two."""
    return sum(
        0 if unicodedata.combining(sign) else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="phybench.py",
        description="Have models' answers graded by PHYBench curation.",
        epilog="Exit status: 0 graded, 1 some could not be graded, 2 refused.",
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--url", default="", help="the server; else PHYBENCH_URL, else as logged in"
    )
    shared.add_argument("--json", action="store_true", help="write JSON")
    of_benchmark = argparse.ArgumentParser(add_help=False)
    of_benchmark.add_argument(
        "--benchmark", default="", help="its name or slug, needed where there are several"
    )
    of_version = argparse.ArgumentParser(add_help=False)
    of_version.add_argument("--version", type=int, help="its newest, where none is named")
    files = argparse.ArgumentParser(add_help=False)
    files.add_argument("files", nargs="+", metavar="FILE")
    files.add_argument("--model", default="", help="the model, where the rows name none")
    files.add_argument(
        "--fields",
        type=read_map,
        default={},
        help='which field holds what, as JSON: {"id": "nr", "response": "said", "model": "who"}',
    )
    waits = argparse.ArgumentParser(add_help=False)
    waits.add_argument("--wait", action="store_true", help="wait until all is graded")
    ids = argparse.ArgumentParser(add_help=False)
    ids.add_argument(
        "ids", nargs="*", type=int, metavar="ID", help="the newest, where none is named"
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add(name: str, run: Callable[[Any], int], text: str, *parents: Any) -> Any:
        made = commands.add_parser(name, help=text, parents=[shared, *parents])
        made.set_defaults(run=run)
        return made

    add("login", login, "keep a token for later commands")
    checking = add("check", check, "count what files hold, without a server", files)
    checking.add_argument("--problems", default="", help="what “problems” wrote: ids are checked")
    add("problems", problems, "write what a version asks", of_benchmark, of_version)
    sending = add("submit", submit, "upload files and have them graded", files, of_benchmark, waits)
    sending.add_argument("--organisation", type=int, help="its id, needed by who is of several")
    sending.add_argument("--named", action="store_true", help="rank these, whatever comes later")
    sending.add_argument("--again", action="store_true", help="though they were graded before")
    sending.add_argument("--mail", action="store_true", help="e-mail me once they are graded")
    sending.add_argument("--webhook", default="", help="post there once they are graded")
    drafted = add("draft", draft, "tell what a draft would come to")
    drafted.add_argument("id", type=int, metavar="ID")
    add("drafts", drafts, "list what is uploaded and not graded")
    discarded = add("discard", discard, "delete drafts with their files")
    discarded.add_argument("ids", nargs="+", type=int, metavar="ID", help="as “drafts” lists them")
    discarded.add_argument("--yes", action="store_true", help="without asking first")
    add("status", status, "tell how far submissions are", ids, waits)
    listing = add("results", results, "tell how each answer was graded", ids)
    listing.add_argument("--csv", action="store_true", help="write CSV")
    ranking = add("leaderboard", leaderboard, "show the board", of_benchmark, of_version)
    ranking.add_argument("--sort", choices=("eed", "accuracy"), default="eed")
    return parser


def main(arguments: "list[str] | None" = None) -> int:
    given = make_parser().parse_args(arguments)
    try:
        return int(given.run(given))
    except Refused as why:
        if given.json:
            said = {"refused": str(why), "type": getattr(why, "kind", "")}
            print(json.dumps(said, ensure_ascii=False))
        else:
            say(str(why))
        return REFUSED
    except Broken as why:
        say(str(why))
        return REFUSED
    except BrokenPipeError:
        # Who reads, as `head` does, has enough.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return GRADED
    except KeyboardInterrupt:
        say("Interrupted. The same command goes on where this stopped.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
