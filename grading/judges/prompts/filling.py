"""
Filling a template: in one pass, so that braces and placeholders inside the data stay what they are.

Data stand between marks that nobody can foresee; a mark that occurs in the data is drawn anew.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from grading.judges.judgement import Flag
from grading.judges.prompts.candidate import cap
from grading.judges.prompts.templates import FENCE, PLACEHOLDER, Template


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent, and all that identifies it."""

    system: str
    user: str
    template: Template
    input_hash: str
    """Of the values, without the mark: the same for the same question whenever it is asked."""
    mark: str = ""
    flags: frozenset[Flag] = frozenset()
    """What is known of the input before it is judged: cut, or speaking to the judge."""

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages of a chat: one of the user alone, where the template has no system part."""
        user = {"role": "user", "content": self.user}
        return [{"role": "system", "content": self.system}, user] if self.system else [user]

    def remind(self, reply: str) -> list[dict[str, str]]:
        """Give the messages that ask once more, after a reply that could not be read."""
        if not self.template.reminder:
            return self.messages
        return [
            *self.messages,
            {"role": "assistant", "content": reply},
            {"role": "user", "content": self.template.reminder},
        ]

    def flagged(self, *flags: Flag) -> "Prompt":
        return replace(self, flags=self.flags | frozenset(flags))


def draw_mark() -> str:
    """Draw a mark that is not to be guessed: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def fill(
    template: Template, values: Mapping[str, str], *, draw: Callable[[], str] = draw_mark
) -> Prompt:
    """
    Fill a template with values; those it has no placeholder for are refused, as are lacking ones.

    >>> from grading.judges.kinds import KINDS
    >>> from grading.judges.prompts.templates import Template, Variant
    >>> template = Template("t", "1", "", Variant(KINDS["RATING"]), "", "{question}: {answer}")
    >>> fill(template, {"question": "{answer}", "answer": r"\\frac{a}{b}"}).user
    '{answer}: \\\\frac{a}{b}'
    """
    given = frozenset(values)
    lacking = (template.placeholders | template.variant.needed) - {FENCE} - given
    unknown = given - template.variant.allowed | (given & {FENCE})
    if lacking or unknown:
        raise ValueError(f"{template.name}: lacking {sorted(lacking)}, unknown {sorted(unknown)}")
    mark = _draw_unused(values, draw) if template.is_fenced else ""
    replacements = {**values, FENCE: mark}

    def replace_one(found: re.Match[str]) -> str:
        return replacements[found[1]]

    return Prompt(
        system=PLACEHOLDER.sub(replace_one, template.system),
        user=PLACEHOLDER.sub(replace_one, template.user),
        template=template,
        input_hash=hash_values(values),
        mark=mark,
    )


def fill_capped(
    template: Template, values: Mapping[str, str], candidates: set[str], limit: int
) -> Prompt:
    """Fill a template, with the candidates' texts cut to what may be sent and looked through."""
    flags = set() if template.is_fenced else {Flag.UNFENCED}
    sent = dict(values)
    for name in candidates & sent.keys():
        candidate = cap(values[name], limit)
        sent[name] = candidate.text
        flags |= candidate.flags
    return fill(template, sent).flagged(*flags)


def hash_values(values: Mapping[str, str]) -> str:
    """
    Hash what is judged, whatever the order it is given in.

    >>> hash_values({"a": "1", "b": "2"}) == hash_values({"b": "2", "a": "1"})
    True
    """
    # A lone surrogate has no UTF-8; ASCII escapes keep it apart from everything else.
    text = json.dumps(dict(values), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _draw_unused(values: Mapping[str, str], draw: Callable[[], str]) -> str:
    text = "\n".join(values.values()).casefold()
    while (mark := draw()).casefold() in text:
        pass
    return mark
