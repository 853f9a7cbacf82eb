"""A body that is kept on disk while it comes: however large, a piece of it is in memory."""

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from phybench.files.answer_files.rows import LIMITS
from phybench.pages.api.refused import Refusal

PIECE = 1024 * 1024
IN_MEMORY = 2 * PIECE
"""Bytes that need no disk."""


@contextmanager
def spool(request: HttpRequest) -> Iterator[tuple[BinaryIO, str]]:
    """Yield the body as a file, and its hash."""
    _check_length(request)
    hashed = hashlib.sha256()
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as file:
        while piece := request.read(PIECE):
            hashed.update(piece)
            file.write(piece)
        file.seek(0)
        yield file, hashed.hexdigest()  # type: ignore[misc]  # it is one by all that it does


def _check_length(request: HttpRequest) -> None:
    written = request.META.get("CONTENT_LENGTH") or ""
    # What comes in chunks the server reads as nothing.
    if not written.isdecimal():
        raise Refusal(411, "length-required", _("Send the body with its Content-Length."))
    if int(written[:20]) > LIMITS.sent:
        size = filesizeformat(LIMITS.sent)
        raise Refusal(
            413,
            "too-large",
            _("A part has at most %(size)s. Compress it with gzip, or split it.") % {"size": size},
        )
