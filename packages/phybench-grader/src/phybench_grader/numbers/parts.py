"""
SymPy's walks over the parts of an expression, each part visited once.

`simplify` multiplies sums out. A formula of a hundred parts then has ten thousand, of which a few
hundred are different, and SymPy visits all of them, again for each thing it looks for. What a part
gives depends on the part alone, so here one of each is looked at, in the order in which they first
occur, and the results are those of SymPy's own functions. `test_simplification` compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import sympy
from sympy.simplify import cse_opts

_atoms = sympy.Basic.atoms
_replace = sympy.Basic.replace
_traverse = cse_opts.preorder_traversal


class _Unusual(Exception):
    """There is something other than expressions inside, which is left to SymPy."""


def list_parts(expression: sympy.Basic) -> Iterator[sympy.Basic]:
    """
    List the different parts of an expression, each before what is in it.

    >>> x = sympy.Symbol("x", positive=True)
    >>> list(list_parts(x ** (x + 2)))
    [x**(x + 2), x, x + 2, 2]
    """
    met: set[sympy.Basic] = set()
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if part in met:
            continue
        if not isinstance(part, sympy.Expr):
            raise _Unusual
        met.add(part)
        yield part
        waiting.extend(reversed(part.args))


def _find_atoms(self: sympy.Basic, *types: Any) -> Any:
    """Find the parts of some types, or those without parts of their own (`Basic.atoms`)."""
    classes = tuple(kind if isinstance(kind, type) else type(kind) for kind in types)
    try:
        if classes:
            return {part for part in list_parts(self) if isinstance(part, classes)}
        return {part for part in list_parts(self) if not part.args}
    except _Unusual:
        return _atoms(self, *types)


def _replace_found(self: sympy.Basic, query: Any, value: Any, *args: Any, **options: Any) -> Any:
    """Leave an expression alone in which there is nothing to replace (`Basic.replace`)."""
    if isinstance(query, FunctionType) and isinstance(value, FunctionType) and not args:
        try:
            if not options.get("map") and not any(map(_tell(query), list_parts(self))):
                return self
        except _Unusual:
            pass
    return _replace(self, query, value, *args, **options)


def _tell(query: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """Tell a find as `replace` does, to which nothing but an empty dictionary is one too."""

    def is_found(part: sympy.Basic) -> bool:
        result = query(part)
        return bool(result) or result == {}

    return is_found


def _traverse_parts(expression: sympy.Basic) -> Iterator[sympy.Basic]:
    """Go over the parts for `sub_post`, to which a part met again is nothing new."""
    try:
        return iter(list(list_parts(expression)))
    except _Unusual:
        return iter(_traverse(expression))


def _expand_parts(expression: Any, hint: str, deep: bool = True, **hints: Any) -> tuple[Any, bool]:
    """Expand each part in one way, innermost first, and tell if that changed anything."""
    known: dict[Any, tuple[Any, bool]] = {}

    def expand(part: Any, deep: bool) -> tuple[Any, bool]:
        if (found := known.get(part)) is not None:
            return found
        expanded, is_changed = part, False
        if deep and getattr(part, "args", None) and not part.is_Atom:
            inner = [expand(argument, True) for argument in part.args]
            if any(changed for _, changed in inner):
                expanded, is_changed = part.func(*[argument for argument, _ in inner]), True
        if (method := getattr(expanded, hint, None)) is not None:
            other = method(**hints)
            if other != expanded:
                expanded, is_changed = other, True
        known[part] = expanded, is_changed
        return known[part]

    return expand(expression, deep)


def visit_parts_once() -> None:
    """Put these walks in the place of SymPy's."""
    sympy.Basic.atoms = _find_atoms
    sympy.Basic.replace = _replace_found
    sympy.Expr._expand_hint = staticmethod(_expand_parts)
    cse_opts.preorder_traversal = _traverse_parts
