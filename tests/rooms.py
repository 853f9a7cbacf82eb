"""
Count the rooms of the application and what they import of each other: `python tests/rooms.py`.

A room is a folder directly in an app. What lies in the app itself, and in the folders of `ROOF`, is
the roof: it may see all rooms, and none may see it. A floor is one more than the highest that a
room stands on; rooms of a circle stand on one floor. It needs nothing but Python.
"""

import ast
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
APPS = ("phybench", "curation", "grading")
ROOF = {"management", "migrations", "demo"}
DISCOVERY = "phybench/work/rooms.py"
"""It imports what lies in each room, by the names of files."""
THE_SETTING = "settings.PROBLEMS_CLOSED_BY"
"""The one inversion: what closes problems is named by a setting (docs/architecture.md)."""
LOOKED_UP = {"import_string", "import_module", "get_model"}
"""Functions that import by a name, and so could hide an arrow."""
Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class House:
    """What was counted; places are `file:line`."""

    arrows: dict[str, set[str]]
    """The rooms that each room imports."""
    to_roof: list[str]
    """Places in rooms that import the roof."""
    looked_up: list[str]
    """Places in rooms that name a module of the application to a function that imports it."""
    circles: list[list[str]]
    circles_of_parts: list[list[str]]
    """Circles between what lies side by side in a room: its files and its folders."""
    floors: dict[str, int]

    @property
    def counts(self) -> dict[str, int]:
        return {
            "rooms": len(self.arrows),
            "floors": max(self.floors.values()),
            "arrows": sum(map(len, self.arrows.values())),
            "circles": len(self.circles),
            "rooms in circles": sum(map(len, self.circles)),
            "circles of parts": len(self.circles_of_parts),
            "imports of the roof": len(self.to_roof),
            "looked up": len(self.looked_up),
        }


def find_room(module: str, root: Path = ROOT) -> str:
    """Return the room of a module, as `app.room`; "" for the roof and for what is not ours."""
    app, *rest = module.split(".")
    is_room = app in APPS and rest and rest[0] not in ROOF and (root / app / rest[0]).is_dir()
    return f"{app}.{rest[0]}" if is_room else ""


def find_part(module: str, root: Path = ROOT) -> str:
    """Return the file or folder of its room that a module lies in; "" for the room's own face."""
    part = ".".join(module.split(".")[:3])
    path = root.joinpath(*part.split("."))
    is_part = part.count(".") == 2 and (path.is_dir() or path.with_suffix(".py").exists())
    return part if is_part and path.name != "__init__" else ""


def list_imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """List the modules, and names in modules, that a file imports, with the line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def list_looked_up(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """List what functions are to import by a name of ours, or by one that is not written out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            function = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            function = node.func.id if isinstance(node.func, ast.Name) else function
            name = ast.unparse(node.args[0])
            is_elsewhere = name[0] in "'\"" and name.strip("'\"").split(".")[0] not in APPS
            if function in LOOKED_UP and name != THE_SETTING and not is_elsewhere:
                yield node.lineno, name.strip("'\"")


@cache
def count(root: Path = ROOT) -> House:
    """Read every module of the rooms."""
    arrows: dict[str, set[str]] = {}
    parts: dict[str, set[str]] = defaultdict(set)
    to_roof, looked_up = [], []
    for path in sorted(file for app in APPS for file in (root / app).rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        if not (here := find_room(module, root)):
            continue
        tree, name = ast.parse(path.read_text(encoding="utf-8")), path.relative_to(root)
        own = arrows.setdefault(here, set())
        for line, imported in list_imports(tree):
            if imported.split(".")[0] not in APPS:
                continue
            there = find_room(imported, root)
            if not there:
                to_roof.append(f"{name}:{line} {imported}")
            elif there != here:
                own.add(there)
            elif (part := find_part(imported, root)) and (own_part := find_part(module, root)):
                parts[own_part] |= {part} - {own_part}
        if str(name) != DISCOVERY:
            looked_up += [f"{name}:{line} {imported}" for line, imported in list_looked_up(tree)]
    circles = [sorted(group) for group in condense(arrows) if len(group) > 1]
    of_parts = [sorted(group) for group in condense(parts) if len(group) > 1]
    return House(arrows, to_roof, looked_up, circles, of_parts, find_floors(arrows))


def condense(arrows: Mapping[Node, set[Node]]) -> list[list[Node]]:
    """List the groups of nodes that reach each other (Tarjan 1972), the lowest first."""
    number: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    path: list[Node] = []
    groups: list[list[Node]] = []

    def visit(node: Node) -> None:
        number[node] = lowest[node] = len(number)
        path.append(node)
        for other in sorted(arrows.get(node, ()), key=str):
            if other not in number:
                visit(other)
            if other in path:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == number[node]:
            place = path.index(node)
            groups.append(path[place:])
            del path[place:]

    for node in arrows:
        if node not in number:
            visit(node)
    return groups


def find_floors(arrows: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the floor of each room, from 1."""
    group_of = {room: place for place, group in enumerate(condense(arrows)) for room in group}
    below: dict[int, set[int]] = {place: set() for place in group_of.values()}
    for room, others in arrows.items():
        below[group_of[room]] |= {group_of[other] for other in others} - {group_of[room]}
    floors: dict[int, int] = {}
    for place in TopologicalSorter(below).static_order():
        floors[place] = 1 + max((floors[other] for other in below[place]), default=0)
    return {room: floors[place] for room, place in group_of.items()}


def describe(house: House) -> str:
    """Write the house floor by floor, then its faults, and the counts in the last line."""
    lines = []
    for floor in range(max(house.floors.values()), 0, -1):
        rooms = sorted(room for room, level in house.floors.items() if level == floor)
        lines.append(f"{floor:2}  {', '.join(rooms)}")
    for title, circles in (("circle", house.circles), ("circle of parts", house.circles_of_parts)):
        lines += [f"{title}: {' <-> '.join(circle)}" for circle in circles]
    lines += [f"imports the roof: {place}" for place in house.to_roof]
    lines += [f"looks up: {place}" for place in house.looked_up]
    lines.append(", ".join(f"{number} {name}" for name, number in house.counts.items()))
    return "\n".join(lines)


if __name__ == "__main__":
    print(describe(count()))
