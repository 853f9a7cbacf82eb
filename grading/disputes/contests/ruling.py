"""Rule on a contested grade, blind to whose answer it is, and see to what follows from it."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from curation.problems.models import Revision
from curation.reports import actions as reporting
from curation.reports.models import ErrorReport
from curation.texts.workflow import NotAllowedNow
from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.runs.models import Override, hash_key
from grading.disputes.contests.actions import find_grade
from grading.disputes.contests.evidence import find_key, try_reading
from grading.disputes.contests.models import Contest
from grading.disputes.contests.permissions import can_rule_contest, list_free_admins
from grading.runs import sentences
from phybench.people.models import User
from phybench_grader.numbers.sentences import Sentence

Fault = Contest.Fault
Kind = Override.Kind
RIGHT = frozenset({VerdictChoice.CORRECT})
WRONG = frozenset({VerdictChoice.PARTIAL, VerdictChoice.INCORRECT})


class CannotRule(Exception):
    """A ruling can’t be given; the message says why, or what is to be mended."""


class CannotRead(CannotRule):
    """The grader can't grade what the answer is to be read as."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody rules: whose fault it is, of the grader’s what is so, and why."""

    fault: str
    why: str
    kind: str = ""
    read_as: str = ""
    seen: str = ""
    """What `describe_seen` said on the page where it was decided; nothing is compared without."""


def rule(*, contest: Contest, by: User, decision: Decision) -> Contest:
    """
    Rule on a contested grade, once. Sent twice, it is one ruling.

    Raises:
        CannotRead: the reading can't be graded.
        CannotRule: it is not theirs, somebody was first, it was taken back, or the decision does
            not fit the grade.
    """
    if decision.kind == Kind.READ_AS:
        # It may take a second, in which nobody is to wait for a row.
        tried = try_reading(decision.read_as, find_key(contest.attempt), with_values=False)
        if not tried.is_readable:
            raise CannotRead(
                _("The grader can’t grade this reading: %(why)s")
                % {"why": sentences.translate(tried.why_not)}
            )
    return _keep(contest, by, decision)


@transaction.atomic
def _keep(contest: Contest, by: User, decision: Decision) -> Contest:
    # Two may rule at once: who holds the row is first.
    contest = (
        Contest.objects.select_for_update(of=("self",), no_key=True)
        .select_related("attempt__revision__problem", "ruled_by")
        .get(pk=contest.pk)
    )
    if contest.ruled_at is not None:
        if _is_same(contest, by, decision):
            return contest
        raise CannotRule(
            _("%(name)s has already ruled on it: %(ruling)s.")
            % {"name": contest.ruled_by, "ruling": contest.get_fault_display()}
        )
    if contest.taken_back_at is not None:
        raise CannotRule(_("The contest was withdrawn, so there is nothing to rule on."))
    if not can_rule_contest(by, contest):
        raise CannotRule(say_who_rules(contest, by))
    if decision.seen and decision.seen != describe_seen(contest.attempt):
        raise CannotRule(
            _(
                "The answer has been graded again. Look at its grade and reference answer "
                "once more, then rule."
            )
        )
    if why_not := find_fault(decision, find_grade(contest.attempt)):
        raise CannotRule(why_not)
    contest.fault, contest.why = decision.fault, decision.why
    contest.ruled_by, contest.ruled_at = by, timezone.now()
    if decision.fault == Fault.KEY:
        contest.report = _report_key(contest, by)
    if decision.fault == Fault.GRADER:
        contest.override = _override(contest, by, decision)
    contest.save(update_fields=["fault", "why", "ruled_by", "ruled_at", "override", "report"])
    return contest


def _is_same(contest: Contest, by: User, decision: Decision) -> bool:
    ruling = contest.override
    given = (contest.ruled_by, contest.fault, contest.why)
    what = (ruling.kind, ruling.read_as) if ruling else ("", "")
    return (*given, *what) == (by, decision.fault, decision.why, decision.kind, decision.read_as)


def describe_seen(attempt: Attempt) -> str:
    """Name the grade and the key that somebody rules on: another run may bring others."""
    grade = find_grade(attempt)
    return f"{grade.pk if grade else ''}:{hash_key(find_key(attempt))}"


def find_fault(decision: Decision, grade: Grade | None) -> str:
    """Say why a decision does not fit the grade that counts, or "" where it does."""
    if decision.fault != Fault.GRADER or grade is None:
        return ""
    if decision.kind == Kind.RIGHT and grade.verdict in RIGHT:
        return _("The grade is already “right”. Choose another fault, or “wrong”.")
    if decision.kind == Kind.WRONG and grade.verdict in WRONG:
        return _(
            "The grade is already “wrong”. If that is correct, the answer is at fault. "
            "If it should be read differently, write how."
        )
    return ""


def _override(contest: Contest, by: User, decision: Decision) -> Override:
    attempt = contest.attempt
    return Override.objects.create(
        revision=attempt.revision,
        response=attempt.response,
        kind=decision.kind,
        read_as=decision.read_as,
        key_sha256=hash_key(find_key(attempt)),
        why=decision.why,
        ruled_by=by,
        ruled_at=contest.ruled_at or timezone.now(),
    )


def _report_key(contest: Contest, by: User) -> ErrorReport | None:
    """Open an error report on the key; None where that was corrected since, or is out of use."""
    problem = contest.attempt.revision.problem
    key = find_key(contest.attempt)
    if not has_key_in_use(key):
        return None
    message = Sentence("found_while_ruling")
    grade = contest.grade or find_grade(contest.attempt)
    own_answer = (grade.answer_read if grade else "") or ""
    try:
        return reporting.report_error(
            problem=problem, reporter=by, kind=ErrorReport.Kind.ANSWER, text=contest.why,
            own_answer=own_answer, message=message,
        )  # fmt: skip
    except reporting.ReportedAlready as already:
        reporting.reply(report=already.report, person=by, text=contest.why, message=message)
        return already.report
    except NotAllowedNow:
        return None


def has_key_in_use(key: Revision) -> bool:
    """Whether what an answer was graded by is what the accepted revision has."""
    accepted = key.problem.accepted_revision
    return accepted is not None and hash_key(accepted) == hash_key(key)


def say_who_rules(contest: Contest, person: User) -> str:
    """Say why somebody must not rule on a contest, and who can."""
    why = _(
        "You can’t rule on this grade: you contested it, had a part in the answer, "
        "could not tell before, or may not see the reference answer."
    )
    free = list_free_admins(contest, person)
    if free:
        names = ", ".join(str(one) for one in free)
        return f"{why} " + _("Ask another admin: %(names)s.") % {"names": names}
    return f"{why} " + _(
        "No other admin can either. In the back office, give the admin role to a "
        "person who has nothing to do with the problem."
    )
