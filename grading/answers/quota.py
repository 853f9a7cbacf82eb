"""How much an organisation may hand in: every verdict tells something of a key."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from grading.answers.models import Attempt, Submission
from grading.solvers.models import Organisation
from phybench.models import User

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Quota:
    """What was handed in within the last day, by an organisation and by whoever hands in now."""

    submissions: int
    samples: int
    """To the one problem that has most."""
    most_submissions: int
    most_samples: int

    @property
    def is_exceeded(self) -> bool:
        return self.submissions > self.most_submissions or self.samples > self.most_samples

    @property
    def refusal(self) -> str:
        if self.submissions > self.most_submissions:
            return _(
                "An organisation has at most %(most)d submissions graded in 24 hours, and each "
                "model of a file is one. Nothing was queued: hand in fewer, or wait."
            ) % {"most": self.most_submissions}
        return _(
            "An organisation has at most %(most)d answers to one problem graded in 24 hours. "
            "Nothing was queued: hand in fewer, or wait."
        ) % {"most": self.most_samples}


def measure_quota(organisation: Organisation, person: User) -> Quota:
    """
    Count what was queued for grading in the last 24 hours; withdrawn submissions count, too.

    What a person handed in for others counts as well: a second organisation is no second quota.
    """
    theirs = Submission.objects.filter(
        Q(solver__organisation=organisation) | Q(uploaded_by=person),
        created_at__gt=timezone.now() - DAY,
    )
    fullest = (
        Attempt.objects.filter(submission__in=theirs)
        .order_by()
        .values("revision__problem")
        .annotate(samples=Count("pk"))
        .order_by("-samples")
        .values_list("samples", flat=True)
        .first()
    )
    return Quota(
        submissions=theirs.count(),
        samples=fullest or 0,
        most_submissions=settings.MOST_SUBMISSIONS_A_DAY,
        most_samples=settings.MOST_SAMPLES_A_DAY,
    )
