"""A backup is one that was restored: on the tests' own server, in databases of its own."""

import json
import os
import stat
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, LiteralString

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from psycopg import sql

from phybench.people.models import Role, User
from phybench.work.backups import (
    BackupError,
    Place,
    ask_instead,
    back_up,
    find_tools,
    restore,
)
from tests.conftest import make_person

pytestmark = pytest.mark.django_db(transaction=True)


def list_databases(place: Place) -> set[str]:
    """List what was made beside the tests' database; others have tests of theirs elsewhere."""
    with place.connect() as asked:
        found = asked.execute("SELECT datname FROM pg_database").fetchall()
    return {name for [name] in found if name.startswith(f"{place.name}_")}


@pytest.fixture
def place() -> Iterator[Place]:
    """The tests' database, and nothing left of what a test made beside it."""
    found = Place.of(connection.settings_dict)
    yield found
    for name in list_databases(found):
        ask(found, "DROP DATABASE {} WITH (FORCE)", name)


@pytest.fixture
def empty(place: Place) -> Place:
    """A database of nothing beside the tests'."""
    made = replace(place, name=f"{place.name}_empty")
    ask(place, "CREATE DATABASE {} TEMPLATE template0", made.name)
    return made


def ask(place: Place, query: LiteralString, name: str) -> None:
    with place.connect(autocommit=True) as asked:
        asked.execute(sql.SQL(query).format(sql.Identifier(name)))


@cache
def dump_once(place: Place) -> bytes:
    """Return a backup that was not tried, of whatever was there when it was first asked for."""
    with TemporaryDirectory() as folder:
        back_up(place, Path(folder) / "backup.tar", version="1", check=False)
        return (Path(folder) / "backup.tar").read_bytes()


def list_addresses(place: Place) -> list[str]:
    with place.connect() as asked:
        found = asked.execute("SELECT email FROM phybench_user ORDER BY 1").fetchall()
    return [email for [email] in found]


def test_a_backup_is_for_its_owner_alone_leaves_nothing_else_and_is_restored_whole(
    place, empty, tmp_path
):
    person = make_person(Role.PARTICIPANT, "somebody")
    file = tmp_path / "backup.tar"
    before = list_databases(place)
    made = back_up(place, file, version="1")
    assert made.rows["phybench_user"] == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == [file.name]
    assert list_databases(place) == before
    restored, kept = restore(empty, file)
    assert restored == made
    assert list_addresses(empty) == [person.email]
    assert list_databases(place) == {*before, kept}
    # With its rules, too.
    count = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
    with place.connect() as old, empty.connect() as new:
        assert old.execute(count).fetchall() == new.execute(count).fetchall() != [(0,)]


def test_a_database_with_rows_is_replaced_only_by_name_and_kept(place, empty, tmp_path):
    file = tmp_path / "backup.tar"
    make_person(Role.PARTICIPANT, "first")
    back_up(place, file, version="1", check=False)
    restore(empty, file)
    with empty.connect() as asked:
        asked.execute("UPDATE phybench_user SET email = 'changed@example.org'")
    with pytest.raises(BackupError, match=f"--replace {empty.name}"):
        restore(empty, file)
    with pytest.raises(BackupError, match="is not empty"):
        restore(empty, file, replaces="another")
    assert list_addresses(empty) == ["changed@example.org"]
    _made, kept = restore(empty, file, replaces=empty.name)
    assert list_addresses(empty) == [User.objects.get().email]
    assert list_addresses(replace(place, name=kept)) == ["changed@example.org"]


def test_while_something_is_connected_nothing_is_restored(place, empty, tmp_path):
    file = tmp_path / "backup.tar"
    file.write_bytes(dump_once(place))
    before = list_databases(place)
    with empty.connect(), pytest.raises(BackupError, match="Stop the site"):
        restore(empty, file)
    assert list_databases(place) == before


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.98])
def test_a_file_that_was_cut_off_changes_nothing(place, empty, tmp_path, share):
    file = tmp_path / "backup.tar"
    whole = dump_once(place)
    file.write_bytes(whole[: int(len(whole) * share)])
    before = list_databases(place)
    with pytest.raises(BackupError):
        restore(empty, file)
    assert list_databases(place) == before


