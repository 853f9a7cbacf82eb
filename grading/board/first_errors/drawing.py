"""Draw wrong answers: of chosen solvers, to the same problems, evenly over fields of physics."""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from curation.versions.models import BenchmarkVersion
from grading.answers.models import Attempt, Grade, VerdictChoice
from grading.answers.runs.models import GradingRun
from grading.board.scores.scope import Scope
from grading.board.table import BoardRow, make_board
from grading.samples.first_errors.models import (
    FirstErrorDomain,
    FirstErrorItem,
    FirstErrorSample,
    FirstErrorSolver,
)
from grading.samples.labelling.actions import CannotDraw, make_seed
from grading.samples.labelling.permissions import draws_samples
from phybench.people.models import User

PROBLEMS = 50
"""As many as the paper labelled."""
LEAST, MOST = 5, 500
FIRST = 7
"""Solvers that are chosen unless somebody chooses others: as many as the paper's."""
MOST_SOLVERS = 20
WRONG = (VerdictChoice.PARTIAL, VerdictChoice.INCORRECT)
"""What was read and is not right; an answer that could not be read shows no error of physics."""

WrongAnswers = Mapping[int, Mapping[int, Sequence[int]]]
"""By problem (its revision's number) and submission: the answers that were graded wrong."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The wrong answers that a sample is drawn from."""

    run: GradingRun
    domains: Mapping[int, str]
    """By problem of the public part (its revision's number) its field of physics."""
    answers: WrongAnswers

    def list_eligible(self, submissions: Collection[int]) -> list[int]:
        """Return the problems to which each of these submissions has a wrong answer."""
        return sorted(one for one, by in self.answers.items() if set(submissions) <= by.keys())

    def count_domains(self, problems: Collection[int] | None = None) -> Counter[str]:
        chosen = self.domains if problems is None else problems
        return Counter(self.domains[one] for one in chosen)

    def count_wrong(self, submission: int) -> int:
        """Count the problems to which a submission has a wrong answer."""
        return sum(submission in by for by in self.answers.values())


def list_candidates(version: BenchmarkVersion) -> list[BoardRow]:
    """Return the published models on a version's board that are graded, the most accurate first."""
    rows = make_board(Scope.of(version), "accuracy").rows
    return [one for one in rows if not one.waiting and one.tally.accuracy.value is not None]


def find_frame(version: BenchmarkVersion, submissions: Collection[int]) -> Frame | None:
    """Find the wrong answers of submissions to what stands of a version; None without a run."""
    run = GradingRun.objects.adopted().filter(benchmark=version.benchmark_id).first()
    if run is None:
        return None
    standing = version.items.standing().public()
    domains = dict(standing.values_list("revision", "problem__domain"))
    answers: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    grades = Grade.objects.filter(
        run=run,
        verdict__in=WRONG,
        attempt__status=Attempt.Status.GRADED,
        attempt__submission__in=submissions,
        attempt__revision__in=domains,
    ).order_by("attempt")
    for revision, submission, attempt in grades.values_list(
        "attempt__revision", "attempt__submission", "attempt"
    ):
        answers[revision][submission].append(attempt)
    return Frame(run, domains, answers)


# --- Picking: by the seed alone -------------------------------------------------------------


def share_evenly(size: int, names: Sequence[str]) -> dict[str, int]:
    """
    Share a number out; the first get one more where it does not divide.

    >>> share_evenly(5, ["a", "b"])
    {'a': 3, 'b': 2}
    """
    return {
        name: size // len(names) + (place < size % len(names)) for place, name in enumerate(names)
    }


def fill_up(asked: Mapping[str, int], available: Mapping[str, int]) -> dict[str, int]:
    """
    Take of each what was asked; where there is too little, take the rest evenly of the others.

    >>> fill_up({"a": 3, "b": 3, "c": 2}, {"a": 1, "b": 9, "c": 3})
    {'a': 1, 'b': 4, 'c': 3}
    """
    taken = {name: min(number, available.get(name, 0)) for name, number in asked.items()}
    lacking = sum(asked.values()) - sum(taken.values())
    while lacking:
        spare = [name for name in taken if available.get(name, 0) > taken[name]]
        if not spare:
            break
        least = min(spare, key=lambda name: taken[name])
        taken[least] += 1
        lacking -= 1
    return taken


@dataclass(frozen=True, slots=True)
class Picked:
    """What a seed picks of a frame."""

    asked: Mapping[str, int]
    """By field of physics the even share of the problems asked for."""
    problems: Sequence[int]
    answers: Sequence[tuple[int, int, int]]
    """Submission, problem and answer, in random order."""


