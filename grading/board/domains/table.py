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
    advantage: Advantage | None

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
    rows.sort(
        key=lambda row: (
            row.means.micro.value is None,
            -(row.means.micro.value or 0.0),
            row.name,
        )
    )
    return DomainTable(metric, domains, rows, panel)


def _make_row(
    submission: Submission,
    names: Mapping[int, str],
    means: DomainMeans,
    domains: Sequence[Domain],
    panel: PanelMeans,
) -> Row:
    values = {name: mean.value for name, mean in means.by_domain.items() if mean.value is not None}
    advantages = find_advantages(values, panel)
    cells = [Cell(one, means.by_domain.get(one.name), advantages.get(one.name)) for one in domains]
    return Row(submission, names[submission.pk], means, cells)
