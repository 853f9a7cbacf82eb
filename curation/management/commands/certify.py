"""Certify reference answers again; `curation/problems/certificates/actions.py` says how."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from curation.problems.certificates import actions as certifying
from curation.problems.certificates.models import Certificate
from curation.problems.certificates.tasks import CERTIFYING
from curation.problems.models import Problem, Revision
from curation.texts.sentences import translate
from curation.texts.workflow import Status
from phybench.files.progress import Progress
from phybench.pages.excerpt import show
from phybench.work import sandbox
from phybench.work.leases import carry_out
from phybench_grader import GRADER_VERSION, JudgeError, Verdict, grade
from phybench_grader.numbers.sentences import Sentence

IN_USE = (Status.IN_REVIEW, Status.ACCEPTED)
NONE, RED = "", Certificate.Outcome.FAILED
MOST_LISTED = 20
"""Cases of one problem that are printed; its page has all of them."""


@dataclass(frozen=True, slots=True)
class Change:
    """A problem's newest certificate, and the one before it."""

    identifier: str
    before: Certificate | None
    after: Certificate
    moved: tuple[str, str] | None = None
    """What the answer meant and what it means now, where that is something else."""

    @property
    def outcomes(self) -> tuple[str, str]:
        return (self.before.outcome if self.before else NONE, self.after.outcome)

    @property
    def rank(self) -> int:
        """Put first what was green and is red, then what is red, then what else moved."""
        before, after = self.outcomes
        if after == RED:
            return 0 if before == Certificate.Outcome.PASSED else 1
        return 2 if before != after or self.moved else 3


class Command(BaseCommand):
    help = (
        "Certify the reference answers of problems that are in review or accepted, where the grader"
        " of today has not done so yet. Says what changed, what was green and is red first."
        " Exit status 1: some are red, or could not be certified."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--problem",
            action="append",
            default=[],
            metavar="ID",
            help="only this one (54, C12), even if it is certified; may be given several times",
        )
        parser.add_argument(
            "--all", action="store_true", help="also those that are certified already"
        )

    def handle(self, *, problem: list[str], **options: Any) -> None:
        revisions = choose(problem, is_certified_again=options["all"])
        progress = Progress(sys.stderr, len(revisions))
        changes, busy = [], []
        try:
            for done, revision in enumerate(revisions):
                progress.draw(done)
                change = certify(revision)
                if change is None:
                    busy.append(revision.problem.identifier)
                else:
                    changes.append(change)
        except KeyboardInterrupt:
            progress.clear()
            self.say(changes)
            raise CommandError(_("Stopped. What is done is kept."), returncode=130) from None
        finally:
            progress.clear()
        self.say(changes)
        for identifier in busy:
            self.stdout.write(_("%(id)s: a worker is at it now") % {"id": identifier})
        red = sum(change.after.outcome == RED for change in changes)
        self.stdout.write(
            _("Checked by grader %(version)s: %(done)d. Red: %(red)d.")
            % {"version": GRADER_VERSION, "done": len(changes), "red": red}
        )
        if red or busy:
            raise CommandError(
                _("Red: %(red)d, not done: %(busy)d.") % {"red": red, "busy": len(busy)}
            )

    def say(self, changes: Iterable[Change]) -> None:
        for change in sorted(changes, key=lambda change: change.rank):
            before, after = (
                str(Certificate.Outcome(one).label) if one else _("not checked")
                for one in change.outcomes
            )
            stands = after if before == after else f"{before} → {after}"
            self.stdout.write(f"{change.identifier}: {stands}")
            if change.moved:
                meant, means = map(show, change.moved)
                said = _("its meaning changed: %(before)s → %(after)s")
                self.stdout.write(f"  {said % {'before': meant, 'after': means}}")
            if change.after.message:
                self.stdout.write(f"  {show(translate(change.after.message))}")
            for line in list_rows(change)[:MOST_LISTED]:
                self.stdout.write(f"  {line}")


def choose(identifiers: list[str], *, is_certified_again: bool) -> list[Revision]:
    """
    Return the newest submitted revision of each problem that is to be certified.

    Raises:
        CommandError: there is no such problem, or nothing of it was ever submitted.
    """
    revisions = Revision.objects.current().select_related("problem").order_by("problem")
    if identifiers:
        return [find(revisions, identifier) for identifier in dict.fromkeys(identifiers)]
    revisions = revisions.filter(
        Q(problem__status__in=IN_USE) | Q(problem__in=Problem.objects.accepted())
    )
    if is_certified_again:
        return list(revisions)
    certified = set(
        Certificate.objects.filter(
            grader_version=GRADER_VERSION, finished_at__isnull=False
        ).values_list("problem", "reference_sha256")
    )
    return [one for one in revisions if (one.problem_id, one.reference.sha256) not in certified]


def find(revisions: Any, identifier: str) -> Revision:
    found = revisions.filter(problem__in=Problem.objects.called(identifier)).first()
    if found is None:
        raise CommandError(_("There is no submitted problem %(id)s.") % {"id": show(identifier)})
    revision: Revision = found
    return revision


def certify(revision: Revision) -> Change | None:
    """Certify one text here and now; None when a worker is at it."""
    # Of the answer as it stands: what is said of its symbols may have been read otherwise, too.
    finished = Certificate.objects.filter(problem=revision.problem, answer=revision.answer)
    before = finished.filter(finished_at__isnull=False).last()
    with transaction.atomic():
        # In one: a worker does not find it before it is claimed here.
        claimed = CERTIFYING.claim(certifying.begin(revision.problem, revision.reference).pk)
    if claimed is None:
        return None
    carry_out(CERTIFYING, [claimed])
    if not claimed.outcome:
        return None
    return Change(revision.problem.identifier, before, claimed, find_move(before, claimed))


def find_move(before: Certificate | None, after: Certificate) -> tuple[str, str] | None:
    """Find how an answer was read and is read, where these are not surely one expression."""
    meant, means = (find_printed(one) if one else "" for one in (before, after))
    if not meant or not means or meant == means:
        return None
    question = after.reference.question
    try:
        judgement = sandbox.run(
            grade, means, meant, declared=question, deadline=settings.CERTIFYING_DEADLINE_SECONDS
        )
    except (JudgeError, sandbox.Stopped):
        return meant, means
    return None if judgement.verdict is Verdict.CORRECT else (meant, means)


def find_printed(certificate: Certificate) -> str:
    """Find the answer as its certificate has read it: one of its cases prints that."""
    printed = (row["text"] for row in certificate.rows if row["kind"] == "printed")
    return next(printed, "")


def list_rows(change: Change) -> list[str]:
    """Say of each case that went wrong what became of it, in a line that a terminal can show."""
    before = {
        (row["kind"], row["text"]): row.get("outcome", "")
        for row in (change.before.rows if change.before else [])
    }
    wrong = [row for row in change.after.rows if row["outcome"] != "PASSED"]
    # Those that passed before come first.
    wrong.sort(key=lambda row: before.get((row["kind"], row["text"])) != "PASSED")
    return [
        show(
            _("%(expected)s expected, %(outcome)s: %(text)s %(message)s")
            % {
                "expected": row["expected"].lower(),
                "outcome": row["outcome"].lower(),
                "text": row["text"],
                "message": translate(Sentence.read(row["message"])) if row.get("message") else "",
            }
        ).strip()
        for row in wrong
    ]
