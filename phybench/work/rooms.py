"""Find what each room has of one kind: its rows, its tasks, what it tells people."""

from importlib import import_module, util
from pathlib import Path

ROOF = {"management", "migrations", "demo"}
"""What an app has beside its rooms; it may see all of them."""


def load(app: str, name: str) -> list[str]:
    """
    Import every module called `name` in the rooms of an app, and return what they are called.

    Args:
        app: a package, as `curation`.
        name: of files, without the ending: `models`, `tasks`, `desk`, `news`.
    """
    spec = util.find_spec(app)
    assert spec
    folder = Path(next(iter(spec.submodule_search_locations or ())))
    found = [path.relative_to(folder).parent.parts for path in folder.glob(f"*/**/{name}.py")]
    modules = [".".join([app, *parts, name]) for parts in sorted(found) if parts[0] not in ROOF]
    for module in modules:
        import_module(module)
    return modules
