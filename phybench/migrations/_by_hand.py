"""What `makemigrations` does not write of this app's tables."""

from django.conf import settings
from django.core.management import call_command
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from phybench.work.budgets import TABLE


def make_tables(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the cache's table, whichever cache is in use, and that of what was used of budgets."""
    # Another broker may be named later.
    database = editor.connection.alias
    call_command("createcachetable", settings.CACHE_TABLE, database=database, verbosity=0)
    # A crash empties it, and then everybody begins anew.
    editor.execute(
        f"CREATE UNLOGGED TABLE {TABLE} (key text PRIMARY KEY, level double precision NOT NULL, "
        "at timestamp with time zone NOT NULL) WITH (fillfactor = 50)"
    )


def drop_tables(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    editor.execute(f"DROP TABLE {settings.CACHE_TABLE}, {TABLE}")


CACHE = migrations.RunPython(make_tables, drop_tables)
