"""Import problems; `phybench/files/problem_files.py` says from which files."""

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _

from curation.exchange import published
from curation.exchange.execution import Changed, carry_out
from curation.exchange.models import Import
from curation.exchange.plans import Action, PlannedRow, plan
from curation.exchange.rows import PROBLEMS, Fault, Row, parse
from curation.exchange.terms import ImportTerms
from curation.problems.models import Difficulty, PhysicsField
from phybench.files import problem_files as files
from phybench.files.json_list import NotAList, fetch
from phybench.files.progress import Progress
from phybench.people.models import Language, User


class Command(BaseCommand):
    help = (
        "Import a file of published problems (JSON list, JSON lines or CSV), or of somebody's"
        " drafts. Says for each row what became of it; a second time changes nothing."
        " Exit status 1: some could not be taken."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument(
            "--benchmark",
            default="PHYBench",
            metavar="NAME",
            help="or slug; made if there is none and a row is taken",
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument(
            "--drafts-of", metavar="E-MAIL", help="make them drafts of this person instead"
        )
        parser.add_argument(
            "--domain",
            choices=PhysicsField.values,
            default=PhysicsField.OTHER.value,
            help="of new problems whose row gives none",
        )
        parser.add_argument(
            "--difficulty",
            choices=Difficulty.values,
            default="",
            help="of new problems whose row gives none; without it such drafts are refused",
        )
        parser.add_argument(
            "--language",
            choices=Language.values,
            default=Language.EN.value,
            help="of new problems whose row gives none",
        )

    def handle(
        self,
        *,
        file: Path,
        benchmark: str,
        dry_run: bool,
        drafts_of: str | None,
        domain: str,
        difficulty: str,
        language: str,
        **options: Any,
    ) -> None:
        try:
            raw = files.read(fetch(file, largest=files.LARGEST_FILE), PROBLEMS)
        except (NotAList, files.Refused) as error:
            raise CommandError(f"{file}: {error}") from None
        person = self._find_person(drafts_of)
        purpose = Import.Purpose.DRAFTS if person else Import.Purpose.PUBLISHED
        if raw.unknown:
            names = ", ".join(raw.unknown)
            self.stdout.write(_("Ignored fields: %(names)s.") % {"names": names})
        try:
            # Everything, or when trying only, nothing; a crash in the middle keeps nothing. Where
            # no row is taken, no benchmark is made for it either.
            with transaction.atomic():
                chosen = published.find_or_make_benchmark(benchmark)
                terms = ImportTerms(purpose, chosen, person, domain, difficulty, language)
                results = self._take(parse(raw.rows), terms)
                transaction.set_rollback(dry_run or not _count_taken(results))
        except published.NoBenchmark as error:
            raise CommandError(str(error)) from None
        self._sum_up(results, dry_run)

    def _find_person(self, email: str | None) -> User | None:
        if not email:
            return None
        found = User.objects.filter(email__iexact=email, is_active=True).first()
        if found is None:
            raise CommandError(_("No one here has the address %(email)s.") % {"email": email})
        return found

    def _take(self, rows: list[Row], terms: ImportTerms) -> list[PlannedRow]:
        """Plan and carry out each row in turn, and say what became of it."""
        progress = Progress(sys.stderr, len(rows))
        results = []
        try:
            for done, (row, planned) in enumerate(zip(rows, plan(rows, terms), strict=True)):
                progress.draw(done)
                if planned.action in (Action.CREATE, Action.UPDATE):
                    try:
                        carry_out(row, planned, terms)
                    except Changed as reason:
                        planned = PlannedRow(Action.REFUSE, (Fault("", str(reason)),))
                progress.clear()
                name = row.id or _("(row %(row)d)") % {"row": row.number}
                self.stdout.write(f"{name}  {_describe(row, planned)}")
                results.append(planned)
        finally:
            progress.clear()
        return results

    def _sum_up(self, results: list[PlannedRow], dry_run: bool) -> None:
        counts = Counter(planned.action for planned in results)
        taken = _count_taken(results)
        rules = Counter(code for planned in results for code in planned.broken)
        for code, count in sorted(rules.items(), key=lambda one: (-one[1], one[0])):
            self.stdout.write(_("Rule %(code)s: %(count)d.") % {"code": code, "count": count})
        self.stdout.write(
            _("Imported: %(taken)d. Already here: %(here)d. Not imported: %(missing)d.")
            % {"taken": taken, "here": counts[Action.NOTHING], "missing": counts[Action.REFUSE]}
        )
        if dry_run:
            self.stdout.write(_("Nothing was kept: this was a dry run."))
        if counts[Action.REFUSE]:
            raise CommandError(
                _("Not imported: %(missing)d of %(rows)d; the reasons are above.")
                % {"missing": counts[Action.REFUSE], "rows": len(results)}
            )


def _count_taken(results: list[PlannedRow]) -> int:
    return sum(planned.action in (Action.CREATE, Action.UPDATE) for planned in results)


def _describe(row: Row, planned: PlannedRow) -> str:
    if planned.action == Action.NOTHING:
        return _("already here")
    if planned.action == Action.REFUSE:
        reasons = "; ".join(dict.fromkeys(map(str, planned.faults)))
        message = _("not imported (line %(line)d): %(reason)s")
        return message % {"line": row.line, "reason": reasons}
    said = _("imported")
    if planned.action == Action.UPDATE:
        said = _("changed: %(fields)s") % {"fields": ", ".join(planned.changes)}
    if planned.broken:
        said += ", " + _("breaks: %(rules)s") % {"rules": ", ".join(planned.broken)}
    return f"{said}; {planned.note}" if planned.note else said
