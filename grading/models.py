"""Where Django looks for the rows of every room; each room has its own `models`."""

from grading.answers import models as answers
from grading.calling import models as calling
from grading.judging.models import calls, configurations, rulings, runs
from grading.keys import models as keys
from grading.runs import models as grading_runs
from grading.trials import models as trials

__all__ = [
    "answers",
    "calling",
    "calls",
    "configurations",
    "grading_runs",
    "keys",
    "rulings",
    "runs",
    "trials",
]
