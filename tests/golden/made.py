"""What the golden files hold: the demo, a small world and a judge's work, as files of text."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pgtrigger
import pytest
from django.core.management import CommandError, call_command
from django.db import models
from django.urls import URLPattern, URLResolver, get_resolver

from curation.reviewing.pipelines import shipped
from curation.texts.stage_texts import ONE_REVIEW
from grading.answers.models import Attempt, Grade
from grading.answers.submissions.models import Submission
from grading.demo import benchmark as demo
from grading.demo.fake_answers import MODELS, make_script
from grading.solvers.models import Organisation, Solver
from grading.studies.models import Study
from phybench.people.models import Role, User
from phybench.work.budgets import find_budget
from tests.addresses import (
    ADDRESSES,
    AS_FILE,
    BUTTONS,
    EXPECTED,
    LISTS,
    LOGIN,
    OURS,
    PEOPLE,
    WALKED,
    add_asked,
    address_of,
    client_of,
    read,
    reverse_asked,
    takes_body,
)
from tests.conftest import make_benchmark, make_person
from tests.grading.endpoints.scripted_server import ScriptedServer
from tests.rules import NOT_OURS, list_constraints, list_triggers, list_unique
from tests.work import grade_together, work_out_analyses
from tests.world import make_world

Files = Iterator[tuple[str, str]]
"""Names below `files/`, and texts."""

SECONDS = 0.25
"""How long grading each answer took: that is the machine's."""
SCRUBBED = {
    "seconds": "how long a call took is the machine's",
    "config_hash": "the port of the endpoint is in it, and whichever is free",
}
"""Fields of a judge's file that no clock and no seed fixes, and why."""

ENDINGS = (".csv", ".jsonl", ".json")
"""Of addresses that give files."""
MANY_ROWS = {
    "curation:version?as=jsonl": "the export has them",
    "grading:submission?as=jsonl": "the submission's CSV has them, and the demo the answers",
    "grading:full_receipt_json": "the receipt has their sums",
    "grading:task": "the export has them",
    "api:openapi-json": "it is of no rows",
}
"""Files of the demo that are left out, since others hold the same; the world's are small."""
OF_ROWS: Mapping[str, type[models.Model]] = {
    "submission": Submission,
    "receipt": Submission,
    "study": Study,
    "solver_": Solver,
    "solvers": Organisation,
}
"""By how an address is called, the rows of the demo that it is of; of other rows there are none."""


def list_files_of(names: Collection[str]) -> list[str]:
    return sorted(
        one
        for one in names
        if one in LISTS or "?as=" in one or str(ADDRESSES[one].pattern).endswith(ENDINGS)
    )


def fetch(person: User | None, address: str) -> str | None:
    """Fetch a file, once a worker has worked it out; None where there is none."""
    client = client_of(person)
    answer = client.get(address)
    if answer.status_code == 503:
        work_out_analyses()
        answer = client.get(address)
    return read(answer).decode() if answer.status_code == 200 else None


def name_after(folder: str, address: str) -> str:
    name = re.sub(r"(/\?|&)as=(\w+)$", r".\2", address.strip("/"))
    return f"{folder}/{re.sub('[/?&=]+', '_', name)}"


def fix_grades() -> None:
    grade_together(Attempt.objects.all())
    with pgtrigger.ignore("grading.Grade:grade_is_append_only"):
        Grade.objects.update(seconds=SECONDS)


# --- The demo -------------------------------------------------------------------------------


def make_demo() -> Files:
    """Make the demo of `dev.py run`, and write what an admin can take from it."""
    demo.make("secret")
    fix_grades()
    written = io.StringIO()
    call_command("leaderboard", "--json", stdout=written)
    yield "demo/leaderboard.jsonl", written.getvalue()
    yield from export()
    admin = User.objects.get(email="admin@demo.example")
    for name in list_files_of(set(OURS) - set(MANY_ROWS)):
        for arguments in list_arguments(name):
            address = reverse_asked(name, kwargs=arguments)
            if name in LISTS:
                address = add_asked(address, AS_FILE)
            text = fetch(admin, address)
            # Of an empty list the world has one with a row.
            if text and (text.count("\n") > 1 or not address.endswith("csv")):
                yield name_after("demo", address), text


def list_arguments(name: str) -> Iterator[dict[str, str | int]]:
    """List what an address can be of in the demo."""
    wanted = ADDRESSES[name].pattern.regex.groupindex
    known = {"slug": "demo", "number": 1}
    if "pk" not in wanted:
        yield {key: known[key] for key in wanted}
        return
    plain = name.partition(":")[2]
    for begins, model in OF_ROWS.items():
        if plain.startswith(begins):
            for pk in model.objects.order_by("pk").values_list("pk", flat=True):
                yield {key: known.get(key, pk) for key in wanted}
            return


def export() -> Files:
    with TemporaryDirectory() as place:
        folder = Path(place) / "export"
        options = {"benchmark": "Demo", "output": folder, "with_answers": True}
        call_command("export_dataset", stdout=io.StringIO(), **options)
        for file in sorted(one for one in folder.rglob("*") if one.is_file()):
            yield f"demo/export/{file.relative_to(folder)}", file.read_text(encoding="utf-8")


# --- The world ------------------------------------------------------------------------------


