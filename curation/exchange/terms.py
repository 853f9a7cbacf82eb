"""On what terms rows of a file are taken."""

from dataclasses import dataclass

from curation.exchange.models import Import
from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import PhysicsField
from phybench.people.models import User


@dataclass(frozen=True, slots=True)
class ImportTerms:
    purpose: Import.Purpose
    benchmark: Benchmark
    """Where what is new goes."""
    person: User | None = None
    """Whose drafts they become, or who imports what is published; None for a command."""
    takes_broken: bool = False
    """Whether drafts that break rules are taken, to be mended in the editor."""
    domain: str = PhysicsField.OTHER.value
    """Of what is new and whose row gives none; so is `difficulty`."""
    difficulty: str = ""
    """Nothing: a draft whose row gives none is refused, a published problem has none."""
