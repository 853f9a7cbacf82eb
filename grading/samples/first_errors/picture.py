"""The kinds of first errors as bars, and what they say in words."""

from django.utils.translation import gettext as _

from grading.samples.first_errors.figures import ErrorTable
from grading.samples.first_errors.models import Kind
from phybench.pages.charts import BarRow, Bars, Figure

KINDS = (Kind.PERCEPTION, Kind.SEMANTIC, Kind.SYMBOLIC)


def make_chart(table: ErrorTable) -> Bars:
    """Return a bar for each solver that erred, and one for all together where there are several."""
    rows = [*table.rows, *([table.pooled] if len(table.rows) > 1 else [])]
    bars = [
        BarRow(
            one.name,
            [one.counts.get(kind, 0) for kind in KINDS],
            Figure(low=one.perception.low, high=one.perception.high),
        )
        for one in rows
        if one.errors
    ]
    return Bars(
        " ".join(map(_say, bars)),
        _("Kinds of first errors, %% of the errors") % {},
        [_("physical perception"), _("semantic"), _("symbolic")],
        bars,
    )


def _say(bar: BarRow) -> str:
    """Say what a bar shows, for those who do not see it."""
    perception, semantic, symbolic = bar.parts
    return _(
        "%(name)s has %(errors)d first errors: %(perception)d of physical perception, "
        "%(semantic)d semantic and %(symbolic)d symbolic."
    ) % {
        "name": bar.name,
        "errors": bar.whole,
        "perception": perception,
        "semantic": semantic,
        "symbolic": symbolic,
    }
