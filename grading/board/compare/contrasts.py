"""
Problems that people solve and hardly any model does, and the reverse.

What a single one scored on a single problem is its organisation's to know, so nothing is listed
unless so many answered that no single verdict follows: five models, and five people to the problem.
"Hardly any" is at most one in five: of five models that leaves open which, and whether any.

People are all who answered, in studies and without one: few of any one group had a problem.

It is of the newest panel, as all figures of single problems are. Over the models of the board a
problem that leaves a list when one more model is published would tell that one's verdict.
"""

from typing import Any

import numpy as np

from grading.board.analyses.kinds import AnalysisKind, register_analysis
from grading.board.panels.collecting import find_field_of_newest
from grading.board.scores.collecting import BoardScores
from phybench_grader.statistics.metrics import FULL

LEAST_MODELS = 5
LEAST_ANSWERS = 5
"""Of people, to a problem."""
FEW = 0.2
"""At most this share has it right: hardly any."""
MOST = 0.8
"""At least this share of models has it right: nearly all."""
HALF = 0.5
"""At least this share of people's answers is right: people solve it."""
PEOPLE, MODELS = "people", "models"


def work_out(scores: BoardScores) -> dict[str, Any]:
    """List the problems, by who solves them; what a worker keeps."""
    models = [scores.of[one.submission.pk] for one in scores.field.standing if not one.waiting]
    found: dict[str, Any] = {
        "standing": len(models),
        "compared": 0,
        "people_count": scores.people.count,
        PEOPLE: [],
        MODELS: [],
    }
    if len(models) < LEAST_MODELS or not scores.scope.is_told:
        return found
    # Right is a problem more than half of the answers to which are; NaN where we could not grade.
    means = np.column_stack([one.by_problem("accuracy") for one in models])
    for place, problem in enumerate(models[0].problems.tolist()):
        graded = means[place][~np.isnan(means[place])]
        given = scores.people.accuracy[scores.people.problems == problem]
        given = given[~np.isnan(given)]
        if len(graded) < LEAST_MODELS or len(given) < LEAST_ANSWERS:
            continue
        found["compared"] += 1
        of_models, of_people = (graded > FULL / 2).mean(), given.mean() / FULL
        if of_people >= HALF and of_models <= FEW:
            found[PEOPLE].append(problem)
        elif of_models >= MOST and of_people <= FEW:
            found[MODELS].append(problem)
    return found


CONTRASTS = register_analysis(
    AnalysisKind("contrasts", work_out, version=3, find_field=find_field_of_newest)
)
