"""What a board or an analysis is of: a version's public part, or what is asked for of it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from curation.problems.benchmarks.models import Benchmark
from curation.versions.models import BenchmarkVersion, VersionItem
from phybench_grader.statistics.disclosure import LEAST_PROBLEMS as LEAST_PROBLEMS
from phybench_grader.statistics.disclosure import WHOLE, Cell, Part, find_told

BEFORE_VERSIONS = "0"
"""The number in the address of what was handed in before there were versions."""


class EarlierVersion(NamedTuple):
    """What an earlier version asks that a later one asks as well."""

    unchanged: frozenset[int]
    """Problems that are in the public part of both, in the same revision."""
    gone: frozenset[Cell]
    """Of the cells of which something else stands in its public part."""
    told: frozenset[Part] = frozenset({WHOLE})
    """The parts of which its own board tells figures."""

    @property
    def is_whole(self) -> bool:
        return not self.gone

    def tells(self, part: Part) -> bool:
        """Whether its own board tells the same sum of a part."""
        is_within = any(
            all(a in ("", b) for a, b in zip(part, one, strict=True)) for one in self.gone
        )
        return part == WHOLE or (part in self.told and not is_within)


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
    earlier: Mapping[int, EarlierVersion] = field(default_factory=dict, hash=False, repr=False)
    """By its number (`pk`) what each version before this one has in common with it."""

    @classmethod
    def of(cls, version: BenchmarkVersion, *, is_as_published: bool = False) -> Self:
        items = list(
            version.items.public().values_list(
                "problem", "revision", "withdrawal", "problem__domain", "problem__difficulty"
            )
        )
        withdrawn = frozenset(one for one, _text, why, *_cell in items if why is not None)
        cells = {one: (domain, difficulty) for one, _text, _why, domain, difficulty in items}
        # Of either view: what is withdrawn can be worked out as the difference of the two.
        standing = Counter(cell for one, cell in cells.items() if one not in withdrawn)
        told = find_told(frozenset(standing.items()))
        return cls(
            *(version.benchmark, version, is_as_published, frozenset(cells), withdrawn),
            cells=cells,
            told=told,
            earlier=_find_earlier(version, {one: text for one, text, *_rest in items}),
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

    def list_kept(self, version: int | None) -> frozenset[int]:
        """List the problems whose answers count here, of a submission to a version (its `pk`)."""
        problems = frozenset(self.problems)
        if self.version is None or version == self.version.pk:
            return problems
        earlier = self.earlier.get(version or 0)
        return problems & earlier.unchanged if earlier else frozenset()

    def tells(self, version: int | None) -> bool:
        """Whether a figure here of a submission to a version is none that its own board hides."""
        if self.version is None or version == self.version.pk or not self.is_narrowed:
            return True
        earlier = self.earlier.get(version or 0)
        return earlier is not None and earlier.tells((self.domain, self.difficulty))

    def list_new(self, version: int | None) -> frozenset[int]:
        """List the problems here that a submission to a version (its `pk`) was not asked."""
        return frozenset(self.problems) - self.list_kept(version)

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


def _find_earlier(version: BenchmarkVersion, texts: Mapping[int, int]) -> dict[int, EarlierVersion]:
    """Compare a version's public part (revisions, by problem) with those of all before it."""
    if version.number == 1:
        return {}
    public = VersionItem.objects.public().order_by()
    before = public.filter(version__benchmark=version.benchmark, version__number__lt=version.number)
    unchanged: dict[int, set[int]] = defaultdict(set)
    gone: dict[int, set[Cell]] = defaultdict(set)
    cells: dict[int, Counter[Cell]] = defaultdict(Counter)
    for other, problem, text, why, *cell in before.values_list(
        *("version", "problem", "revision", "withdrawal"),
        *("problem__domain", "problem__difficulty"),
    ):
        of = cell[0], cell[1]
        if why is None:
            cells[other][of] += 1
        if texts.get(problem) == text:
            unchanged[other].add(problem)
        elif why is None:
            gone[other].add(of)
    return {
        one: EarlierVersion(
            frozenset(kept), frozenset(gone[one]), find_told(frozenset(cells[one].items()))
        )
        for one, kept in unchanged.items()
    }
