"""Look through a JSON object for the rows in it, whatever its size."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phybench.files.answer_files.formats.json_rows import Where, walk
from phybench.files.answer_files.formats.row import BrokenOff, Stopped
from phybench.files.answer_files.formats.window import Window

USUAL = frozenset(
    {
        *("answers", "completions", "data", "details", "entries", "evaluations", "examples"),
        *("generations", "instances", "items", "logs", "outputs", "predictions", "records"),
        *("request_states", "responses", "results", "rows", "samples", "submissions"),
        "example_level_metadata",
    }
)
"""Names of the lists in which harnesses keep what models answered."""
MOST_KEPT = 200
"""Of lists, of names and of remarks: an object may have any number of fields."""
LONGEST_REMARK = 200


@dataclass(slots=True)
class Survey:
    lists: dict[str, int] = field(default_factory=dict)
    """How many objects each list holds, by its path."""
    remarks: dict[str, str] = field(default_factory=dict)
    """Texts that stand beside them, by their paths, such as the model's name."""
    names: dict[str, None] = field(default_factory=dict)
    """Of its fields, in their order."""
    is_by_column: bool = True
    """Whether it may be a table, written column by column: each field holds several values."""
    _kinds: set[str] = field(default_factory=set)
    _inner: dict[str, str] = field(default_factory=dict)
    _is_alike: bool = False
    """Whether two of its fields hold objects with a field of the same name."""

    def find_rows(self) -> str | None:
        """Return the path of the list that holds the answers, if any does."""
        if not self.lists or self.is_by_problem():
            return None

        def rank(path: str) -> tuple[int, bool, int]:
            return path.count("."), path.rpartition(".")[2] not in USUAL, -self.lists[path]

        return min(self.lists, key=rank)

    def is_by_problem(self) -> bool:
        """Tell whether it seems to have a field for each problem: several, all of one kind."""
        if len(self.names) < 2 or len(self._kinds) > 1:
            return False
        if self._kinds == {"objects"}:
            return len(self.names) > 2 and not USUAL & self.names.keys()
        heads = {path.partition(".")[0] for path in self.lists}
        if len(heads) == 1 and USUAL & {path.rpartition(".")[2] for path in self.lists}:
            return False
        return not heads or self._is_alike

    def add(self, where: Where, value: Any) -> None:
        path, is_in_list = where
        name, _dot, deeper = path.partition(".")
        _keep(self.names, name, None)
        if not is_in_list and not deeper:
            self.is_by_column = False
        if isinstance(value, Mapping) or deeper:
            self._kinds.add("objects" if is_in_list and not deeper else "object")
            _keep(self._inner, deeper, self._inner.get(deeper, name))
            self._is_alike |= bool(deeper) and self._inner.get(deeper, name) != name
        else:
            self._kinds.add("text" if isinstance(value, str) else "other")
        if is_in_list and isinstance(value, Mapping):
            _keep(self.lists, path, self.lists.get(path, 0) + 1)
        elif isinstance(value, str) and not is_in_list and len(value) <= LONGEST_REMARK:
            _keep(self.remarks, path, value)


def _keep(kept: dict[str, Any], name: str, value: Any) -> None:
    if name in kept or (len(kept) < MOST_KEPT and len(name) <= LONGEST_REMARK):
        kept[name] = value


def survey(window: Window) -> Survey:
    """
    Look through an object as far as it can be read.

    Raises:
        BrokenOff: it can't be read, and holds no row before that.
    """
    found = Survey()
    try:
        for where, value in walk(window):
            found.add(where, value)
    except Stopped as why:
        if not found.lists and not found.is_by_problem():
            raise BrokenOff(1, str(why)) from None
    return found
