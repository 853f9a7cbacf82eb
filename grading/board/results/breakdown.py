"""What a graded submission comes to by part: by domain, by difficulty, and with fewer samples."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Avg

from curation.problems.models import Difficulty, PhysicsField, Problem
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers
from grading.board.scaling.figures import describe_one
from grading.board.scaling.table import Row
from phybench_grader.statistics.metrics import Tally, count_lacking, tally_alike


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    problems: int
    tally: Tally


@dataclass(frozen=True, slots=True)
class Breakdown:
    domains: Sequence[Part]
    difficulties: Sequence[Part]
    samples: Row | None
    """What so many samples of each problem come to; None where each has one answer."""
    tokens: float | None
    """That the model wrote for an answer, on average, where its files say so."""


def break_down(submission: Submission, answers: Answers, problems: Sequence[Problem]) -> Breakdown:
    """Sum up a submission's answers by part; `problems` are those that it was asked."""
    domains: dict[str, set[int]] = defaultdict(set)
    difficulties: dict[str, set[int]] = defaultdict(set)
    for one in problems:
        domains[one.domain].add(one.pk)
        difficulties[one.difficulty].add(one.pk)
    samples = None
    if answers.most > 1:
        curves = describe_one(submission, [one.pk for one in problems])
        samples = Row(submission, submission.solver.name, curves)
    return Breakdown(
        domains=_sum_up(answers, domains, PhysicsField.choices),
        difficulties=_sum_up(answers, difficulties, Difficulty.choices),
        samples=samples,
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
