"""How far a submission's grading got, what it comes to, and how long it will take."""

import math
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, F, Max, Min, Q
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
    wrong: int
    """Of those that wait: found to be wrong, and how far from right is still to be measured."""
    pace: Pace | None
    """Of what comes first, verdicts or distances; None where none came in the last minute."""
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
    def verdicts_to_come(self) -> int:
        return self.waiting - self.wrong

    @property
    def not_right(self) -> int:
        """Those that are known to be not right, whether or not their distance is measured."""
        worth_less = VerdictChoice.PARTIAL, VerdictChoice.INCORRECT, VerdictChoice.UNREADABLE
        return self.wrong + sum(self.counts[one] for one in worth_less)

    @property
    def work_done(self) -> int:
        """Say how far the work is, in answers: a verdict is about a tenth of it."""
        return self.done + self.wrong // 10

    @property
    def is_provisional(self) -> bool:
        """Whether it is over but for what we could not grade."""
        return not self.waiting and not self.cancelled and self.tally.is_provisional


def measure_progress(submission: Submission) -> SubmissionProgress:
    found = collect([submission], benchmark=submission.benchmark, with_reasons=True)
    answers = found[submission.pk]
    ahead = _count_ahead(submission) if answers.waiting else 0
    wrong, pace = (
        _measure_pace(submission, answers.waiting, ahead) if answers.waiting else (0, None)
    )
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
        wrong=wrong,
        pace=pace,
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
    # Verdicts come first; while one is to come, distances are not waited for.
    unjudged_first = F("wrong_at").asc(nulls_first=True)
    ours = waiting.filter(submission=submission)
    last_first = ours.order_by(unjudged_first, *(f"-{one}" for one in order))
    found = last_first.values_list(*order).first()
    if found is None:
        return 0
    priority, queued_at, pk = found
    before = Q(priority__lt=priority) | Q(priority=priority) & (
        Q(queued_at__lt=queued_at) | Q(queued_at=queued_at, pk__lt=pk)
    )
    return waiting.filter(before).exclude(submission=submission).count()


def _measure_pace(submission: Submission, waiting: int, ahead: int) -> tuple[int, Pace | None]:
    """Count the wrong answers whose distance is to come, and say how fast it goes."""
    now = timezone.now()
    since = now - WINDOW
    found = Attempt.objects.waiting().filter(submission=submission, wrong_at__isnull=False)
    recent = Q(wrong_at__gte=since)
    wrong = found.aggregate(
        count=Count("pk"),
        recent=Count("pk", filter=recent),
        first=Min("wrong_at", filter=recent),
        last=Max("wrong_at"),
    )
    verdicts_to_come = waiting - wrong["count"]
    if not verdicts_to_come:
        # Verdicts came faster than distances do.
        since = max(since, wrong["last"])
    made = Grade.objects.filter(attempt__submission=submission, created_at__gte=since)
    graded = made.aggregate(count=Count("attempt", distinct=True), first=Min("created_at"))
    done, starts = graded["count"], [graded["first"]]
    if verdicts_to_come:
        done, starts = done + wrong["recent"], [*starts, wrong["first"]]
    if not done:
        return wrong["count"], None
    first = min(start for start in starts if start is not None)
    seconds = max(LEAST_SECONDS, (now - first).total_seconds())
    return wrong["count"], Pace(done, seconds, (verdicts_to_come or waiting) + ahead)
