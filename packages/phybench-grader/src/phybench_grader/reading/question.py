r"""
What a problem says of its answer: the symbols it may hold, and what is asked for.

Whoever takes declared symbols takes names alone, a mapping from names to domains, or a `Question`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from phybench_grader.numbers.domains import POSITIVE, Domain


@dataclass(frozen=True, slots=True)
class Question(Collection[str]):
    r"""
    Find `asked` in `unit` in terms of symbols, where conditions hold; all of it is typed LaTeX.

    As a collection it holds the symbols. What is empty was not said.

    >>> list(Question.of([r"\theta"]).domains)
    [('\\theta', Domain(low=0, high=None, is_integer=False))]
    """

    domains: tuple[tuple[str, Domain], ...] = ()
    """The symbols that the problem declares, each with its domain."""
    asked: str = ""
    unit: str = ""
    conditions: tuple[str, ...] = ()
    """Relations between symbols, such as `a < b`."""
    statement: str = ""
    """The problem’s text: its formulas say what else is a symbol."""
    key: str = ""
    """What `usage.beside` added to the statement."""

    @property
    def told(self) -> str:
        """The statement alone, as its solvers have it."""
        return self.statement.removesuffix(self.key)

    @classmethod
    def of(cls, declared: Collection[str]) -> Question:
        """Make it of names, which then are positive, or of a mapping from names to domains."""
        if isinstance(declared, Question):
            return declared
        if isinstance(declared, Mapping):
            return cls(tuple(declared.items()))
        return cls(tuple((latex, POSITIVE) for latex in declared))

    def including(self, names: Collection[str]) -> Question:
        """Add names that are not declared yet."""
        added = tuple((name, POSITIVE) for name in sorted(names) if name not in self)
        return replace(self, domains=self.domains + added)

    def __iter__(self) -> Iterator[str]:
        return (latex for latex, _ in self.domains)

    def __len__(self) -> int:
        return len(self.domains)

    def __contains__(self, latex: object) -> bool:
        return latex in dict(self.domains)
