"""Texts that programs send and the database keeps."""

from typing import Annotated

from pydantic import AfterValidator

from phybench.files.json_list import UNSTORABLE


def _refuse_unstorable(text: str) -> str:
    if UNSTORABLE.search(text):
        raise ValueError("It holds a NUL or half of a sign.")
    return text


Text = Annotated[str, AfterValidator(_refuse_unstorable)]