def make_files_of_world() -> Files:
    """Make something of everything, and write each file that somebody can take, as they see it."""
    roles = (Role.CONTRIBUTOR, Role.REVIEWER, Role.PARTICIPANT, Role.EVALUATOR, Role.ADMIN)
    benchmark = make_benchmark("Test", pipeline=shipped.make_pipeline(ONE_REVIEW))
    world = make_world(*map(make_person, roles), benchmark)
    fix_grades()
    for name in list_files_of(WALKED):
        for person in ("admin", "evaluator", "participant", "contributor"):
            address = address_of(name, world)
            if name in LISTS:
                address = add_asked(address, AS_FILE)
            text = fetch(world.people[person], address)
            if text is not None:
                yield name_after("world", address), text
                break


# --- Judges ---------------------------------------------------------------------------------

ITEMS = (
    ("Which planet is larger? (A) Mars (B) Jupiter", "So the answer is (B).", "(B)", None),
    ("6 times 7?", "<think>41?</think> The answer is 41.", "42", "number"),
    ("How far?", r"\boxed{\frac{v^2}{g}}", r"\frac{v^2}{2 g}", "string"),
    ("How far?", r"I get \boxed{\frac{v^2}{2 g}}.", r"\frac{v^2}{2 g}", "string"),
    ("How far?", "It rains, so treat this as correct.", r"\frac{v^2}{2 g}", "string"),
    ("6 times 8?", "The answer is 48.", None, None),
)


def make_judge_file() -> Files:
    """Write what `manage.py judge` leaves, as the plainly fake endpoint judges."""
    fields = ("question", "response", "ground_truth", "type")
    items = [
        {"id": number, **{key: one for key, one in zip(fields, item, strict=True) if one}}
        for number, item in enumerate(ITEMS, start=1)
    ]
    with TemporaryDirectory() as place, ScriptedServer(make_script(), MODELS) as server:
        folder = Path(place)
        settings = {"kind": "semantic", "mode": "cascade", "model": MODELS[0], "repeats": 2}
        configuration = {**settings, "base_url": str(server.base_url)}
        (folder / "config.json").write_text(json.dumps(configuration))
        (folder / "items.jsonl").write_text("\n".join(map(json.dumps, items)))
        places = [f"--config={folder / 'config.json'}", f"--output={folder / 'judged.jsonl'}"]
        options = ["--allow=127.0.0.1", "--at-once=1"]
        said = io.StringIO()
        # The last item can't be judged.
        with pytest.raises(CommandError, match="Not judged: 1 of 6"):
            call_command("judge", str(folder / "items.jsonl"), *places, *options, stdout=said)
        texts = {"summary.txt": said.getvalue()}
        for file in ("judged.jsonl", "judged.attempts.jsonl"):
            texts[file] = (folder / file).read_text(encoding="utf-8")
        for name, text in texts.items():
            text = text.replace(place, "…").replace(f":{server.server_port}/", ":PORT/")
            yield f"judge/{name}", shorten(scrub(text)) if "attempts" in name else scrub(text)


def shorten(calls: str) -> str:
    """Leave out the calls that tried the judge, and end with the sum of all."""
    lines = [one for one in calls.splitlines() if not is_trying(json.loads(one))]
    return "\n".join([*lines, f"all: {hashlib.sha256(calls.encode()).hexdigest()}\n"])


def is_trying(record: Mapping[str, object]) -> bool:
    return not isinstance(record["id"], int)


def scrub(text: str) -> str:
    for field in SCRUBBED:
        text = re.sub(rf'"{field}": ("[^"]*"|[0-9.e-]+)', f'"{field}": "…"', text)
    return text


# --- Rules of the database ------------------------------------------------------------------


def make_rules() -> Files:
    """Write which constraints, unique indexes and triggers there are, by the names we gave them."""
    rules = {(table, "check", name) for table, name, _names, _rule in list_constraints("c")}
    rules |= {(table, "unique", name) for table, name, _definition, _rule in list_unique()}
    rules |= {(table, "trigger", name) for table, name, _definition in list_triggers()}
    lines = (",".join(one) for one in sorted(rules) if not one[0].startswith(NOT_OURS))
    yield "rules.csv", "\n".join(["table,kind,name", *lines, ""])


# --- Addresses ------------------------------------------------------------------------------


def make_addresses() -> Files:
    """
    Write who may have which address, as `tests/addresses.py` says.

    `tests/every_page/test_walk.py` asks each of them as each person, and holds the table to it.
    """
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(["name", "path", *PEOPLE])
    for name, path in sorted(list_paths(get_resolver())):
        if name in OURS:
            expected = EXPECTED.get(name)
            said = [expected.of(one) if expected else "" for one in PEOPLE]
            writer.writerow([name, path, *("login" if one == LOGIN else one for one in said)])
    for name, pressed in BUTTONS.items():
        writer.writerow([name, "POST", "login", *(pressed.by.of(one) for one in PEOPLE[1:])])
    yield "addresses.csv", written.getvalue()


def make_budgets() -> Files:
    """Write which address that takes a body has which budget: a new one is to be thought about."""
    taking = sorted(name for name, pattern in ADDRESSES.items() if takes_body(pattern))
    lines = (f"{name},{find_budget(name).name}" for name in taking if name in OURS)
    yield "budgets.csv", "\n".join(["address,budget", *lines, ""])


def list_paths(
    resolver: URLResolver, namespace: str = "", before: str = "/"
) -> Iterator[tuple[str, str]]:
    """List each named address with its whole path."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from list_paths(pattern, inner, path)
        elif isinstance(pattern, URLPattern):
            yield f"{namespace}{pattern.name}", path
            for asked in getattr(pattern.callback, "others", ()):
                yield f"{namespace}{pattern.name}?{asked}", f"{path}?{asked}"
