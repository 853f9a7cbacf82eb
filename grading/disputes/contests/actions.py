"""Contest the grade of an answer, take that back, and write down that the outcome was read."""

from collections.abc import Iterable

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.disputes.contests.models import Contest, ContestQuerySet
from grading.disputes.contests.permissions import can_contest, list_own_contests
from grading.solvers.models import Membership, Organisation
from phybench.people.models import User

Reason = Contest.Reason
MOST_IN_DOUBT = 2
"""How often one grade may be contested of which nobody could tell."""


class CannotContest(Exception):
    """Why a grade can’t be contested, or that not be taken back; the message says what to do."""


def find_grade(attempt: Attempt) -> Grade | None:
    """Return the grade that counts, or None where the answer could not be graded."""
    return attempt.grades.current().select_related("run").first()


def list_reasons(grade: Grade | None) -> list[Contest.Reason]:
    """Say for what a grade may be contested: what is right already needs no other form."""
    is_right = grade is not None and grade.verdict == VerdictChoice.CORRECT
    return [one for one in Reason if not (is_right and one == Reason.EQUIVALENT)]


@transaction.atomic
def contest(*, attempt: Attempt, by: User, reason: str, text: str) -> Contest:
    """
    Contest the grade of an answer; sent twice, it is contested once.

    Raises:
        CannotContest: there is no grade to contest, it is contested or ruled on, or too many of
            theirs wait.
    """
    if not can_contest(by, attempt):
        raise PermissionDenied(_("You can’t contest this grade."))
    organisation = attempt.solver.organisation
    _hold(organisation, by)
    attempt = Attempt.objects.select_related("submission", "solver").get(pk=attempt.pk)
    text = text.strip()
    same = attempt.contests.open().filter(contested_by=by, reason=reason, text=text)
    if sent_before := same.first():
        return sent_before
    if obstacle := find_obstacle(attempt) or _find_too_many(organisation, by):
        raise CannotContest(obstacle)
    grade = find_grade(attempt)
    if reason not in list_reasons(grade):
        raise CannotContest(_("Choose what is wrong with this grade."))
    if _list_in_doubt(attempt, grade).filter(text=text).exists():
        raise CannotContest(
            _(
                "These reasons were given before, and the people who ruled could not tell. "
                "Give a new reason."
            )
        )
    return attempt.contests.create(
        grade=grade, reason=reason, text=text, organisation=organisation, contested_by=by
    )


def _hold(organisation: Organisation | None, by: User) -> None:
    # Of two at once the second counts what the first has sent.
    if organisation is not None:
        Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    else:
        User.objects.select_for_update(no_key=True).get(pk=by.pk)


def find_obstacle(attempt: Attempt) -> str:
    """Say why the grade of an answer can’t be contested now, or "" where it can."""
    if attempt.is_waiting:
        return _("This answer is not graded yet. Come back when it is.")
    if attempt.status == Attempt.Status.CANCELLED:
        return _("Grading was cancelled, so there is no grade to contest.")
    if attempt.submission and attempt.submission.withdrawn_at:
        return _(
            "The submission was withdrawn, so its grades do not count. Submit the "
            "answer again to contest its grade."
        )
    if attempt.contests.open().exists():
        return _("This grade is already contested and awaits a ruling.")
    grade = find_grade(attempt)
    if _list_of(attempt, grade).ruled().exclude(fault=Contest.Fault.CANT_TELL).exists():
        return _(
            "A person has ruled on this grade. It can be contested again only after a "
            "regrade gives the answer a new grade."
        )
    if _list_in_doubt(attempt, grade).count() >= MOST_IN_DOUBT:
        return _("Two people could not tell, so this grade is kept.")
    return ""


def _list_of(attempt: Attempt, grade: Grade | None) -> ContestQuerySet:
    """List the contests of this grade; of none, those since the run that counts was adopted."""
    found = attempt.contests.filter(grade=grade)
    if grade is None:
        run = GradingRun.objects.adopted().filter(benchmark__problems__revisions=attempt.revision)
        adopted_at = run.values_list("adopted_at", flat=True).first()
        found = found.filter(Q(contested_at__gte=adopted_at)) if adopted_at else found
    return found


def _list_in_doubt(attempt: Attempt, grade: Grade | None) -> ContestQuerySet:
    return _list_of(attempt, grade).filter(fault=Contest.Fault.CANT_TELL)


def _find_too_many(organisation: Organisation | None, by: User) -> str:
    if organisation is not None:
        # What an admin contests of others' is not theirs.
        own = Membership.objects.filter(organisation=organisation, joined_at__isnull=False)
        waiting = organisation.contests.open().filter(contested_by__in=own.values("person")).count()
        most = settings.CONTESTS_OPEN
    else:
        waiting = by.contests.open().filter(organisation=None).count()
        most = settings.CONTESTS_OPEN_OF_A_PERSON
    if waiting < most:
        return ""
    return ngettext(
        "%(count)d contested grade of yours awaits a ruling, which is the limit. Wait "
        "for the ruling, or withdraw the contest.",
        "%(count)d contested grades of yours await a ruling, which is the limit. Wait "
        "for a ruling, or withdraw some contests.",
        waiting,
    ) % {"count": waiting}


@transaction.atomic
def take_back(*, contest: Contest, by: User) -> Contest:
    """
    Take a contest back before anybody has ruled on it; done twice, it is done once.

    Raises:
        CannotContest: it was ruled on meanwhile.
    """
    if not list_own_contests(by).filter(pk=contest.pk).exists():
        raise PermissionDenied(_("This contest is not yours, so you can’t withdraw it."))
    contest = Contest.objects.select_for_update(of=("self",), no_key=True).get(pk=contest.pk)
    if contest.ruled_at is not None:
        raise CannotContest(_("A person has already ruled on it."))
    if contest.taken_back_at is None:
        contest.taken_back_at = timezone.now()
        contest.save(update_fields=["taken_back_at"])
    return contest


def mark_read(contests: Iterable[Contest], by: User) -> None:
    """Write down that the outcomes were read, where it is for `by` to be told of them."""
    untold = [one.pk for one in contests if one.ruled_at is not None and one.told_at is None]
    if untold:
        theirs = list_own_contests(by).untold().filter(pk__in=untold)
        theirs.update(told_at=timezone.now())
