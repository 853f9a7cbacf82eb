"""What admins do about keys in doubt: decide, and have a wrong one corrected."""

from django.db import transaction
from django.utils.translation import gettext as _

from curation.problems.models import Problem
from curation.reports import actions as errors
from curation.reports.models import ErrorReport
from curation.reviewing.decisions import interests
from curation.texts.workflow import NotAllowedNow, Status
from grading.disputes.keys.models import KeyCheck, KeyDecision
from grading.disputes.keys.permissions import decides_keys
from phybench.people.models import User

Choice = KeyDecision.Choice
KINDS = {
    Choice.KEY_WRONG: ErrorReport.Kind.ANSWER,
    Choice.AMBIGUOUS: ErrorReport.Kind.STATEMENT,
}
"""Where the error is that a decision reports."""


class DecidedMeanwhile(NotAllowedNow):
    """Somebody else has decided since the page was made; the message says what."""


@transaction.atomic
def decide(*, check: KeyCheck, by: User, choice: str, note: str, seen: int | None) -> KeyDecision:
    """
    Say what is found of a key. What speaks against it opens an error report. Sent twice, it is one.

    Args:
        seen: the last decision (its `pk`) on the page that this is from; None of none.

    Raises:
        DecidedMeanwhile: there is another decision by now.
        NotAllowedNow: it is not theirs to say that the key is right, its revision is in use no
            more, or the problem is retired.
    """
    # First the problem, as everywhere; the second of two admins waits for the first.
    problem = check.revision.problem.locked()
    check = (
        KeyCheck.objects.select_for_update(of=["self"])
        .select_related("revision", "last_decision__by")
        .get(pk=check.pk)
    )
    if not decides_keys(by):
        raise NotAllowedNow(_("Only an admin decides on a reference answer in doubt."))
    last = check.last_decision
    if last is not None and last.pk != seen:
        if (last.by, last.choice, last.note) == (by, choice, note):
            return last
        raise DecidedMeanwhile(
            _("%(name)s has already decided: %(said)s. Read that before you decide differently.")
            % {"name": last.by, "said": last.said}
        )
    if choice == Choice.KEY_RIGHT and (why_not := interests.say_who_decides(by, problem)):
        raise NotAllowedNow(why_not)
    report = _report(check, problem, by, Choice(choice), note) if choice in KINDS else None
    made = check.decisions.create(
        choice=choice, note=note, report=report, by=by, last_grade=check.last_grade
    )
    KeyCheck.objects.filter(pk=check.pk).update(last_decision=made)
    return made


def _report(
    check: KeyCheck, problem: Problem, by: User, choice: KeyDecision.Choice, note: str
) -> ErrorReport:
    """Report what is wrong; who has a report of this kind open already has said so there."""
    if problem.accepted_revision_id != check.revision_id:
        raise NotAllowedNow(_("A later revision is in use. Report errors in it on its own page."))
    own_answer = check.find_leader() if choice == Choice.KEY_WRONG else ""
    try:
        return errors.report_error(
            problem=problem, reporter=by, kind=KINDS[choice], text=note, own_answer=own_answer
        )
    except errors.ReportedAlready as before:
        errors.reply(report=before.report, person=by, text=note)
        return before.report


@transaction.atomic
def correct(*, check: KeyCheck, by: User, reason: str) -> Problem:
    """
    Reopen a problem whose key was found wrong, for its next revision; asked twice, it is once.

    Args:
        reason: what was wrong, in words that are the erratum: everybody reads them.

    Raises:
        NotAllowedNow: nobody has decided that the key is wrong, its report was decided otherwise,
            or the problem is retired.
    """
    problem = check.revision.problem.locked()
    last = KeyCheck.objects.select_related("last_decision__report").get(pk=check.pk).last_decision
    if last is None or last.choice != Choice.KEY_WRONG or last.report is None:
        raise NotAllowedNow(_("Decide first that the reference answer is wrong."))
    report = last.report
    if not report.outcome:
        errors.decide(report=report, admin=by, outcome=ErrorReport.Outcome.KEY_FIXED, reason=reason)
    elif not report.awaits_correction:
        raise NotAllowedNow(
            _("Its error report is closed: %(outcome)s.")
            % {"outcome": report.get_outcome_display()}
        )
    problem.refresh_from_db()
    return problem


def say_whose_turn(problem: Problem) -> str:
    """Say what comes next of a correction, to who does not write it now."""
    if problem.status == Status.IN_REVIEW:
        return _("Its correction is already in review.")
    return _("The problem is reopened. Its author is told and writes the next revision.")
