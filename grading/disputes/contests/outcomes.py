"""What those who contested a grade are told, and nothing of the key with it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from curation.problems.permissions import can_see_key
from curation.reports.models import ErrorReport
from curation.reports.permissions import can_discuss
from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.runs.models import Override
from grading.disputes.contests.models import Contest
from grading.disputes.contests.permissions import can_contest, list_contests_on
from phybench.people.models import User
from phybench.people.permissions import can_see_names

Fault = Contest.Fault


@dataclass(frozen=True, slots=True)
class Outcome:
    """One contest as a viewer is told of it."""

    contest: Contest
    said: str
    """What was ruled, in a sentence or two; "" while it waits."""
    why: str
    read_as: str
    """LaTeX that the answer is to be read as, if that was ruled."""
    by: str
    """Who ruled, as the viewer may know."""
    report: ErrorReport | None = None
    """Of the key, where the viewer may read it."""
    can_take_back: bool = False

    @property
    def is_upheld(self) -> bool:
        return self.contest.fault == Fault.GRADER

    def bars_another(self, grade: Grade | None) -> bool:
        """Whether it waits, or was ruled on for good, so that this grade can’t be contested now."""
        is_for_good = self.contest.fault not in ("", Fault.CANT_TELL)
        is_of_it = grade is not None and self.contest.grade_id == grade.pk
        return self.contest.is_open or (is_for_good and is_of_it)


def list_outcomes(attempt: Attempt, grade: Grade | None, viewer: User) -> list[Outcome]:
    """List the contests of an answer as its page tells of them, the newest first."""
    shown = list_contests_on(viewer, attempt)
    found = shown.select_related("contested_by", "ruled_by", "override", "report").order_by("-pk")
    shows_key = can_see_key(viewer, attempt.revision.problem)
    can_take_back = can_contest(viewer, attempt)
    return [_tell(one, grade, viewer, shows_key, can_take_back) for one in found]


def _tell(
    contest: Contest, grade: Grade | None, viewer: User, shows_key: bool, can_take_back: bool
) -> Outcome:
    ruling = contest.override
    report = contest.report
    may_read = report and shows_key and can_discuss(viewer, report)
    return Outcome(
        contest,
        said=" ".join(filter(None, (say(contest, shows_key=shows_key), _count(ruling, grade)))),
        why=tell_why(contest, shows_key=shows_key),
        read_as=ruling.read_as if ruling else "",
        by=name_ruler(contest.ruled_by, viewer),
        report=report if may_read else None,
        can_take_back=can_take_back and contest.is_open,
    )


def say(contest: Contest, *, shows_key: bool = False) -> str:
    """Say what was ruled; "" while it waits. Of a key that is wrong only that it is looked at."""
    said = {
        Fault.KEY: _("The reference answer is at fault.")
        if shows_key
        else _("The reference answer is being checked."),
        Fault.MODEL: _("The answer is at fault: the grade is kept."),
        Fault.CANT_TELL: _("The people who ruled could not tell: the grade is kept."),
        "": "",
    }
    if contest.override is None:
        return said[contest.fault]
    return {
        Override.Kind.RIGHT: _("The grader is at fault: the answer is right."),
        Override.Kind.WRONG: _("The grader is at fault: the answer is wrong."),
        Override.Kind.READ_AS: _("The grader is at fault: it misread the answer."),
    }[Override.Kind(contest.override.kind)]


def _count(ruling: Override | None, grade: Grade | None) -> str:
    if ruling is None:
        return ""
    if grade and grade.override_id == ruling.pk:
        return _("The grade follows this ruling.")
    return _("It counts once an admin adopts a regrade that includes it.")


def tell_why(contest: Contest, *, shows_key: bool = False) -> str:
    """Return the reason that was given; what is wrong with a key is for those who may see it."""
    return contest.why if shows_key or contest.fault != Fault.KEY else ""


def name_ruler(person: User | None, viewer: User) -> str:
    """Name who ruled to admins; to others it is a reviewer."""
    if person is None:
        return ""
    return str(person) if can_see_names(viewer) else _("a person")


@dataclass(frozen=True, slots=True)
class Overruled:
    """A ruling that a grade goes by, beside what the grader said."""

    ruled: str
    automatic: str
    ruling: Override
    by: str
    why: str
    """Empty to others who gave the same words: it was written for who contested the grade."""


def find_overruled(grade: Grade | None, viewer: User) -> Overruled | None:
    """Say what a person ruled of a grade, and what the grader said; None where it decided."""
    ruling = grade.override if grade else None
    if grade is None or ruling is None:
        return None
    ruled = {
        Override.Kind.RIGHT: _("A person ruled: right."),
        Override.Kind.WRONG: _("A person ruled: wrong."),
        Override.Kind.READ_AS: _("A person ruled how the answer should be read."),
    }[Override.Kind(ruling.kind)]
    by = name_ruler(ruling.ruled_by, viewer)
    is_told = ruling.contest.attempt_id == grade.attempt_id or can_see_names(viewer)
    return Overruled(ruled, _say_automatic(grade), ruling, by, ruling.why if is_told else "")


def _say_automatic(grade: Grade) -> str:
    if grade.automatic_verdict not in VerdictChoice.values:
        return _("The grader could not grade it.")
    return _("The grader said: %(verdict)s (EED %(eed).1f).") % {
        "verdict": VerdictChoice(grade.automatic_verdict).label,
        "eed": grade.automatic_eed or 0.0,
    }


def say_state(contest: Contest) -> str:
    """Say in a few words where a contest is, for lists."""
    if contest.taken_back_at:
        return pgettext("request", "withdrawn")
    return say(contest) if contest.ruled_at else _("awaiting a ruling")
