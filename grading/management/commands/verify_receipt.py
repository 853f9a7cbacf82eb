"""Verify the receipt of a submission; `grading/submissions/receipts/verifying.py` says how."""

import json
import os
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from grading.answers.models import VerdictChoice
from grading.answers.submissions.models import Submission
from grading.management.commands.grade import count_processes
from grading.submissions.receipts import making, verifying
from grading.submissions.receipts.answer_files import WrongFile
from grading.submissions.receipts.comparing import FieldDifference
from grading.submissions.receipts.grading_again import (
    Agreement,
    GradedAgain,
    Said,
    ToGrade,
    grade_again,
)
from grading.submissions.receipts.receipt import Receipt
from grading.submissions.receipts.verifying import Answers, NotVerifiable, Rebuilt
from grading.submissions.results import reasons
from phybench.files.progress import Progress
from phybench.pages.excerpt import show
from phybench_grader import GRADER_VERSION

DIFFERS, UNUSABLE, COULD_NOT_TELL = 1, 2, 3
"""Exit statuses beside 0, where all is the same."""
MOST_LISTED = 20
"""Fields, and answers, that are named one by one; with --json all are."""
CONCLUSIONS = {
    DIFFERS: gettext_lazy("Not verified: something differs."),
    COULD_NOT_TELL: gettext_lazy("No difference was found, but some parts could not be verified."),
}


@dataclass(slots=True)
class Report:
    """What came of verifying one receipt, or one submission without any."""

    submission: Submission
    rebuilt: Rebuilt | None = None
    run: int | None = None
    graded_from: str = ""
    counts: Counter[Agreement] = field(default_factory=Counter)
    moved: list[GradedAgain] = field(default_factory=list)
    strange: list[tuple[tuple[str, int], str]] = field(default_factory=list)

    @property
    def status(self) -> int:
        rebuilt = self.rebuilt
        differs = rebuilt and (rebuilt.fields or rebuilt.superseded_by)
        if differs or self.strange or self.counts[Agreement.DIFFERS]:
            return DIFFERS
        return COULD_NOT_TELL if self.counts[Agreement.COULD_NOT_TELL] else 0


