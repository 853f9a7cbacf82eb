from typing import Any

from django.core.management import BaseCommand, CommandError

from phybench.work.integrity import Check


class Command(BaseCommand):
    help = "Look for rows that break what always holds; say each, and end with 1 if there is any."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        check = Check()
        check.run(self.stdout.write)
        if check.found or check.why_not:
            raise CommandError(check.sum)
        self.stdout.write(check.sum)
