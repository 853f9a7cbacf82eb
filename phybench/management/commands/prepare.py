import sys
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

APPS = ("phybench", "curation", "grading")
OLDEST = "0001_tables"
"""Before it there were other migrations, which this version can't go on from."""


class Command(BaseCommand):
    help = (
        "Bring static files, database and demo up to the code: what `dev.py run` begins with. Reads"
        " a line before it uses the database, and prints “ready” when the tables are as they"
        " should be."
    )
    # They load every page.
    requires_system_checks = []

    def handle(self, **options: Any) -> None:
        call_command("collectstatic", interactive=False, verbosity=0)
        if not sys.stdin.readline():
            raise CommandError("Nobody says that the database is there.")
        refuse_unknown_migrations()
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write("ready")
        self.stdout.flush()
        call_command("seed_demo", stdout=self.stdout)


def refuse_unknown_migrations() -> None:
    """Stop where the database has been through migrations of ours that are not there."""
    loader = MigrationLoader(connection)
    ours = {(app, name) for app, name in loader.applied_migrations if app in APPS}
    if ours - set(loader.disk_migrations):
        if ours and not any(name == OLDEST for _app, name in ours):
            raise CommandError(
                "The database is from before all tables were made anew.", returncode=3
            )
        raise CommandError("The database is from a newer version.", returncode=4)
