"""On what terms rows of a file are taken."""

from dataclasses import dataclass

from curation.exchange.models import Import
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from phybench.people.models import Language, User

DEFAULTS = ("domain", "difficulty", "language")
"""Fields that are said once for all rows that give none."""


@dataclass(frozen=True, slots=True)
class ImportTerms:
    purpose: Import.Purpose
    benchmark: Benchmark
    """Where what is new goes."""
    person: User | None = None
    """Whose drafts they become, or who imports what is published; None for a command."""
    domain: str = PhysicsField.OTHER.value
    """Of what is new and whose row gives none; so are the others."""
    difficulty: str = ""
    """Nothing: a draft whose row gives none is refused, a published problem has none."""
    language: str = Language.EN.value

    @property
    def defaults(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in DEFAULTS}
