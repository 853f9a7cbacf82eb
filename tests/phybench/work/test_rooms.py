"""What lies in a room is found: its rows, its tasks, what it tells on desks and in e-mails."""

import re
import sys
from pathlib import Path

import pytest
from django.apps import apps

from phybench.celery import app as celery_app
from phybench.work.rooms import APPS, load

ROOT = Path(__file__).parents[3]
REGISTERS = {
    "tasks": r"^@(?:shared_task|app\.task)|^\w+ = .*\bTask\(",
    "desk|news": r"^@desk_(?:lines|links|sentences|progress)|^\w+ = MailKind\(|^MailKind\(",
}
"""What only counts once its module is loaded, by the names that such a module may have."""


def list_modules(name: str) -> set[str]:
    files = (file for app in APPS for file in (ROOT / app).glob(f"*/**/{name}.py"))
    return {".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files}


@pytest.mark.parametrize("name", ["models", "tasks", "desk", "news"])
def test_every_file_of_such_a_name_is_found_and_loaded(name):
    found = {module for app in APPS for module in load(app, name)}
    assert found == list_modules(name)
    assert found <= sys.modules.keys()


@pytest.mark.parametrize("names", REGISTERS)
def test_what_registers_itself_lies_in_a_file_that_is_found(names):
    elsewhere = [
        file.relative_to(ROOT).as_posix()
        for app in APPS
        for file in (ROOT / app).rglob("*.py")
        if re.search(REGISTERS[names], file.read_text(encoding="utf-8"), re.MULTILINE)
        and not re.fullmatch(names, file.stem)
        and "migrations" not in file.parts
    ]
    assert elsewhere == []


def test_the_worker_knows_every_task_and_django_every_row():
    celery_app.loader.import_default_modules()
    tasks = {name.rpartition(".")[0] for name in celery_app.tasks if name.split(".")[0] in APPS}
    assert tasks <= list_modules("tasks")
    rows = {one.__module__ for one in apps.get_models() if one.__module__.split(".")[0] in APPS}
    assert rows <= list_modules("models")