def read_said(file: Path) -> dict[str, Any]:
    with tarfile.open(file) as archive:
        said = archive.extractfile("backup.json")
        assert said
        return dict(json.loads(said.read()))


def change(file: Path, **said: object) -> None:
    """Have a backup say something else of itself."""
    with tarfile.open(file) as archive:
        parts = {one.name: archive.extractfile(one).read() for one in archive.getmembers()}
    parts["backup.json"] = json.dumps({**json.loads(parts["backup.json"]), **said}).encode()
    with tarfile.open(file, "w") as archive:
        for name, content in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, BytesIO(content))


def test_a_copy_with_other_rows_is_refused(place, empty, tmp_path):
    file = tmp_path / "backup.tar"
    file.write_bytes(dump_once(place))
    rows = {**read_said(file)["rows"], "phybench_user": 99}
    change(file, rows=rows)
    with pytest.raises(BackupError, match="differs in phybench_user"):
        restore(empty, file)


def test_a_backup_of_a_newer_version_is_refused(place, empty, tmp_path):
    file = tmp_path / "backup.tar"
    row = "INSERT INTO django_migrations (app, name, applied) VALUES ('grading', '9999_x', now())"
    with place.connect() as asked:
        asked.execute(row)
    try:
        back_up(place, file, version="1", check=False)
    finally:
        with place.connect() as asked:
            asked.execute("DELETE FROM django_migrations WHERE name = '9999_x'")
    with pytest.raises(BackupError, match="Update first"):
        restore(empty, file)


def test_no_file_is_written_over_and_no_missing_one_is_restored(place, empty, tmp_path):
    (tmp_path / "there.tar").write_text("mine")
    with pytest.raises(BackupError, match="Choose another name"):
        back_up(place, tmp_path / "there.tar", version="1")
    with pytest.raises(BackupError, match="There is no file"):
        restore(empty, tmp_path / "missing.tar")
    with pytest.raises(BackupError, match="no whole backup"):
        restore(empty, tmp_path / "there.tar")


def test_the_programs_are_as_new_as_the_server():
    with pytest.raises(BackupError, match="PG_BINDIR"):
        find_tools(99)


def test_the_command_says_what_a_backup_holds_and_checks_it_when_it_is_made_and_restored(
    place, empty, tmp_path, capsys
):
    sound, damaged = tmp_path / "sound.tar", tmp_path / "damaged.tar"
    person = make_person(Role.PARTICIPANT, "somebody")
    call_command("backup", str(sound))
    said = capsys.readouterr().out
    assert "a restored copy has them all" in said
    assert "all hold." in said
    with pytest.raises(CommandError, match="Choose another name"):
        call_command("backup", str(sound))
    User.objects.filter(pk=person.pk).update(sits_until=timezone.now())
    finding = f"phybench_user {person.pk} does not say until when"
    with pytest.raises(CommandError, match="true copy of damaged data"):
        call_command("backup", str(damaged))
    assert finding in capsys.readouterr().out
    # It is looked at in the copy, and what is there stays as it is.
    with ask_instead(empty):
        with pytest.raises(CommandError, match="damaged before"):
            call_command("restore", str(damaged))
        assert finding in capsys.readouterr().out
        call_command("restore", str(sound), replace=empty.name)
        said = capsys.readouterr().out
        assert "all hold." in said
        assert finding not in said
    assert User.objects.get().sits_until is not None


def test_a_password_is_on_no_command_line():
    place = Place("a", "h", "1", "u", "secret", (("sslmode", "require"),))
    assert place.environment["PGPASSWORD"] == "secret"
    assert place.environment["PGSSLMODE"] == "require"
    with pytest.raises(psycopg.OperationalError):
        place.connect(connect_timeout=1)