def pick(frame: Frame, submissions: Sequence[int], size: int, seed: int) -> Picked:
    """
    Pick problems evenly over the fields, and of each one wrong answer of each submission.

    The seed alone decides: the same frame, submissions in any order and size give the same.
    """
    source = random.Random(seed)
    names = sorted(frame.count_domains())
    source.shuffle(names)
    asked = share_evenly(size, names)
    eligible = frame.list_eligible(submissions)
    taken = fill_up(asked, frame.count_domains(eligible))
    problems: list[int] = []
    for name in names:
        problems += source.sample(
            [one for one in eligible if frame.domains[one] == name], taken[name]
        )
    answers = [
        (submission, problem, source.choice(frame.answers[problem][submission]))
        for problem in problems
        for submission in sorted(submissions)
    ]
    source.shuffle(answers)
    return Picked(asked, problems, answers)


# --- Writing it down ------------------------------------------------------------------------


def draw(
    *,
    version: BenchmarkVersion,
    by: User,
    submissions: Collection[int],
    size: int = PROBLEMS,
    why: str = "",
) -> FirstErrorSample:
    """
    Draw a sample of wrong answers; the seed is the server's.

    Args:
        submissions: the numbers of some that stand on the version's board.
        size: how many problems.

    Raises:
        CannotDraw: there is no problem that all have answered wrongly, or a sample of this version
            is still open.
    """
    if not draws_samples(by):
        raise PermissionDenied(_("Only admins can draw a sample."))
    chosen = [one for one in list_candidates(version) if one.submission.pk in set(submissions)]
    if not 0 < len(chosen) <= MOST_SOLVERS:
        raise CannotDraw(
            _("Choose at least one solver, and at most %(most)d.") % {"most": MOST_SOLVERS}
        )
    numbers = [one.submission.pk for one in chosen]
    frame = find_frame(version, numbers)
    if frame is None or not frame.list_eligible(numbers):
        raise CannotDraw(
            _(
                "The chosen solvers have no problem that all of them answered wrong. "
                "Choose fewer solvers."
            )
        )
    try:
        with transaction.atomic():
            return _write(frame, chosen, version=version, by=by, size=size, why=why)
    except IntegrityError:
        raise CannotDraw(
            _(
                "A sample of this version is being labelled. Complete it, or end it with a reason, "
                "before you draw another."
            )
        ) from None


def _write(
    frame: Frame,
    chosen: Sequence[BoardRow],
    *,
    version: BenchmarkVersion,
    by: User,
    size: int,
    why: str,
) -> FirstErrorSample:
    seed = make_seed()
    sample = FirstErrorSample.objects.create(
        version=version,
        run=frame.run,
        grader_version=frame.run.grader_version,
        seed=seed,
        size=size,
        why=why,
        drawn_by=by,
    )
    solvers = _write_solvers(sample, frame, chosen)
    picked = pick(frame, list(solvers), size, seed)
    _write_domains(sample, frame, picked, frame.list_eligible(solvers))
    keys = frame.run.find_keys(set(picked.problems))
    FirstErrorItem.objects.bulk_create(
        FirstErrorItem(
            sample=sample,
            place=place,
            solver=solvers[submission],
            attempt_id=attempt,
            revision_id=problem,
            key_id=keys[problem].pk,
        )
        for place, (submission, problem, attempt) in enumerate(picked.answers, start=1)
    )
    return sample


def _write_solvers(
    sample: FirstErrorSample, frame: Frame, chosen: Sequence[BoardRow]
) -> dict[int, FirstErrorSolver]:
    rows = [
        FirstErrorSolver(
            sample=sample,
            submission=one.submission,
            place=place,
            accuracy=one.tally.accuracy.value or 0.0,
            accuracy_low=one.tally.accuracy.low,
            accuracy_high=one.tally.accuracy.high,
            problems=one.tally.accuracy.count,
            wrong=frame.count_wrong(one.submission.pk),
        )
        for place, one in enumerate(chosen, start=1)
    ]
    return {one.submission_id: one for one in FirstErrorSolver.objects.bulk_create(rows)}


def _write_domains(
    sample: FirstErrorSample, frame: Frame, picked: Picked, eligible: Collection[int]
) -> None:
    counts = frame.count_domains()
    of_eligible, drawn = frame.count_domains(eligible), frame.count_domains(picked.problems)
    FirstErrorDomain.objects.bulk_create(
        FirstErrorDomain(
            sample=sample,
            domain=name,
            problems=counts[name],
            eligible=of_eligible[name],
            asked=picked.asked[name],
            drawn=drawn[name],
        )
        for name in sorted(counts)
    )
