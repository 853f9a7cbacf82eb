"""
The files in a zip, each read as a stream: a log of Inspect, a packed folder of a harness.

Python's own module reads the directory alone: it knows no Zstandard before 3.14, in which Inspect
packs its logs, and trusts what an archive says of itself.
"""

import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Protocol
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from phybench.files.answer_files.formats.refused import RefusedFile
from phybench.files.answer_files.formats.row import CutOff, Limits, Stopped

PIECE = 256 * 1024
"""Bytes that are read, or unpacked, at a time."""
MOST_MEMBERS = 20_000
LARGEST_DIRECTORY = 8 * 1024**2
"""Bytes: all of it is in memory."""
ZSTANDARD = 93
_LARGEST_WINDOW = 23
"""Of Zstandard, as a power of two: 8 MB, what each decoder has to offer (RFC 8878, 3.1.1.1.2)."""
_END = b"PK\x05\x06"
_LONGEST_END = 22 + 0xFFFF
"""Bytes of the end of a directory, with a comment."""
_LOCAL_HEADER = 30
_IS_LOCKED = 0x1


class Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class Archive:
    """
    The directory of a zip, and how much of its files has been read.

    Args:
        around: the archive in which this one lies, whose limits hold for both together.

    Raises:
        RefusedFile: it has too many files, or is damaged.
    """

    def __init__(self, file: BinaryIO, limits: Limits, around: "Archive | None" = None) -> None:
        self.file = file
        self.limits = limits
        self.around = around
        self.begin()
        _check_directory(file, limits)
        try:
            with ZipFile(file) as opened:
                listed = opened.infolist()
        except (BadZipFile, NotImplementedError, ValueError, EOFError):
            raise RefusedFile(_say_damaged()) from None
        self.members = [Member(self, one) for one in listed if _is_read(one.filename)]

    def begin(self) -> None:
        """Count anew."""
        self.consumed = self.unpacked = 0

    def count(self, unpacked: int) -> None:
        """Count bytes of what is in it, and raise `Stopped` where they are too many."""
        self.unpacked += unpacked
        if self.around:
            self.around.count(unpacked)
        if self.unpacked > self.limits.unpacked:
            size = filesizeformat(self.limits.unpacked)
            raise Stopped(_("the file is larger than %(size)s unpacked") % {"size": size})


class Member:
    """One file of an archive, read from its beginning as often as wanted, piece by piece."""

    def __init__(self, archive: Archive, info: ZipInfo) -> None:
        self.archive = archive
        self._info = info
        self._pieces: Iterator[bytes] = iter(())

    @property
    def name(self) -> str:
        return self._info.filename

    def seek(self, _start: int, /) -> int:
        """Begin again: nothing else is asked of it."""
        self._pieces = self._unpack()
        return 0

    def read(self, _size: int, /) -> bytes:
        """Return the next piece, b"" at the end."""
        return next(self._pieces, b"")

    def _unpack(self) -> Iterator[bytes]:
        archive, info = self.archive, self._info
        if info.flag_bits & _IS_LOCKED:
            raise Stopped(_("it is protected by a password"))
        checksum = 0
        for piece in self._inflate():
            checksum = zlib.crc32(piece, checksum)
            archive.count(len(piece))
            yield piece
        if checksum != info.CRC:
            raise Stopped(_say_damaged_part())

    def _inflate(self) -> Iterator[bytes]:
        kind = self._info.compress_type
        if kind == ZIP_STORED:
            yield from self._read()
            return
        made: Decompressor
        if kind == ZIP_DEFLATED:
            made = _Deflate()
        elif kind == ZSTANDARD:
            made = ZstdDecompressor(
                options={DecompressionParameter.window_log_max: _LARGEST_WINDOW}
            )
        else:
            raise Stopped(
                _("it is packed in a way that is not read here; pack it as an ordinary zip")
            )
        try:
            for piece in self._read():
                rest = piece
                while True:
                    unpacked = made.decompress(rest, PIECE)
                    if unpacked:
                        yield unpacked
                    rest = b""
                    if made.eof or len(unpacked) < PIECE:
                        break
                if made.eof:
                    return
        except (zlib.error, ZstdError):
            raise Stopped(_say_damaged_part()) from None
        if not made.eof:
            raise CutOff

    def _read(self) -> Iterator[bytes]:
        file, at = self.archive.file, self._info.header_offset
        file.seek(at)
        head = file.read(_LOCAL_HEADER)
        if len(head) < _LOCAL_HEADER or not head.startswith(b"PK\x03\x04"):
            raise Stopped(_say_damaged_part())
        at += _LOCAL_HEADER + sum(int.from_bytes(head[one : one + 2], "little") for one in (26, 28))
        left = self._info.compress_size
        while left > 0:
            # Others may read from the same file in between.
            file.seek(at)
            piece = file.read(min(PIECE, left))
            if not piece:
                raise CutOff
            at, left = at + len(piece), left - len(piece)
            self.archive.consumed += len(piece)
            yield piece


class _Deflate:
    def __init__(self) -> None:
        self._stream = zlib.decompressobj(-zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


def _check_directory(file: BinaryIO, limits: Limits) -> None:
    """Refuse a directory that would not fit into memory, before anything of it is read."""
    size = file.seek(0, io.SEEK_END)
    if size > limits.sent:
        largest = filesizeformat(limits.sent)
        raise RefusedFile(_("The file is larger than %(size)s.") % {"size": largest})
    file.seek(max(0, size - _LONGEST_END))
    end = file.read(_LONGEST_END)
    at = end.rfind(_END)
    if at < 0:
        raise RefusedFile(_say_damaged())
    members = int.from_bytes(end[at + 10 : at + 12], "little")
    length = int.from_bytes(end[at + 12 : at + 16], "little")
    if members > MOST_MEMBERS or length > LARGEST_DIRECTORY:
        raise RefusedFile(
            _("This archive holds more than %(most)s files. Pack only those with the answers.")
            % {"most": f"{MOST_MEMBERS:,}"}
        )


def _is_read(name: str) -> bool:
    """Leave out folders, and what systems put beside files."""
    parts = name.split("/")
    return not name.endswith("/") and not any(one.startswith((".", "__MACOSX")) for one in parts)


def _say_damaged() -> str:
    return _("This archive is damaged or was cut off. Pack or download it again.")


def _say_damaged_part() -> str:
    return _("it is damaged; pack or download the archive again")
