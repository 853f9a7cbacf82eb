"""What `makemigrations` does not write of this app's tables."""

from django.conf import settings
from django.core.management import call_command
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def make_table(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """Make the cache's table, whichever cache is in use: another broker may be named later."""
    database = editor.connection.alias
    call_command("createcachetable", settings.CACHE_TABLE, database=database, verbosity=0)


CACHE = migrations.RunPython(
    make_table, lambda apps, editor: editor.execute(f"DROP TABLE {settings.CACHE_TABLE}")
)