class Command(BaseCommand):
    help = (
        "Verify a receipt by the rows it was made of, field by field; with the files that were"
        " handed in, grade every answer again and compare item by item. Nothing is changed. Exit"
        " status 0: all is the same; 1: something differs; 2: it is no receipt of this"
        " installation, or the files are others; 3: nothing differs, but some answers could not be"
        " graded this time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("receipt", nargs="?", type=Path, metavar="RECEIPT.json")
        parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
        parser.add_argument(
            "--stored",
            action="store_true",
            help="grade the answers again as they are kept, without their files",
        )
        parser.add_argument(
            "--all",
            action="store_true",
            dest="is_all",
            help="grade the kept answers of every published row again; takes no receipt",
        )
        parser.add_argument("--json", action="store_true", dest="as_json", help="say it as JSON")
        parser.add_argument(
            "--processes",
            type=count_processes,
            default=os.cpu_count() or 1,
            metavar="N",
            help="answers graded at the same time (%(default)s); changes no grade",
        )

    def handle(
        self,
        *,
        receipt: Path | None,
        files: list[Path],
        stored: bool,
        is_all: bool,
        as_json: bool,
        processes: int,
        **options: Any,
    ) -> None:
        if is_all == (receipt is not None):
            raise CommandError(_("Give a receipt, or --all."), returncode=UNUSABLE)
        if stored and files:
            raise CommandError(_("Give files, or --stored."), returncode=UNUSABLE)
        try:
            if receipt is None:
                reports = [self.grade_kept(one, processes) for one in list_published()]
            else:
                reports = [self.verify(read(receipt), files, processes, is_stored=stored)]
        except (NotVerifiable, WrongFile) as why:
            raise CommandError(show(str(why)), returncode=UNUSABLE) from None
        except KeyboardInterrupt:
            raise CommandError(_("Stopped. Nothing was verified."), returncode=130) from None
        if as_json:
            described = [describe(one) for one in reports]
            text = json.dumps(described if is_all else described[0], indent=1)
            self.stdout.write(text)
        else:
            for one in reports:
                self.say(one)
        # One that differs outweighs what could not be told.
        status = min({one.status for one in reports} - {0}, default=0)
        if status:
            raise CommandError(str(CONCLUSIONS[status]), returncode=status)
        if not as_json:
            self.stdout.write(_("Verified: everything matches."))

    def verify(
        self, receipt: Receipt, paths: list[Path], processes: int, *, is_stored: bool
    ) -> Report:
        submission = verifying.find_submission(receipt)
        number = receipt.run.number if receipt.run else 0
        run = submission.benchmark.grading_runs.filter(pk=number).first()
        answers = verifying.find_answers(submission, run, receipt.items)
        handed_in = answers.handed_in
        if paths and not handed_in.has_files:
            raise WrongFile(
                _("These answers came from a model run, so there is no file. Leave the file out.")
            )
        hashes = answers.check(paths) if paths else []
        report = Report(submission, verifying.rebuild(receipt, submission), number)
        if paths:
            report.graded_from = ", ".join(str(path) for path in paths)
            self.grade(report, answers.read_files(paths, hashes), answers, processes)
        elif is_stored or not handed_in.has_files:
            report.graded_from = (
                _("the stored data")
                if handed_in.has_files
                else _("the stored data (the answers came from a model run, so there is no file)")
            )
            self.grade(report, answers.read_kept(), answers, processes)
        return report

    def grade_kept(self, submission: Submission, processes: int) -> Report:
        run = making.find_run(submission)
        answers = verifying.find_answers(submission, run, None)
        report = Report(submission, run=run.pk if run else None, graded_from=_("the stored data"))
        self.grade(report, answers.read_kept(), answers, processes)
        return report

    def grade(
        self, report: Report, found: Iterable[ToGrade], answers: Answers, processes: int
    ) -> None:
        progress = Progress(sys.stderr, len(answers.items))
        try:
            for done, one in enumerate(grade_again(found, processes=processes), start=1):
                report.counts[one.agreement] += 1
                if one.agreement != Agreement.SAME:
                    report.moved.append(one)
                progress.draw(done)
        finally:
            progress.clear()
        report.strange = answers.strange
        if others := answers.list_other_graders():
            self.stderr.write(
                _(
                    "Graded by grader %(others)s. This is grader %(version)s, which may "
                    "grade differently."
                )
                % {"others": show(", ".join(others[:MOST_LISTED])), "version": GRADER_VERSION}
            )

    def say(self, report: Report) -> None:
        self.stdout.write(
            _("%(submission)s, grading run %(run)s")
            % {"submission": show(str(report.submission)), "run": report.run or "–"}
        )
        if rebuilt := report.rebuilt:
            self.say_rebuilt(rebuilt)
        if report.graded_from:
            self.say_graded(report)
        elif report.rebuilt:
            self.stdout.write(
                "  " + _("No answer was graded again: give the files that were submitted.")
            )

    def say_rebuilt(self, rebuilt: Rebuilt) -> None:
        if not rebuilt.fields:
            self.stdout.write("  " + _("Every field matches the stored data."))
        else:
            self.stdout.write("  " + _("Fields that differ from the stored data:"))
            self.say_fields(rebuilt.fields)
        if run := rebuilt.superseded_by:
            adopted = date_format(run.adopted_at, "DATE_FORMAT") if run.adopted_at else ""
            self.stdout.write(
                "  "
                + _("Run %(run)d was adopted later, on %(day)s, and differs in:")
                % {"run": run.pk, "day": adopted}
            )
            self.say_fields(rebuilt.since)
        for note in rebuilt.notes[:MOST_LISTED]:
            self.stdout.write(f"  {show(note)}")
        self.say_more(len(rebuilt.notes))

    def say_fields(self, fields: list[FieldDifference]) -> None:
        for one in fields[:MOST_LISTED]:
            self.stdout.write(f"    {show(f'{one.field}: {one.said} → {one.found}')}")
        self.say_more(len(fields))

    def say_graded(self, report: Report) -> None:
        self.stdout.write(
            "  "
            + _("Graded again from %(source)s: %(same)d of %(count)d match.")
            % {
                "source": show(report.graded_from),
                "same": report.counts[Agreement.SAME],
                "count": report.counts.total(),
            }
        )
        if count := report.counts[Agreement.COULD_NOT_TELL]:
            self.stdout.write("  " + _("Could not be verified: %(count)d.") % {"count": count})
        # Those that differ come first.
        ordered = sorted(report.moved, key=lambda one: one.agreement != Agreement.DIFFERS)
        for one in ordered[:MOST_LISTED]:
            self.stdout.write(f"    {show(describe_moved(one))}")
        self.say_more(len(ordered))
        for (name, sample), why in report.strange[:MOST_LISTED]:
            self.stdout.write(f"    {show(name)}, {sample}: {why}")
        self.say_more(len(report.strange))

    def say_more(self, count: int) -> None:
        if count > MOST_LISTED:
            self.stdout.write("    " + _("… and %(count)d more.") % {"count": count - MOST_LISTED})


def read(path: Path) -> Receipt:
    try:
        content = path.read_bytes()
    except OSError as why:
        raise NotVerifiable(
            _("%(file)s can’t be read: %(why)s.") % {"file": path, "why": why.strerror}
        ) from None
    return verifying.read_receipt(content)


def list_published() -> list[Submission]:
    """Return every published row, withdrawn ones too."""
    found = verifying.list_with_all().filter(published_at__isnull=False)
    return list(found.defer("left_out").order_by("pk"))


def describe_moved(one: GradedAgain) -> str:
    """Name an answer with what was said of it, and what is said now."""
    return f"{one.item.id}, {one.item.sample}: {_say(one.before)} → {_say(one.now)}"


def _say(said: Said) -> str:
    if said.verdict is None and said.reason is None:
        return _("not graded")
    if said.verdict is None:
        return _("not graded (%(reason)s)") % {"reason": reasons.say(said.reason or "")}
    label = VerdictChoice(said.verdict).label
    return f"{label} ({reasons.say(said.reason) if said.reason else f'{said.eed or 0.0:.1f}'})"


def describe(report: Report) -> dict[str, Any]:
    """Say what came of it, for programs."""
    rebuilt = report.rebuilt
    run = rebuilt.superseded_by if rebuilt else None
    return {
        "status": report.status,
        "submission": report.submission.pk,
        "run": report.run,
        "fields": describe_fields(rebuilt.fields) if rebuilt else None,
        "superseded_by": run and run.pk,
        "since": describe_fields(rebuilt.since) if rebuilt else None,
        "notes": rebuilt.notes if rebuilt else [],
        "graded_from": report.graded_from or None,
        "same": report.counts[Agreement.SAME],
        "differs": report.counts[Agreement.DIFFERS],
        "could_not_tell": report.counts[Agreement.COULD_NOT_TELL],
        "items": [
            {
                "id": one.item.id,
                "sample": one.item.sample,
                "agreement": one.agreement,
                "before": describe_said(one.before),
                "now": describe_said(one.now),
            }
            for one in report.moved
        ],
        "strange": [
            {"id": name, "sample": sample, "why": why} for (name, sample), why in report.strange
        ],
    }


def describe_fields(fields: list[FieldDifference]) -> list[dict[str, Any]]:
    return [{"field": one.field, "said": one.said, "found": one.found} for one in fields]


def describe_said(said: Said) -> dict[str, Any]:
    return {"verdict": said.verdict, "eed": said.eed, "reason": said.reason}
