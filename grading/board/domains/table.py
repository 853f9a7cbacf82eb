"""The table of solvers and domains, as it is shown, drawn and written to a file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from curation.problems.models import PhysicsField
from grading.answers.submissions.models import Submission
from grading.board.domains.figures import DomainFigures, Metric
from grading.board.panels.models import Panel
from grading.board.scores.collecting import Field, name_all
from phybench_grader.statistics.domains import Advantage, DomainMeans, find_advantages
from phybench_grader.statistics.domains import Panel as PanelMeans
from phybench_grader.statistics.metrics import Mean
from phybench_grader.statistics.provisional import Range


class View(StrEnum):
    MEANS = "means"
    ABSOLUTE = "absolute"
    RELATIVE = "relative"


VIEWS = {
    View.MEANS: _("Means"),
    View.ABSOLUTE: _("Advantage in points"),
    View.RELATIVE: _("Advantage in per cent"),
}


@dataclass(frozen=True, slots=True)
class Domain:
    name: str
    problems: int
    is_told: bool
    panel: float | None
    """The panel's mean."""

    @property
    def label(self) -> str:
        return str(PhysicsField(self.name).label)


@dataclass(frozen=True, slots=True)
class Cell:
    domain: Domain
    mean: Mean | None
    """None where it is not told."""
    range: Range | None
    """Where it can lie: while an answer is not graded it may not be quoted."""
    advantage: Advantage | None

    @property
    def quoted(self) -> Mean | None:
        return self.mean and self.mean.quote(self.range)

    @property
    def percent(self) -> float | None:
        found = self.advantage
        return None if found is None or found.relative is None else 100 * found.relative


@dataclass(frozen=True, slots=True)
class Row:
    submission: Submission
    name: str
    means: DomainMeans
    cells: list[Cell]

    @property
    def value(self) -> float | None:
        """Return what the row is sorted by: its mean over all, or the low end of a range."""
        found, mean = self.means.micro_range, self.means.micro
        is_open = found is not None and found.is_provisional and mean.value is not None
        return found.low if found and is_open else mean.value


@dataclass(frozen=True, slots=True)
class DomainTable:
    metric: Metric
    domains: list[Domain]
    rows: list[Row]
    """The best over all problems first."""
    panel: Panel | None


def make_table(
    figures: DomainFigures, field: Field, panel: Panel | None, metric: Metric
) -> DomainTable:
    of_panel = figures.panels.get(panel.pk, {}).get(metric, {}) if panel else {}
    domains = [
        Domain(name, figures.counts[name], name in figures.told, of_panel.get(name))
        # What is kept as JSON is in no order.
        for name in PhysicsField.values
        if name in figures.counts
    ]
    names = name_all(field)
    measured = PanelMeans(panel.name if panel else "", (), of_panel)
    rows = [
        _make_row(one.submission, names, figures.rows[one.submission.pk][metric], domains, measured)
        for one in field.standing
        if one.submission.pk in figures.rows
    ]
    rows.sort(key=lambda row: (row.value is None, -(row.value or 0.0), row.name))
    return DomainTable(metric, domains, rows, panel)


def _make_row(
    submission: Submission,
    names: Mapping[int, str],
    means: DomainMeans,
    domains: Sequence[Domain],
    panel: PanelMeans,
) -> Row:
    quoted = {name: mean.value for name in means.by_domain if (mean := means.quote(name))}
    values = {name: value for name, value in quoted.items() if value is not None}
    advantages = find_advantages(values, panel)
    cells = [
        Cell(
            domain,
            means.by_domain.get(domain.name),
            means.ranges.get(domain.name),
            advantages.get(domain.name),
        )
        for domain in domains
    ]
    return Row(submission, names[submission.pk], means, cells)
