"""What a board or an analysis is of: a version's public part, or what is asked for of it."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from django.http import Http404
from django.utils.translation import gettext as _

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Difficulty, PhysicsField
from curation.versions.models import BenchmarkVersion
from phybench_grader.statistics.disclosure import LEAST_PROBLEMS as LEAST_PROBLEMS
from phybench_grader.statistics.disclosure import WHOLE, Cell, Part, find_told

BEFORE_VERSIONS = "0"
"""The number in the address of what was handed in before there were versions."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a board is of; `version` is None for what was handed in before there were versions."""

    benchmark: Benchmark
    version: BenchmarkVersion | None = None
    is_as_published: bool = False
    """Whether items that were withdrawn since are counted as before; else they are left out."""
    public: frozenset[int] = frozenset()
    """The problems of the version's public part that are of the domain and difficulty."""
    withdrawn: frozenset[int] = frozenset()
    """Those of them that were withdrawn."""
    domain: str = ""
    """One of `PhysicsField`, where only its problems count."""
    difficulty: str = ""
    """One of `Difficulty`, where only such problems count."""
    cells: Mapping[int, Cell] = field(default_factory=dict, hash=False, repr=False)
    """The domain and difficulty of each public problem of the version, narrowed or not."""
    told: frozenset[Part] = frozenset({WHOLE})
    """
    The domains and difficulties of which figures may be told, by themselves and together.

    Of too few problems none are, nor of parts by which the figures of few could be worked out.
    """

    @classmethod
    def of(cls, version: BenchmarkVersion, *, is_as_published: bool = False) -> Self:
        items = list(
            version.items.public().values_list(
                "problem", "withdrawal", "problem__domain", "problem__difficulty"
            )
        )
        withdrawn = frozenset(one for one, why, *_cell in items if why is not None)
        cells = {one: (domain, difficulty) for one, _why, domain, difficulty in items}
        # Of either view: what is withdrawn can be worked out as the difference of the two.
        standing = Counter(cell for one, cell in cells.items() if one not in withdrawn)
        told = find_told(frozenset(standing.items()))
        return cls(
            *(version.benchmark, version, is_as_published, frozenset(cells), withdrawn),
            cells=cells,
            told=told,
        )

    def narrow(self, *, domain: str = "", difficulty: str = "") -> "Scope":
        """Keep the problems of a domain and a difficulty; of what has no version all are kept."""
        if self.version is None or not (domain or difficulty):
            return self
        kept = frozenset(
            one
            for one, cell in self.cells.items()
            if domain in ("", cell[0]) and difficulty in ("", cell[1])
        )
        return replace(
            self,
            public=self.public & kept,
            withdrawn=self.withdrawn & kept,
            domain=domain,
            difficulty=difficulty,
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.domain or self.difficulty)

    @property
    def is_told(self) -> bool:
        """Whether figures may be told of it: never of so few problems that one's is known."""
        return (self.domain, self.difficulty) in self.told

    @property
    def left_out(self) -> frozenset[int]:
        return frozenset() if self.is_as_published else self.withdrawn

    @property
    def problems(self) -> list[int]:
        """Return those that there are to be answered, in their order."""
        return sorted(self.public - self.left_out)

    @property
    def count(self) -> int:
        """How many problems there are to be answered."""
        return len(self.public) - len(self.left_out)

    def keeps(self, problem: int) -> bool:
        """Say whether answers to a problem count here."""
        if self.version is None:
            return True
        return problem in self.public and problem not in self.left_out

    @property
    def query(self) -> dict[str, str]:
        """Return what an address says of it, so that a link leads back to the same."""
        said = {
            "version": str(self.version.number) if self.version else BEFORE_VERSIONS,
            "as": "published" if self.is_as_published else "",
            "domain": self.domain,
            "difficulty": self.difficulty,
        }
        return {name: value for name, value in said.items() if value}

    @property
    def kept(self) -> dict[str, str]:
        """Return what a form that narrows a board has to hand on."""
        return {name: self.query[name] for name in ("version", "as") if name in self.query}


def find_scope(benchmark: Benchmark, *, is_as_published: bool = False) -> Scope:
    """Return what a benchmark's board is of where nothing else is asked for: its newest version."""
    current = BenchmarkVersion.objects.current().filter(benchmark=benchmark)
    version = current.select_related("benchmark").first()
    if version is None:
        return Scope(benchmark)
    return Scope.of(version, is_as_published=is_as_published)


def read_scope(benchmark: Benchmark, query: Mapping[str, str]) -> Scope:
    """
    Return what an address asks for; a domain or difficulty that is not understood is ignored.

    Raises:
        Http404: there is no such version: the figures of another one would be taken for its own.
    """
    asked = query.get("version", "")
    if asked == BEFORE_VERSIONS:
        return Scope(benchmark)
    is_as_published = query.get("as") == "published"
    scope = find_scope(benchmark, is_as_published=is_as_published)
    if asked and not _is_number(scope, asked):
        versions = BenchmarkVersion.objects.published().filter(benchmark=benchmark)
        number = int(asked) if re.fullmatch("[0-9]{1,6}", asked) else -1
        found = versions.select_related("benchmark").filter(number=number).first()
        if found is None:
            raise Http404(_("Version not found."))
        scope = Scope.of(found, is_as_published=is_as_published)
    domain, difficulty = query.get("domain", ""), query.get("difficulty", "")
    return scope.narrow(
        domain=domain if domain in PhysicsField.values else "",
        difficulty=difficulty if difficulty in Difficulty.values else "",
    )


def _is_number(scope: Scope, asked: str) -> bool:
    return scope.version is not None and str(scope.version.number) == asked
