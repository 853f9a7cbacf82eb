"""
The two files of a run: one record for each item, and a journal of every call that was made.

Lines are only ever added while a run goes on, each whole and at once, so that a process that is
killed loses no more than the calls under way. Half a line at the end is left out and done again. At
its end a run puts the records in the items' order, one line for each item.
"""

import contextlib
import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TextIO

from django.utils.translation import gettext as _

from grading.endpoints import Cost
from grading.judging.engine.records import Record
from phybench.files.json_list import storable


class BadFile(Exception):
    """A file that a run can't go on from; the message says what to do."""


class Lines:
    """A file to which threads add lines; nobody else has it meanwhile."""

    def __init__(self, path: Path, *, first_field: str) -> None:
        self.path = path
        self._begins = f'{{"{first_field}": '.encode()
        self._lock = threading.Lock()
        self._file: TextIO | None = None

    def open(self, take: Callable[[dict[str, Any]], None]) -> None:
        """
        Take the file, give each line to `take`, and leave out half a line at its end.

        Raises:
            BadFile: another run has it, or it holds something else; it is left as it is.
            OSError: it can't be written.
        """
        self._file = self.path.open("a+", encoding="utf-8", newline="\n")
        _lock(self._file, self.path)
        whole = 0
        with self.path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.endswith(b"\n"):
                    self._check_half(line, number)
                    break
                self._read(line, number, take)
                whole += len(line)
        self._file.truncate(whole)

    def _read(self, line: bytes, number: int, take: Callable[[dict[str, Any]], None]) -> None:
        try:
            row = json.loads(line)
            take(row if isinstance(row, dict) else {})
        except (ValueError, TypeError, LookupError, InvalidOperation):
            raise self._refuse(number) from None

    def _check_half(self, line: bytes, number: int) -> None:
        """See that what is to be left out is ours: somebody may have named the wrong file."""
        if not self._begins.startswith(line[: len(self._begins)]):
            raise self._refuse(number)

    def _refuse(self, number: int) -> BadFile:
        return BadFile(
            _(
                "%(file)s: line %(line)d was not written by this command. Name another file, or"
                " start anew with --fresh."
            )
            % {"file": self.path, "line": number}
        )

    def add(self, row: dict[str, Any]) -> None:
        """Add a line."""
        line = write_line(row)
        with self._lock:
            if self._file is None:
                raise ValueError("the file is not open")
            self._file.write(line)
            self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()
            self._file = None


def write_line(row: dict[str, Any]) -> str:
    return storable(json.dumps(row, ensure_ascii=False, allow_nan=False)) + "\n"


def _lock(file: TextIO, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadFile(
            _("%(file)s: another run is writing to it. Wait for its end, or stop it.")
            % {"file": path}
        ) from None


class Journal:
    """Every call of a run, and its canaries, with what earlier calls have cost."""

    def __init__(self, path: Path, *, identity: str) -> None:
        self._lines = Lines(path, first_field="line")
        self._identity = identity
        self._lock = threading.Lock()
        self.spent = Cost()
        self.canaries: dict[str, Record] = {}

    def open(self) -> None:
        self._lines.open(self._take)

    def close(self) -> None:
        self._lines.close()

    def keep(self, call: dict[str, Any]) -> None:
        """Write what is to be known of a call."""
        self._lines.add({"line": "call", **call, "config_hash": self._identity})
        self._add_cost(call)

    def keep_canary(self, record: Record) -> None:
        self._lines.add({"line": "canary", **record.to_json()})
        self.canaries[record.key] = record

    def _add_cost(self, call: dict[str, Any]) -> None:
        cost = Cost(
            int(call["calls"]), int(call["tokens"]), Decimal(call["cost"]), int(call["estimated"])
        )
        with self._lock:
            self.spent += cost

    def _take(self, row: dict[str, Any]) -> None:
        _check_identity(row["config_hash"], self._identity, self._lines.path)
        if row.pop("line") == "canary":
            record = Record.from_json(row)
            self.canaries[record.key] = record
        else:
            self._add_cost(row)


class Output:
    """The records of a run, by their items' ids."""

    def __init__(self, path: Path, *, identity: str) -> None:
        self._lines = Lines(path, first_field="id")
        self._identity = identity
        self.records: dict[str, Record] = {}

    def open(self) -> None:
        self._lines.open(self._take)

    def close(self) -> None:
        self._lines.close()

    def keep(self, record: Record) -> None:
        """Write a record, or another one of the same item."""
        self._lines.add(record.to_json())
        self.records[record.key] = record

    def _take(self, row: dict[str, Any]) -> None:
        record = Record.from_json(row)
        _check_identity(record.config_hash, self._identity, self._lines.path)
        # The last counts: an item that is judged again gets another line.
        self.records[record.key] = record

    def settle(self, records: Iterable[Record]) -> None:
        """Put these in the file's place, one line each, in this order."""
        path = self._lines.path.resolve()
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            with part.open("w", encoding="utf-8", newline="\n") as file:
                file.writelines(write_line(record.to_json()) for record in records)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def _check_identity(found: str, identity: str, path: Path) -> None:
    if found != identity:
        raise BadFile(
            _(
                "%(file)s was made with another configuration (%(found)s; this one is "
                "%(own)s). Judgements of two configurations are never mixed. Name "
                "another file, or start anew with --fresh."
            )
            % {"file": path, "found": found[:12] or "?", "own": identity[:12]}
        )


def set_aside(path: Path) -> Path | None:
    """Give a file another name, so that a new one can take its own; what was paid for is kept."""
    if not path.exists():
        return None
    number = 1
    while (aside := path.with_name(f"{path.name}.old-{number}")).exists():
        number += 1
    with path.open("a", encoding="utf-8") as file:
        _lock(file, path)
        path.rename(aside)
    return aside
