"""How far a submission's grading got, what it comes to, and how long it will take."""

import math
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers, collect
from grading.submissions.states import SubmissionState, find_state
from phybench_grader.statistics.metrics import Tally, count_lacking

WINDOW = timedelta(minutes=1)
"""How far back one looks to tell how fast answers are graded."""
LEAST_SECONDS = 5.0
"""Over less time a rate would be chance."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast answers of a submission are graded just now."""

    done: int
    """In the last minute, or since the first of them."""
    seconds: float
    waiting: int
    """Those ahead of them as well."""

    @property
    def a_second(self) -> float:
        return self.done / self.seconds

    @property
    def a_minute(self) -> int:
        return round(60 * self.a_second)

    @property
    def minutes_left(self) -> int:
        """
        Say in how many minutes it will be done, if it goes on like that; 0 is less than one.

        >>> Pace(done=120, seconds=60.0, waiting=200).minutes_left
        2
        >>> Pace(done=120, seconds=60.0, waiting=30).minutes_left
        0
        """
        minutes = self.waiting / self.a_second / 60
        return 0 if minutes < 1 else math.ceil(minutes)


@dataclass(frozen=True, slots=True)
class SubmissionProgress:
    """How far a submission's grading got."""

    state: SubmissionState
    total: int
    waiting: int
    ahead: int
    """Answers of others that wait, and are graded before the last of these."""
    cancelled: int
    pace: Pace | None
    """None where nothing was graded in the last minute, or nothing waits."""
    counts: dict[str, int]
    """By verdict, and `FAILED`."""
    reasons: list[tuple[str, int]]
    """Why answers could not be read or graded, the most common first."""
    most: int
    """How many answers the problem has that has most of them."""
    tally: Tally
    missing: int
    lacking: int
    """Those of the missing ones whose problem has other answers."""
    answers: Answers

    @property
    def is_over(self) -> bool:
        """Whether no answer is still to be graded, and some are."""
        return bool(self.total and not self.waiting and not self.cancelled)

    @property
    def unanswered(self) -> int:
        """Problems without any answer."""
        return self.missing - self.lacking

    @property
    def done(self) -> int:
        return self.total - self.waiting - self.cancelled

    @property
    def is_provisional(self) -> bool:
        """Whether it is over but for what we could not grade."""
        return not self.waiting and not self.cancelled and self.tally.is_provisional


def measure_progress(submission: Submission) -> SubmissionProgress:
    found = collect([submission], benchmark=submission.benchmark, with_reasons=True)
    answers = found[submission.pk]
    ahead = _count_ahead(submission) if answers.waiting else 0
    lacking = sum(count_lacking(answers.given).values())
    missing = max(0, submission.expected - len(answers.given))
    return SubmissionProgress(
        state=find_state(
            submission,
            waiting=answers.waiting,
            failed=answers.counts["FAILED"],
            answers=answers.total,
        ),
        total=answers.total,
        waiting=answers.waiting,
        ahead=ahead,
        cancelled=answers.cancelled,
        pace=_measure_pace(submission, answers.waiting + ahead) if answers.waiting else None,
        counts={one: answers.counts[one] for one in (*VerdictChoice.values, "FAILED")},
        reasons=answers.reasons.most_common(),
        most=answers.most,
        tally=answers.sum_up(submission.expected),
        missing=missing + lacking,
        lacking=lacking,
        answers=answers,
    )


def _count_ahead(submission: Submission) -> int:
    waiting = Attempt.objects.waiting()
    order = ("priority", "queued_at", "pk")
    last = waiting.filter(submission=submission).order_by(*(f"-{one}" for one in order))
    found = last.values_list(*order).first()
    if found is None:
        return 0
    priority, queued_at, pk = found
    before = Q(priority__lt=priority) | Q(priority=priority) & (
        Q(queued_at__lt=queued_at) | Q(queued_at=queued_at, pk__lt=pk)
    )
    return waiting.filter(before).exclude(submission=submission).count()


def _measure_pace(submission: Submission, waiting: int) -> Pace | None:
    now = timezone.now()
    made = Grade.objects.filter(attempt__submission=submission, created_at__gte=now - WINDOW)
    found = made.aggregate(done=Count("attempt", distinct=True), first=Min("created_at"))
    if not found["done"]:
        return None
    seconds = max(LEAST_SECONDS, (now - found["first"]).total_seconds())
    return Pace(found["done"], seconds, waiting)
