"""Bring the catalogues up to what is marked for translation in the code and the templates."""

from typing import Any

from django.core.management.base import BaseCommand

from phybench import catalogue


class Command(BaseCommand):
    help = "Bring the catalogues in locale/ up to the code and the templates; list what is missing."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        for path in catalogue.find_catalogues():
            updated = catalogue.update(path)
            missing = catalogue.list_missing(updated)
            self.stdout.write(f"{path.parent.parent.name}: {len(missing)} to be translated")
            for message in missing:
                text = message.id if isinstance(message.id, str) else message.id[0]
                self.stdout.write(f"  {text}")
