"""Grade a benchmark's answers anew, here and now; the pages leave it to workers."""

import os
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from curation.management.benchmarks import find_benchmark
from curation.problems.benchmarks.models import Benchmark
from grading.answers.models import NOT_GRADED, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.board.rank_changes import MovedBoard, Place, compare_boards
from grading.board.table import rank_board
from grading.disputes.regrades import actions
from grading.disputes.regrades.comparison import (
    OUTCOMES,
    Moved,
    RunComparison,
    compare,
    compare_solves,
    describe_moved,
    list_moved,
)
from grading.disputes.regrades.today import list_settled
from grading.disputes.regrades.work import grade_left
from grading.management.commands.grade import count_processes
from phybench.files.progress import Progress
from phybench.pages.excerpt import show
from phybench.people.models import User
from phybench.work.models import Lost
from phybench_grader import GRADER_VERSION
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range

LABELS = {"eed": "EED", "accuracy": gettext_noop("accuracy")}
MOST_LISTED = 20
"""Answers named one by one that the run says something else of."""


class Command(BaseCommand):
    help = (
        "Grade all graded answers anew, by the grader of today and today’s keys, beside the grades"
        " that count; say what differs. Nothing on the board changes without --adopt. Interrupted,"
        " it goes on where it stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--benchmark", metavar="NAME", help="or slug: only this one; else all")
        does = parser.add_mutually_exclusive_group()
        does.add_argument(
            "--adopt", action="store_true", help="have the benchmark go by the new grades"
        )
        does.add_argument("--dry-run", action="store_true", help="keep nothing, only say")
        parser.add_argument(
            "--allow-ungraded",
            action="store_true",
            help="adopt even if answers that have a grade now could not be graded anew",
        )
        parser.add_argument("--why", default="", metavar="TEXT", help="kept with the run")
        parser.add_argument("--by", metavar="E-MAIL", help="who has it made; kept with the run")
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
        benchmark: str | None,
        adopt: bool,
        dry_run: bool,
        allow_ungraded: bool,
        why: str,
        by: str | None,
        processes: int,
        **options: Any,
    ) -> None:
        person = find_person(by)
        for one in choose(benchmark):
            with ExitStack() as kept:
                if dry_run:
                    kept.enter_context(transaction.atomic())
                run = actions.begin(benchmark=one, why=why, by=person)
                self.grade(run, processes)
                found = compare(run)
                self.say(run, found)
                if adopt and found.no_longer_graded and not allow_ungraded:
                    raise CommandError(
                        ngettext(
                            "Not adopted: %(count)d answer that has a grade now "
                            "could not be graded anew. Run it again to retry that one, or "
                            "add --allow-ungraded.",
                            "Not adopted: %(count)d answers that have a grade now "
                            "could not be graded anew. Run it again to retry them, or "
                            "add --allow-ungraded.",
                            found.no_longer_graded,
                        )
                        % {"count": found.no_longer_graded}
                    )
                if adopt:
                    self.adopt(run, person, why)
                elif dry_run:
                    transaction.set_rollback(True)
                    self.stdout.write(_("Nothing was saved: this was a dry run."))
                else:
                    self.stdout.write(
                        _(
                            "The board has not changed. Add --adopt to make %(benchmark)s "
                            "use this run."
                        )
                        % {"benchmark": show(one.name)}
                    )

    def grade(self, run: GradingRun, processes: int) -> None:
        progress = Progress(sys.stderr, actions.list_left(run).count())
        try:
            for done in grade_left(run, processes=processes):
                progress.draw(done)
        except Lost:
            progress.clear()
            raise CommandError(_("This run has already been decided.")) from None
        except KeyboardInterrupt:
            progress.clear()
            raise CommandError(_("Stopped. What is done is kept."), returncode=130) from None
        finally:
            progress.clear()

    def say(self, run: GradingRun, found: RunComparison) -> None:
        self.stdout.write(
            ngettext(
                "%(benchmark)s: %(count)d answer by grader %(version)s, run %(run)d.",
                "%(benchmark)s: %(count)d answers by grader %(version)s, run %(run)d.",
                found.total,
            )
            % {
                "benchmark": show(run.benchmark.name),
                "count": found.total,
                "version": GRADER_VERSION,
                "run": run.pk,
            }
        )
        for outcome in OUTCOMES:
            counts = (name(outcome), found.before[outcome], found.after[outcome])
            self.stdout.write("  {}: {} → {}".format(*counts))
        self.stdout.write(
            _("Changed: %(moved)d; another verdict: %(verdicts)d.")
            % {"moved": found.moved, "verdicts": found.other_verdicts}
        )
        for one in list_moved(run)[:MOST_LISTED]:
            self.stdout.write(f"  {describe(describe_moved(one))}")
        if found.moved > MOST_LISTED:
            self.stdout.write(
                "  " + _("… and %(count)d more.") % {"count": found.moved - MOST_LISTED}
            )
        if found.by_corrected_key:
            self.stdout.write(
                _(
                    "Graded by a reference answer that was corrected after they were "
                    "submitted: %(count)d."
                )
                % {"count": found.by_corrected_key}
            )
        if found.by_ruling:
            self.stdout.write(
                _("Graded as a person ruled: %(count)d.") % {"count": found.by_ruling}
            )
        if solves := compare_solves(run).moved:
            self.stdout.write(
                _("Blind solves of reviewers with another outcome: %(count)d.") % {"count": solves}
            )
        for board in compare_boards(run, rank_board):
            self.say_ranks(board)

    def say_ranks(self, board: MovedBoard) -> None:
        name = (
            _("Version %(number)d") % {"number": board.version.number}
            if board.version
            else _("Answers outside of versions")
        )
        said = _("%(board)s: ranks that would change: %(count)d.")
        self.stdout.write(said % {"board": name, "count": board.ranks_changed})
        for row in board.moved:
            told = ", ".join(describe_place(one) for one in row.places)
            self.stdout.write(f"  {show(row.name)}: {told}")

    def adopt(self, run: GradingRun, person: User | None, why: str) -> None:
        try:
            queued = actions.adopt(run=run, by=person, why=why)
        except actions.CannotDecide as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(_("Adopted: the board uses this run."))
        if queued:
            self.stdout.write(
                _("Queued because they arrived during the run: %(count)d.") % {"count": queued}
            )


