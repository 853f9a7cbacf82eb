"""What a graded submission comes to by part: by domain, by difficulty, and with fewer samples."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Avg

from curation.problems.models import Difficulty, PhysicsField
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers
from grading.submissions.results.rows import list_problems
from phybench_grader.statistics.metrics import Tally
from phybench_grader.statistics.scaling import Point, average, find_best


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    problems: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class OfSamples:
    """What so many samples of each problem bring."""

    pass_at: Point
    """At least one of them right."""
    best: Point
    """The best EED of them."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    domains: Sequence[Part]
    difficulties: Sequence[Part]
    samples: Sequence[OfSamples]
    """Empty where each problem has one answer."""
    tokens: float | None
    """That the model wrote for an answer, on average, where its files say so."""


def break_down(submission: Submission, answers: Answers) -> Breakdown:
    """Sum up a submission's answers by part, in two queries."""
    domains: dict[str, set[int]] = defaultdict(set)
    difficulties: dict[str, set[int]] = defaultdict(set)
    listed = list_problems(submission).values_list("pk", "domain", "difficulty")
    for problem, domain, difficulty in listed:
        domains[domain].add(problem)
        difficulties[difficulty].add(problem)
    problems = [one for some in domains.values() for one in some]
    return Breakdown(
        domains=list(_sum_up(answers, domains, dict(PhysicsField.choices))),
        difficulties=list(_sum_up(answers, difficulties, dict(Difficulty.choices))),
        samples=list(_count_samples(answers, problems)),
        tokens=submission.attempts.aggregate(mean=Avg("tokens"))["mean"],
    )


def _sum_up(
    answers: Answers, parts: Mapping[str, set[int]], names: Mapping[str, object]
) -> Iterable[Part]:
    for key in (one for one in names if parts.get(one)):
        of_part = answers.keep(parts[key])
        yield Part(str(names[key]), len(parts[key]), of_part.sum_up(len(parts[key])))


def _count_samples(answers: Answers, problems: Sequence[int]) -> Iterable[OfSamples]:
    scores = answers.arrange(problems)
    if scores.samples < 2:
        return
    right = [find_best(one) for one in scores.accuracy.tolist()]
    eed = [find_best(one) for one in scores.eed.tolist()]
    doubles = {2**power for power in range(scores.samples.bit_length())}
    for count in sorted({*doubles, scores.samples}):
        if count <= scores.samples:
            yield OfSamples(average(right, count), average(eed, count))
