"""
Filling a template: in one pass, so that braces and placeholders inside the data stay what they are.

Data stand between marks that nobody can foresee, and the reply has to bear the call's token. Either
is drawn anew where it occurs in the data: who wrote what is judged can't have written it.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from phybench_grader.judges.judgement import Flag
from phybench_grader.judges.prompts.candidate import cap
from phybench_grader.judges.prompts.templates import FENCE, PLACEHOLDER, TOKEN, Template


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is sent, and all that identifies it."""

    template: Template
    values: Mapping[str, str]
    mark: str = ""
    token: str = ""
    """What the reply has to bear to belong to this call; empty where none is asked for."""
    flags: frozenset[Flag] = frozenset()
    """What is known of the input before it is judged: cut, or speaking to the judge."""

    @property
    def system(self) -> str:
        return self._fill(self.template.system)

    @property
    def user(self) -> str:
        return self._fill(self.template.user)

    @property
    def data(self) -> str:
        """All that is judged, and what it is judged by."""
        return "\n".join(self.values.values())

    @property
    def input_hash(self) -> str:
        """Hash the values, without mark and token: it is the same whenever the same is asked."""
        return hash_values(self.values)

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
            {"role": "user", "content": self._fill(self.template.reminder)},
        ]

    def under(self, token: str) -> "Prompt":
        """Return the same prompt for another call."""
        return replace(self, token=token) if self.token else self

    def redrawn(self) -> "Prompt":
        """Return the same prompt for another call, with a token of its own."""
        return self.under(_draw_unused(self.values, draw_token))

    def flagged(self, *flags: Flag) -> "Prompt":
        return replace(self, flags=self.flags | frozenset(flags))

    def _fill(self, text: str) -> str:
        replacements = {**self.values, FENCE: self.mark, TOKEN: self.token}
        return PLACEHOLDER.sub(lambda found: replacements[found[1]], text)


def draw_mark() -> str:
    """Draw a mark that is not to be guessed: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def draw_token() -> str:
    """Draw a token that is not to be guessed, and that nothing takes for a number."""
    return f"k{secrets.token_hex(6)}"


def fill(
    template: Template, values: Mapping[str, str], *, draw: Callable[[], str] = draw_mark
) -> Prompt:
    """
    Fill a template with values; those it has no placeholder for are refused, as are lacking ones.

    >>> from phybench_grader.judges.kinds import KINDS
    >>> from phybench_grader.judges.prompts.templates import Template, Variant
    >>> template = Template("t", "1", "", Variant(KINDS["RATING"]), "", "{question}: {answer}")
    >>> fill(template, {"question": "{answer}", "answer": r"\\frac{a}{b}"}).user
    '{answer}: \\\\frac{a}{b}'
    """
    given = frozenset(values)
    ours = {FENCE, TOKEN}
    lacking = (template.placeholders | template.variant.needed) - ours - given
    unknown = given - template.variant.allowed | (given & ours)
    if lacking or unknown:
        raise ValueError(f"{template.name}: lacking {sorted(lacking)}, unknown {sorted(unknown)}")
    return Prompt(
        template,
        dict(values),
        mark=_draw_unused(values, draw) if template.is_fenced else "",
        token=_draw_unused(values, draw_token) if template.asks_for_token else "",
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
