"""
Sentences of code that knows no Django, in the reader's language.

Such code speaks English, with a symbol or a name in some of its sentences. They are listed for
translators by whoever shows them, and found again when they are shown, also where a row has kept
them.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from string import Formatter

from django.utils.translation import get_language, gettext

LONGEST = 2000
"""Characters; no sentence is longer."""


class Sentences:
    """A list of sentences, with {names} for what is filled in."""

    def __init__(self, texts: Iterable[str]) -> None:
        listed = tuple(dict.fromkeys(texts))
        self._plain = frozenset(text for text in listed if "{" not in text)
        self._templates = [text for text in listed if text not in self._plain]

    def translate(self, text: str) -> str:
        """Say a sentence in the language of the page; any other text stays as it is."""
        if len(text) > LONGEST or (get_language() or "en").startswith("en"):
            return text
        if text in self._plain:
            return gettext(text)
        for template, pattern in self._patterns:
            if found := pattern.fullmatch(text):
                parts = {name: self.translate(part) for name, part in found.groupdict().items()}
                return gettext(template).format(**parts)
        return text

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [(text, _compile(text)) for text in self._templates]


def _compile(template: str) -> re.Pattern[str]:
    pattern = ""
    for literal, name, *_ in Formatter().parse(template):
        pattern += re.escape(literal)
        if name:
            pattern += f"(?P<{name}>.+)"
    return re.compile(pattern, re.DOTALL)
