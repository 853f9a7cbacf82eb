"""The page's tables as files."""

from django.http import HttpRequest, HttpResponse

from grading.board.analyses.asking import answer_later, look_up
from grading.board.eed import pictures
from grading.board.eed.asked import Asked
from grading.board.eed.collecting import find_progress
from grading.board.eed.figures import Efficiency, Place, read_eed, read_unordered
from grading.board.eed.shown import EEDRow, list_rows, list_unordered
from grading.board.eed.tasks import EED, UNORDERED
from phybench.pages.csv import csv_response
from phybench.pages.kept import for_everybody
from phybench_grader.statistics.clusters import ClusteredMean
from phybench_grader.statistics.metrics import Mean


@for_everybody
def eed_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Give EED beside accuracy, and how answers are shared out."""
    asked = Asked.of(request, slug)
    found = look_up(EED, asked.scope, field=asked.field)
    if found.result is None:
        return answer_later(found.failure)
    figures = read_eed(found.result)
    header = ["number", "solver", "kind", "answers", "not_graded"]
    header += ["accuracy", "accuracy_low", "accuracy_high", "eed", "eed_low", "eed_high"]
    header += ["accuracy_variation", "eed_variation", "sample_efficiency", "by_mean", "by_scatter"]
    header += [f"eed_{score.replace('–', '_to_')}" for score in pictures.name_scores()]
    header += ["people", "study"]
    lines = [[*_write_row(row), "", ""] for row in list_rows(figures, asked.field)]
    for one in figures.peoples:
        own = ["", one.who.name, "people", one.shares.total, one.ungraded]
        ends = [*_write_ends(one.accuracy), *_write_ends(one.eed)]
        counts = [*one.shares.counts, one.who.people, one.who.study]
        lines.append([*own, *ends, *_write_efficiency(None), *counts])
    return csv_response(f"eed-{slug}", header, lines)


def _write_row(row: EEDRow) -> list[object]:
    figures = row.figures
    return [
        row.number,
        row.name,
        "model",
        figures.shares.total,
        figures.ungraded,
        *_write_ends(figures.accuracy.quote(figures.accuracy_range)),
        *_write_ends(figures.eed.quote(figures.eed_range)),
        *_write_efficiency(figures.efficiency),
        *figures.shares.counts,
    ]


def _write_efficiency(found: Efficiency | None) -> list[str]:
    if found is None:
        return [""] * 5
    figures = found.accuracy_variation, found.eed_variation
    return [_write(one) for one in (*figures, found.paper, found.by_mean, found.by_scatter)]


@for_everybody
def unordered_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Give each model's mean and possible ranks by EED and by unordered EED."""
    asked = Asked.of(request, slug)
    if not find_progress(asked.scope, asked.field).is_complete:
        return answer_later()
    said = look_up(UNORDERED, asked.scope, field=asked.field)
    if said.result is None:
        return answer_later(said.failure)
    ends = ["", "_low", "_high", "_place", "_rank_from", "_rank_to"]
    header = ["solver", *(f"{name}{end}" for name in ("eed", "unordered_eed") for end in ends)]
    rows = list_unordered(read_unordered(said.result), asked.field)
    found = [(row.name, row.figures) for row in rows]
    lines = [
        [name, *_write_place(figures.eed), *_write_place(figures.unordered), figures.answers]
        for name, figures in found
    ]
    return csv_response(f"unordered-eed-{slug}", [*header, "answers"], lines)


def _write_place(place: Place) -> list[object]:
    ranks = (place.ranks.low, place.ranks.high) if place.ranks else ("", "")
    return [*_write_ends(place.quoted), "" if place.place is None else place.place, *ranks]


def _write_ends(mean: Mean | ClusteredMean) -> list[str]:
    return [_write(value) for value in (mean.value, mean.low, mean.high)]


def _write(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
