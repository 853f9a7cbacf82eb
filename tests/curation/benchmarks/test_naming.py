"""Each command that works on a benchmark takes its name or its slug."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from curation.problems.benchmarks.models import Benchmark
from grading.answers import references
from grading.management.commands import leaderboard, regrade
from tests.versions import publish_version

pytestmark = pytest.mark.django_db
OURS = ("curation", "grading", "phybench")


def list_commands() -> set[str]:
    """List our commands that are told a benchmark."""
    ours = [(name, app) for name, app in get_commands().items() if app in OURS]
    parsers = {name: load_command_class(app, name).create_parser("", name) for name, app in ours}
    return {name for name, one in parsers.items() if "--benchmark" in one.format_help()}


def choose(command: str, named: str, folder: Path) -> Any:
    """Return what a command makes of a name."""
    if command == "export_dataset":
        call_command(command, benchmark=named, output=folder / named, verbosity=0)
        return (folder / named / "README.md").read_text()
    if command == "leaderboard":
        asked = {"benchmark": named, "number": "", "domain": "", "difficulty": ""}
        return leaderboard.Command().find_scope(asked).benchmark
    if command == "regrade":
        with pytest.raises(CommandError) as refused:
            regrade.choose(named)
        return str(refused.value)
    empty = folder / "problems.json"
    empty.write_text('[{"id": "", "title": "x"}]')
    with pytest.raises(CommandError) as refused:
        call_command(command, empty, benchmark=named)
    return str(refused.value)


@pytest.fixture
def named(accepted_problem: Any) -> Benchmark:
    benchmark: Benchmark = accepted_problem.benchmark
    Benchmark.objects.filter(pk=benchmark.pk).update(name="Waves and more", slug="waves")
    benchmark.refresh_from_db()
    publish_version(benchmark)
    return benchmark


def test_a_name_and_a_slug_mean_the_same_to_every_command(named: Benchmark, tmp_path: Path) -> None:
    commands = list_commands()
    assert {"export_dataset", "import_problems", "leaderboard", "regrade"} == commands
    for command in commands:
        by_name, by_slug = (choose(command, one, tmp_path) for one in (named.name, named.slug))
        assert by_name == by_slug, command
    for command in commands - {"import_problems"}:
        needed = {"output": tmp_path / "other"} if command == "export_dataset" else {}
        with pytest.raises(CommandError, match="There is no benchmark “other”"):
            call_command(command, benchmark="other", **needed)
    assert Benchmark.objects.count() == 1


def test_a_slug_comes_before_a_name(named: Benchmark) -> None:
    Benchmark.objects.create(name="waves", slug="other")
    assert Benchmark.objects.called("waves") == named


def test_references_are_read_from_what_export_dataset_writes(
    named: Benchmark, tmp_path: Path
) -> None:
    folder = tmp_path / "set"
    call_command("export_dataset", benchmark="waves", output=folder, with_answers=True)
    found = references.parse((folder / "data" / "test.jsonl").read_bytes())
    [item] = named.versions.get().items.select_related("revision")
    assert {one: row.answer for one, row in found.by_id.items()} == {
        item.identifier: item.revision.answer
    }
    assert found.by_id[item.identifier].question == item.revision.reference.question
