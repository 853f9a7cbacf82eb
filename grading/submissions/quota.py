"""How much an organisation may hand in: every verdict tells something of a key."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from grading.answers.hidden.models import HiddenAnswer
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.solvers.models import Organisation
from phybench.people.models import User

DAY = timedelta(days=1)
A_MINUTE = timedelta(minutes=1)
NEAR = 10
Use = tuple[datetime, int]
"""When something was handed in, and how much of it."""


@dataclass(frozen=True, slots=True)
class Limit:
    """So much in any 24 hours, of each thing that it is counted of."""

    most: int
    uses: Sequence[Sequence[Use]]
    """Within the last day, of each of these things, oldest first."""

    @property
    def used(self) -> int:
        """Of the thing of which most was used."""
        return max((sum(count for _at, count in one) for one in self.uses), default=0)

    @property
    def left(self) -> int:
        return max(0, self.most - self.used)

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.most

    @property
    def next_at(self) -> datetime | None:
        """When more is left than now; None where all is."""
        return self.find_when(min(self.used, self.most) - 1) if self.used else None

    def find_when(self, most: int) -> datetime | None:
        """
        Find the minute from which no more than `most` will have been used within a day.

        None: that is so now.
        """
        found = None
        for uses in self.uses:
            used = sum(count for _at, count in uses)
            for at, count in uses:
                if used <= most:
                    break
                used -= count
                found = max(found or at, at)
        # Pages write whole minutes: who comes at the one they read is not to be too early.
        return (found + DAY + A_MINUTE).replace(second=0, microsecond=0) if found else None


@dataclass(frozen=True, slots=True)
class Quota:
    """What was handed in within the last day, by an organisation and by whoever hands in now."""

    submissions: Limit
    samples: Limit
    """Answers to one problem."""
    is_first: bool
    """
    Whether no number of submissions refuses what this person hands in: they try it out, and are not
    to be stopped by what others of their team did today. Answers to one problem are counted still.
    """

    def has_room(self, submissions: int) -> bool:
        """Tell whether so many submissions more may come."""
        return self.is_first or submissions <= self.submissions.left

    @property
    def is_exceeded(self) -> bool:
        return self.samples.is_exceeded or (not self.is_first and self.submissions.is_exceeded)

    @property
    def is_near(self) -> bool:
        """Whether so little is left that it is worth a sentence."""
        return min(self.submissions.left, self.samples.left) < NEAR

    def refuse(self, since: datetime) -> str:
        """Say what is exceeded, and when there is room for what was handed in from `since` on."""
        if self.submissions.is_exceeded and not self.is_first:
            limit = self.submissions
            why = _(
                "A team can have at most %(most)d submissions graded in 24 "
                "hours, one per model. Nothing was queued: submit fewer, or wait."
            )
        else:
            limit = self.samples
            why = _(
                "A team can have at most %(most)d answers to one problem "
                "graded in 24 hours. Nothing was queued: submit fewer, or wait."
            )
        room_at = self._find_room()
        said = why % {"most": limit.most}
        # Else it is too much even for a day on which nothing else is handed in.
        if room_at <= since + DAY:
            at = date_format(room_at, "DATETIME_FORMAT")
            said += " " + _("You can submit all of it from %(at)s UTC.") % {"at": at}
        return said

    def _find_room(self) -> datetime:
        limits = (self.submissions, self.samples)
        return max(at for one in limits if (at := one.find_when(one.most)))


def measure_quota(organisation: Organisation, person: User) -> Quota:
    """
    Count what was queued for grading in the last 24 hours; withdrawn submissions count, too.

    What a person handed in for others counts as well: a second organisation is no second quota.
    Keys of the demo are no secret: what is submitted to it counts nowhere.
    """
    theirs = Submission.objects.filter(
        Q(solver__organisation=organisation) | Q(uploaded_by=person),
        benchmark__is_demo=False,
        created_at__gt=timezone.now() - DAY,
    )
    handed_in, uploads = (
        User.objects.filter(pk=person.pk)
        .annotate(
            handed_in=ArraySubquery(theirs.order_by("created_at").values("created_at")),
            graded_drafts=Count("drafts", filter=Q(drafts__graded_at__isnull=False)),
        )
        .values_list("handed_in", "graded_drafts")
        .get()
    )
    to_a_problem = (
        Attempt.objects.filter(submission__in=theirs)
        .order_by("submission__created_at")
        .values_list("revision__problem", "submission__created_at")
        .annotate(samples=Count("pk"))
    )
    # Those to hidden problems take as much time, and are to tell no more than their one figure.
    hidden = (
        HiddenAnswer.objects.filter(batch__submission__in=theirs)
        .order_by("batch__submission__created_at")
        .values_list("revision__problem", "batch__submission__created_at")
        .annotate(samples=Count("pk"))
    )
    samples: dict[int, list[Use]] = defaultdict(list)
    for problem, at, count in chain(to_a_problem, hidden):
        samples[problem].append((at, count))
    return Quota(
        submissions=Limit(settings.MOST_SUBMISSIONS_A_DAY, [[(at, 1) for at in handed_in]]),
        samples=Limit(settings.MOST_SAMPLES_A_DAY, list(samples.values())),
        is_first=uploads < settings.FIRST_UPLOADS,
    )
