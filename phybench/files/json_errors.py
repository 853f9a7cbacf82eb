"""What is wrong with a text that is not JSON, in our own words: Python has only English ones."""

import json
from collections.abc import Mapping

from django.utils.translation import gettext_noop

JSON_FAULTS: Mapping[str, str] = {
    "json_value": gettext_noop("a value is expected"),
    "json_name": gettext_noop("a field name in double quotes is expected"),
    "json_colon": gettext_noop("a colon is expected"),
    "json_comma": gettext_noop("a comma or the end of the list or object is expected"),
    "json_trailing_comma": gettext_noop("no comma is expected before the end"),
    "json_end": gettext_noop("the end is expected, but more follows"),
    "json_text_end": gettext_noop("the text that begins there has no closing quotation mark"),
    "json_control": gettext_noop("a line break or tab in a text is written as \\n or \\t"),
    "json_escape": gettext_noop("a backslash in a text is written as \\\\"),
    "json_unicode": gettext_noop("four hexadecimal digits are expected after \\u"),
    "json_other": gettext_noop("it can’t be read from there on"),
}
"""What is expected at the place of an error, as part of a sentence that names the place."""

_BEGINNINGS = {
    "Expecting value": "json_value",
    "Expecting property name": "json_name",
    "Expecting ':'": "json_colon",
    "Expecting ','": "json_comma",
    "Illegal trailing comma": "json_trailing_comma",
    "Extra data": "json_end",
    "Unterminated string": "json_text_end",
    "Invalid control character": "json_control",
    "Invalid \\escape": "json_escape",
    "Invalid \\u": "json_unicode",
}
"""What Python's messages begin with."""


def find_json_fault(error: json.JSONDecodeError) -> str:
    """
    Return the code of what was expected.

    >>> def find(text):
    ...     try:
    ...         json.loads(text)
    ...     except json.JSONDecodeError as error:
    ...         return find_json_fault(error)
    >>> find('{"a" 1}'), find("[1 2]"), find('["a'), find("1 2")
    ('json_colon', 'json_comma', 'json_text_end', 'json_end')
    """
    for beginning, code in _BEGINNINGS.items():
        if error.msg.startswith(beginning):
            return code
    return "json_other"
