"""Where Django looks for the rows of every room; each room has its own `models`."""

from grading.answers import models as answers
from grading.board import models as board
from grading.calling import models as calling
from grading.hidden import models as hidden
from grading.judging.judgements import models as calls
from grading.judging.prompts import models as configurations
from grading.judging.rulings import models as rulings
from grading.judging.runs import models as runs
from grading.keys import models as keys
from grading.runs import models as grading_runs
from grading.solvers import models as solvers
from grading.trials import models as trials

__all__ = [
    "answers",
    "board",
    "calling",
    "calls",
    "configurations",
    "grading_runs",
    "hidden",
    "keys",
    "rulings",
    "runs",
    "solvers",
    "trials",
]
