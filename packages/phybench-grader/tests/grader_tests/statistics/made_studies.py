"""
Studies of people with a known truth, made as a study of ours is: who gets which problems included.

A person has an ability and a problem a difficulty, both normal, and an answer is right with the
chance 1 / (1 + exp(difficulty - ability - level)). The true value is the mean over the population
of people and the population of problems that both are drawn from, anew for every study: not over
these people, nor over the problems of this pool. It is exact: a normal sum is integrated.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

EACH, POOL = 8, 100
DOMAINS = 6
ORDERS = 40
"""Assignments of one size: each is used by many studies, for to draw them takes longest."""
SHARE_PARTLY = 0.5
"""Of wrong answers, those with a part of the score: evenly from 0 to `MOST_PARTLY`."""
MOST_PARTLY = 60.0

Array = NDArray[np.float64]
Names = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Setting:
    """What studies are made of."""

    people: int
    accuracy: float
    """True mean accuracy, in per cent."""
    by_person: float
    """Standard deviation of abilities, on the logit scale."""
    by_problem: float

    @property
    def level(self) -> float:
        """Return where an average person stands on an average problem, in logits."""
        return find_level(self.accuracy / 100, math.hypot(self.by_person, self.by_problem))

    @property
    def eed(self) -> float:
        """Return the true mean of partial scores."""
        return self.accuracy + (100 - self.accuracy) * SHARE_PARTLY * MOST_PARTLY / 2 / 100

    def find_difference(self, ahead: float) -> float:
        """Return the true difference from a solver so many logits before an average person."""
        return self.accuracy - 100 * integrate(self.level + ahead, self.by_problem)


@dataclass(frozen=True, slots=True)
class Study:
    """One study: an entry an answer."""

    people: Names
    problems: Names
    accuracy: Array
    eed: Array
    solvers: list[Array]
    """Of each solver the mean accuracy of four answers to the same problem."""


def integrate(level: float, spread: float) -> float:
    """Return the mean of 1 / (1 + exp(-x)), x being normal around `level`."""
    x = np.linspace(-9, 9, 4_001)
    weights = np.exp(-(x**2) / 2)
    return float((weights / (1 + np.exp(-level - spread * x))).sum() / weights.sum())


@cache
def find_level(share: float, spread: float) -> float:
    """Return the level at which the mean is `share`."""
    low, high = -30.0, 30.0
    for _step in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if integrate(middle, spread) < share else (low, middle)
    return middle


def correlate(setting: Setting) -> tuple[float, float]:
    """
    Return the correlations of two answers of one person, and of two to one problem.

    What both have in common is drawn once, and the rest of each is integrated.
    """
    share = setting.accuracy / 100
    x = np.linspace(-6, 6, 121)
    weights = np.exp(-(x**2) / 2) / np.exp(-(x**2) / 2).sum()

    def find(common: float, rest: float) -> float:
        chances = np.array([integrate(setting.level + common * one, rest) for one in x])
        return float((weights * chances**2).sum() - share**2) / (share * (1 - share))

    by_person, by_problem = setting.by_person, setting.by_problem
    return find(by_person, by_problem), find(by_problem, by_person)


@cache
def assign(people: int, order: int) -> Names:
    """Give each person problems one after the other, as sessions do: a row a person."""
    source = np.random.default_rng([20_261_122, order])
    given = np.zeros(POOL, dtype=np.int64)
    rows = np.empty((people, EACH), dtype=np.int64)
    for row in rows:
        chance, domains = source.random(POOL), np.zeros(DOMAINS, dtype=np.int64)
        for place in range(EACH):
            # What was given least, of the domain that the session has least of; else chance.
            pk = np.lexsort((chance, given, domains[np.arange(POOL) % DOMAINS]))[0]
            row[place] = pk
            given[pk] += POOL  # not twice in one session
            domains[pk % DOMAINS] += 1
        given[row] -= POOL - 1
    return rows


def draw_study(
    source: np.random.Generator, setting: Setting, ahead: Sequence[float] = (0.0,)
) -> Study:
    """
    Draw people, problems, their answers, and solvers' means of four answers.

    Args:
        ahead: how many logits each solver is before an average person.
    """
    problems = assign(setting.people, int(source.integers(ORDERS))).ravel()
    people = np.arange(setting.people).repeat(EACH)
    abilities = source.normal(0, setting.by_person, setting.people)
    easiness = setting.level + source.normal(0, setting.by_problem, POOL)
    is_right = source.random(len(people)) < _find_chance(easiness[problems] + abilities[people])
    is_partly = source.random(len(people)) < SHARE_PARTLY
    partly = np.where(is_partly, source.uniform(0, MOST_PARTLY, len(people)), 0.0)
    solvers = [25.0 * source.binomial(4, _find_chance(easiness + one)) for one in ahead]
    accuracy = np.where(is_right, 100.0, 0.0)
    eed = np.where(is_right, 100.0, partly)
    return Study(people, problems, accuracy, eed, [one[problems] for one in solvers])


def _find_chance(logit: Array) -> Array:
    chance: Array = 1 / (1 + np.exp(-logit))
    return chance
