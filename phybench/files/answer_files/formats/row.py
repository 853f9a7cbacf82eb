"""A row of a file, how much of one is read, and where reading ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from phybench.files.answer_files.formats.refused import RefusedFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What bounds the memory and the time that a file can cost, whatever it unpacks to."""

    sent: int = 200 * 1024**2
    """Bytes, as they came."""
    unpacked: int = 2 * 1024**3
    """Bytes."""
    row: int = 5 * 1024**2
    """Characters of one line, or of one object of a list."""
    rows: int = 1_000_000


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    """
    As people count who look at the file: objects of a list and lines from 1, empty lines too.

    Of a table the line with the names is row 1, as a spreadsheet shows it.
    """
    values: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    """Why nothing could be read, where that is so; the rows behind it are read all the same."""


class Stopped(Exception):
    """Nothing can be read from here on; the message is the end of a sentence that says why."""


class TooLong(Stopped):
    def __init__(self, limits: Limits) -> None:
        super().__init__(_("it is longer than %(size)s") % {"size": filesizeformat(limits.row)})


class TooManyRows(Stopped):
    def __init__(self, limits: Limits) -> None:
        super().__init__(_("a file may have at most %(most)d rows") % {"most": limits.rows})


class CutOff(Stopped):
    def __init__(self) -> None:
        super().__init__(_("the file was cut off"))


class BrokenOff(RefusedFile):
    """A file that can be read up to a row; the rows before it were given."""

    def __init__(self, row: int, why: str) -> None:
        self.row = row
        """The one in which it breaks off."""
        self.why = why
        sentence = _("Reading stopped at row %(row)d: %(why)s.")
        super().__init__(sentence % {"row": row, "why": why})
