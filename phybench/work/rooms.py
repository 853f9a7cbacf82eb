"""Find what each room has of one kind: its rows, its tasks, what it tells people."""

from importlib import import_module, util
from pathlib import Path

APPS = ("phybench", "curation", "grading")
"""Each after those that it may use."""
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
    places = [path.relative_to(folder).parent.parts for path in folder.glob(f"*/**/{name}.py")]
    modules = [".".join([app, *place, name]) for place in sorted(places) if place[0] not in ROOF]
    for module in modules:
        import_module(module)
    return modules
