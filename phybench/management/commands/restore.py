from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import connection

from phybench.work.backups import BackupError, Place, restore
from phybench.work.integrity import Check


class Command(BaseCommand):
    help = "Put a backup in the place of the database; the old one is kept under another name."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="what `backup` wrote")
        parser.add_argument(
            "--replace",
            default="",
            metavar="NAME",
            help="the name of the database, where it is not empty",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        place = Place.of(connection.settings_dict)
        # This process's own connection would keep the database from being renamed.
        connection.close()
        try:
            made, kept = restore(place, Path(options["file"]), replaces=options["replace"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Restored: {made.total} rows, as of {made.made_at}.")
        self.stdout.write(f"The database that was there is kept as {kept}.")
        check = Check()
        check.run(self.stdout.write)
        self.stdout.write(check.sum)
        if check.found:
            raise CommandError("The backup is restored, but its data were damaged before.")
