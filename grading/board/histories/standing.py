"""How a model's submissions stand: what each scored on its board, and what was said of it then."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Q

from curation.versions.models import VersionItem
from grading.answers.permissions import list_submissions_of
from grading.answers.submissions.models import Submission
from grading.answers.tallies.collected import Answers, collect
from grading.board.analyses.models import Analysis
from grading.board.figures import BOARD, read_figures
from grading.board.scores.scope import Scope
from grading.solvers.models import Description, Solver
from grading.submissions.publication import find_ranked_of
from phybench.people.models import User
from phybench_grader.statistics.metrics import Tally
from phybench_grader.statistics.ranks import RankRange


@dataclass(frozen=True, slots=True)
class StandingSubmission:
    """One submission, as its model's page lists it."""

    submission: Submission
    of: int
    """How many the model has to this benchmark, whatever became of them."""
    tally: Tally
    """On its board: without what was withdrawn from the version since."""
    problems: int
    """How many count on its board."""
    samples: int
    """Answers to the problem that has most of them."""
    waiting: int
    """Answers still to be graded."""
    is_ranked: bool
    """Whether it is on the board."""
    description: Description | None
    """What was said of the model when this was published; None where nothing was, or it is not."""
    ranks: Mapping[str, RankRange] = field(default_factory=dict)
    """By EED and by accuracy, as last worked out; empty where it has none."""

    @property
    def shows_score(self) -> bool:
        """
        Whether its figures are everybody's.

        Those of others are on the submission's own page, which writes down who read them.
        """
        return bool(self.submission.published_at) and not self.submission.withdrawn_at

    @property
    def eed_rank(self) -> RankRange | None:
        """
        Return its rank, as last worked out.

        None where the board has none now: while answers wait, or with too many not graded.
        """
        found = self.tally.eed_range
        return None if self.waiting or (found and found.is_unranked) else self.ranks.get("eed")


@dataclass(slots=True)
class VersionsItems:
    """What of a version's public part counts."""

    count: int = 0
    withdrawn: set[int] = field(default_factory=set)


def list_standing(
    solver: Solver, viewer: User | None, descriptions: Sequence[Description]
) -> list[StandingSubmission]:
    """List what `viewer` may know of a model's submissions, newest first."""
    # All of them: which is ranked hangs on what others don't see, too.
    every = list(
        solver.submissions.select_related("benchmark", "version__benchmark")
        .defer("left_out")
        .order_by("-created_at")
    )
    counts = Counter(one.benchmark_id for one in every)
    ranked = find_ranked_of(every)
    known = set(list_submissions_of(solver, viewer).values_list("pk", flat=True))
    shown = [one for one in every if one.pk in known]
    items, answers, ranks = _count_items(shown), collect(shown), _find_ranks(shown)
    return [
        _stand(
            one,
            answers[one.pk],
            items.get(one.version_id or 0, VersionsItems(one.expected)),
            of=counts[one.benchmark_id],
            is_ranked=one.pk in ranked,
            description=_find_held(one, descriptions),
            ranks=ranks.get(one.pk, {}) if one.pk in ranked else {},
        )
        for one in shown
    ]


def _stand(
    submission: Submission,
    answers: Answers,
    items: VersionsItems,
    *,
    of: int,
    is_ranked: bool,
    description: Description | None,
    ranks: Mapping[str, RankRange],
) -> StandingSubmission:
    return StandingSubmission(
        submission=submission,
        of=of,
        tally=answers.keep(answers.given.keys() - items.withdrawn).sum_up(items.count),
        problems=items.count,
        samples=answers.most,
        waiting=answers.waiting,
        is_ranked=is_ranked,
        description=description,
        ranks=ranks,
    )


def _count_items(submissions: Iterable[Submission]) -> dict[int, VersionsItems]:
    """Count what stands of each version (its `pk`), and name what was withdrawn."""
    versions = {one.version_id for one in submissions if one.version_id}
    public = VersionItem.objects.public().filter(version__in=versions).order_by()
    standing = public.values("version").annotate(count=Count("pk", filter=Q(withdrawal=None)))
    found = {row["version"]: VersionsItems(row["count"]) for row in standing}
    withdrawn = public.filter(withdrawal__isnull=False)
    for version, problem in withdrawn.values_list("version", "problem"):
        found[version].withdrawn.add(problem)
    return found


def _find_ranks(submissions: Iterable[Submission]) -> dict[int, Mapping[str, RankRange]]:
    """Find the ranks that boards of whole versions last had, by submission (its `pk`)."""
    shown = [one for one in submissions if one.version]
    whole = Q(pk__in=[])
    for one in shown:
        if one.version:
            query = Scope(one.benchmark, one.version).query
            whole |= Q(version=one.version, query=query)
    kept = (
        Analysis.objects.filter(whole, kind=BOARD.name, run=None, result__isnull=False)
        .order_by("version_id", "-done_at")
        .distinct("version_id")
    )
    by_version: dict[int, dict[int, Mapping[str, RankRange]]] = defaultdict(dict)
    for analysis in kept:
        rows = read_figures(analysis.result or {}).rows
        by_version[analysis.version_id or 0] = {pk: row.ranks for pk, row in rows.items()}
    return {one.pk: by_version[one.version_id or 0].get(one.pk, {}) for one in shown}


def _find_held(submission: Submission, descriptions: Sequence[Description]) -> Description | None:
    """Find what was said when a submission was published, of what lies newest first."""
    at = submission.published_at
    return next((one for one in descriptions if at and one.described_at <= at), None)
