"""A file of another kind is named as what it is, whatever it is called, with what to do."""

import io
import json
import tarfile
import zipfile

import pytest

from phybench.files.answer_files.formats.refused import RefusedFile
from tests.grading.answer_files.files import pack, read


def zip_up(name: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        # Without a date of now: a test's name is its content, the same in every process.
        archive.writestr(zipfile.ZipInfo(name), "x")
    return file.getvalue()


def tar_up(name: str) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(name))
    return file.getvalue()


TABLE = {"id": {"0": "C1", "1": "C2"}, "response": {"0": "x", "1": "y"}}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "This file is empty."),
        (b"\xef\xbb\xbf\n \n", "This file is empty."),
        (pack(b""), "This file is empty."),
        (b"[]", "This file holds no answers."),
        (b"id,response\n", "This file holds no answers."),
        (zip_up("answers.txt"), "No file in this archive holds answers."),
        (pack(zip_up("answers.jsonl")), "This is an archive (ZIP). Unpack it"),
        (tar_up("answers.jsonl"), "Unpack it and upload the file with"),
        (pack(tar_up("answers.jsonl")), "Unpack it and upload the file with"),
        (zip_up("[Content_Types].xml"), "This is an Excel file. Save it as “CSV UTF-8”"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "This is an Excel file."),
        (zip_up("mimetype"), "This is a spreadsheet. Save it as CSV"),
        (b"PAR1\x15\x04\x15", "This file is Parquet and not text. Write it as JSON lines"),
        (b"\x80\x04\x95\x10", "This file is pickle and not text."),
        (b"SQLite format 3\x00", "This file is SQLite and not text."),
        (b"%PDF-1.7\n", "This file is PDF and not text."),
        (b"\x89PNG\r\n\x1a\n", "This file is PNG and not text. Upload the file"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "This file is JPEG and not text."),
        (b"\x28\xb5\x2f\xfd\x00", "This file is compressed with zstd."),
        (pack(pack(b"[]")), "This file is compressed twice."),
        (b"\n<!DOCTYPE html><title>Sign in</title>", "This is a web page"),
        (b'<?xml version="1.0"?><a/>', "This is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d", "with “git lfs pull”"),
        (b"{'id': 1, 'response': 'x'}", "This was printed by Python"),
        (b"[{'id': 1}]", "This was printed by Python"),
        (b"\x00\x01\x02", "This is not a text file."),
        ("[{}]".encode("utf-16-le"), "This is not a text file."),
        (b"Dear all", "This is neither JSON nor a table"),
        (b'"C1"', "This is neither JSON nor a table"),
        (json.dumps(TABLE).encode(), "This table was written column by column."),
        (json.dumps({"id": ["C1"], "response": ["x"]}).encode(), "written column by column."),
    ],
)
def test_what_is_no_file_of_answers_is_named(content, sentence):
    with pytest.raises(RefusedFile) as refused:
        read(content, "answers.json")
    assert sentence in str(refused.value)
