"""Tell by its beginning that a file is of another kind, whatever it is named, and what to do."""

import re

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins, one of nothing too."""
LONGEST_BEGINNING = 512
"""Bytes, or characters, that are enough to tell."""

_EXCEL = gettext_lazy("This is an Excel file. Save it as “CSV UTF-8” and upload that.")
_SPREADSHEET = gettext_lazy("This is a spreadsheet. Save it as CSV in UTF-8 and upload that.")
_ARCHIVE = gettext_lazy(
    "This is an archive (%(kind)s). Unpack it and upload the file with the answers."
)
_PACKED = gettext_lazy(
    "This file is compressed with %(kind)s. Unpack it, or compress it with gzip instead."
)
_DATA = gettext_lazy(
    "This file is %(kind)s and not text. Write it as JSON lines and upload that: in pandas, "
    "df.to_json("
    '"answers.jsonl", orient="records", lines=True).'
)
_OTHER = gettext_lazy("This file is %(kind)s and not text. Upload the file with the answers.")
_TWICE = gettext_lazy("This file is compressed twice. Unpack it once.")
_BEGINNINGS: tuple[tuple[bytes, "str | Promise", str], ...] = (
    (b"PAR1", _DATA, "Parquet"),
    (b"ARROW1", _DATA, "Arrow"),
    (b"FEA1", _DATA, "Feather"),
    (b"\x89HDF", _DATA, "HDF5"),
    (b"\x93NUMPY", _DATA, "NumPy"),
    (b"\x80\x02", _DATA, "pickle"),
    (b"\x80\x03", _DATA, "pickle"),
    (b"\x80\x04", _DATA, "pickle"),
    (b"\x80\x05", _DATA, "pickle"),
    (b"SQLite format 3", _DATA, "SQLite"),
    (b"\xd0\xcf\x11\xe0", _EXCEL, ""),
    (b"%PDF", _OTHER, "PDF"),
    (b"\x89PNG", _OTHER, "PNG"),
    (b"\xff\xd8\xff", _OTHER, "JPEG"),
    (b"GIF8", _OTHER, "GIF"),
    (b"\x28\xb5\x2f\xfd", _PACKED, "zstd"),
    (b"BZh", _PACKED, "bzip2"),
    (b"\xfd7zXZ", _PACKED, "xz"),
    (b"\x1f\x8b", _TWICE, ""),
    (b"7z\xbc\xaf", _ARCHIVE, "7z"),
    (b"Rar!", _ARCHIVE, "RAR"),
)
_PAGE = re.compile(r"<(?:!doctype|html|head|body|\?xml|[a-z]+[\s>])", re.IGNORECASE)
_PYTHON = re.compile(r"[\[{(]\s*(?:\{\s*)?'")


def recognise_bytes(beginning: bytes) -> str:
    """Say what a file is and what to do, where it is none of text; else nothing."""
    if beginning.startswith(ZIP):
        return str(find_document(beginning) or _ARCHIVE) % {"kind": "ZIP"}
    if beginning[257:262] == b"ustar":
        return str(_ARCHIVE) % {"kind": "tar"}
    for mark, sentence, kind in _BEGINNINGS:
        if beginning.startswith(mark):
            return str(sentence) % {"kind": kind}
    return ""


def find_document(beginning: bytes) -> "str | Promise":
    """Say what to do with a document that is a zip, told by the first name in it; else nothing."""
    name = beginning[30 : 30 + int.from_bytes(beginning[26:28], "little")]
    if name.startswith((b"[Content_Types]", b"_rels/", b"docProps/", b"xl/")):
        return _EXCEL
    return _SPREADSHEET if name == b"mimetype" else ""


def recognise_text(beginning: str) -> str:
    """Say the same of a file of text."""
    text = beginning[:LONGEST_BEGINNING].lstrip()
    # Other signs that do not print are left by programs that took \alpha or \frac for escapes.
    if "\0" in text:
        return _("This is not a text file. Save it as JSON or CSV in UTF-8.")
    if _PAGE.match(text):
        return _(
            "This is a web page and not the file itself. Sign in to the site and download it again."
        )
    if text.startswith("version https://git-lfs"):
        return _(
            "This is a pointer of Git LFS and not the file itself. Fetch it with “git lfs pull”."
        )
    if _PYTHON.match(text):
        return _(
            "This was printed by Python, with single quotes, and is not JSON. Write it with"
            " json.dump(…)."
        )
    return ""
