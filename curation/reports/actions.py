"""What people do about errors in accepted problems: report one, discuss it, decide."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems import interests
from curation.problems.models import Problem, Revision
from curation.reports.errata import close_with_erratum
from curation.reports.models import ErrorReport, ReportReply
from curation.reports.permissions import can_discuss, can_give_up, can_report, decides_reports
from curation.texts.workflow import NotAllowedNow, Status, Step
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence

Outcome = ErrorReport.Outcome


class ReportedAlready(NotAllowedNow):
    """The same person has an open report of this kind; there is where more of it is said."""

    def __init__(self, report: ErrorReport) -> None:
        super().__init__(
            _("You already have an open report of this kind on this problem: add to that report.")
        )
        self.report = report


@transaction.atomic
def report_error(
    *,
    problem: Problem,
    reporter: User,
    kind: str,
    text: str,
    own_answer: str = "",
    message: Sentence | None = None,
) -> ErrorReport:
    """
    Report an error in what is accepted. Sent twice, it is one report.

    Args:
        message: what the app says before their text.

    Raises:
        ReportedAlready: theirs of this kind is open, and says something else.
        NotAllowedNow: it is not accepted, or retired meanwhile.
    """
    # Of two windows that send the same, the second finds what the first has written.
    problem = problem.locked()
    revision = problem.accepted_revision
    if revision is None or not can_report(reporter, problem):
        raise NotAllowedNow(_("This problem is not in use, so no error can be reported in it."))
    theirs = revision.error_reports.open().filter(reporter=reporter, kind=kind).first()
    if theirs is None:
        return revision.error_reports.create(
            reporter=reporter, kind=kind, text=text, own_answer=own_answer, message=message
        )
    if (theirs.text, theirs.own_answer) != (text, own_answer):
        raise ReportedAlready(theirs)
    return theirs


@transaction.atomic
def reply(
    *, report: ErrorReport, person: User, text: str, message: Sentence | None = None
) -> ReportReply:
    """
    Say something about a report, also after it is closed. Sent twice, it is said once.

    Raises:
        NotAllowedNow: it is not theirs to read.
    """
    # Two windows may send the same: the second finds what the first has written.
    ErrorReport.objects.select_for_update(of=["self"]).get(pk=report.pk)
    if not can_discuss(person, report):
        raise NotAllowedNow(_("This error report is not yours to discuss."))
    last = report.replies.order_by("pk").last()
    if last is not None and last.person_id == person.pk and last.text == text:
        return last
    return report.replies.create(person=person, text=text, message=message)


@transaction.atomic
def decide(*, report: ErrorReport, admin: User, outcome: str, reason: str) -> ErrorReport:
    """
    Say what becomes of a report.

    No error, or of a row: it is closed. Fixed: the problem is reopened, unless it is already, and
    the report is closed when the next revision is accepted; at once where that has happened.
    Withdrawn: the problem is retired, and every open report on it is closed.

    Raises:
        NotAllowedNow: it was decided meanwhile, the problem does not stand so, there is no reason,
            or it is theirs to say that there is an error, but not that there is none.
    """
    # Two admins may decide at once: whoever holds the problem's row is first, or the report's.
    problem = report.revision.problem.locked() if report.revision else None
    held = ErrorReport.objects.select_for_update(of=["self"])
    report = held.select_related("revision__problem", "decided_by").get(pk=report.pk)
    if not decides_reports(admin):
        raise NotAllowedNow(_("Only an admin decides on an error report."))
    if report.outcome:
        raise NotAllowedNow(
            _("%(name)s has already decided it: %(outcome)s.")
            % {"name": report.decided_by, "outcome": report.get_outcome_display()}
        )
    if outcome not in report.possible_outcomes:
        raise NotAllowedNow(_("Choose an outcome."))
    if not reason.strip():
        raise NotAllowedNow(_("Say why."))
    if (
        problem is not None
        and outcome == Outcome.NO_ERROR
        and (why_not := interests.say_who_decides(admin, problem))
    ):
        raise NotAllowedNow(why_not)
    report.outcome, report.reason = outcome, reason.strip()
    report.decided_by, report.decided_at = admin, timezone.now()
    if problem is not None and outcome in ErrorReport.FIXES:
        _fix(report, problem, admin)
    elif problem is not None and outcome == Outcome.WITHDRAWN:
        _retire(report, problem, admin)
    else:
        report.closed_at = report.decided_at
        report.save()
    return report


def _fix(report: ErrorReport, problem: Problem, admin: User) -> None:
    accepted = problem.accepted_revision
    if problem.status == Status.RETIRED or accepted is None:
        raise NotAllowedNow(_("The problem is retired and is not corrected any more."))
    report.save()
    if accepted != report.revision:
        # Somebody else's report has led to it.
        close_with_erratum(report, accepted)
    elif problem.status == Status.ACCEPTED:
        _take_step(problem, Step.REOPEN, report, admin, revision=report.revision)


def _retire(report: ErrorReport, problem: Problem, admin: User) -> None:
    if problem.status == Status.IN_REVIEW:
        raise NotAllowedNow(
            _("Its correction is in review. Return that to its author first, then withdraw it.")
        )
    if problem.status == Status.RETURNED:
        _take_step(problem, Step.KEEP, report, admin, revision=report.revision)
    if problem.status == Status.ACCEPTED:
        _take_step(problem, Step.RETIRE, report, admin, revision=None)
    others = ErrorReport.objects.open().filter(revision__problem=problem)
    others.update(
        outcome=Outcome.WITHDRAWN,
        reason=report.reason,
        decided_by=admin,
        decided_at=report.decided_at,
        closed_at=report.decided_at,
    )


def _take_step(
    problem: Problem, step: Step, report: ErrorReport, admin: User, *, revision: Revision | None
) -> None:
    """Take a step that a report is the reason of."""
    message = Sentence.of("of_report", number=str(report.pk))
    problem.take_step(step, revision=revision, actor=admin, message=message, note=report.reason)


@transaction.atomic
def keep(*, problem: Problem, admin: User, reason: str) -> None:
    """
    Give a correction up: the accepted revision stands, and its reports are to be decided again.

    Raises:
        NotAllowedNow: it is not being corrected, or its correction is in review.
    """
    problem = problem.locked()
    if not can_give_up(admin, problem):
        raise NotAllowedNow(_("This problem is not being corrected now, or that is in review."))
    if not reason.strip():
        raise NotAllowedNow(_("Say why."))
    note = reason.strip()
    message = Sentence("correction_abandoned")
    waiting = ErrorReport.objects.awaiting_correction().filter(revision__problem=problem)
    ReportReply.objects.bulk_create(
        [ReportReply(report=report, person=admin, message=message, text=note) for report in waiting]
    )
    waiting.update(outcome="", reason="", decided_by=None, decided_at=None)
    problem.take_step(Step.KEEP, revision=problem.accepted_revision, actor=admin, note=note)
