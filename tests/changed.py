"""
List the tests that a change concerns, for daily work: `python3 dev.py test --changed`.

They are those that import a room that changed, or one that stands on it by the arrows of
`tests/rooms.py`, or a file of tests that changed. A template belongs to the rooms that name it,
also through templates that include it. What belongs to no room concerns all. CI runs all.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.rooms import APPS, ROOT, count, find_room, list_imports

EVERYTHING = ["tests", "packages/phybench-grader/tests"]
UNREAD = (".md", ".po", ".yml", ".lock")
"""Ends of files that tests of all pages and texts look at, and those of no single room."""
TEXTS = ["tests/test_words.py", "tests/test_keep.py", "tests/test_exchange_docs.py"]
GRADER = "packages/phybench-grader"


def list_changed(since: str) -> list[str]:
    """List files, from the project's folder, that differ from a commit or that git doesn't know."""
    asked = (["diff", "--name-only", since], ["ls-files", "--others", "--exclude-standard"])
    return [
        name
        for arguments in asked
        for name in subprocess.check_output(["git", *arguments], cwd=ROOT, text=True).splitlines()
    ]


def choose(changed: Iterable[str]) -> list[str]:
    """List the files or folders of tests that these files concern."""
    rooms: set[str] = set()
    chosen: set[str] = set()
    for name in changed:
        path = Path(name)
        if path.suffix in UNREAD:
            chosen.update(TEXTS)
        elif path.parts[0] == "tests":
            chosen.update(find_users(name))
        elif path.parts[0] == "templates":
            rooms |= find_rooms_of(name)
        elif room := find_room(".".join(path.with_suffix("").parts)):
            rooms.add(room)
        elif name.startswith(GRADER):
            return EVERYTHING
        else:
            return EVERYTHING[:1]
    if "" in rooms:
        return EVERYTHING[:1]
    above = find_above(rooms, count().arrows)
    chosen.update(test for test, used in list_rooms_of_tests().items() if used & above)
    return sorted(chosen)


def find_above(rooms: Iterable[str], arrows: Mapping[str, set[str]]) -> set[str]:
    """Return these rooms and those that stand on them."""
    above = set(rooms)
    while more := {room for room, below in arrows.items() if below & above} - above:
        above |= more
    return above


@cache
def read_imports() -> dict[str, set[str]]:
    """Return what each file of tests imports, by its name."""
    return {
        str(path.relative_to(ROOT)): {
            name for _line, name in list_imports(ast.parse(path.read_text(encoding="utf-8")))
        }
        for path in (ROOT / "tests").rglob("*.py")
    }


def list_rooms_of_tests() -> dict[str, set[str]]:
    return {
        name: {room for module in imported if (room := find_room(module))}
        for name, imported in read_imports().items()
        if Path(name).name.startswith("test_")
    }


def find_users(name: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """Find the tests in a file, or those that a helper of tests is for, by what imports it."""
    path = Path(name)
    if name in seen:
        return
    if path.name.startswith("test_"):
        if (ROOT / name).exists():
            yield name
    elif path.name in {"conftest.py", "__init__.py"} or path.suffix != ".py":
        yield str(path.parent)
    else:
        module = ".".join(path.with_suffix("").parts)
        for user, imported in read_imports().items():
            if any(other == module or other.startswith(f"{module}.") for other in imported):
                yield from find_users(user, seen | {name})


TEMPLATE = re.compile(r"""["']([\w./-]+\.(?:html|txt|svg))[#"']""")


@cache
def read_templates_named() -> dict[str, set[Path]]:
    """Return the files that name a template, by its name."""
    users: dict[str, set[Path]] = defaultdict(set)
    for folder in ("templates", *APPS):
        for path in (ROOT / folder).rglob("*.*"):
            if path.suffix in {".py", ".html", ".txt", ".svg"}:
                for name in TEMPLATE.findall(path.read_text(encoding="utf-8")):
                    users[name].add(path.relative_to(ROOT))
    return users


def find_rooms_of(template: str) -> set[str]:
    """Return the rooms that name a template, and "" where it is of every page or of the roof."""
    rooms: set[str] = set()
    waiting, seen = [template.removeprefix("templates/")], set[str]()
    while waiting:
        seen.add(name := waiting.pop())
        for user in read_templates_named().get(name, ()):
            if user.parts[0] != "templates":
                rooms.add(find_room(".".join(user.with_suffix("").parts)))
            elif (includer := "/".join(user.parts[1:])) not in seen:
                waiting.append(includer)
    return rooms or {""}


if __name__ == "__main__":
    print(*choose(list_changed(sys.argv[1] if sys.argv[1:] else "HEAD")), sep="\n")
