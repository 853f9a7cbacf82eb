from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from phybench import VERSION
from phybench.work.backups import BackupError, Place, ask_instead, back_up
from phybench.work.integrity import Check


class Command(BaseCommand):
    help = "Back up the whole database into one file, and restore a copy to see that it is whole."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="?", help="where to write it; by default phybench-DATE.tar, here"
        )
        parser.add_argument(
            "--no-check", action="store_true", help="don’t restore a copy (not recommended)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name = options["file"] or timezone.now().strftime("phybench-%Y-%m-%d-%H%M%S.tar")
        place = Place.of(connection.settings_dict)
        check = Check()

        def look(copy: Place) -> None:
            with ask_instead(copy):
                check.run(self.stdout.write)

        is_tried = not options["no_check"]
        try:
            made = back_up(place, Path(name), version=VERSION, check=is_tried, look=look)
        except BackupError as error:
            raise CommandError(str(error)) from error
        tried = "a restored copy has them all" if is_tried else "not tried"
        self.stdout.write(f"{name}: {made.total} rows of {len(made.rows)} tables, {tried}.")
        self.stdout.write("It holds keys, e-mail addresses and answers: keep it to yourself.")
        if is_tried:
            self.stdout.write(check.sum)
        if check.found:
            raise CommandError("It is a true copy of damaged data. Keep the backups before it.")
