"""How far judges agree with people: figures, a picture of them, and a file."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from grading.judging.calibration.collecting import collect
from grading.judging.calibration.curves import CurvePicture, draw_pictures
from grading.judging.calibration.people import compare_rulings
from grading.judging.calibration.source import read_source
from grading.judging.calibration.standing import Calibration, Slice
from grading.judging.engine.calibration import Comparison
from grading.judging.prompts.models import JudgeConfiguration
from grading.judging.trust_words import say_beside_best, say_curve, say_empty, say_votes
from grading.samples.labels.rulings import Source
from phybench.pages.charts import BELOW_LAST, PERCENT_LAYOUTS, Layout, Picture
from phybench.pages.csv import csv_response
from phybench.people.http import MemberRequest, role_required
from phybench.people.models import Role
from phybench_grader.judges.kinds import KINDS
from phybench_grader.statistics.metrics import Mean

GROUP_GAP = 14
"""Of the picture: between what is divided by one thing and by the next."""


@dataclass(frozen=True, slots=True)
class CalibrationMark:
    """One row of the picture: a dot for the agreement, whiskers for its 95 % interval."""

    name: str
    is_whole: bool
    y: int
    name_y: int
    x: str
    low: str
    high: str


class CalibrationPicture(Picture[CalibrationMark]):
    """With a gap between what is divided by one thing and by the next."""

    __slots__ = ()

    @property
    def bottom(self) -> int:
        return self.marks[-1].y + BELOW_LAST


@dataclass(frozen=True, slots=True)
class ShownCalibration:
    """One judge as its part of the page shows it."""

    configuration: JudgeConfiguration
    found: Calibration
    groups: list[tuple[str, list[Slice]]]
    pictures: list[CalibrationPicture]
    curves: list[CurvePicture]

    @property
    def on_panel(self) -> list[str]:
        """What is known of a panel, in sentences; nothing of a single judge."""
        panel = self.found.panel
        return [say_votes(panel.votes), say_beside_best(panel.beside_best)] if panel else []

    @property
    def on_empty_answers(self) -> str:
        return say_empty(self.found.empty)

    @property
    def on_curve(self) -> str:
        return say_curve(self.found.curve)


@role_required(Role.EVALUATOR)
@require_GET
def calibration(request: MemberRequest) -> HttpResponse:
    source = read_source(request)
    context = {
        "rows": [_show(one, found) for one, found in collect(source=source)],
        "people": compare_rulings(source),
        "source": source,
        "right_from": _say_right_from(),
        "apart": [_(one.uncalibrated) for one in KINDS.values() if one.uncalibrated],
        "sources": [
            (Source.ALL, _("all rulings and labels")),
            (Source.PAGES, _("rulings on pages")),
            (Source.FILES, _("labels from files")),
        ],
    }
    return render(request, "grading/calibration.html", context)


def _say_right_from() -> str:
    said = _(", ").join(_(one.right_from) for one in KINDS.values() if one.right_from)
    return _("%(said)s.") % {"said": said}


def _show(configuration: JudgeConfiguration, found: Calibration) -> ShownCalibration:
    names = {
        "domain": _("By domain"),
        "difficulty": _("By difficulty"),
        "length": _("By answer length"),
    }
    groups = [(name, [one for one in found.slices if one.by == by]) for by, name in names.items()]
    drawn = [picture for layout in PERCENT_LAYOUTS if (picture := _draw(found, layout))]
    groups = [group for group in groups if group[1]]
    return ShownCalibration(configuration, found, groups, drawn, draw_pictures(found.curve))


def _draw(found: Calibration, layout: Layout) -> CalibrationPicture | None:
    whole = (_("all"), "", found.agreement)
    parts = [(one.label, one.by, one.found.agreement) for one in found.slices]
    rows = [row for row in [whole, *parts] if row[2].value is not None]
    if not rows:
        return None
    marks: list[CalibrationMark] = []
    gaps, group = 0, ""
    for number, (name, by, mean) in enumerate(rows):
        gaps += by != group
        group = by
        y = layout.y(number) + gaps * GROUP_GAP
        marks.append(_mark(name, mean, layout, y, is_whole=not by))
    return CalibrationPicture(
        layout=layout,
        marks=marks,
        ticks=layout.ticks(range(0, 101, 20)),
        axis_x=layout.x(50),
    )


def _mark(name: str, mean: Mean, layout: Layout, y: int, *, is_whole: bool) -> CalibrationMark:
    value = mean.value or 0.0
    return CalibrationMark(
        name=_("%(words)s (%(number)s)") % {"words": name, "number": mean.count},
        is_whole=is_whole,
        y=y,
        name_y=y + layout.name_dy,
        x=layout.x(value),
        low=layout.x(value if mean.low is None else mean.low),
        high=layout.x(value if mean.high is None else mean.high),
    )


@role_required(Role.EVALUATOR)
@require_GET
def calibration_csv(request: MemberRequest) -> HttpResponse:
    """Write a row for each judge, and one for each part of the answers that it judged."""
    header = [
        "configuration", "sha256", "by", "part", "ruled", "right_called_right",
        "right_called_wrong", "right_missing", "wrong_called_right", "wrong_called_wrong",
        "wrong_missing", "coverage", "agreement", "agreement_low", "agreement_high",
        "false_accepts", "false_accepts_low", "false_accepts_high", "false_rejects",
        "false_rejects_low", "false_rejects_high", "prevalence_of_right", "kappa", "kappa_low",
        "kappa_high", "may_rank", "empty_answers", "empty_accepted", "empty_missing", "members",
        "effective_votes", "error_correlation", "votes_reason", "beats_best", "best_member",
        "choosing_labels", "reporting_labels", "panel_right", "best_right",
    ]  # fmt: skip
    return csv_response("calibration", header, _write_all(read_source(request)))


def _write_all(source: Source) -> Iterator[list[object]]:
    for configuration, found in collect(source=source):
        named = [configuration.name, configuration.sha256]
        interval = found.kappa_interval
        own = [interval.low, interval.high, found.may_rank, *_write_trust(found)]
        yield [*named, "all", "", *_write(found), *own]
        for part in found.slices:
            yield [*named, part.by, part.code, *_write(part.found), *[""] * len(own)]


def _write_trust(found: Calibration) -> list[object]:
    empty = [found.empty.outcome, len(found.empty.accepted), found.empty.missing]
    if found.panel is None:
        return [*empty, *[""] * 10]
    votes, beside = found.panel.votes, found.panel.beside_best
    return [
        *empty,
        votes.members,
        votes.value,
        votes.correlation,
        votes.reason,
        beside.outcome,
        beside.best,
        beside.choosing,
        beside.reporting,
        beside.panel_right,
        beside.best_right,
    ]


def _write(found: Comparison) -> list[object]:
    errors = found.errors
    return [
        found.ruled,
        errors.true_accepts,
        errors.false_rejects,
        found.missing_right,
        errors.false_accepts,
        errors.true_rejects,
        found.missing_wrong,
        found.coverage,
        *_write_mean(found.agreement),
        *_write_mean(found.false_accepts),
        *_write_mean(found.false_rejects),
        errors.prevalence,
        found.kappa.value,
    ]


def _write_mean(mean: Mean) -> tuple[float | None, float | None, float | None]:
    return mean.value, mean.low, mean.high
