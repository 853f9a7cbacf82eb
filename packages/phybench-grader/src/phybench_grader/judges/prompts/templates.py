"""
Templates of prompts: which there are, what each needs, and reading one that a group brings.

A template is a text file. Its head gives a name and a version, its parts are the system's message,
the user's, and a reminder for a reply that could not be read. `{name}` stands for a value; other
braces are text. A file without parts is one user message and nothing else.
"""

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

FENCE = "fence"
"""Placeholder of the random mark around data. A template without it does not fence its data."""
TOKEN = "id"
"""Placeholder of the call's token, which the reply has to bear. A template may do without."""
MAX_CHARACTERS = 50_000

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_PART = re.compile(r"^--- (system|user|reminder)[ \t]*\n", re.MULTILINE)
_HEAD = re.compile(r"name: (?P<name>[^\n]{1,100})\nversion: (?P<version>[^\n]{1,40})\n")
_TEXTS = Path(__file__).parent / "texts"


class PromptLanguage(StrEnum):
    """The language of a prompt. It is chosen, and never guessed from what is judged."""

    ENGLISH = "en"
    GERMAN = "de"
    FINNISH = "fi"


@dataclass(frozen=True, slots=True)
class Variant:
    """One way of asking: each has its own template."""

    kind: Any
    """The `JudgeKind` that asks so; it stands on templates, so they don’t know it."""
    language: PromptLanguage = PromptLanguage.ENGLISH
    turns: int = 1
    has_reference: bool = False
    includes_thinking: bool = False
    """Whether the judge is shown the solver's thinking, and told that it is reasoning."""

    @property
    def needed(self) -> frozenset[str]:
        """The placeholders that a template of this variant must have."""
        needed: frozenset[str] = self.kind.list_needed(self)
        return needed

    @property
    def allowed(self) -> frozenset[str]:
        """The placeholders that it may have."""
        return self.needed | {FENCE, TOKEN}


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt before it is filled. It never changes: another text is another template."""

    name: str
    version: str
    sha256: str
    """Of the file as it is, byte for byte."""
    variant: Variant
    system: str
    user: str
    reminder: str = ""

    @property
    def placeholders(self) -> frozenset[str]:
        return frozenset(PLACEHOLDER.findall(self.system + self.user))

    @property
    def is_fenced(self) -> bool:
        """Tell whether data are set apart; a template that does not is for trusted texts only."""
        return FENCE in self.placeholders

    @property
    def asks_for_token(self) -> bool:
        """Tell whether the reply has to bear a token, by which it belongs to its call."""
        return TOKEN in self.placeholders


WRONG_TEMPLATES: dict[str, str] = {
    "none": "There is no template for {variant}: choose another one.",
    "closed": "{file} can't be opened ({why}): put it beside the configuration.",
    "no_text": "{file} is not UTF-8 text: save it as UTF-8.",
    "too_long": "{file} is too long: shorten it to {count} characters.",
    "text_before_parts": "{file} has text before its first part: move it into a part.",
    "parts": "{file} must have one part “--- user”, and no part twice: correct its parts.",
    "lacking": "{names} is missing from the user's message of {file}: add it.",
    "lacking_several": "{names} are missing from the user's message of {file}: add them.",
    "unknown": "{file} has {names}, which {variant} does not use: remove it.",
    "unknown_several": "{file} has {names}, which {variant} does not use: remove them.",
    "misplaced": "{file} has placeholders outside the user's message: move them there.",
}
"""Why a template can't be used, with what to change."""


class TemplateError(ValueError):
    """A template that can't be used; `code` is a key of `WRONG_TEMPLATES`."""

    def __init__(self, code: str, **values: str) -> None:
        super().__init__(WRONG_TEMPLATES[code].format(**values))
        self.code = code
        self.values = values


