"""The database of the tests: migrated once a run, copied for each process, emptied at no cost."""

import itertools
import os
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from operator import itemgetter

from django.apps import apps
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from psycopg.sql import SQL, Composable, Identifier, Literal

from phybench.work import budgets
from phybench.work.backups import find_tools
from tests.session import RUN

SUFFIX = os.environ.get("PYTEST_XDIST_WORKER", "own")
ONE_AT_A_TIME = 20_261_122
"""The advisory lock of who makes the template."""
KEPT = ("django_migrations", "django_content_type", "auth_permission")
"""Tables that no test writes to, and that go with the models."""
Rows = dict[tuple[str, int], str]
"""What each row says, by its table and id."""


def copy_template() -> None:
    """Use a database of this process's own from here on: what migrations make, copied."""
    run = os.environ[RUN]
    template, name = f"{run}_template", f"{run}_{SUFFIX}"
    with connection.creation._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [ONE_AT_A_TIME])
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template])
        if not cursor.fetchone():
            make_template(f"{template}_to_be")
            cursor.execute(f'ALTER DATABASE "{template}_to_be" RENAME TO "{template}"')
        # The run before this one may have had the same name.
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    connection.settings_dict["NAME"] = name
    write_restoring()


def make_template(name: str) -> None:
    connection.settings_dict["TEST"]["NAME"] = name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    # Nobody may be connected to what is renamed, or copied.
    connection.close()


def dump_template() -> bytes:
    """Return what `fill` puts into a database that another server keeps: sooner than migrating."""
    return _run("pg_dump", "--format=custom", f"--dbname={os.environ[RUN]}_template")


def fill(dump: bytes) -> None:
    """Have what migrations make in the database that the test is connected to, which is empty."""
    _run("pg_restore", f"--dbname={connection.settings_dict['NAME']}", given=dump)


def _run(program: str, *arguments: str, given: bytes = b"") -> bytes:
    connection.ensure_connection()
    info = connection.connection.info
    place = [f"--host={info.host}", f"--port={info.port}", f"--username={info.user}"]
    options = ["--no-owner", "--no-privileges", *place, *arguments]
    command = [find_tools(info.server_version // 10_000) / program, *options]
    return subprocess.run(command, input=given, capture_output=True, check=True).stdout


@cache
def list_tables() -> tuple[str, ...]:
    return tuple(sorted({*connection.introspection.table_names()} - {*KEPT}))


@cache
def write_restoring() -> str:
    """Write the statement that leaves what migrations made; first asked before any test."""
    deletions = [SQL("DELETE FROM {}").format(Identifier(table)) for table in list_tables()]
    return join([*deletions, *insert(read_rows())])


def restore() -> None:
    """Take out whatever a test has committed, and put back what it has changed."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(write_restoring())


def read_rows() -> Rows:
    read = " UNION ALL ".join(
        f"SELECT '{table}', {find_key(table)}, t::text FROM {table} AS t"
        for table in list_tables()
        # They have no id; nobody signs in or sends anything before a test begins.
        if table not in {"django_session", settings.CACHE_TABLE, budgets.TABLE}
    )
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_prepared_statements WHERE name = 'every_row'")
        if not cursor.fetchone():
            # To plan it takes far longer than to read what little there is.
            cursor.execute(f"PREPARE every_row AS {read}")
        cursor.execute("EXECUTE every_row")
        return {(table, pk): row for table, pk, row in cursor.fetchall()}


def insert(rows: Rows) -> list[Composable]:
    return [
        SQL("INSERT INTO {0} ({1}) SELECT {1} FROM unnest({2}::{0}[])").format(
            Identifier(table),
            SQL(", ").join(map(Identifier, list_columns(table))),
            Literal([rows[table, pk] for pk in ids]),
        )
        for table, ids in group(rows)
    ]


def join(steps: Iterable[Composable]) -> str:
    """Make one statement, which no trigger and no foreign key has anything to say about."""
    role = "SET LOCAL session_replication_role = "
    connection.ensure_connection()
    return (
        SQL("; ")
        .join([SQL(f"{role} replica"), *steps, SQL(f"{role} DEFAULT")])
        .as_string(connection.connection)
    )


def list_columns(table: str) -> list[str]:
    """List those that are not worked out from others."""
    fields = find_model(table)._meta.local_concrete_fields
    return [field.column for field in fields if not field.generated]


def find_key(table: str) -> str:
    pk = find_model(table)._meta.pk
    assert pk is not None
    return pk.column


@cache
def find_model(table: str) -> type[Model]:
    models = apps.get_models(include_auto_created=True)
    [model] = [one for one in models if one._meta.db_table == table]
    return model


def group(places: Iterable[tuple[str, int]]) -> Iterator[tuple[str, list[int]]]:
    for table, found in itertools.groupby(sorted(places), key=itemgetter(0)):
        yield table, [pk for _table, pk in found]
