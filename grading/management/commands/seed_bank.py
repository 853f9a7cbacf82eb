"""Fill a database with a bank of thousands of problems, to measure pages on."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from grading.demo import people as demo_people


class Command(BaseCommand):
    help = (
        "Fill the database with a bank of problems in every status, with reviews, blind solves and"
        " answers, to see and measure pages at real size. Made up, and marked as the demo's. Where"
        " real people or benchmarks are it does nothing without --yes: the rows are there for good."
    )

    # They load every view, and SymPy with them.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--problems", type=int, default=5000)
        parser.add_argument("--reviews", type=int, default=20000)
        parser.add_argument(
            "--models",
            type=int,
            default=0,
            help="models that answer each accepted problem, about half of all; workers grade it",
        )
        parser.add_argument("--seed", type=int, default=1, help="one seed makes one bank")
        parser.add_argument("--yes", action="store_true", help="beside real people too")

    def handle(
        self,
        *,
        problems: int,
        reviews: int,
        seed: int,
        models: int = 0,
        yes: bool = False,
        **options: Any,
    ) -> None:
        if problems < 1 or reviews < 0 or models < 0:
            raise CommandError("At least one problem, and no fewer reviews than none.")
        if demo_people.is_in_use() and not yes:
            raise CommandError(
                "There are people or benchmarks here that no demo made. A bank can’t be taken out"
                " again: use another database, or say --yes."
            )
        from grading.demo import bank
        from grading.demo.bank_rows import Size

        started = time.monotonic()
        benchmark = bank.make(Size(problems, reviews, seed, models))
        bank.tell_planner()
        counts = bank.count(benchmark)
        self.stdout.write(
            f"{benchmark}: "
            + ", ".join(f"{count} {what}" for what, count in counts.items())
            + f" in {time.monotonic() - started:.0f} s. Nobody in it can sign in."
        )
