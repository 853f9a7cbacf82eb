"""The bytes of a file in PostgreSQL, so that workers elsewhere read what a web server was sent."""

import hashlib
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from grading.submissions.drafts.models import DraftFile, FilePiece

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

PIECE = 1024 * 1024
"""Bytes that are kept, and read, at a time."""


class Source(Protocol):
    """What bytes can be read from, once."""

    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Kept:
    size: int
    """Bytes."""
    sha256: str


def hash_file(source: Source) -> Kept:
    """Measure and hash what can be read, to its end."""
    hashed, size = hashlib.sha256(), 0
    while piece := source.read(PIECE):
        hashed.update(piece)
        size += len(piece)
    return Kept(size, hashed.hexdigest())


def hash_together(hashes: Iterable[str]) -> str:
    """
    Return one hash of several files, whatever their order; of one, its own.

    >>> hash_together(["ab", "ab"])
    'ab'
    """
    each = sorted(set(hashes))
    if len(each) == 1:
        return each[0]
    return hashlib.sha256("".join(f"{one}\n" for one in each).encode()).hexdigest()


def keep(file: DraftFile, source: Source) -> None:
    """Keep what can be read as the bytes of a file."""
    # Each by itself: it is worth a statement, and `bulk_create` would hold all of them at once.
    for number, piece in enumerate(_split(source)):
        FilePiece.objects.create(file=file, number=number, content=piece)


def _split(source: Source) -> Iterator[bytes]:
    while piece := source.read(PIECE):
        yield piece


class KeptFile(io.RawIOBase):
    """The bytes of a file, from wherever wanted; one piece is in memory."""

    def __init__(self, file: DraftFile) -> None:
        super().__init__()
        self._pieces = FilePiece.objects.filter(file=file)
        self._size = file.size
        self._at = 0
        self._number = -1
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: "WriteableBuffer", /) -> int:
        number, begin = divmod(self._at, PIECE)
        if number != self._number:
            contents = self._pieces.filter(number=number).values_list("content", flat=True)
            self._number, self._piece = number, memoryview(contents.first() or b"")
        wanted = memoryview(buffer).cast("B")
        rest = self._piece[begin:]
        count = min(len(wanted), len(rest))
        wanted[:count] = rest[:count]
        self._at += count
        return count


def open_file(file: DraftFile) -> io.BufferedReader:
    return io.BufferedReader(KeptFile(file), PIECE)