@cache
def get_template(variant: Variant) -> Template:
    """
    Get our template for a variant; raises `TemplateError` where there is none.

    >>> from phybench_grader.judges.kinds import KINDS
    >>> get_template(Variant(KINDS["RATING"], PromptLanguage.FINNISH, turns=2)).name
    'rating/fi/two-turns'
    """
    if variant not in variant.kind.list_variants():
        raise TemplateError("none", variant=describe(variant))
    return read_template(_find(variant), variant)


def read_template(path: Path, variant: Variant) -> Template:
    """
    Read a template from a file and see that it fits the variant.

    Raises:
        TemplateError: it is no text, or its placeholders are not those of the variant.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TemplateError("closed", file=path.name, why=str(error.strerror)) from None
    return parse_template(data, path, variant)


def parse_template(data: bytes, path: Path, variant: Variant) -> Template:
    """Take a template from what its file holds; as `read_template`, which has the file."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise TemplateError("no_text", file=path.name) from None
    if len(text) > MAX_CHARACTERS:
        raise TemplateError("too_long", file=path.name, count=f"{MAX_CHARACTERS:,}")
    name, version, parts = _split(text, path)
    template = Template(
        name=name,
        version=version,
        sha256=hashlib.sha256(data).hexdigest(),
        variant=variant,
        system=parts.get("system", ""),
        user=parts["user"],
        reminder=parts.get("reminder", ""),
    )
    _check(template, path)
    return template


def read_text(variant: Variant) -> str:
    """Return the file of our template for a variant, as it is."""
    get_template(variant)
    return _find(variant).read_bytes().decode("utf-8")


def _find(variant: Variant) -> Path:
    return _TEXTS / f"{variant.kind.name_template(variant)}.txt"


def describe(variant: Variant) -> str:
    """
    Say in words which variant it is.

    >>> from phybench_grader.judges.kinds import KINDS
    >>> describe(Variant(KINDS["RATING"], PromptLanguage.GERMAN, 2, has_reference=True))
    'rating, de, 2 turns, with reference'
    """
    turns = "1 turn" if variant.turns == 1 else f"{variant.turns} turns"
    reference = "with reference" if variant.has_reference else "without reference"
    thinking = ", with the thinking" if variant.includes_thinking else ""
    return f"{variant.kind}, {variant.language}, {turns}, {reference}{thinking}"


def _split(text: str, path: Path) -> tuple[str, str, dict[str, str]]:
    head = _HEAD.match(text)
    body = text[head.end() :] if head else text
    marks = list(_PART.finditer(body))
    name = head["name"].strip() if head else path.stem
    version = head["version"].strip() if head else "as brought"
    if not marks:
        return name, version, {"user": body}
    if body[: marks[0].start()].strip():
        raise TemplateError("text_before_parts", file=path.name)
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    names = [mark[1] for mark in marks]
    if len(set(names)) < len(names) or "user" not in names:
        raise TemplateError("parts", file=path.name)
    texts = (body[mark.end() : end].strip("\n") for mark, end in zip(marks, ends, strict=True))
    return name, version, dict(zip(names, texts, strict=True))


def _check(template: Template, path: Path) -> None:
    lacking = template.variant.needed - frozenset(PLACEHOLDER.findall(template.user))
    if lacking:
        code = "lacking" if len(lacking) == 1 else "lacking_several"
        raise TemplateError(code, file=path.name, names=_list(lacking))
    unknown = template.placeholders - template.variant.allowed
    if unknown:
        variant = describe(template.variant)
        code = "unknown" if len(unknown) == 1 else "unknown_several"
        raise TemplateError(code, file=path.name, names=_list(unknown), variant=variant)
    # Data belong into the user's message: the system's is for what we say.
    misplaced = frozenset(PLACEHOLDER.findall(template.system)) - {FENCE, TOKEN}
    misplaced |= frozenset(PLACEHOLDER.findall(template.reminder)) - {TOKEN}
    if misplaced:
        raise TemplateError("misplaced", file=path.name)


def _list(names: frozenset[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names))
