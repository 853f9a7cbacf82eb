"""Which submission of a model stands on the board, and how it comes there."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from curation.problems.exposures import ledger
from curation.problems.exposures.ledger import Reason
from curation.problems.models import Problem
from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt
from grading.answers.permissions import can_publish
from grading.answers.submissions.models import Submission
from grading.solvers.models import Membership
from phybench.pages.api.refused import Refused
from phybench.people.models import User
from phybench_grader.statistics.metrics import count_lacking


class CannotPublish(Refused):
    """What is in the way of publishing; the message says what to do."""

    kind = "cannot-publish"


def choose_ranked(
    submissions: Iterable[Submission], *, waiting: Iterable[int]
) -> Submission | None:
    """
    Choose the one of a model's submissions that may stand on the board, published or not.

    It is the last that was named before it was graded, else the last that is graded. One that is
    withdrawn keeps its place until another is handed in: else who takes a bad result back would
    have a better one return. So does one whose grading was cancelled once some of it was told.

    Args:
        submissions: all of one model to one version of a benchmark.
        waiting: the numbers (`pk`) of those of which answers wait to be graded for the first time.
    """
    in_turn = sorted(submissions, key=lambda one: one.number)
    named = [one for one in in_turn if one.is_named]
    if named:
        taken_back = named[-1].withdrawn_at
        if taken_back is None:
            return named[-1]
        # Else who names the first would choose between two whose results they know.
        in_turn = [one for one in in_turn if one.created_at > taken_back] or named[-1:]
    ungraded = set(waiting)
    # Once published, one is graded, though some of it may be graded anew.
    graded = [
        one for one in in_turn if one.published_at or (one.pk not in ungraded and not one.is_untold)
    ]
    return graded[-1] if graded else None


def choose_newest(submissions: Iterable[Submission], *, waiting: Set[int]) -> Submission | None:
    """
    Choose the one of a model's submissions that may stand on a version's board, published or not.

    It is one to that version, else one to the newest version before: its answers carry over. One
    that may stand keeps the earlier ones from it though it is private or withdrawn, as within a
    version.

    Args:
        submissions: all of one model that `list_for` lists of the version.
        waiting: as of `choose_ranked`.
    """
    by_version: dict[int, list[Submission]] = defaultdict(list)
    for one in submissions:
        by_version[one.version.number if one.version else 0].append(one)
    newest_first = sorted(by_version.items(), reverse=True)
    chosen = (choose_ranked(theirs, waiting=waiting) for _number, theirs in newest_first)
    return next(filter(None, chosen), None)


def list_for(version: BenchmarkVersion) -> QuerySet[Submission]:
    """Return the submissions to a version, and to earlier ones those from before it came."""
    is_earlier = Q(version__number__lt=version.number, created_at__lt=version.published_at)
    of_benchmark = Submission.objects.filter(benchmark=version.benchmark_id)
    return of_benchmark.filter(Q(version=version) | is_earlier).select_related("version")


def list_alike(submission: Submission) -> QuerySet[Submission]:
    """Return all submissions of the same model to the same version."""
    return Submission.objects.filter(
        solver=submission.solver_id,
        benchmark=submission.benchmark_id,
        version=submission.version_id,
    )


def find_ranked(submission: Submission) -> Submission | None:
    """Find the one that may stand on the board, of all by this one’s model."""
    of_solver = list_alike(submission)
    waiting = Attempt.objects.unseen().filter(submission__in=of_solver)
    return choose_ranked(of_solver, waiting=waiting.values_list("submission", flat=True))


def find_ranked_of(submissions: Iterable[Submission]) -> set[int]:
    """
    Return those (their `pk`) that stand on the boards of their versions.

    Args:
        submissions: all of each model that has any among them.
    """
    unseen = Attempt.objects.unseen().filter(submission__in=submissions)
    waiting = set(unseen.values_list("submission", flat=True))
    alike: dict[tuple[int, int, int | None], list[Submission]] = defaultdict(list)
    for one in submissions:
        alike[one.solver_id, one.benchmark_id, one.version_id].append(one)
    chosen = (choose_ranked(theirs, waiting=waiting) for theirs in alike.values())
    return {one.pk for one in chosen if one and one.published_at and not one.withdrawn_at}


@transaction.atomic
def publish(*, submission: Submission, by: User) -> None:
    """
    Show a submission's score to everybody, for good.

    Raises:
        CannotPublish: it is withdrawn, not graded, not the one that counts, uneven, or its
            organisation is not confirmed.
    """
    submission = hold(submission, by)
    if submission.published_at is not None and submission.withdrawn_at is None:
        return
    if obstacle := find_obstacle(submission, ranked=find_ranked(submission)):
        raise CannotPublish(obstacle)
    submission.published_at, submission.published_by = timezone.now(), by
    submission.save(update_fields=["published_at", "published_by"])
    # From here on the board tells it to each who could read the answers, signed in or not: who has
    # left, too, and of what could not be graded, once it is.
    told = Membership.objects.filter(
        Q(left_at=None) | Q(left_at__gt=submission.created_at),
        joined_at__isnull=False,
        organisation=submission.solver.organisation,
    )
    people = {submission.uploaded_by, *(one.person for one in told.select_related("person"))}
    answered = list(submission.attempts.order_by().values_list("revision", flat=True).distinct())
    for person in people:
        ledger.write_verdicts(person, Reason.GRADE, answered)


def find_obstacle(submission: Submission, *, ranked: Submission | None) -> str:
    """Say what is in the way of publishing a submission, or "" where nothing is."""
    organisation = submission.solver.organisation
    if submission.withdrawn_at is not None:
        return _("It is withdrawn.")
    if organisation is None or organisation.confirmed_at is None:
        return _(
            "An admin confirms the name of the team “%(organisation)s” before its models go on the "
            "board. A first upload makes a team by itself."
        ) % {"organisation": organisation}
    if submission.cancelled_at is not None:
        return _("Its grading was cancelled. Grade the rest first.")
    if submission.attempts.waiting().exists():
        return _("Not all of its answers are graded yet.")
    if ranked and ranked.pk != submission.pk:
        return _("Submission %(number)d of this model is the one that counts.") % {
            "number": ranked.number
        }
    if lacking := len(count_lacking(_count_given(submission))):
        return ngettext(
            "One problem has fewer answers than others. Submit a file with the same "
            "number of answers to each problem.",
            "%(count)d problems have fewer answers than others. Submit a file with the "
            "same number of answers to each problem.",
            lacking,
        ) % {"count": lacking}
    return ""


def _count_given(submission: Submission) -> Mapping[int, int]:
    """Count a file’s rows of each problem that it answers; also those with nothing in them."""
    # One query, and no responses: a submission may hold thousands.
    counts = submission.attempts.order_by().values_list("revision__problem")
    given = Counter(dict(counts.annotate(Count("pk"))))
    if empty := [row["id"] for row in submission.left_out if row.get("is_empty")]:
        answered = Problem.objects.filter(pk__in=given).only("published_id")
        named = {one.identifier: one.pk for one in answered}
        given.update(named[one] for one in empty if one in named)
    return given


@transaction.atomic
def withdraw(*, submission: Submission, by: User) -> None:
    """Take a submission back: it keeps its number and its grades, and is not ranked."""
    submission = hold(submission, by)
    submission.withdrawn_at = submission.withdrawn_at or timezone.now()
    submission.save(update_fields=["withdrawn_at"])


def hold(submission: Submission, by: User) -> Submission:
    """Lock a submission for whoever may decide over it."""
    submission = Submission.objects.select_for_update(of=["self"]).get(pk=submission.pk)
    if not can_publish(by, submission):
        raise PermissionDenied(
            _("Only members of its team can publish, cancel or withdraw a submission.")
        )
    return submission
