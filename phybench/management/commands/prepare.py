import gc
import multiprocessing
import sys
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from phybench.people.accounts import say_how_to_set_up
from phybench.work import sandbox, tables

OLDEST = "0001_initial"
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
        # It soon ends: what it makes is never so much that to look for garbage would pay.
        gc.disable()
        files = multiprocessing.get_context("fork").Process(target=collect_files)
        files.start()
        if not sys.stdin.readline():
            raise CommandError("Nobody says that the database is there.")
        if refuse_unknown_migrations() and settings.WITH_DEMO:
            # The demo will be made: SymPy loads in the children that check it, and tables are made
            # meanwhile.
            Thread(target=sandbox.warm).start()
        call_command("migrate", interactive=False, verbosity=0)
        refuse_other_columns()
        files.join()
        if files.exitcode:
            raise CommandError("The static files could not be made.")
        self.stdout.write("ready")
        self.stdout.flush()
        if settings.WITH_DEMO:
            call_command("seed_demo", stdout=self.stdout)
        elif line := say_how_to_set_up():
            self.stdout.write(line)


def collect_files() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


def refuse_unknown_migrations() -> bool:
    """
    Stop where the database has been through migrations of ours that are not there.

    Returns whether it has been through none.
    """
    loader = MigrationLoader(connection)
    ours = {(app, name) for app, name in loader.applied_migrations if app in tables.APPS}
    if ours - set(loader.disk_migrations):
        if ours and not any(name == OLDEST for _app, name in ours):
            raise CommandError(
                "The database is from before all tables were made anew.", returncode=3
            )
        raise CommandError("The database is from a newer version.", returncode=4)
    return not ours


def refuse_other_columns() -> None:
    """Stop where migrations of the same names have made other tables, as after a clean-up."""
    ours, theirs = tables.list_expected(), tables.list_present()
    difference = tables.tell_difference(ours, theirs)
    if difference == tables.NEWER:
        raise CommandError(f"The database {difference}.", returncode=4)
    if difference or ours != theirs:
        raise CommandError("The database has other tables.", returncode=5)
