"""
Say figures of a study in the words of its report.

Pure: no Django, no database.
"""

from collections.abc import Mapping, Sequence

from grading.board.baselines.checklist.facts import Beside
from phybench_grader.statistics.clusters import ClusteredMean, Spread
from phybench_grader.statistics.positions import PositionEffect
from phybench_grader.statistics.session_times import Times
from phybench_grader.statistics.studies import FEWEST, StudyFigures

NOT_REPORTED = "not reported"
"""What is said of what is not known: always these words."""
TOO_FEW = f"not told: fewer than {FEWEST} people"


def count(number: int, noun: str) -> str:
    """
    Say how many.

    >>> count(1, "problem"), count(30, "minute")
    ('1 problem', '30 minutes')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def list_effects(effects: Mapping[str, PositionEffect], people: int) -> list[str]:
    if people < FEWEST:
        return [TOO_FEW]
    lines = []
    for name, one in effects.items():
        halves, slope = say_points(one.halves), say_points(one.slope)
        lines.append(f"{name}, second half less first half: {halves}")
        lines.append(f"{name}, from one place to the next: {slope}")
    return lines


def list_beside(found: Sequence[Beside], people: int) -> list[str]:
    """Say how people compare with each model."""
    if people < FEWEST:
        return [TOO_FEW] if found else []
    return [f"- {one.model}, {one.metric}: people {_say_beside(one)}" for one in found]


def _say_beside(one: Beside) -> str:
    low, high = one.lower, one.upper
    if low.value is None or high.value is None:
        return NOT_REPORTED
    value = f"{low.value:+.1f}"
    if low.value != high.value:
        value += f" to {high.value:+.1f}"
    if low.low is None or high.high is None:
        return f"{value} points"
    judged = "no difference is found"
    if low.low > 0 or high.high < 0:
        judged = "higher" if low.low > 0 else "lower"
    rough = ", rough" if low.is_rough else ""
    return f"{value} points (95 % interval {low.low:+.1f} to {high.high:+.1f}{rough}): {judged}"


def list_demographics(found: Mapping[str, Mapping[str, str]]) -> list[str]:
    return [
        f"- {question} " + ", ".join(f"{answer}: {count}" for answer, count in counts.items())
        for question, counts in found.items()
    ]


def write_range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"


def describe(counts: Sequence[int]) -> str:
    """
    Say a mean and the ends.

    >>> describe([3, 3, 3]), describe([1, 2])
    ('3', '1.5 on average, 1 to 2')
    """
    if not counts:
        return ""
    low, high = min(counts), max(counts)
    mean = sum(counts) / len(counts)
    return str(low) if low == high else f"{mean:.1f} on average, {low} to {high}"


def describe_minutes(minutes: Sequence[float]) -> str:
    ordered = sorted(minutes)
    quarter, half = len(ordered) // 4, len(ordered) // 2
    return (
        f"median {ordered[half]:.0f} minutes, middle half {ordered[quarter]:.0f} to"
        f" {ordered[-1 - quarter]:.0f}."
    )


def say_mean(mean: ClusteredMean, people: int) -> str:
    """Say a mean in per cent with all that belongs to it."""
    if people < FEWEST:
        return TOO_FEW
    if mean.value is None and not mean.range:
        return NOT_REPORTED
    interval = ""
    if mean.low is not None:
        rough = ", rough" if mean.is_rough else ""
        interval = f" (95 % interval {mean.low:.1f} to {mean.high:.1f}{rough})"
    return (
        f"{mean.say()} %{interval}; {count(mean.answers, 'answer')} of {mean.people} people"
        f" to {count(mean.problems, 'problem')}, {mean.ungraded} not graded"
    )


def say_points(mean: ClusteredMean) -> str:
    if mean.value is None:
        return NOT_REPORTED
    interval = ""
    if mean.low is not None:
        interval = f" (95 % interval {mean.low:+.1f} to {mean.high:+.1f})"
    return f"{mean.value:+.1f} points{interval}"


def say_both(figures: StudyFigures, *, is_exact: bool = True) -> str:
    if figures.people < FEWEST:
        return f"{figures.people} people; figures {TOO_FEW}"
    if not is_exact and NOT_REPORTED not in map(say_short, (figures.accuracy, figures.eed)):
        return (
            f"{figures.people} people; accuracy about {say_whole(figures.accuracy)}; EED about"
            f" {say_whole(figures.eed)} (in whole points: another line differs by fewer than"
            f" {FEWEST} people, and would tell how they did)"
        )
    return (
        f"{figures.people} people; accuracy {say_short(figures.accuracy)}; EED"
        f" {say_short(figures.eed)}"
    )


def say_short(mean: ClusteredMean) -> str:
    if mean.value is None and not mean.range:
        return NOT_REPORTED
    if mean.low is None:
        return mean.say()
    return f"{mean.say()} ({mean.low:.1f} to {mean.high:.1f})"


def say_whole(mean: ClusteredMean) -> str:
    if mean.range:
        return f"{mean.range.low:.0f}–{mean.range.high:.0f}"
    return f"{mean.value:.0f}"


def say_spread(name: str, spread: Spread | None) -> list[str]:
    if spread is None:
        return []
    return [
        f"{name} of single people: lower quartile {spread.lower:.1f}, median {spread.median:.1f},"
        f" upper quartile {spread.upper:.1f}, mean of the best quarter {spread.top:.1f}"
    ]


def say_times(one: Times) -> str:
    name = one.came.value.lower().replace("_", " ")
    if one.median is None:
        return f"A problem, {name}: {TOO_FEW}"
    return (
        f"A problem, {name}: median {one.median:.1f} minutes on the screen, middle half"
        f" {one.lower:.1f} to {one.upper:.1f}; {count(one.problems, 'problem')},"
        f" {one.without_time} never on the screen"
    )
