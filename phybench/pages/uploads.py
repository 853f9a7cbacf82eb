"""What is sent with a form: never more than a disk is meant to take."""

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class RefuseTooLarge(FileUploadHandler):
    """Refuse a request by the size that it names, before any of its files is kept."""

    def handle_raw_input(
        self,
        input_data: IO[bytes],
        META: Mapping[str, Any],
        content_length: int,
        boundary: str,
        encoding: str | None = None,
    ) -> None:
        if content_length > settings.LARGEST_UPLOAD:
            raise RequestDataTooBig("The files are larger than is taken.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> UploadedFile | None:
        return None
