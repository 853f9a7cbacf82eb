"""What the parts of a bank share: its size, what it is made of, and how rows are stored."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import Model

from curation.problems.benchmarks.models import Benchmark
from curation.reviewing.pipelines.models import Stage, StageVersion, VersionQuestion
from phybench.people.models import Role, User

AT_ONCE = 2000

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Size:
    problems: int
    reviews: int
    seed: int = 1
    models: int = 0
    """Models whose answers wait to be graded, beside those whose grades are made up."""
    in_own_words: float = 0.5
    """Share of their answers that no other model gives in the same words."""


@dataclass(slots=True)
class DemoBank:
    """What is to be stored, by kind; what refers to a row is made once that has its key."""

    size: Size
    benchmark: Benchmark
    stages: list[Stage]
    people: dict[Role, list[User]]
    source: list[dict[str, Any]]
    chance: random.Random
    start: datetime
    versions: dict[int, StageVersion] = field(default_factory=dict)
    """What rounds go by, for each stage."""
    questions: dict[int, list[VersionQuestion]] = field(default_factory=dict)
    """Of each version."""

    def at(self, number: int, hours: float = 0.0) -> datetime:
        """Spread problems over a year; what happens to one comes hours later."""
        minutes = 300 * 24 * 60 * number / max(1, self.size.problems)
        return self.start + timedelta(minutes=minutes, hours=hours)


def store(rows: Sequence[Row]) -> list[Row]:
    return type(rows[0])._default_manager.bulk_create(rows, batch_size=AT_ONCE) if rows else []
