"""Find which problem a row answers where its id is not the benchmark's. No database here."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from phybench.files.answer_files import paths
from phybench.files.answer_files.fields import NUMBER, ORDER, STATEMENT, FieldMap
from phybench.files.answer_files.formats.row import Row
from phybench.files.answer_files.guessing import knows_ids
from phybench.files.answer_files.values import take_id, take_number

_STEP = 16
"""Characters between the places at which a text is looked at."""
_LEAST = 2 * _STEP
"""Characters that a statement must have: one of its first lies on a place wherever it stands."""
_DEEPEST = 8
_LONGEST = 200_000
"""Characters of a row's texts that are searched; a prompt stands in the first of them."""
_MOST_COMPARED = 20_000
"""Statements that one text is compared with: of many that begin alike a text may repeat that."""
NAMED = 12
"""Characters of a version's hash by which the name of a file says that it is to that version."""
_NUMBERED = re.compile(r"[A-Za-z]+[-_ ]?0*([0-9]{1,9})")


class Problems:
    """The problems that a file may answer, in the order of the task file."""

    def __init__(self, statements: Mapping[str, str], sha256: str = "") -> None:
        """
        Index the problems of a version.

        Args:
            statements: by id, in the order of the task file.
            sha256: of the version, as its task files have it.
        """
        self.ids: Sequence[str] = list(statements)
        self._known = frozenset(statements)
        self._sha256 = sha256
        self._by_number = _index_numbers(statements)
        self._openings: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        for identifier, statement in statements.items():
            text = _tighten(statement)
            if len(text) >= _LEAST:
                for offset in range(_STEP):
                    opening = text[offset : offset + _STEP]
                    self._openings[opening].append((offset, text, identifier))

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._known

    def find_numbered(self, identifier: str) -> str:
        """
        Return the id that is letters and this number; "" where none is, or several are.

        >>> Problems({"C7": "", "C12": ""}).find_numbered("7")
        'C7'
        """
        number = take_number(identifier)
        return self._by_number.get(number, "") if number is not None else ""

    def find_stated(self, values: Mapping[str, Any]) -> str:
        """Return the id of the only statement in the first text of a row that has any; else ""."""
        room = _LONGEST
        for text in _list_texts(values, 0):
            if found := set(self._find_in(_tighten(text[:room]))):
                return found.pop() if len(found) == 1 else ""
            room -= len(text)
            if room <= 0:
                break
        return ""

    def _find_in(self, text: str) -> Iterator[str]:
        end = compared = 0
        for place in range(0, len(text) - _STEP + 1, _STEP):
            alike = self._openings.get(text[place : place + _STEP], ())
            compared += len(alike)
            if compared > _MOST_COMPARED:
                break
            whole = [
                (len(statement), place - offset, identifier)
                for offset, statement, identifier in alike
                if place - offset >= end and text.startswith(statement, place - offset)
            ]
            if whole:
                # A statement may begin as another does, and go on; two may be the same.
                length, start, _identifier = max(whole)
                end = start + length
                yield from (problem for size, _at, problem in whole if size == length)

    def choose_way(self, rows: Iterable[Row], field_map: FieldMap, name: str = "") -> FieldMap:
        """
        Say in a map by what the rows of a file are matched, as its first rows show it.

        By ids, where some are known; else by their numbers, the statements in the prompts, or the
        order of the task file, each only where all first rows agree with it.

        Args:
            name: of the file, which may hold the version's hash.
        """
        rows = [row for row in rows if not row.fault]
        ids = [_take_id(row, field_map) for row in rows]
        if not rows or knows_ids(rows, field_map, self._known):
            return field_map
        stated = [self.find_stated(row.values) for row in rows]
        numbered = [self.find_numbered(identifier) for identifier in ids]
        # A number may be that of a row, and by chance that of another problem.
        agrees = all(
            by_text in ("", by_number) for by_text, by_number in zip(stated, numbered, strict=True)
        )
        if all(numbered) and agrees:
            return replace(field_map, ids=NUMBER)
        if all(stated):
            # One that is asked twice without a number is a second sample.
            return replace(field_map, ids=STATEMENT, is_in_order=not field_map.sample)
        is_numbered = not any(ids) or take_number(ids[0]) in (0, 1)
        if is_numbered and self._is_named(rows, name):
            return replace(field_map, ids=ORDER)
        return field_map

    def _is_named(self, rows: Iterable[Row], name: str) -> bool:
        """Tell whether a file says that it is to this version, by the version's hash."""
        if not self._sha256:
            return False
        return self._sha256[:NAMED] in name or any(
            value == self._sha256 for row in rows for _path, value in paths.list_paths(row.values)
        )


def _take_id(row: Row, field_map: FieldMap) -> str:
    found = paths.find(row.values, field_map.id) if field_map.id else []
    return take_id(found[0]) if found else ""


def _index_numbers(ids: Iterable[str]) -> Mapping[int, str]:
    numbered: dict[int, str] = {}
    for identifier in ids:
        if matched := _NUMBERED.fullmatch(identifier):
            number = int(matched[1])
            # Of two with one number neither is meant for sure.
            numbered[number] = "" if number in numbered else identifier
    return numbered


def _tighten(text: str) -> str:
    """Leave out all spaces: harnesses wrap and indent."""
    return "".join(text.split())


def _list_texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, Mapping | list):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _list_texts(inner, depth + 1)
