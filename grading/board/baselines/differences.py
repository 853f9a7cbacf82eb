"""People of a study beside each model that stands on the board of its version."""

from collections.abc import Sequence

import numpy as np

from grading.board.baselines.checklist.facts import Beside
from grading.board.scores.collecting import arrange, name_all
from grading.board.scores.scope import Scope
from grading.studies.models import Study
from phybench_grader.statistics.clusters import compare
from phybench_grader.statistics.studies import SatProblem

METRICS = {"accuracy": "accuracy", "eed": "EED"}


def find_differences(study: Study, kept: Sequence[SatProblem]) -> list[Beside]:
    """
    Compare the people who count with each model, each answer with its mean on that problem.

    What we could not grade of a model is right at the lower end, and wrong at the upper.
    """
    board = arrange(Scope.of(study.version))
    names = name_all(board.field)
    found = []
    for standing in board.field.standing:
        model = board.of[standing.submission.pk]
        asked = set(model.problems.tolist())
        rows = [row for row in kept if row.problem in asked]
        people = np.array([row.person for row in rows], dtype=np.int64)
        problems = np.array([row.problem for row in rows], dtype=np.int64)
        places = np.searchsorted(model.problems, problems)
        for metric, name in METRICS.items():
            scores = np.array([getattr(row, metric) for row in rows], dtype=np.float64)
            lower, upper = (
                compare(scores, worth(metric)[places], people, problems)
                for worth in (model.highs, model.lows)
            )
            found.append(Beside(names[standing.submission.pk], name, lower, upper))
    return found
