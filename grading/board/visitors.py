"""
What is reported from a benchmark's board, also without an account.

Whoever reports without one gets a link with a secret instead. Nothing that a text of theirs brings
about tells more than everybody can read anyway: see `Fate`.
"""

import hashlib
import secrets
import time
from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from curation.problems.benchmarks.models import Benchmark
from curation.problems.models import Problem
from curation.reports.models import ErrorReport, ReportContact
from curation.reports.permissions import can_report
from curation.texts.workflow import NotAllowedNow
from curation.versions.models import VersionItem
from phybench.people.models import User

MOST_WAITING = 200
"""Visitors' reports that wait for a decision; with more of them no other is taken."""
LONGEST_WAIT_SECONDS = 24 * 3600
"""How long a form may stay open."""
_SALT = "curation.errors.visitors"


class Refused(NotAllowedNow):
    """Why a form is not taken; the message says what to do."""


def write_ticket(*, at: float | None = None) -> str:
    """
    Return what a form carries: the secret of the report to be, and when the form was asked for.

    Sent twice, a form is one report; a program that sends it at once is found out.
    """
    held = {"secret": secrets.token_urlsafe(18), "at": time.time() if at is None else at}
    return signing.dumps(held, salt=_SALT)


def read_ticket(ticket: str) -> str:
    """
    Return the secret in a ticket.

    Raises:
        Refused: it is not ours, too old, or was written a moment ago.
    """
    try:
        held = signing.loads(ticket, salt=_SALT)
    except signing.BadSignature:
        raise Refused(_("The form was open for too long. Check it and send it again.")) from None
    age = time.time() - held["at"]
    if age > LONGEST_WAIT_SECONDS:
        raise Refused(_("The form was open for too long. Check it and send it again."))
    if age < settings.VISITOR_REPORT_LEAST_SECONDS:
        raise Refused(_("That was too fast for a person. Check it and send it again."))
    secret: str = held["secret"]
    return secret


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def find_problem(benchmark: Benchmark, identifier: str) -> Problem | None:
    """Return a problem in use that is, or was, of the public part of a published version."""
    items = VersionItem.objects.public().filter(
        version__benchmark=benchmark,
        version__published_at__isnull=False,
        identifier__iexact=identifier,
    )
    newest = items.select_related("problem__accepted_revision").order_by("-version__number").first()
    if newest is None or not can_report(None, newest.problem):
        return None
    return newest.problem


@dataclass(frozen=True, slots=True)
class Said:
    """What a report from the board says; `problem` is None where it is about a row."""

    benchmark: Benchmark
    kind: str
    text: str
    problem: Problem | None = None
    row: str = ""


@transaction.atomic
def report_as_visitor(*, said: Said, secret: str, name: str = "", email: str = "") -> ErrorReport:
    """
    Take a report without an account. Sent twice, it is one.

    Raises:
        Refused: too many wait, or another text was sent with the same form.
        NotAllowedNow: the problem is not in use any more.
    """
    sent = ErrorReport.objects.filter(secret_sha256=hash_secret(secret)).first()
    if sent is None:
        waiting = ErrorReport.objects.open().filter(reporter=None, outcome="").count()
        if waiting >= MOST_WAITING:
            raise Refused(_("Too many reports are waiting to be read. Sign in to report it."))
        sent, is_new = ErrorReport.objects.get_or_create(
            secret_sha256=hash_secret(secret), defaults=_describe(said)
        )
        if is_new and (name or email):
            ReportContact.objects.create(report=sent, name=name, email=email)
    if (sent.kind, sent.text) != (said.kind, said.text):
        raise Refused(
            _("You already sent a different text with this form. Send it again to report both.")
        )
    return sent


@transaction.atomic
def report_row(*, said: Said, reporter: User) -> ErrorReport:
    """Take somebody's report on a row of a board. Sent twice, it is one."""
    # Two windows may send the same: the second waits here for the first.
    User.objects.select_for_update(no_key=True).get(pk=reporter.pk)
    fields = _describe(said)
    theirs = ErrorReport.objects.open().filter(reporter=reporter, **fields).first()
    return theirs or ErrorReport.objects.create(reporter=reporter, **fields)


def _describe(said: Said) -> dict[str, object]:
    """Return the fields of a report; one on a problem holds that until it is written."""
    if said.problem is None:
        about: dict[str, object] = {"benchmark": said.benchmark, "row": said.row}
    else:
        problem = said.problem.locked()
        if problem.accepted_revision is None or not can_report(None, problem):
            raise NotAllowedNow(_("This problem is not in use, so no error can be reported in it."))
        about = {"revision": problem.accepted_revision}
    return {"kind": said.kind, "text": said.text, **about}


class Fate(models.TextChoices):
    """
    What became of a report, as its link says it.

    Each is to be seen without the link, too: errata, withdrawals and rows are everybody's. An
    admin's words are not among it. So no one learns of an answer by reporting one.
    """

    WAITING = "WAITING", gettext_lazy("received, and not decided yet")
    FIXING = "FIXING", gettext_lazy("there is an error: it is being corrected")
    FIXED = "FIXED", gettext_lazy("corrected")
    WITHDRAWN = "WITHDRAWN", gettext_lazy("the problem was withdrawn")
    UNCHANGED = "UNCHANGED", gettext_lazy("read and decided: nothing was changed")


def say_fate(report: ErrorReport) -> Fate:
    if not report.outcome:
        return Fate.WAITING
    if report.is_open:
        return Fate.FIXING
    if report.outcome == ErrorReport.Outcome.NO_ERROR:
        return Fate.UNCHANGED
    withdrawn = report.outcome == ErrorReport.Outcome.WITHDRAWN
    return Fate.WITHDRAWN if withdrawn else Fate.FIXED
