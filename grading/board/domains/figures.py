"""What is worked out of each solver and domain, and of each panel."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from pydantic import TypeAdapter

from curation.problems.models import PhysicsField
from grading.board.analyses.kinds import AnalysisKind, Result, register_analysis
from grading.board.panels.collecting import find_members, list_panels
from grading.board.panels.models import Panel as FrozenPanel
from grading.board.scores.collecting import BoardScores, Field, collect_answers, hash_state
from grading.board.scores.scope import Scope
from phybench_grader.statistics.domains import DomainMeans, Panel, average, find_domain_means, span
from phybench_grader.statistics.scores import Scores

Metric = Literal["eed", "accuracy"]
METRICS: tuple[Metric, ...] = get_args(Metric)


@dataclass(frozen=True, slots=True)
class DomainFigures:
    counts: dict[str, int] = field(default_factory=dict)
    """Problems of each domain that has any."""
    told: list[str] = field(default_factory=list)
    """Domains of which figures may be told: the others have so few problems that a mean tells."""
    rows: dict[int, dict[str, DomainMeans]] = field(default_factory=dict)
    """By submission and metric; what is not told is in none."""
    panels: dict[int, dict[str, dict[str, float]]] = field(default_factory=dict)
    """By panel, metric and domain."""


KEPT = TypeAdapter(DomainFigures)


def work_out(board: BoardScores) -> Result:
    result: Result = KEPT.dump_python(_work_out(board), mode="json")
    return result


def _work_out(board: BoardScores) -> DomainFigures:
    scope = board.scope
    of_problem = {one: cell[0] for one, cell in scope.cells.items()}
    counted = Counter(of_problem[one] for one in scope.problems)
    counts = {one: counted[one] for one in PhysicsField.values if counted[one]}
    told = [one for one in counts if (one, scope.difficulty) in scope.told]
    if not scope.is_told:
        return DomainFigures(counts)
    domains = [of_problem[one] for one in scope.problems]
    return DomainFigures(
        counts,
        told,
        {
            one.submission.pk: _find_means(board.of[one.submission.pk], domains, told)
            for one in board.field.standing
        },
        {one.pk: _measure(board, one, domains, told) for one in list_panels(scope.version)},
    )


def _find_means(scores: Scores, domains: list[str], told: list[str]) -> dict[str, DomainMeans]:
    kept = [place for place, domain in enumerate(domains) if domain in told]
    found: dict[str, DomainMeans] = {}
    for metric in METRICS:
        samples = scores.eed if metric == "eed" else scores.accuracy
        means = find_domain_means(samples[kept], [domains[place] for place in kept])
        # Over all, also of domains that are not told by themselves.
        found[metric] = replace(means, micro=average(samples), micro_range=span(samples))
    return found


def _measure(
    board: BoardScores, panel: FrozenPanel, domains: list[str], told: list[str]
) -> dict[str, dict[str, float]]:
    """Average who is in a panel, wherever they stand now."""
    members = find_members(panel)
    gone = Field([one for one in members.standing if one.submission.pk not in board.of], ())
    answers = collect_answers(board.scope, gone)
    scores = {
        pk: answers[pk].arrange(board.scope.problems) if pk in answers else None
        for pk in (one.submission.pk for one in gone.standing)
    }
    found = [
        _find_means(one, domains, told)
        for member in members.standing
        if (one := board.of.get(member.submission.pk) or scores.get(member.submission.pk))
    ]
    return {metric: _average_panel(panel, [one[metric] for one in found]) for metric in METRICS}


def _average_panel(panel: FrozenPanel, members: list[DomainMeans]) -> dict[str, float]:
    """
    Average the means of the domains in which each of a panel has one.

    Of what is graded alone: a panel is frozen, and an answer that we could not grade does not take
    its domain from everybody.
    """
    values: list[Mapping[str, float]] = [
        {domain: mean.value for domain, mean in one.by_domain.items() if mean.value is not None}
        for one in members
    ]
    if not values:
        return {}
    common = set.intersection(*(set(one) for one in values))
    named = {
        str(number): {domain: one[domain] for domain in common} for number, one in enumerate(values)
    }
    return Panel.of(panel.name, named).means


def _find_more(scope: Scope, field: Field) -> object:
    """Say which panels there are, and how far those in them are."""
    panels = list_panels(scope.version)
    return [[one.pk for one in panels], hash_state(scope, find_members(*panels))]


DOMAINS = register_analysis(AnalysisKind("domains", work_out, version=3, find_more=_find_more))
