"""How far people agree among themselves, which a judge's agreement with them is read beside."""

from collections.abc import Iterable
from dataclasses import dataclass

from grading.judging.calibration.standing import SAMPLES
from grading.judging.engine.calibration import SEED
from grading.samples.labels.models import Ruling
from grading.samples.labels.rulings import Source, list_decided
from phybench_grader.statistics.agreement import Figure, Interval, bootstrap, krippendorff_alpha
from phybench_grader.statistics.metrics import FULL, Mean


@dataclass(frozen=True, slots=True)
class AmongPeople:
    """What several people said of the same answers; those that one person saw are not in it."""

    unanimous: Mean
    """Share of the answers of which all of them said the same, in per cent."""
    alpha: Figure
    alpha_interval: Interval


def compare_people(said: Iterable[list[bool]]) -> AmongPeople:
    """
    Compare what people said of each answer: right or wrong, one for each who could tell.

    >>> found = compare_people([[True, True], [False, False], [True, False, True], [True]])
    >>> found.unanimous.count, round(found.unanimous.value, 1), round(found.alpha.value, 3)
    (3, 66.7, 0.5)
    """
    several = [[float(one) for one in row] for row in said if len(row) > 1]
    return AmongPeople(
        Mean.of_shares([FULL * (len(set(row)) == 1) for row in several]),
        krippendorff_alpha(several),
        bootstrap(
            several, lambda drawn: krippendorff_alpha(drawn).value, seed=SEED, samples=SAMPLES
        ),
    )


def compare_rulings(source: Source = Source.ALL) -> AmongPeople:
    """Compare what people said here, in files, or both, in one query."""
    said: dict[int, list[bool]] = {}
    for attempt, choice in list_decided(source).values_list("attempt_id", "choice"):
        said.setdefault(attempt, []).append(choice == Ruling.Choice.RIGHT)
    return compare_people(said.values())
