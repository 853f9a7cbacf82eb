"""What a graded submission comes to by part: by domain, by difficulty, and with fewer samples."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Avg

from curation.problems.models import Difficulty, PhysicsField
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers
from grading.submissions.results.rows import list_problems
from phybench_grader.statistics.metrics import Tally, count_lacking, tally_alike
from phybench_grader.statistics.scaling import Point, average, find_best


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    problems: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class SamplePoint:
    """What so many samples of each problem bring."""

    pass_at: Point
    """At least one of them right."""
    best: Point
    """The best EED of them."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    domains: Sequence[Part]
    difficulties: Sequence[Part]
    samples: Sequence[SamplePoint]
    """Empty where each problem has one answer."""
    tokens: float | None
    """That the model wrote for an answer, on average, where its files say so."""


def break_down(submission: Submission, answers: Answers) -> Breakdown:
    """Sum up a submission's answers by part, in two queries."""
    domains: dict[str, set[int]] = defaultdict(set)
    difficulties: dict[str, set[int]] = defaultdict(set)
    fields = list_problems(submission).values_list("pk", "domain", "difficulty")
    for problem, domain, difficulty in fields:
        domains[domain].add(problem)
        difficulties[difficulty].add(problem)
    return Breakdown(
        domains=_sum_up(answers, domains, PhysicsField.choices),
        difficulties=_sum_up(answers, difficulties, Difficulty.choices),
        samples=_list_points(answers, [*set().union(*domains.values())]),
        tokens=submission.attempts.aggregate(mean=Avg("tokens"))["mean"],
    )


def _sum_up(
    answers: Answers, parts: Mapping[str, set[int]], names: Iterable[tuple[str, object]]
) -> list[Part]:
    # Against all problems: a part with fewer samples than the others lacks them, too.
    lacking = count_lacking(answers.given)
    summed = []
    for key, name in names:
        if problems := parts.get(key):
            of_part = answers.keep(problems)
            tally = tally_alike(
                of_part.outcomes,
                missing=len(problems - of_part.given.keys()),
                lacking={pk: count for pk, count in lacking.items() if pk in problems},
            )
            summed.append(Part(str(name), len(problems), tally))
    return summed


def _list_points(answers: Answers, problems: Sequence[int]) -> list[SamplePoint]:
    scores = answers.arrange(problems)
    most = scores.samples
    if most < 2:
        return []
    right = [find_best(samples) for samples in scores.accuracy.tolist()]
    eed = [find_best(samples) for samples in scores.eed.tolist()]
    counts = sorted({*(2**power for power in range(most.bit_length())), most})
    return [SamplePoint(average(right, count), average(eed, count)) for count in counts]
