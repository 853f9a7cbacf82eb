"""What of the way of asking is chosen anew for each item, so that one mixed file is one run."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product

from phybench_grader.judges.items import Item
from phybench_grader.judges.prompts import PromptLanguage, Variant

BY_ITEM = "by_item"
"""What a configuration says where the item chooses."""
NEED_REFERENCE = ("arena-hard", "arena-hard-200", "coding", "math", "reasoning")
"""Categories of questions that are judged beside a reference answer, unless said otherwise."""

_SUBJECT = re.compile(rf"({'|'.join(PromptLanguage)})(?![^\W\d_])", re.IGNORECASE)
_LANGUAGE = re.compile(rf"({'|'.join(PromptLanguage)})(?:[-_].*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Choices:
    """Which settings the item makes; all others are the configuration's."""

    language: bool = False
    turns: bool = False
    categories: frozenset[str] | None = None
    """Those with a reference; others go without. None where the configuration has decided."""

    def __bool__(self) -> bool:
        return self.language or self.turns or self.categories is not None

    def choose(self, item: Item, variant: Variant) -> Variant:
        """
        Say how an item is asked about, where the configuration's own way is `variant`.

        >>> from phybench_grader.judges.kinds import KINDS
        >>> fixed = Variant(KINDS["RATING"], has_reference=True)
        >>> item = Item(id=1, language=PromptLanguage.GERMAN, category="writing")
        >>> chosen = Choices(language=True, categories=frozenset({"math"})).choose(item, fixed)
        >>> chosen.language.value, chosen.has_reference
        ('de', False)
        """
        if self.language:
            variant = replace(variant, language=item.language or PromptLanguage.ENGLISH)
        if self.turns:
            turns = min(max(len(item.turns), 1), variant.kind.most_turns)
            variant = replace(variant, turns=turns)
        if self.categories is not None and item.category:
            variant = replace(variant, has_reference=item.category in self.categories)
        return variant

    def list_variants(self, variant: Variant) -> list[Variant]:
        """List all ways in which items may be asked about."""
        kind = variant.kind
        languages = kind.languages if self.language else [variant.language]
        turns = range(1, kind.most_turns + 1) if self.turns else [variant.turns]
        references = [variant.has_reference] if self.categories is None else [False, True]
        return [
            replace(variant, language=language, turns=count, has_reference=has_reference)
            for language, count, has_reference in product(languages, turns, references)
        ]

    def list_languages(self, items: Iterable[Item], variant: Variant) -> list[PromptLanguage]:
        """List the languages in which judges are asked about these items."""
        asked = [item for item in items if not item.refused and not item.other_language]
        languages = {self.choose(item, variant).language for item in asked}
        return sorted(languages) or [variant.language]


def simplify(category: str) -> str:
    """
    Write a category as it is compared.

    >>> simplify(" Math ")
    'math'
    """
    return category.strip().casefold()


def read_language(written: str) -> PromptLanguage | None:
    """
    Read a language's code; None where there is no prompt in that language.

    >>> read_language("de-AT"), read_language("FI"), read_language("sv")
    (<PromptLanguage.GERMAN: 'de'>, <PromptLanguage.FINNISH: 'fi'>, None)
    """
    found = _LANGUAGE.fullmatch(written.strip())
    return PromptLanguage(found[1].lower()) if found else None


def find_language(subject: str) -> PromptLanguage | None:
    """
    Find the language that a subject begins with, as a word of its own.

    >>> find_language("de_math"), find_language("fields"), find_language("decision making")
    (<PromptLanguage.GERMAN: 'de'>, None, None)
    """
    found = _SUBJECT.match(subject.strip())
    return PromptLanguage(found[1].lower()) if found else None
