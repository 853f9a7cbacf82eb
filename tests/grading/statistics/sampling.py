"""Studies with a known truth: people, problems, and what is left, each drawn."""

import numpy as np
from numpy.typing import NDArray

from grading.statistics.power import Design

TIMES = 1000
"""Studies of one setting."""

Array = NDArray[np.float64]
Names = NDArray[np.int64]


def draw_answers(source: np.random.Generator, design: Design) -> tuple[Array, Names, Names]:
    """Draw scores around 50 with the design's scatter: as many to each problem as can be."""
    share = design.accuracy / 100
    scatter = 100 * np.sqrt(share * (1 - share))
    by_person, by_problem = design.person_correlation, design.problem_correlation
    persons = np.arange(design.people).repeat(design.each)
    # One after the other from shuffled pools: none twice for one person.
    order = source.permutation(design.pool)
    problems = order[np.arange(design.answers) % design.pool]
    values = (
        50
        + scatter * np.sqrt(by_person) * source.standard_normal(design.people)[persons]
        + scatter * np.sqrt(by_problem) * source.standard_normal(design.pool)[problems]
        + scatter * np.sqrt(1 - by_person - by_problem) * source.standard_normal(design.answers)
    )
    return values, persons, problems
