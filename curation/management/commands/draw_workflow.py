"""Draw the workflow into the documentation."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from curation.drawing import NoPlaceToDraw, put_into


class Command(BaseCommand):
    help = "Bring the workflow's drawing in docs/concepts.md up to date with curation/workflow.py."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="change nothing; exit status 1 when it is stale"
        )
        parser.add_argument("--file", type=Path, default=settings.BASE_DIR / "docs" / "concepts.md")

    def handle(self, *, check: bool, file: Path, **options: Any) -> None:
        try:
            text = file.read_text(encoding="utf-8")
            drawn = put_into(text)
        except OSError as error:
            raise CommandError(f"{file}: {error.strerror}") from None
        except NoPlaceToDraw as error:
            raise CommandError(f"{file}: {error}") from None
        if drawn == text:
            self.stdout.write(f"{file.name} is up to date.")
        elif check:
            raise CommandError(f"{file.name} is stale: run `manage.py draw_workflow`.")
        else:
            file.write_text(drawn, encoding="utf-8")
            self.stdout.write(f"{file.name} is drawn anew.")
