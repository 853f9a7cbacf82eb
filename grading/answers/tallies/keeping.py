"""Keep what settled submissions come to, and find tallies that rows contradict."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.db.models.functions import Now
from django.utils import timezone
from pydantic import TypeAdapter

from curation.problems.benchmarks.models import Benchmark
from grading.answers.counting import COUNTED
from grading.answers.models import Attempt
from grading.answers.submissions.models import Submission
from grading.answers.tallies.bounds import Figures, bound
from grading.answers.tallies.collected import collect
from grading.answers.tallies.models import SubmissionTally
from phybench_grader.statistics.metrics import Tally

_SCORES = TypeAdapter(Tally)
AT_ONCE = 20
"""Submissions whose answers are put together at once."""


def keep_scores(submissions: Collection[int]) -> None:
    """
    Keep what the answers of submissions (their numbers) come to, where all is settled.

    It is done in the transaction that settled the last answer: that holds the tally until its end,
    so nothing changes meanwhile.
    """
    if not submissions:
        return
    unsummed = SubmissionTally.objects.settled().filter(pk__in=submissions, scores__isnull=True)
    # In the order in which triggers hold them.
    held = list(unsummed.order_by("pk").select_for_update(of=("self",), no_key=True))
    for start in range(0, len(held), AT_ONCE):
        some = {one.pk: one for one in held[start : start + AT_ONCE]}
        for pk, scores in sum_up(Submission.objects.filter(pk__in=some)).items():
            some[pk].scores = _write(scores)
        SubmissionTally.objects.bulk_update(some.values(), ["scores"])


def sum_up(submissions: Iterable[Submission]) -> dict[int, Tally]:
    """Sum submissions up from the rows of their answers, by their numbers."""
    some = list(submissions)
    found = collect(some) if some else {}
    return {one.pk: found[one.pk].sum_up(one.expected) for one in some}


def read_scores(submissions: Iterable[Submission]) -> dict[int, Tally]:
    """Return what settled submissions come to, as it was kept."""
    kept = SubmissionTally.objects.filter(submission__in=submissions, scores__isnull=False)
    return {pk: _SCORES.validate_python(said) for pk, said in kept.values_list("pk", "scores")}


def read_figures(submissions: Iterable[Submission]) -> dict[int, Figures]:
    """Return the means of submissions as they were kept; while answers wait, their ranges alone."""
    some = list(submissions)
    found: dict[int, Figures] = {
        pk: Figures(one.accuracy, one.eed, one.accuracy_range, one.eed_range)
        for pk, one in read_scores(some).items()
    }
    return found | bound([one for one in some if one.pk not in found])


def hold_tallies(benchmark: Benchmark) -> list[int]:
    """Lock all tallies of a benchmark and return whose; answers that are to change come first."""
    held = SubmissionTally.objects.filter(submission__benchmark=benchmark).order_by("pk")
    return list(held.select_for_update(of=("self",), no_key=True).values_list("pk", flat=True))


@transaction.atomic
def sum_up_anew(submissions: Collection[int]) -> None:
    """Keep what submissions come to by other grades than before, for who holds their tallies."""
    held = SubmissionTally.objects.filter(pk__in=submissions)
    held.update(scores=None)
    held.filter(graded__gt=0).update(graded_at=Now())
    keep_scores(submissions)


@transaction.atomic
def recount() -> None:
    """Count all answers anew, for rows that came past the database's triggers."""
    counts = _count_rows()
    SubmissionTally.objects.exclude(pk__in=counts).delete()
    now = timezone.now()
    SubmissionTally.objects.bulk_create(
        [SubmissionTally(submission_id=pk, graded_at=now, **counts[pk]) for pk in sorted(counts)],
        update_conflicts=True,
        unique_fields=["submission"],
        update_fields=[*COUNTED, "graded_at", "scores"],
    )
    keep_scores(counts)


def find_wrong_tallies() -> Iterator[int]:
    """Find submissions, by their numbers, of which the rows of their answers tell another tally."""
    counts = _count_rows()
    kept = {
        row["submission_id"]: Counter({name: row[name] for name in COUNTED})
        for row in SubmissionTally.objects.values("submission_id", *COUNTED)
    }
    differing = {
        pk for pk in counts.keys() | kept.keys() if +counts[pk] != +kept.get(pk, Counter())
    }
    summed = list(Submission.objects.filter(tally__scores__isnull=False).defer("left_out"))
    for start in range(0, len(summed), AT_ONCE):
        some = summed[start : start + AT_ONCE]
        kept_scores = read_scores(some)
        differing |= {
            pk
            for pk, scores in sum_up(some).items()
            if _round(_write(scores)) != _round(_write(kept_scores[pk]))
        }
    yield from sorted(differing)


def _count_rows() -> dict[int, Counter[str]]:
    column_of = {status: column for column, statuses in COUNTED.items() for status in statuses}
    rows = Attempt.objects.filter(submission__isnull=False).order_by()
    found: dict[int, Counter[str]] = defaultdict(Counter)
    for submission, status, count in rows.values_list("submission", "status").annotate(Count("pk")):
        found[submission][column_of[status]] += count
    return found


def _write(scores: Tally) -> Any:
    return _SCORES.dump_python(scores, mode="json")


def _round(said: Any) -> Any:
    """Leave out the last digits: sums differ in them by the order of what is added."""
    if isinstance(said, dict):
        return {name: _round(value) for name, value in said.items()}
    return round(said, 9) if isinstance(said, float) else said