def find_person(email: str | None) -> User | None:
    if email is None:
        return None
    found = User.objects.filter(email__iexact=email).first()
    if found is None:
        raise CommandError(_("No user here has the address %(email)s.") % {"email": show(email)})
    return found


def choose(named: str | None) -> list[Benchmark]:
    """Return the benchmarks that are to be graded anew: those with a settled answer."""
    if named is None:
        return [one for one in Benchmark.objects.all() if list_settled(one).exists()]
    found = find_benchmark(named)
    if not list_settled(found).exists():
        raise CommandError(_("No answer of %(slug)s is graded yet.") % {"slug": found.slug})
    return [found]


def name(outcome: str) -> str:
    return _("not graded") if outcome == NOT_GRADED else str(VerdictChoice(outcome).label)


def describe(moved: Moved) -> str:
    """Name an answer, with its verdict and EED before and after."""
    attempt = moved.attempt
    before, after = (
        f"{name(said.outcome)} ({'–' if said.eed is None else f'{said.eed:.1f}'})"
        for said in (moved.before, moved.after)
    )
    identifier = attempt.revision.problem.identifier
    return f"{identifier}, {show(attempt.solver.name)}, {attempt.sample}: {before} → {after}"


def say_mean(mean: Mean | ClusteredMean, found: Range | None) -> str:
    return mean.say(found) if isinstance(mean, Mean) else mean.say()


def describe_place(place: Place) -> str:
    """Say a row's mean and rank before and after."""
    before, after = (
        f"{say_mean(mean, found)} ({'–' if rank is None else rank})"
        for mean, found, rank in (
            (place.mean_before, place.range_before, place.before),
            (place.mean_after, place.range_after, place.after),
        )
    )
    return f"{_(LABELS[place.sort])} {before} → {after}"
