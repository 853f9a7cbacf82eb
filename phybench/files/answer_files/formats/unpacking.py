"""The text of a file, unpacked and decoded piece by piece."""

import codecs
import zlib
from collections.abc import Iterator
from itertools import chain
from typing import Protocol

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from phybench.files.answer_files.formats.kinds import (
    LONGEST_BEGINNING,
    recognise_bytes,
    recognise_text,
)
from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.formats.row import CutOff, Limits, Stopped

PIECE = 256 * 1024
"""Bytes that are read, or unpacked, at a time."""


class Source(Protocol):
    """What bytes are read from, from the beginning as often as wanted."""

    def seek(self, start: int, /) -> int: ...

    def read(self, size: int, /) -> bytes: ...


_GZIP = b"\x1f\x8b"
_GZIP_HEADER = 31
"""What zlib wants to be told of the largest window and of gzip's header."""
# The longer mark first: it begins with the shorter one.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Unpacked:
    """
    The text of a file from its beginning, in pieces: iterate over it once.

    Raises:
        RefusedFile: it is no text that could hold answers.
        Stopped: it is larger than may be, damaged, cut off, or not all in one encoding.
    """

    def __init__(self, file: Source, limits: Limits) -> None:
        self._file = file
        self._limits = limits
        self.consumed = 0
        """Bytes of the file as it came."""
        self.unpacked = 0
        """Bytes of what is in it."""

    def __iter__(self) -> Iterator[str]:
        self._file.seek(0)
        pieces = _begin_long(self._unpack())
        beginning = next(pieces)
        if other := recognise_bytes(beginning):
            raise RefusedFile(other)
        encoding, mark = _find_encoding(beginning)
        decoder = _Decoder(encoding)
        text = decoder.decode(beginning[mark:])
        if other := recognise_text(text):
            raise RefusedFile(other)
        yield text
        for piece in pieces:
            yield decoder.decode(piece)
            decoder.check()
        decoder.check()
        decoder.end()

    def _unpack(self) -> Iterator[bytes]:
        pieces = _begin_long(self._read())
        beginning = next(pieces)
        pieces = chain([beginning], pieces)
        for piece in _gunzip(pieces) if beginning.startswith(_GZIP) else pieces:
            self.unpacked += len(piece)
            if self.unpacked > self._limits.unpacked:
                size = filesizeformat(self._limits.unpacked)
                raise Stopped(_("the file is larger than %(size)s unpacked") % {"size": size})
            yield piece

    def _read(self) -> Iterator[bytes]:
        while piece := self._file.read(PIECE):
            self.consumed += len(piece)
            if self.consumed > self._limits.sent:
                size = filesizeformat(self._limits.sent)
                raise Stopped(_("the file is larger than %(size)s") % {"size": size})
            yield piece


class _Decoder:
    """Decodes piece by piece; what comes before a fault is given before the fault is raised."""

    def __init__(self, encoding: str) -> None:
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._fault: Stopped | None = None

    def decode(self, piece: bytes) -> str:
        try:
            return self._decoder.decode(piece)
        except UnicodeDecodeError as error:
            self._fault = Stopped(_("it is not text in UTF-8; save the file as UTF-8"))
            return error.object[: error.start].decode(self._encoding)

    def check(self) -> None:
        if self._fault:
            raise self._fault

    def end(self) -> None:
        try:
            self._decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise CutOff from None


def _begin_long(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same bytes, and first as many as show what a file is."""
    beginning = b""
    try:
        for piece in pieces:
            beginning += piece
            if len(beginning) >= LONGEST_BEGINNING:
                break
    except Stopped:
        # Cut off so early, what is there can be read all the same.
        yield beginning
        raise
    yield beginning
    yield from pieces


def _find_encoding(beginning: bytes) -> tuple[str, int]:
    """Return the encoding, and how long its mark is."""
    for mark, encoding in _MARKS:
        if beginning.startswith(mark):
            return encoding, len(mark)
    return "utf-8", 0


def _gunzip(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Unpack gzip, also where several files were written one behind the other."""
    member = zlib.decompressobj(_GZIP_HEADER)
    try:
        for piece in pieces:
            while piece:
                if member.eof:
                    # Tapes and some programs fill up with zeros.
                    if not (piece := piece.lstrip(b"\0")):
                        break
                    member = zlib.decompressobj(_GZIP_HEADER)
                yield member.decompress(piece, PIECE)
                piece = member.unused_data if member.eof else member.unconsumed_tail
    except zlib.error:
        raise Stopped(_("the compressed file is damaged; compress or download it again")) from None
    if not member.eof:
        raise CutOff
