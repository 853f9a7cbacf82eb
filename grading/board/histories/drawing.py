"""The picture of a model's history: a row a submission, with its mean and interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from grading.board.histories.standing import StandingSubmission
from phybench.pages.charts import Picture, lay_out


@dataclass(frozen=True, slots=True)
class Mark:
    name: str
    y: int
    name_y: int
    x: str
    low: str
    high: str
    is_ranked: bool
    rank: str


def list_drawn(standing: Sequence[StandingSubmission]) -> list[StandingSubmission]:
    """Keep those whose figures are everybody's, where there are any."""
    return [one for one in standing if one.shows_score and one.tally.eed.value is not None]


def name(one: StandingSubmission) -> str:
    return f"{one.submission.version or one.submission.benchmark} · {one.submission.number}"


def draw(standing: Sequence[StandingSubmission], *, is_narrow: bool) -> Picture[Mark]:
    """Draw mean EEDs, newest first as the table lists them."""
    layout = lay_out(is_narrow=is_narrow)
    marks = []
    for place, one in enumerate(list_drawn(standing)):
        mean, found = one.tally.eed, one.tally.eed_range
        value = mean.value or 0.0
        low = value if mean.low is None else mean.low
        high = value if mean.high is None else mean.high
        if found and found.is_provisional:
            # It may lie anywhere between, for reasons of ours besides chance.
            low, high = min(low, found.low), max(high, found.high)
        y = layout.y(place)
        marks.append(
            Mark(
                name=name(one),
                y=y,
                name_y=y + layout.name_dy,
                x="" if mean.quote(found).value is None else layout.x(value),
                low=layout.x(low),
                high=layout.x(high),
                is_ranked=one.is_ranked,
                rank=str(one.eed_rank or ""),
            )
        )
    ticks = layout.ticks(range(0, 101, 20))
    return Picture(layout=layout, marks=marks, ticks=ticks, axis_x=layout.x(50))
