"""The rooms stand on each other, and what is not yet so only becomes less (`tests/rooms.py`)."""

import re
import tomllib
from pathlib import Path

from tests.rooms import ROOT, count, describe

AT_MOST = {
    "rooms": 24,
    "floors": 8,
    "arrows": 154,
    "circles": 0,
    "rooms in circles": 0,
    "circles of parts": 0,
    "imports of the roof": 0,
    "looked up": 0,
}
"""Write a number down here as soon as it has fallen; none may rise."""

MODULES = {
    "grading/models.py": "",
    "grading/urls.py": "from grading.board.views import show",
    "grading/runs/models.py": "from grading.board import views",
    "grading/board/views.py": "from django.apps import apps\nimport grading.models\n"
    "def show():\n    from grading.runs.models import Run\n    apps.get_model('grading.Run')\n",
    "grading/board/table/rows.py": "from grading.board.picture.bars import draw",
    "grading/board/picture/bars.py": "from grading.board.table import rows",
    "curation/texts/units.py": "import re\nfrom phybench.work import leases",
    "phybench/work/leases.py": "import_string(settings.PROBLEMS_CLOSED_BY)\nimport_string(name)\n"
    "from phybench.work.kinds import Kind",
    "phybench/work/kinds.py": "from phybench.work import leases",
    "phybench/migrations/0001.py": "import grading.models",
}


def make_house(folder: Path) -> Path:
    for name, text in MODULES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_no_figure_of_the_house_rises_and_one_that_falls_is_written_down():
    house = count()
    assert house.counts == AT_MOST, describe(house)


def test_a_circle_is_found_between_rooms_and_between_the_parts_of_one(tmp_path):
    house = count(make_house(tmp_path))

    assert house.circles == [["grading.board", "grading.runs"]]
    assert house.circles_of_parts == [
        ["grading.board.picture", "grading.board.table"],
        ["phybench.work.kinds", "phybench.work.leases"],
    ]
    assert house.floors["curation.texts"] == 2
    assert house.counts["arrows"] == 3


def test_a_room_that_sees_the_roof_or_imports_by_a_name_is_named_with_its_line(tmp_path):
    house = count(make_house(tmp_path))

    assert house.to_roof == ["grading/board/views.py:2 grading.models"]
    assert house.looked_up == [
        "grading/board/views.py:5 grading.Run",
        "phybench/work/leases.py:2 name",
    ]


def test_the_document_draws_the_rooms_that_there_are_on_the_floors_of_the_contract():
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = {
        name.replace("/", "."): int(floor)
        for floor, name in re.findall(r"^\| ([1-9]) \| `(\w+/\w+)` \|", text, re.MULTILINE)
    }
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    contracts = {one["name"]: one for one in tools["importlinter"]["contracts"]}
    layers = contracts["Rooms use the rooms below them"]["layers"]
    floors = {
        room: len(layers) - 1 - height
        for height, layer in enumerate(layers)
        for room in layer.split(" | ")
    }
    assert drawn == {room: floor for room, floor in floors.items() if floor}
    assert drawn.keys() == count().arrows.keys()
